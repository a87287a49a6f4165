#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"

#include <cstdint>
#include <vector>

namespace engine {

/// One pipeline stage: the layers of one tensor-parallel group.
struct ModelStage {
    std::int64_t layers = 0;
    bool first = false;  ///< has the embedding
    bool last = false;   ///< has the language-model head, which shares the embedding's matrix
    bool operator==(const ModelStage&) const = default;
};

/// Divides layers among stages. If that leaves a remainder, the first stages have one more. The first and the last stage
/// have the ends of the model; in a delayed schedule the first stage has both.
std::vector<ModelStage> stagesOf(std::int64_t layers, const DivisionConfig& division);

/// The weights of a model on its GPUs, before any sharding over replicas.
struct DividedWeights {
    std::int64_t tp = 1, pp = 1;
    std::int64_t layer = 0;      ///< weights of one layer on one GPU
    std::int64_t embedding = 0;  ///< weights of the embedding on one GPU of the first or last stage
    std::int64_t bare = 0;       ///< weights on every GPU, if only the model's number of weights is known
    std::vector<ModelStage> stages;

    /// Returns W, the weights of a GPU of this stage.
    std::int64_t of(const ModelStage& stage) const {
        return bare + layer * stage.layers + (stage.first || stage.last ? embedding : 0);
    }
};

/// Returns the weights of the graph's model, divided as `division.*` says.
DividedWeights dividedWeights(const Experiment& experiment, const OperatorGraph& graph);

/// Returns the same for a model of which only the number of weights N is known: N / (tp pp) on each GPU. Precondition:
/// division.weights is set.
DividedWeights dividedBareWeights(const Experiment& experiment);

/// Returns whether an operator outside the layers belongs to the stage: the embedding to the first, the head to the
/// last.
bool standsIn(const ModelStage& stage, const Operator& op);

/// Returns the kind of a collective operator, whether it stands alone or is fed by a GEMM. Precondition: `op` is a
/// collective.
SubLayer collectiveOf(const OperatorGraph& graph, const Operator& op);

}  // namespace engine
