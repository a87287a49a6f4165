#pragma once

#include "ui/figure/panel_plan.h"

namespace ui {

/// Numbers to compare with: lines across the panel, short marks over a category or a bar.
void drawReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Their texts, each where it covers nothing; after everything that they could cover.
void writeReferences(FigureSheet& sheet, const PanelPlan& plan);

/// Words at points; moved off what they would cover, with a thin line back to their point.
void drawAnnotations(FigureSheet& sheet, const PanelPlan& plan);

}  // namespace ui
