#pragma once

#include "ui/look/palette.h"

#include <QBrush>
#include <QString>

#include <vector>

namespace ui {

class TimelineModel;

struct TimelineLegendEntry {
    Role role{};
    QString text;
    QString brief;  ///< where the window is narrow
    bool operator==(const TimelineLegendEntry&) const = default;
};

/// What the colours of a run's timeline stand for: of the lanes and phases that it has, none besides.
std::vector<TimelineLegendEntry> legendOf(const TimelineModel& model);

/// Returns how a role is filled in the legend and in the phases: overlap is striped. `line` is the height of a line of text.
QBrush legendBrush(const Palette& colors, Role role, double line);

}  // namespace ui
