#pragma once

#include "data/replay/kernel_number.h"
#include "ui/look/palette.h"

#include <QBrush>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

class TimelineLayout;
class TimelineModel;

struct TimelineLegendEntry {
    Role role{};
    QString text;
    QString brief;                                  ///< where the window is narrow
    std::optional<data::KernelNumber> kernel = {};  ///< whose fill it stands for, instead of the role's
    bool isGap = false;                             ///< hatched: slots that the last wave leaves empty
    bool operator==(const TimelineLegendEntry&) const = default;
};

/// What the colours of a run's timeline stand for: of the lanes and phases that it has, none besides.
std::vector<TimelineLegendEntry> legendOf(const TimelineModel& model);

/// Returns how a role is filled in the legend and in the phases: overlap is striped. `line` is the height of a line of text.
QBrush legendBrush(const Palette& colors, Role role, double line);

/// Paints the names of the lanes and of their GPUs, of the pinned rows or of those that scroll. Marks the row in focus; if
/// its GPU is closed, the GPU as a whole.
void paintGutter(QPainter& painter, const TimelineLayout& layout, const Palette& colors, bool pinned,
                 std::optional<std::size_t> focusedRow);

/// Paints the legend in the foot of the timeline, with brief words if the full ones do not fit.
void paintLegend(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

/// Paints the reminder that lanes are hidden, if any are.
void paintReminder(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

/// Paints below the rows of a bound what it is and how it adds up.
void paintBoundStatement(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

}  // namespace ui
