#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/panel_plan.h"

namespace ui {

/// Spans as boxes in their lanes, with their text where it fits. Spans too short for print become one with neighbours of
/// the same meaning; where meanings alternate faster than that, the one that takes most of a dot stands for it.
void drawTimeline(FigureSheet& sheet, const PanelPlan& plan, const data::TimelineMark& mark);

}  // namespace ui
