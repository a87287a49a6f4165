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

/// What a model's states take for each weight (training.accounting, training.optimizer) and which of them are dealt out over
/// the replicas (division.sharding).
struct StateAccount {
    Accounting accounting = Accounting::zero;
    OptimizerKind optimizer = OptimizerKind::adam;
    Sharding sharding = Sharding::none;
    std::int64_t replicas = 1;      ///< d
    std::int64_t elementBytes = 2;  ///< e: 1, 2 or 4
};

/// Bytes that one GPU holds, by holder.
struct FootprintBytes {
    Bytes weights, gradients, optimizer;
    Bytes activations;  ///< kept from the forward pass for the backward pass, of all micro-batches in flight
    Bytes cache;        ///< keys and values, in inference
    Bytes buffers;      ///< DeepSpeed's estimators: gathered gradients or layers; the layer that is recomputed

    Bytes states() const { return weights + gradients + optimizer; }
    Bytes total() const { return states() + activations + cache + buffers; }
    bool operator==(const FootprintBytes&) const = default;
};

/// One GPU of one stage.
struct StageFootprint {
    std::int64_t layers = 0;
    double inFlight = 0;  ///< micro-batches whose activations are held at once; a chunk of layers counts as its share
    FootprintBytes bytes;
    Bytes layerStates;       ///< weights, gradients and optimizer of its layers alone, without embedding and head
    Bytes layerActivations;  ///< of its layers alone
    bool operator==(const StageFootprint&) const = default;
};

/// Model states and activations of a division. Missing are the allocator, the context and workspaces.
struct Footprint {
    std::vector<StageFootprint> stages;
    std::size_t largest = 0;                    ///< of stages: the one with the largest total decides
    std::optional<bool> fits{};                 ///< into node.memory, when that is limited
    std::optional<std::int64_t> mostWeights{};  ///< largest W x tp x pp whose states fit, when node.memory is limited
    Notices notices;

    const StageFootprint& stage() const { return stages[largest]; }
    const FootprintBytes& bytes() const { return stage().bytes; }
};

/// Returns the states of a GPU that has `weights` weights before sharding, W; with w and g bytes of a weight and of a
/// gradient and K of the optimizer (ZeRO, arXiv 1910.02054, section 5): none (w+g+K)W; optimizer (w+g)W + KW/d; gradients
/// wW + (g+K)W/d; weights (w+g+K)W/d, each holder rounded up to a byte. With elements of e bytes the accounting zero
/// sets w, g = e, e; megatron e, 4; deepspeed as megatron, with buffers as in the documentation of its memory
/// estimators: 2W with gradients, 4 x `largestLayer` with weights. K is 4 bytes for each moment (adam and lamb two,
/// momentum one) and 4 for an fp32 copy of the weight (ZeRO, section 3.1: adam 12); elements of 32 bits are that copy
/// (Megatron-LM's documentation, "Distributed Optimizer": fp32 parameters and gradients take 16 bytes, 8 + 8/d where
/// the optimizer is sharded). That 8 bits keep the copy and fp32 moments is assumed. What LAMB writes between its
/// passes is not counted. divisionProblems refuses what nobody defines: megatron with 8 bits, deepspeed with any but
/// 16.
FootprintBytes modelStates(const StateAccount& account, std::int64_t weights, std::int64_t largestLayer);

/// Everything that keeps footprint and messages of a phase from being computed: what divisionProblems says, then what
/// operatorGraphProblems says unless division.weights is a bare number. The table's own checks have passed.
Problems footprintProblems(const Experiment& experiment, ModelPhase phase);

/// Returns the footprint of the division. A bare number of weights has states only. Precondition: footprintProblems is empty.
Footprint footprintOf(const Experiment& experiment, ModelPhase phase);

/// The same for a graph that is at hand: `graph` is operatorGraphOf this experiment, of which no workload.*, operators.* or
/// parallel.* was changed since. Precondition: division.weights is not set.
Footprint footprintOf(const Experiment& experiment, const OperatorGraph& graph);

}  // namespace engine
