#pragma once

#include "ui/shared/figure_offer.h"

#include <optional>

namespace ui {

class RingMoment;
class ViewState;

/// The chunk map over the visible range, with the moment of the cursor beside it, as a figure: shapes and words, in the
/// colours of paper whatever those of the window are. Nothing without a run, and for the bounds.
std::optional<FigureOffer> chunkFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
