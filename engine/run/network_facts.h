#pragma once

#include "engine/api/topology.h"
#include "engine/record/bounds.h"

namespace engine {

/// What the topology lets each GPU send and receive at best, by the algorithm of its collectives.
NetworkFacts networkFactsOf(const Experiment& experiment, const Topology& topology);

/// What a result says of the network, as GPU `gpu` sees it.
NetworkResult networkResultOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu);

}  // namespace engine
