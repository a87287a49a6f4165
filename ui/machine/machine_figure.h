#pragma once

#include "ui/shared/figure_offer.h"

#include <optional>

namespace ui {

class RingMoment;
class ViewState;

/// The machine at the moment of the cursor, or where there is none at the moment that says most (frozen_moment.h), as a
/// figure: shapes and words, in the colours of paper whatever those of the window are. Nothing without a run, and for the
/// bounds, which move nothing.
std::optional<FigureOffer> machineFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
