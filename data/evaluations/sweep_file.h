#pragma once

#include "data/document/document_tree.h"
#include "data/evaluations/evaluation.h"
#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A sweep whose document is a file beside the evaluation, with the values that the evaluation sets in it.
struct SweepFile {
    DocumentNode node;  ///< the sweep, without format and version
    std::string file;   ///< its name, for messages
    DocumentNode own;   ///< the keys that the evaluation sets

    /// Returns the place of a problem that readSweep found in `node`: a path in the evaluation's document, "sweeps.a.axes[0]",
    /// if the evaluation sets that value, else a path in the file, "links.json axes[0].path". `where` is the path of the
    /// sweep in the evaluation.
    std::string placeOf(const std::string& problem, const std::string& where) const;
};

/// Returns the file that a sweep of an evaluation names by "of"; empty if "of" is missing or a subject of sweeps.
std::string sweepFileOf(const DocumentNode& sweep);

/// A file that an item, a figure or the traffic of an evaluation names by "of".
struct NamedSweepFile {
    std::string file;
    std::string where;  ///< path of the first object that names it: "items[0].over"
};

/// Returns the files that an evaluation names so, in the order of the document. Each is the name of a sweep as well.
std::vector<NamedSweepFile> sweepFilesNamedIn(const DocumentNode& evaluation);

/// Reads a sweep that is in a file. Its entry in the evaluation is a sweep document whose "of" names the file:
///
///   { "of": "links.json", "base": { "machine": "nvidia-h100" }, "policies": ["sequential", "t3-mca"] }
///
/// Values of `base` in the entry replace those of the file one by one; every other key replaces the key of the file. The
/// subject of the points is that of the file. Adds problems and returns an empty optional if the file is not found or is
/// not a sweep.
std::optional<SweepFile> readSweepFileOf(const DocumentNode& entry, const std::string& where,
                                         const MeasuredSource& files, engine::Problems& problems);

}  // namespace data
