#pragma once

#include "engine/api/parameters.h"

#include <cstdint>

namespace engine {

/// What a parameter is to somebody who looks for a faster way to do the same work on the same machine.
enum class ParameterRole : std::uint8_t {
    question,   ///< what is to be computed, by how many
    machine,    ///< what it is computed on
    method,     ///< how it is done: free to choose, and nothing to buy
    simulation  ///< how exactly it is followed
};

ParameterRole roleOf(const Parameter& parameter);

}  // namespace engine
