#pragma once

#include "data/experiment/experiment_document.h"
#include "engine/api/operator_graph.h"
#include "engine/api/problem.h"

#include <string_view>

namespace data {

/// The numbers that a claim with `"of": "footprint"` may name are the metrics of that subject: what one GPU of a division holds
/// and sends. They are computed; nothing is simulated for them.

/// Returns everything that keeps the number from being computed: wrong values; if there are none, what
/// engine::footprintProblems says, and memory without a limit for a number that needs one. A sub-layer that cannot be run is
/// no problem.
engine::Problems lessonFootprintProblems(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path);

/// Returns the number, in base units. Preconditions: a metric of footprints has this path, lessonFootprintProblems is empty.
double lessonFootprint(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path);

}  // namespace data
