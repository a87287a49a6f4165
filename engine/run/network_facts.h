#pragma once

#include "engine/api/topology.h"
#include "engine/record/bounds.h"

namespace engine {

/// Returns the best that the topology allows each GPU to send and receive with the algorithm of its collectives.
NetworkFacts networkFactsOf(const Experiment& experiment, const Topology& topology);

/// Returns the description of the network for a result, as seen from GPU `gpu`.
NetworkResult networkResultOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu);

}  // namespace engine
