#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/panel_plan.h"

#include <cstddef>

namespace ui {

/// Stacks where the plan has placed them, error bars with caps over them.
void drawBars(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark);

/// The numbers at the bars' ends, as far as they find room.
void writeBarValues(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark);

/// A vertical line with a short one at each end, `half` as wide to each side.
void drawErrorBar(FigureSheet& sheet, double x, double low, double high, double half);

void drawBoxes(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BoxMark& mark);

}  // namespace ui
