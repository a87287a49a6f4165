#pragma once

#include "engine/api/parameters.h"

#include <cstdint>

namespace engine {

/// The role of a parameter in the search for a faster way to do the same work on the same machine.
enum class ParameterRole : std::uint8_t {
    question,   ///< says what is to be computed and by how many GPUs
    machine,    ///< describes the machine
    method,     ///< chooses how the work is done: free to choose, nothing to buy
    simulation  ///< sets how precisely it is simulated
};

ParameterRole roleOf(const Parameter& parameter);

}  // namespace engine
