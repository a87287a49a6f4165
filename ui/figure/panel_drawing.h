#pragma once

#include "ui/figure/panel_plan.h"

namespace ui {

/// One panel, from back to front: grid, marks, axes, names, values, references, words, titles.
void drawPanel(FigureSheet& sheet, const PanelPlan& plan);

}  // namespace ui
