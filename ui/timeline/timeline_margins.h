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
    QString brief;  ///< short form for narrow windows
    std::optional<data::KernelNumber> kernel =
        {};              ///< if set, the entry shows the fill of this kernel instead of the role's
    bool isGap = false;  ///< hatched: slots that the last wave leaves empty
    bool operator==(const TimelineLegendEntry&) const = default;
};

/// Returns the legend of a run's timeline: entries for the lanes and phases that the run has, and no others.
std::vector<TimelineLegendEntry> legendOf(const TimelineModel& model);

/// Returns the brush of a role in the legend and the phases: overlap is striped. `line` is the height of a line of
/// text.
QBrush legendBrush(const Palette& colors, Role role, double line);

/// Paints the names of the lanes and of their GPUs, either of the pinned rows or of the scrolling ones. Marks the row
/// in focus, or the whole GPU if it is collapsed.
void paintGutter(QPainter& painter, const TimelineLayout& layout, const Palette& colors, bool pinned,
                 std::optional<std::size_t> focusedRow);

/// Paints the legend in the foot of the timeline, with short texts if the full ones do not fit.
void paintLegend(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

/// Paints the reminder that lanes are hidden, if any are.
void paintReminder(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

/// Paints the meaning and the formula of a bound below its rows.
void paintBoundStatement(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

}  // namespace ui
