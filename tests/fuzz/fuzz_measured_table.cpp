// Gives any bytes to the reader of measured tables. It must return a list of problems, or an axis with as many steps as
// there are values.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/document_reader.h"
#include "data/evaluations/measured_table.h"
#include "tests/fuzz/checks.h"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace fuzz::measured_table {

RINGSIDE_FUZZ_TARGET(fuzz_measured_table)(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::size_t kMostRows = 100;
    const data::MeasuredKind kind{"rows.csv", data::findMetric("time_ps.total"), "µs", false, kMostRows};
    engine::Problems problems;
    const data::MeasuredTable table =
        data::readMeasuredTable(std::string_view(reinterpret_cast<const char*>(bytes), size), kind, problems);
    require(problems.size() <= data::kMostProblems, "problems are not too many", "");
    checkMessages(problems);
    if (!problems.empty())
        return 0;
    require(!table.axis.columns.empty(), "a column is a parameter", "");
    require(!table.values.empty() && table.values.size() <= kMostRows, "it has rows, and not too many", "");
    for (const data::AxisColumn& column : table.axis.columns) {
        require(column.values.size() == table.values.size(), "each row has a value of the parameter", column.path);
        for (const engine::ParameterValue& value : column.values)
            require(!engine::check(*engine::findParameter(column.path), value), "which is allowed", column.path);
    }
    for (const data::EvaluationNumber& number : table.values)
        require(number.value > 0 && std::isfinite(number.value), "a measured value is a number above 0", number.text);
    return 0;
}

}  // namespace fuzz::measured_table
