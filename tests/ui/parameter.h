#pragma once

#include "engine/api/parameters.h"

namespace tests {

/// Names a parameter that exists.
inline const engine::Parameter& parameter(const char* path) { return *engine::findParameter(path); }

}  // namespace tests
