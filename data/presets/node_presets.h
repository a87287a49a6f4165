#pragma once

#include "data/presets/presets.h"

#include <vector>

namespace data {

/// Eight-GPU nodes of today, every number with its source. What they do not say
/// is as on T3's machine, assumed.
std::vector<Preset> nodePresets();

}  // namespace data
