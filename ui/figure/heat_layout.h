#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/panel_plan.h"

#include <cstddef>
#include <optional>

namespace ui {

/// The scale of the panel's heat map; nothing where it has none.
std::optional<ColourScalePlan> planColourScale(const data::FigurePanel& panel, double height,
                                               const FigureMeasure& measure);

/// Cells by row and column, missing ones hatched; the scale at the right of the plot.
void drawHeat(FigureSheet& sheet, const PanelPlan& plan, const data::HeatMark& mark);
void drawColourScale(FigureSheet& sheet, const PanelPlan& plan);

}  // namespace ui
