#pragma once

#include "data/results/metrics.h"
#include "data/store/run_catalogue.h"
#include "engine/api/parameters.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace ui {

/// What every run has without being asked for. The others are parameters and metrics by their paths.
namespace run_column {
inline constexpr const char* name = "name";
inline constexpr const char* when = "created";
inline constexpr const char* note = "note";
inline constexpr const char* tags = "tags";
inline constexpr const char* engine = "engine_version";
}  // namespace run_column

/// One column that the table of runs can have.
struct RunColumn {
    std::string path;
    QString title;    ///< short, as the head of a column
    QString group;    ///< "Run", "Link", "Metrics": where a chooser lists it
    QString meaning;  ///< a sentence
    const engine::Parameter* parameter = nullptr;
    const data::Metric* metric = nullptr;
    bool isNumber = false;  ///< right aligned, sorted largest first when first asked

    /// It comes with the rows of a query that names it.
    bool isAsked() const { return parameter != nullptr || metric != nullptr; }
};

/// Nothing when there is no such column.
std::optional<RunColumn> runColumn(const std::string& path);
/// All there are, in the order of a chooser.
std::vector<RunColumn> allRunColumns();
/// What the table starts with.
const std::vector<std::string>& usualRunColumns();

/// A value of an asked column, as people read it: "75 GB/s", "2.004 ms"; a dash where there is none.
QString runValueText(const RunColumn& column, const data::CatalogueValue& value);
/// "just now", "12 min ago", "yesterday 14:02", "2026-11-19 08:30".
QString whenText(std::int64_t unixMs, std::int64_t nowUnixMs);
/// To the second, with its zone.
QString exactTimeText(std::int64_t unixMs);
QString tagsText(const std::vector<std::string>& tags);
/// Single words in the order of the alphabet, each once, from what a person typed.
std::vector<std::string> tagsFrom(const QString& text);

}  // namespace ui
