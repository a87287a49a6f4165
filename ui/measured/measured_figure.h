#pragma once

#include "ui/measured/measured_set.h"
#include "ui/shared/figure_offer.h"

namespace ui {

/// Returns the time of each rank as a stack: compute alone, overlapped, exposed, memory, idle.
FigureOffer measuredFigure(const MeasuredSet& set);

}  // namespace ui
