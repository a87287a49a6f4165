#pragma once

#include "ui/look/palette.h"

class QPainter;

namespace ui {

class TimelineLayout;

/// Paints the legend in the foot of the timeline, with brief words if the full ones do not fit.
void paintLegend(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

/// Paints the reminder that lanes are hidden, if any are.
void paintReminder(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

/// Paints below the rows of a bound what it is and how it adds up.
void paintBoundStatement(QPainter& painter, const TimelineLayout& layout, const Palette& colors);

}  // namespace ui
