#pragma once

#include "data/questions/advice_rules.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// Returns changes that may satisfy a broken rule, the smallest first. The rule itself, the other rules and what the
/// engine allows still have to be checked. Empty for a rule that says nothing.
std::vector<AdviceChange> movesFor(const engine::Experiment& experiment, engine::ModelPhase phase, ShapeRule rule);

/// Returns whether the footprint fits into node.memory; an empty optional where that is unlimited. Precondition:
/// footprintProblems is empty.
std::optional<bool> fitsMemory(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the largest multiple of workload.batch that fits into node.memory; while several micro-batches make a step,
/// one whose number they share out evenly, so that the step keeps its sequences. If the batch itself does not fit,
/// returns the largest one below it that does; an empty optional if none does. Precondition: node.memory is limited.
std::optional<std::int64_t> bestMicroBatch(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the smallest degree of tensor parallelism that the model allows and that fits into node.memory, of those
/// that share out a node evenly or span whole nodes, and the one that is set; an empty optional if none does up to
/// node.gpus, or up to a larger degree that is set. Precondition: node.memory is limited.
std::optional<std::int64_t> smallestDegree(const engine::Experiment& experiment, engine::ModelPhase phase);

}  // namespace data
