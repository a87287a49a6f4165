#pragma once

#include "engine/api/parameters.h"

namespace tests {

/// Returns a parameter. Precondition: a parameter with this path exists.
inline const engine::Parameter& parameter(const char* path) { return *engine::findParameter(path); }

}  // namespace tests
