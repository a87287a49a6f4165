#pragma once

#include "data/sweep/sweep_document.h"

#include <string>

namespace data {

/// Returns the name of a sweep's base experiment without a policy, because the sweep has its own: "t-nlg/fc-2/tp8 on
/// nvidia-h100, entries 32". A parameter that the sweep varies is not among the differences from the presets.
std::string baseName(const Sweep& sweep);

}  // namespace data
