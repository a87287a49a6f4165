#pragma once

#include "data/results/metrics.h"
#include "data/store/run_catalogue.h"
#include "engine/api/parameters.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The columns that are neither parameters nor metrics, which are given by their paths.
namespace run_column {
inline constexpr const char* name = "name";
inline constexpr const char* when = "created";
inline constexpr const char* note = "note";
inline constexpr const char* tags = "tags";
inline constexpr const char* engine = "engine_version";
}  // namespace run_column

/// A column of the table of runs.
struct RunColumn {
    std::string path;
    QString title;    ///< short, for the table's header
    QString group;    ///< "Run", "Link", "Metrics": its group in the chooser
    QString meaning;  ///< a sentence
    const engine::Parameter* parameter = nullptr;
    const data::Metric* metric = nullptr;
    bool isNumber = false;  ///< right aligned, and sorted from the largest at the first click

    /// Returns whether a query must name the column for its values to be read.
    bool isAsked() const { return parameter != nullptr || metric != nullptr; }
};

/// Returns a column by its path; an empty optional if there is none.
std::optional<RunColumn> runColumn(const std::string& path);
/// Returns all columns in the order of the chooser.
std::vector<RunColumn> allRunColumns();
/// Returns the default columns.
const std::vector<std::string>& usualRunColumns();

/// Formats a value of a parameter or metric column: "75 GB/s", "2.004 ms"; a dash if there is no value.
QString runValueText(const RunColumn& column, const data::CatalogueValue& value);
/// Formats a time relative to now: "just now", "12 min ago", "yesterday 14:02", "2026-11-19 08:30".
QString whenText(std::int64_t unixMs, std::int64_t nowUnixMs);
/// Formats a time to the second, with its time zone.
QString exactTimeText(std::int64_t unixMs);
QString tagsText(const std::vector<std::string>& tags);
/// Splits a typed text into tags: single words in alphabetical order, each once.
std::vector<std::string> tagsFrom(const QString& text);

}  // namespace ui
