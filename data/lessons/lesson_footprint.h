#pragma once

#include "data/experiment/experiment_document.h"
#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// The numbers that a claim with `"of": "footprint"` may name are the metrics of that subject: what one GPU of a division holds
/// and sends. They are computed; nothing is simulated for them.

/// Returns the unit of a number, or an empty optional if there is no number with this path.
std::optional<engine::ParameterUnit> lessonFootprintUnit(std::string_view path);

/// Returns the paths most like this one, best first, at most three.
std::vector<std::string> nearestLessonFootprints(std::string_view path);

/// Returns everything that keeps the number from being computed: wrong values; if there are none, what
/// engine::footprintProblems says, and memory without a limit for a number that needs one. A sub-layer that cannot be run is
/// no problem.
engine::Problems lessonFootprintProblems(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path);

/// Returns the number, in base units. Preconditions: the path has a unit, lessonFootprintProblems is empty.
double lessonFootprint(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path);

}  // namespace data
