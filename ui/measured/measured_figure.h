#pragma once

#include "ui/measured/measured_set.h"
#include "ui/shared/figure_offer.h"

#include <QString>

#include <optional>

namespace ui {

/// A measured pair beside the simulated one.
struct ComparedPair {
    data::TracePair pair;
    data::PairTimes simulated;
    QString policy;                       ///< of the simulated one: "T3-MCA"
    data::FigureProvenance provenance{};  ///< of the simulated run
};

/// Returns the time of each rank as a stack: compute alone, overlapped, exposed, memory, idle. With a pair, a second panel
/// has its measured and simulated times side by side.
FigureOffer measuredFigure(const MeasuredSet& set, const std::optional<ComparedPair>& compared = std::nullopt);

}  // namespace ui
