#pragma once

#include "data/experiment/experiment_document.h"
#include "engine/api/operator_graph.h"
#include "engine/api/problem.h"

#include <string_view>

namespace data {

// A claim with `"of": "footprint"` may name the metrics of footprints, which describe what one GPU of a division holds
// and sends. They are computed without simulation.

/// Returns everything that prevents the number from being computed: wrong values; if there are none, the problems of
/// engine::footprintProblems, and unlimited memory for a number that needs a limit. A sub-layer that cannot be run is
/// not a problem.
engine::Problems lessonFootprintProblems(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path);

/// Returns the number, in base units. Preconditions: a metric of footprints has this path, and lessonFootprintProblems
/// is empty.
double lessonFootprint(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path);

}  // namespace data
