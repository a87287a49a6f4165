#pragma once

#include "data/presets/presets.h"

#include <vector>

namespace data {

/// The bundled machines: T3's, what may come after it, with one part changed at a time, and the nodes of today. What a
/// machine does not say is as the parameter table has it.
std::vector<Preset> bundledMachines();

}  // namespace data
