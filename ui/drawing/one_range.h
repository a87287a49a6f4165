#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/panel_plan.h"

#include <vector>

namespace ui {

/// Returns the figure with one range for axes with the same title, unit and scale, as the ends of these axes: that of the
/// values of all their panels, with room for the texts beside them. Ends that an axis sets itself stay and are not taken
/// over by others; broken axes and axes of categories, rows and lanes stay as they are. `plans` are the panels, laid out
/// alone.
data::FigureSpec withOneRange(data::FigureSpec figure, const std::vector<PanelPlan>& plans,
                              const FigureMeasure& measure);

}  // namespace ui
