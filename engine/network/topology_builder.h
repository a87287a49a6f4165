#pragma once

#include "engine/api/topology.h"

namespace engine {

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
