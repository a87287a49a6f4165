#include "data/sweep/results_table.h"

#include "data/document/json_reading.h"
#include "data/document/names.h"
#include "data/document/value_places.h"
#include "data/document/visible_text.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <system_error>

namespace data {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kTableIndent = 2;
constexpr double kAllWhole = 9007199254740992.0;  // 2^53: up to here a double represents every whole number

bool isWhole(double number) { return std::abs(number) < kAllWhole && number == std::trunc(number); }

CatalogueValue cellValueOf(const engine::ParameterValue& value) {
    if (const auto number = numberOf(value))
        return *number;
    return std::get<std::string>(value);
}

CatalogueValue textOrNothing(const std::string& text) { return text.empty() ? CatalogueValue() : CatalogueValue(text); }

std::string cellText(const CatalogueValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    const auto* number = std::get_if<double>(&value);
    if (!number || !std::isfinite(*number))
        return {};
    return isWhole(*number) ? std::to_string(static_cast<std::int64_t>(*number)) : engine::shortestText(*number);
}

Json jsonOf(const CatalogueValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    const double number = std::get<double>(value);
    return isWhole(number) ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

std::vector<std::string> linesOf(const engine::Notices& notices) {
    std::vector<std::string> lines;
    for (const engine::Notice& notice : notices)
        lines.push_back(notice.path + ": " + notice.text);
    return lines;
}

/// Returns whether a text is a number or a percentage, as spreadsheets read it: "-1.5", "+3 %".
bool isNumber(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view rest(read.ptr, static_cast<std::size_t>(text.data() + text.size() - read.ptr));
    return read.ec != std::errc::invalid_argument && (rest.empty() || rest == "%" || rest == " %");
}

/// Returns whether a spreadsheet would take the cell for a formula.
bool wouldBeFormula(std::string_view cell) {
    constexpr std::string_view kBeginnings = "=+-@\t";
    return !cell.empty() && kBeginnings.find(cell.front()) != std::string_view::npos && !isNumber(cell);
}

}  // namespace

ResultsTable resultsOf(const SweepTable& sweep) {
    ResultsTable table{axisPaths(sweep.sweep), {}};
    if (isTimed(sweep.sweep.of))
        table.columns.emplace_back("policy");
    table.columns.insert(table.columns.end(), sweep.metrics.begin(), sweep.metrics.end());
    table.columns.insert(table.columns.end(), {"state", "reason", "notices"});
    table.rows.reserve(sweep.rows.size());
    for (const SweepRow& point : sweep.rows) {
        std::vector<CatalogueValue> row;
        row.reserve(table.columns.size());
        for (std::size_t axis = 0; axis < sweep.sweep.axes.size(); ++axis) {
            for (const AxisColumn& column : sweep.sweep.axes[axis].columns)
                row.push_back(cellValueOf(column.values[point.at[axis]]));
        }
        if (isTimed(sweep.sweep.of))
            row.emplace_back(sweep.sweep.policies[point.policy]);
        for (const std::optional<double>& value : point.values)
            row.push_back(value ? CatalogueValue(*value) : CatalogueValue());
        row.emplace_back(std::string(name(point.state)));
        row.push_back(textOrNothing(point.reason));
        row.push_back(textOrNothing(joined(linesOf(point.notices), "; ")));
        table.rows.push_back(std::move(row));
    }
    return table;
}

ResultsTable resultsOf(std::span<const CatalogueRow> runs, std::span<const std::string> columns) {
    ResultsTable table;
    table.columns = {"name", "policy"};
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    table.columns.insert(table.columns.end(), {"note", "tags", "engine_version"});
    table.rows.reserve(runs.size());
    for (const CatalogueRow& run : runs) {
        std::vector<CatalogueValue> row{run.name, run.policy};
        row.reserve(table.columns.size());
        row.insert(row.end(), run.values.begin(), run.values.end());
        row.push_back(textOrNothing(run.note));
        row.push_back(textOrNothing(joined(run.tags, " ")));
        row.emplace_back(run.engineVersion);
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string_view name(PointState state) {
    constexpr std::array<std::string_view, 3> kNames{"missing", "done", "failed"};
    return kNames[static_cast<std::size_t>(state)];
}

std::string csvCell(std::string_view text) {
    std::string cell = visibleText(text);
    if (wouldBeFormula(cell))
        cell.insert(cell.begin(), '\'');
    if (cell.find_first_of(",\"\n") == std::string::npos)
        return cell;
    std::string quoted = "\"";
    for (const char c : cell) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string csvLine(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells)
        line += (&cell == cells.data() ? "" : ",") + csvCell(cell);
    return line + "\n";
}

std::string writeCsv(const ResultsTable& table) {
    std::string text = csvLine(table.columns);
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        std::ranges::transform(row, std::back_inserter(cells), cellText);
        text += csvLine(cells);
    }
    return text;
}

std::string writeJson(const ResultsTable& table) {
    const auto entryOf = [&](const std::vector<CatalogueValue>& row) {
        Json entry = Json::object();
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (!std::holds_alternative<std::monostate>(row[i]))
                entry[table.columns[i]] = jsonOf(row[i]);
        }
        return entry;
    };
    return jsonList(table.rows, entryOf).dump(kTableIndent) + "\n";
}

}  // namespace data
