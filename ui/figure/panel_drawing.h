#pragma once

#include "ui/figure/panel_plan.h"

namespace ui {

/// One panel, from back to front: grid, marks, axes, names, references, words, titles. `titleX` is where the title of y
/// axes stands, the same for all panels below each other.
void drawPanel(FigureSheet& sheet, PanelPlan& plan);

}  // namespace ui
