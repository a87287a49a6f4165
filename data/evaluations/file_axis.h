#pragma once

#include "data/document/document_tree.h"
#include "data/evaluations/evaluation.h"
#include "data/sweep/sweep_document.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Returns a node without children.
DocumentNode newNode(DocumentNode::Kind kind, std::string text = {});
/// Adds a child to an object.
void addChild(DocumentNode& object, std::string key, DocumentNode child);

/// An axis whose values are in a file, as a sweep document has it, and where its values come from. So base and axes are
/// checked together as in every other sweep.
struct FileAxis {
    DocumentNode node;
    std::string file;                   ///< its name, for messages
    std::vector<std::string> columns;   ///< of the file: one for each column of the axis
    std::vector<std::string> settings;  ///< paths in the document of what chose these columns; may be empty
    std::vector<std::size_t> lines;     ///< of the file: one for each step

    /// Returns the place that an author knows for a problem of the sweep: file, line and column of a value, or the
    /// setting that chose the column. `axis` is the axis in the sweep, "axes[0]". Returns an empty optional for other
    /// problems.
    std::optional<std::string> placeOf(const std::string& problem, const std::string& axis) const;
};

/// Returns the file axis of values that were read already. The columns of the file are named like the parameters.
FileAxis fileAxisOf(const SweepAxis& axis, const std::string& file, std::vector<std::size_t> lines);

/// An axis whose steps are rows of a CSV file.
struct RowAxis {
    FileAxis axis;
    EvaluationRows rows;  ///< without the position of the axis
};

/// Returns whether an axis of a sweep document is one of rows.
inline bool isRowAxis(const DocumentNode& axis) { return axis.find("csv") != nullptr; }

/// Reads an axis of rows from the text of its file:
///
///   { "csv": "steps.csv", "key": "id", "where": "calibrated=0", "columns": { "workload.hidden": "hidden" } }
///
/// It has a step for each row that `where` selects, except that rows with the same values share one. `where` has
/// conditions COLUMN=VALUE, divided by blanks, which must all hold; without it all rows are selected. `columns` has the
/// parameters and their columns, whose cells have the form of the command line. The cells of the column `key` are plain
/// names and differ. Adds problems that name document or file with what is allowed; the result is then incomplete.
RowAxis readRowAxis(const DocumentNode& node, const std::string& where, const std::string& file, std::string_view csv,
                    engine::Problems& problems);

}  // namespace data
