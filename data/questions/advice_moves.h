#pragma once

#include "data/questions/advice_rules.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// Returns changes that may satisfy a broken rule, the smallest first; none if the rule's verdict is unknown. The
/// caller must still check this rule, the other rules and the engine's own conditions.
std::vector<AdviceChange> movesFor(const engine::Experiment& experiment, engine::ModelPhase phase, ShapeRule rule);

/// Returns whether the footprint fits into node.memory, or an empty optional if that is unlimited. Precondition:
/// footprintProblems is empty.
std::optional<bool> fitsMemory(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the largest multiple of workload.batch that fits into node.memory. If a step has several micro-batches, the
/// multiple divides their number, so that the step keeps its sequences. If the batch itself does not fit, returns the
/// largest smaller one that does, or an empty optional. Precondition: node.memory is limited.
std::optional<std::int64_t> bestMicroBatch(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the smallest degree of tensor parallelism that the model allows and that fits into node.memory. The
/// candidates are the degrees that divide a node evenly or span whole nodes, and the degree that is set, up to
/// node.gpus or up to a larger degree that is set. Returns an empty optional if none fits. Precondition: node.memory is
/// limited.
std::optional<std::int64_t> smallestDegree(const engine::Experiment& experiment, engine::ModelPhase phase);

}  // namespace data
