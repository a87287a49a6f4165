#pragma once

#include "data/figure/figure_spec.h"

#include <string>

namespace data {

/// Published values are of the machine that experiments have where nothing else is said. Returns what an experiment behind a
/// figure has instead, "link.bandwidth = 75 GB/s and 2 more"; an empty text where all have that machine.
std::string changedMachine(const FigureProvenance& provenance);

}  // namespace data
