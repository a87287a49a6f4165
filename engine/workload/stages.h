#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"

#include <cstdint>
#include <vector>

namespace engine {

/// The layers of one tensor-parallel group.
struct ModelStage {
    std::int64_t layers = 0;
    bool first = false;  ///< has the embedding
    bool last = false;   ///< has the language-model head, which shares the embedding's matrix
    bool operator==(const ModelStage&) const = default;
};

/// Deals layers out to stages. Where the stages do not divide them, the first stages have one more.
std::vector<ModelStage> stagesOf(std::int64_t layers, std::int64_t stages);

/// The weights of a model as its GPUs have them before anything is sharded over replicas.
struct DividedWeights {
    std::int64_t tp = 1, pp = 1;
    std::int64_t layer = 0;      ///< of one layer on one GPU
    std::int64_t embedding = 0;  ///< on one GPU of an end stage
    std::int64_t bare = 0;       ///< of every GPU, when only the model's number of weights is known
    std::vector<ModelStage> stages;

    /// Returns W, the weights of a GPU of this stage.
    std::int64_t of(const ModelStage& stage) const {
        return bare + layer * stage.layers + (stage.first || stage.last ? embedding : 0);
    }
};

/// Returns the weights of the graph's model, dealt out as `division.*` says.
DividedWeights dividedWeights(const Experiment& experiment, const OperatorGraph& graph);

/// Returns the same of a bare number of weights, N / (tp pp) on each GPU. Precondition: division.weights is set.
DividedWeights dividedBareWeights(const Experiment& experiment);

/// Whether an operator before or after the layers belongs to the stage: the embedding to the first, the head to the last.
bool standsIn(const ModelStage& stage, const Operator& op);

/// The words of a collective's operation, whether it stands by itself or is fed by a GEMM. Precondition: a collective.
SubLayer collectiveOf(const OperatorGraph& graph, const Operator& op);

}  // namespace engine
