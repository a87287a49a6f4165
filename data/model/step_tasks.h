#pragma once

#include "data/model/model_step.h"

#include <cstddef>
#include <cstdint>

namespace data {

inline std::size_t placeOf(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Fills the plan, the messages, the graph and the tasks of a step. Precondition: policy, shape, stages' chunks and
/// sections are set.
void addStepTasks(const ModelRun& run, const PolicyModelTime& policy, ModelStep& step);

/// Returns how many tasks a step has at most, without making them.
double mostStepTasks(const engine::Experiment& experiment, engine::ModelPhase phase);

}  // namespace data
