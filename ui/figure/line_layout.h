#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/panel_plan.h"

#include <cstddef>
#include <vector>

namespace ui {

/// Lines, broken where a value is missing, with markers and error bars. No more points than print can show.
void drawLines(FigureSheet& sheet, const PanelPlan& plan, const data::LineMark& mark);

/// Areas upon each other from zero; broken where a value is missing.
void drawAreas(FigureSheet& sheet, const PanelPlan& plan, const data::AreaMark& mark);

/// Of each column of `width` points the first, lowest, highest and last point, in order: what print can show of a line.
QPolygonF thinned(const QPolygonF& points, double width);

/// One dot at 600 dpi.
inline constexpr double kPrintDot = 72.0 / 600;

}  // namespace ui
