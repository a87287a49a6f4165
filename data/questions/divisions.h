#pragma once

#include "data/document/document_reader.h"
#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace data {

/// The question "How can this model be divided over so many GPUs, which divisions fit, and which of them is fastest?",
/// for one training step.
struct DivisionsQuestion {
    engine::Experiment base;     ///< model, machine and everything else that the search does not choose
    std::int64_t gpus = 1;       ///< tp x dp x pp of every division
    std::int64_t sequences = 1;  ///< of one step, over all replicas: dp x batch x micro-batches in every division
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
    engine::Bytes footprint;               ///< of a GPU of the largest stage, engine::footprintOf
    bool fits = true;                      ///< fits into node.memory; always true if that is unlimited
    engine::Duration compute;              ///< flops of one GPU / (peak x cu.tensor_efficiency)
    double bubble = 0;                     ///< (p-1)/(v m), Narayanan et al. (arXiv 2104.04473), section 2.2
    engine::Duration messages;             ///< bytes that one GPU sends, each over its bandwidth
    engine::Duration estimate;             ///< compute x (1 + bubble) + messages
    std::optional<engine::Duration> step;  ///< simulated time of the step, see simulateBest
};

/// All possible divisions, best first.
struct Divisions {
    /// Divisions that fit come first. Both parts are ordered by estimate, then by footprint, then by the fields from
    /// `tp` on.
    std::vector<Division> rows;
    std::size_t fitting = 0;  ///< the number of rows at the front that fit
    engine::Notices notices;  ///< limits of the estimate, or the reason why there are no rows
};

/// Returns everything that is wrong with the question itself, by path ("gpus", "sequences", or a parameter's).
/// Precondition: `base` passes the checks of the parameter table. A question without problems may still have no
/// divisions.
engine::Problems divisionsProblems(const DivisionsQuestion& question);

/// Returns the divisions of one training step: tp up to node.gpus, pp that divides the layers, batch a power of two,
/// interleave 1, 2 or 4, each sharding and each recompute word that makes a difference, as far as the engine allows
/// them. Values of these in `base` are ignored.
///
/// The estimate is the time for the flops of GEMMs and attention (forward, recomputed and backward), divided evenly
/// among the stages, plus the time for the bytes of the GPU that sends most (engine::messagesOf): over link.bandwidth
/// inside a node of node.gpus, and over topology.node_bandwidth, which always has a value, between nodes, whatever
/// topology.kind is. It has no overlap and no latency: it ranks divisions and does not predict a time (derived).
///
/// Throws engine::InvalidExperiment for the problems of divisionsProblems, engine::RunStopped.
Divisions divisionsOf(const DivisionsQuestion& question);

/// Simulates the steps of the first `count` divisions under `sequential`, and orders these by them; a division that cannot
/// be timed comes last, and a notice says why. Throws as data::modelRun does.
void simulateBest(const DivisionsQuestion& question, std::size_t count, int threads, Divisions& divisions);

/// Returns the settings that give an experiment this division: parallel.tp, division.*, workload.batch and
/// operators.recompute.
Settings settingsOf(const Division& division);

}  // namespace data
