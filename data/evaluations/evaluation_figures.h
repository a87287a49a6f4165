#pragma once

#include "data/document/document_tree.h"
#include "data/evaluations/evaluation.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// Why a policy is refused where the points of a sweep have none.
inline constexpr const char* kNoPolicy = "a footprint depends on no policy; leave it out";

/// How names of an evaluation's document are looked up by its reader. All but the last report what they do not find.
struct EvaluationLookup {
    /// The position of the sweep that "of" names, or of the only one. `where` is the path of `object`.
    std::function<std::optional<std::size_t>(const DocumentNode& object, const std::string& where)> sweepOf;
    /// The indices of the points that "where" chooses; all without it.
    std::function<std::optional<std::vector<std::size_t>>(const DocumentNode& object, std::size_t sweep,
                                                          const std::string& where)>
        pointsWhere;
    /// The position of a policy in a sweep; `where` is its own path.
    std::function<std::optional<std::size_t>(const std::string& text, std::size_t sweep, const std::string& where)>
        policyNamed;
    /// Whether an item has this id, also one that could not be read.
    std::function<bool(const std::string& id)> isItem;
};

/// Reads the key "figures" of an evaluation whose sweeps and items were read: a list of
///
///   { "name": "speed-up", "title": "Speed-up by model", "of": "sub-layers", "mark": "bars", "x": "workload.model",
///     "y": "speedup_over_sequential", "policies": ["t3", "t3-mca"], "where": "parallel.tp=8", "as": "geomean", "all": true,
///     "references": ["t3-geomean"] }
///
/// `name`, `mark`, `x` and `y` are needed, `of` where there are several sweeps. `y` is a metric of the sweep's subject.
/// Without `policies` all are drawn; a sweep of footprints has none. `as`
/// (geomean where it is missing, mean, min, max) makes one number of the points that stand at the same value of `x`. `all`
/// adds a last bar group of all points together. Adds to `problems`; figures with a problem are left out.
std::vector<EvaluationFigure> readEvaluationFigures(const DocumentNode& root, const Evaluation& evaluation,
                                                    const EvaluationLookup& lookup, engine::Problems& problems);

}  // namespace data
