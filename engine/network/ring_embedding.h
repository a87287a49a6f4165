#pragma once

#include "engine/api/topology.h"

#include <optional>
#include <vector>

namespace engine {

/// An order of all GPUs in which each reaches the next without passing through another GPU, and the last the first:
/// [i] sends to [i+1]. Prefers downward numbers, GPU i to GPU i-1. Nothing when there is none, or none is found within a
/// million steps of the search.
std::optional<std::vector<std::uint32_t>> embedRing(const Topology& topology);

/// By GPU: the GPUs that it reaches by links and switches alone, in rising order.
std::vector<std::vector<std::uint32_t>> directNeighbours(const Topology& topology);

}  // namespace engine
