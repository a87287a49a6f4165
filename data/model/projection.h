#pragma once

#include "data/experiment/experiment_document.h"
#include "data/model/model_run.h"
#include "engine/api/experiment.h"
#include "engine/api/problem.h"

#include <string_view>

// Projection by scaling laws, as in Comp-vs-Comm (arXiv 2302.02825): a small model, the source, is simulated, and the
// time of each of its operators is scaled to the operator with the same id in a larger model, the target. GEMMs and
// attention grow with their flops, element-wise operators with their bytes, and collectives with the bytes that a GPU
// sends. What the laws leave out, such as waves and latencies, is the error of a projection.

namespace data {

/// The path of problems and notices of a projection: the key of a sweep's document.
inline constexpr const char* kProjectFrom = "project_from";

/// Returns whether a source may have a value of its own for a parameter: the sizes of its model, or its degree.
/// Everything else is that of the target, because no law scales from one machine to another.
bool isOfSource(std::string_view path);

/// Returns the draft of the source: the target's draft with the model and the degree of `source`. Precondition: every
/// path of `source` isOfSource.
ExperimentDraft sourceDraft(ExperimentDraft target, const Settings& source);

/// Returns why the times of `source` cannot be scaled to `target`: their operators differ, a policy other than
/// `sequential`, several stages, replicas or micro-batches, or a model that cannot be timed.
engine::Problems projectionProblems(const engine::Experiment& target, const engine::Experiment& source,
                                    const ModelRunOptions& options);

/// Times a phase of the model of `target` under `sequential` from a simulation of `source` alone. Precondition: the two
/// differ in parameters that isOfSource accepts. Throws InvalidExperiment, RunStopped or Deadlock.
ModelRun projectedRun(const engine::Experiment& target, const engine::Experiment& source,
                      const ModelRunOptions& options);

}  // namespace data
