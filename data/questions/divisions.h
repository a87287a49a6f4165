#pragma once

#include "data/document/document_reader.h"
#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace data {

/// "In which ways can this model be dealt out over so many GPUs, and which fits and asks least?": one training step.
struct DivisionsQuestion {
    engine::Experiment base;     ///< model, machine and everything that the search does not choose
    std::int64_t gpus = 1;       ///< tp x dp x pp of every division
    std::int64_t sequences = 1;  ///< of one step, over all replicas: dp x batch x micro-batches of every division
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, rising, on the calling thread
};

/// One division of a model over the GPUs.
struct Division {
    std::int64_t tp = 1, pp = 1, dp = 1;
    std::int64_t batch = 1;         ///< sequences of one micro-batch
    std::int64_t microbatches = 1;  ///< of one replica, m
    std::int64_t interleave = 1;    ///< chunks of layers of one stage, v
    engine::Sharding sharding = engine::Sharding::none;
    engine::Recompute recompute = engine::Recompute::none;
    engine::Bytes footprint;    ///< of a GPU of the largest stage, engine::footprintOf
    bool fits = true;           ///< into node.memory; always true where that is unlimited
    engine::Duration compute;   ///< flops of one GPU / (peak x cu.tensor_efficiency)
    double bubble = 0;          ///< (p-1)/(v m), Narayanan et al. (arXiv 2104.04473), section 2.2
    engine::Duration messages;  ///< bytes that one GPU sends, each over its bandwidth
    engine::Duration estimate;  ///< compute x (1 + bubble) + messages
};

/// All divisions that can be, best first.
struct Divisions {
    /// Those that fit come first; each part is in order of estimate, then of footprint, then of the fields from `tp` on.
    std::vector<Division> rows;
    std::size_t fitting = 0;  ///< so many rows at the front fit
    engine::Notices notices;  ///< what the estimate leaves out; why there are no rows
};

/// Returns everything that is wrong with the question itself, by path ("gpus", "sequences", or a parameter's). The table's own
/// checks of `base` have passed. A question without problems may still have no divisions.
engine::Problems divisionsProblems(const DivisionsQuestion& question);

/// Returns the divisions of one training step: tp up to node.gpus, pp that divides the layers, batch a power of two,
/// interleave 1, 2 or 4, each sharding and each recompute word that makes a difference, as far as the engine allows them.
/// What `base` says of these is not read.
///
/// The estimate counts the flops of GEMMs and attention, forward, recomputed and backward, as if the stages dealt out all of
/// them evenly; and the sent bytes of the GPU that sends most (engine::messagesOf), over link.bandwidth inside a node of
/// node.gpus and over topology.node_bandwidth, which always has a value, between nodes, whatever topology.kind is. No
/// overlap, no latency: it orders divisions, it does not predict a time (derived).
///
/// Throws engine::InvalidExperiment for what divisionsProblems finds, engine::RunStopped.
Divisions divisionsOf(const DivisionsQuestion& question);

/// Returns the values that make a division the experiment's: of parallel.tp, division.*, workload.batch and
/// operators.recompute.
Settings settingsOf(const Division& division);

}  // namespace data
