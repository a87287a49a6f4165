#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

/// The convention that counts the bytes of a model's states for each weight (training.accounting, training.optimizer),
/// and the states that are divided over the replicas (division.sharding).
struct StateAccount {
    Accounting accounting = Accounting::zero;
    OptimizerKind optimizer = OptimizerKind::adam;
    Sharding sharding = Sharding::none;
    std::int64_t replicas = 1;      ///< d
    std::int64_t elementBytes = 2;  ///< e: 1, 2 or 4
    /// The bytes w + g + K of a weight (training.states); empty: by accounting and optimizer.
    std::optional<Bytes> states{};
};

/// Returns w + g, the bytes of a weight and of its gradient.
std::int64_t weightAndGradientBytes(const StateAccount& account);

/// The bytes that one GPU holds, by purpose.
struct FootprintBytes {
    Bytes weights, gradients, optimizer;
    Bytes activations;  ///< results that the forward pass keeps for the backward pass, of all micro-batches in flight
    Bytes cache;        ///< cached keys and values, in inference
    Bytes buffers;      ///< DeepSpeed's estimators: gathered gradients or layers; also the layer that is recomputed
    Bytes copies;       ///< of the weights in other formats (training.copies)

    Bytes states() const { return weights + gradients + optimizer; }
    Bytes total() const { return states() + activations + cache + buffers + copies; }
    bool operator==(const FootprintBytes&) const = default;
};

/// The footprint of one GPU of one pipeline stage.
struct StageFootprint {
    std::int64_t layers = 0;
    /// Micro-batches whose activations are held at once; a chunk of layers counts as its share of the stage's layers.
    double inFlight = 0;
    FootprintBytes bytes;
    Bytes layerStates;       ///< weights, gradients and optimizer of its layers alone, without embedding and head
    Bytes layerActivations;  ///< of its layers alone
    /// The activations of one micro-batch that each chunk (or module) holds between its passes.
    std::vector<Bytes> chunkActivations;
    bool operator==(const StageFootprint&) const = default;
};

/// The memory for model states and activations of a divided model. It does not include the allocator, the context and
/// workspaces.
struct Footprint {
    std::vector<StageFootprint> stages;
    std::size_t largest = 0;     ///< index of the stage with the largest total, which decides whether the model fits
    std::optional<bool> fits{};  ///< whether it fits into node.memory; empty if that is unlimited
    /// The largest W x tp x pp whose states fit; empty if node.memory is unlimited.
    std::optional<std::int64_t> mostWeights{};
    Notices notices;

    const StageFootprint& stage() const { return stages[largest]; }
    const FootprintBytes& bytes() const { return stage().bytes; }
};

/// Returns the model states of a GPU that has W = `weights` weights before sharding. Let w and g be the bytes of a
/// weight and of a gradient, and K those of the optimizer's state (ZeRO, arXiv 1910.02054, section 5). Sharding sets
/// the sum, of which each part is rounded up to a byte:
/// - none: (w+g+K)W;
/// - optimizer: (w+g)W + KW/d;
/// - gradients: wW + (g+K)W/d;
/// - weights: (w+g+K)W/d.
///
/// With elements of e bytes the accounting zero sets w = g = e; megatron sets w = e and g = 4; deepspeed is like
/// megatron, with buffers as in the documentation of its memory estimators: 2W with sharded gradients, 4 x
/// `largestLayer` with sharded weights. K is 4 bytes for each moment of the optimizer (adam and lamb have two, momentum
/// has one) and 4 for an fp32 copy of the weight (ZeRO, section 3.1: adam 12). With elements of 32 bits the weight
/// itself is that copy (Megatron-LM's documentation, "Distributed Optimizer": fp32 parameters and gradients take 16
/// bytes, 8 + 8/d where the optimizer is sharded). It is assumed that training with 8 bits keeps the fp32 copy and fp32
/// moments. With `states` K is what w and g leave of it. What LAMB writes between its passes is not counted.
/// divisionProblems refuses the combinations that have no published definition: megatron with 8 bits, and deepspeed with
/// any size but 16 bits.
FootprintBytes modelStates(const StateAccount& account, std::int64_t weights, std::int64_t largestLayer);

/// Returns every reason why footprint and messages of a phase cannot be computed: first the problems of
/// divisionProblems, then those of operatorGraphProblems unless division.weights is set. Precondition: each value has
/// passed the checks of the parameter table.
Problems footprintProblems(const Experiment& experiment, ModelPhase phase);

/// Returns the footprint of the divided model. If only the number of weights is known (division.weights), it has states
/// only. Precondition: footprintProblems is empty.
Footprint footprintOf(const Experiment& experiment, ModelPhase phase);

/// Returns the same from an existing graph: `graph` is operatorGraphOf this experiment, and no workload.*, operators.*
/// or parallel.* has changed since. Precondition: division.weights is not set.
Footprint footprintOf(const Experiment& experiment, const OperatorGraph& graph);

}  // namespace engine
