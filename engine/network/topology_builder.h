#pragma once

#include <optional>
#include <vector>

#include "engine/api/topology.h"

namespace engine {

/// Returns an order of all GPUs in which each reaches the next, and the last the first, without passing through another
/// GPU: [i] sends to [i+1]. Prefers falling numbers, GPU i to GPU i-1. Returns an empty optional if there is no such
/// order, or if none is found within a million steps of the search.
std::optional<std::vector<std::uint32_t>> embedRing(const Topology& topology);

/// Returns, by GPU, the GPUs that it reaches by links and switches alone, in rising order.
std::vector<std::vector<std::uint32_t>> directNeighbours(const Topology& topology);

/// Returns the nodes and links of an experiment's topology without routes, numbered in the order of the ring if the
/// kind defines one. Precondition: `topology.*` and `parallel.tp` are consistent.
Topology buildTopology(const Experiment& experiment);

/// Returns the columns of a torus: as set, or those of the most square shape.
std::uint32_t torusColumns(const Experiment& experiment);

/// Returns the nodes and links of `topology.links`; GPUs have the numbers that the text gives them. Adds malformed
/// entries to `problems`.
Topology parseLinks(const Experiment& experiment, Problems& problems);

/// Returns a cycle through the cells of a torus of rows x columns: each cell is a neighbour of the one before, and the
/// last of the first; cell = row x columns + column. Works for any shape.
std::vector<std::uint32_t> torusCycle(std::uint32_t rows, std::uint32_t columns);

}  // namespace engine
