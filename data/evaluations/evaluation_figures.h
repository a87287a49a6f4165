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

/// The message for a policy that is named although the points of the sweep have no policies.
inline constexpr const char* kNoPolicy = "a footprint depends on no policy; leave it out";

/// Functions of the reader of an evaluation's document that look up names. All except the last one report names that
/// they do not find.
struct EvaluationLookup {
    /// Returns the position of the sweep that "of" names, or of the only sweep. `where` is the path of `object`.
    std::function<std::optional<std::size_t>(const DocumentNode& object, const std::string& where)> sweepOf;
    /// Returns the indices of the points that "where" selects; all points if there is no "where".
    std::function<std::optional<std::vector<std::size_t>>(const DocumentNode& object, std::size_t sweep,
                                                          const std::string& where)>
        pointsWhere;
    /// Returns the position of a policy in a sweep; `where` is the path of the policy's own name.
    std::function<std::optional<std::size_t>(const std::string& text, std::size_t sweep, const std::string& where)>
        policyNamed;
    /// Returns whether an item has this id, even if that item could not be read.
    std::function<bool(const std::string& id)> isItem;
};

/// Reads the key "figures" of an evaluation whose sweeps and items were read: a list of
///
///   { "name": "speed-up", "title": "Speed-up by model", "of": "sub-layers", "mark": "bars", "x": "workload.model",
///     "y": "speedup_over_sequential", "policies": ["t3", "t3-mca"], "where": "parallel.tp=8", "as": "geomean",
///     "all": true, "references": ["t3-geomean"] },
///   { "name": "by-entries", "of": "links.json", "mark": "lines", "x": "link.bandwidth", "y": "speedup_over_sequential",
///     "policies": ["t3-mca"], "series": "tracker.entries", "panels": "workload.sublayer",
///     "labels": { "x": "Link bandwidth", "y": "Speed-up" } },
///   { "name": "gains", "mark": "lines", "x": "link.bandwidth", "y": ["gain-t3", "gain-t3-mca"] },
///   { "name": "summary", "mark": "bars", "y": ["t3-geomean", "t3-mca-geomean"] }
///
/// `series` and `panels` are axes of the sweep: the figure has a bar or a line for each value of `series`, under each
/// policy, and a panel for each value of `panels`, all with one range. `labels` are the titles of the axes.
///
/// `y` may be the id of an item, or a list of ids. Items with `each` have a bar or a line with their points over `x`, all
/// of one sweep and of one kind. Items with one number have a bar each, beside the published numbers, and no `x`. A
/// figure of items has none of the keys `of`, `where`, `policies` and `references`; a list has no `series`.
/// Gains, savings and differences at one place have their mean by default.
///
/// Otherwise the keys `name`, `mark`, `x` and `y` are required, and `of` if there are several sweeps. `y` is a metric of the
/// sweep's subject. Without `policies` all policies are drawn; a sweep of footprints has none. `as` (geomean, which is
/// the default, mean, median, min or max) combines the points at the same value of `x` into one number. `all` adds a last group
/// of bars for all points together. Adds problems to `problems` and leaves out figures with a problem.
std::vector<EvaluationFigure> readEvaluationFigures(const DocumentNode& root, const Evaluation& evaluation,
                                                    const EvaluationLookup& lookup, engine::Problems& problems);

}  // namespace data
