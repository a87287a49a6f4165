// Gives any bytes to the reader of search words for runs. It must return the problem in a sentence, or a filter that
// accepts or rejects each run.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/results/metrics.h"
#include "data/store/run_catalogue.h"
#include "engine/api/parameters.h"
#include "tests/fuzz/checks.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz::run_filter {

/// Returns runs of every kind, with a value in each of the columns.
std::vector<data::CatalogueRow> rowsWith(std::size_t columns) {
    data::CatalogueRow any;
    any.name = "run";  // every run has a name
    std::vector<data::CatalogueRow> rows(6, any);
    rows[1].name = "t-nlg/fc-2/tp8 t3-mca";
    rows[2].note = "Links of the paper";
    rows[3].tags = {"paper", "x"};
    const std::vector<data::CatalogueValue> values{
        {}, 0.0, 150e9, std::string("t3-mca"), std::numeric_limits<double>::quiet_NaN(), std::string("unlimited")};
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].values.assign(columns, values[i]);
    return rows;
}

std::vector<bool> accepted(const data::RunFilter& filter) {
    std::vector<bool> taken;
    for (const data::CatalogueRow& row : rowsWith(filter.paths().size()))
        taken.push_back(filter.accepts(row, filter.paths()));
    return taken;
}

void checkFilter(const data::RunFilter& filter, const std::string& text) {
    for (const std::string& path : filter.paths())
        require(engine::findParameter(path) != nullptr || data::findMetric(path) != nullptr,
                "what is compared is a parameter or a metric", text);
    const std::set<std::string> once(filter.paths().begin(), filter.paths().end());
    require(once.size() == filter.paths().size(), "each path is asked for once", text);
    // All conditions must hold, so repeating them changes nothing. Every run contains an empty word.
    std::string problem;
    const auto twice = data::RunFilter::parse(text + " \"\" " + text, problem);
    require(twice && accepted(*twice) == accepted(filter), "the same words twice ask for the same", text);
    require(twice->paths() == filter.paths(), "the same words twice need the same columns", text);
    // A run without the columns may be accepted or rejected.
    for (const data::CatalogueRow& row : rowsWith(0))
        filter.accepts(row, {});
}

RINGSIDE_FUZZ_TARGET(fuzz_run_filter)(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    std::string problem;
    const auto filter = data::RunFilter::parse(text, problem);
    require(filter.has_value() == problem.empty(), "a filter, or why there is none", text);
    if (filter)
        checkFilter(*filter, text);
    return 0;
}

}  // namespace fuzz::run_filter
