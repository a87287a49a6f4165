#pragma once

#include "ui/figure/panel_plan.h"

namespace ui {

/// Whether bars have names written under them: stacks side by side do, whose series alone would not tell them apart.
bool namesBars(const data::BarMark& mark);

/// What is written under the x axis: bars, categories, groups of categories.
void planNames(PanelPlan& plan, double perUnit, const FigureMeasure& measure);

/// What is written at the left of a heat map or a timeline of this height, and the axis of its rows: row i stands at i.
void planRows(PanelPlan& plan, double height, const FigureMeasure& measure);

}  // namespace ui
