#pragma once

#include "data/figure/figure_spec.h"

#include <string>

namespace data {

/// Returns the command that makes a figure from its source with its edits, for people to paste into a shell:
/// "ringside figure sublayer-speedup --set link.bandwidth=75GB/s --size slide --look series.t3.name=Ours". An empty text
/// if the source is unknown. A document is named as its file was; it is in the figure (`spec.json`, "from").
std::string commandOf(const FigureSpec& figure);

}  // namespace data
