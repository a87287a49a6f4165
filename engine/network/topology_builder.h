#pragma once

#include <optional>
#include <vector>

#include "engine/api/topology.h"

namespace engine {

/// An order of all GPUs in which each reaches the next without passing through another GPU, and the last the first:
/// [i] sends to [i+1]. Prefers downward numbers, GPU i to GPU i-1. Nothing when there is none, or none is found within a
/// million steps of the search.
std::optional<std::vector<std::uint32_t>> embedRing(const Topology& topology);

/// By GPU: the GPUs that it reaches by links and switches alone, in rising order.
std::vector<std::vector<std::uint32_t>> directNeighbours(const Topology& topology);

/// Nodes and links of an experiment's topology, without routes; and, where the kind knows it, in the order of its ring.
/// Precondition: what `topology.*` and `parallel.tp` say fits together.
Topology buildTopology(const Experiment& experiment);

/// The shape of a torus: its columns, as set or the most square.
std::uint32_t torusColumns(const Experiment& experiment);

/// The nodes and links of `topology.links`, GPUs by their author's numbers. Adds to `problems` what is malformed.
Topology parseLinks(const Experiment& experiment, Problems& problems);

/// The cells of a torus of rows x columns in an order in which each is a neighbour of the one before and the last of the
/// first: cell = row x columns + column. For any shape.
std::vector<std::uint32_t> torusCycle(std::uint32_t rows, std::uint32_t columns);

}  // namespace engine
