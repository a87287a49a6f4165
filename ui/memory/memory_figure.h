#pragma once

#include "ui/shared/figure_offer.h"

#include <optional>

namespace ui {

class MemoryView;
class RingMoment;
class ViewState;

/// Returns the memory over the visible range as a figure: utilisation and efficiency, row hits, the heat map that the
/// view shows, and camping, with their numbers. An empty optional without a run, and for bounds.
std::optional<FigureOffer> memoryFigure(const MemoryView& view, const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
