#pragma once

#include "ui/figure/panel_plan.h"

namespace ui {

/// Numbers to compare with: lines across the panel, short marks over a category or a bar, each with its text where it
/// covers nothing.
void drawReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Words at points; moved off what they would cover, with a thin line back to their point.
void drawAnnotations(FigureSheet& sheet, const PanelPlan& plan);

}  // namespace ui
