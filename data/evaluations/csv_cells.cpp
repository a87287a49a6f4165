#include "data/evaluations/csv_cells.h"

#include "data/document/document_reader.h"
#include "data/evaluations/plain_name.h"
#include "engine/api/quantity.h"

#include <cmath>
#include <map>

namespace data {

std::optional<engine::ParameterValue> parameterInCell(const engine::Parameter& parameter, const std::string& cell,
                                                      const std::string& place, engine::Problems& problems) {
    engine::Problems found;
    auto value = engine::parseValue(parameter, cell, found);
    if (!value)
        problems.push_back({place, shownCell(cell), found.empty() ? "not a valid value" : found.front().text});
    return value;
}

std::optional<EvaluationNumber> numberInCell(const CellUnit& unit, const std::string& cell, const std::string& place,
                                             engine::Problems& problems) {
    const auto refuse = [&](const std::string& why) {
        problems.push_back({place, shownCell(cell),
                            why + "; a number above 0" + (unit.name.empty() ? "" : " in " + unit.name) +
                                " is expected, with a decimal point"});
        return std::nullopt;
    };
    std::string_view rest = cell;
    const auto decimal = engine::readDecimal(rest);
    if (cell.empty())
        return refuse("is missing");
    if (!decimal || !rest.empty())
        return refuse(decimal && rest.front() == ',' ? "has a decimal comma" : "not a number");
    const double factor = unit.name.empty() ? 1 : static_cast<double>(*engine::unitFactor(unit.kind, unit.name));
    const double power = std::pow(10, decimal->exponent);
    const double value = (decimal->negative ? -1 : 1) * static_cast<double>(decimal->digits) * power * factor;
    if (!(value > 0))
        return refuse("not above 0");
    if (!std::isfinite(value))
        return refuse("too large");
    return EvaluationNumber{unit.name.empty() ? cell : cell + " " + unit.name, value, power * factor};
}

std::vector<std::string> keysIn(const CsvTable& table, std::size_t column, engine::Problems& problems) {
    std::vector<std::string> keys;
    std::map<std::string, std::size_t> lines;
    for (const CsvLine& row : table.rows) {
        const std::string& key = row.cells[column];
        const auto [same, isNew] = lines.emplace(key, row.number);
        if (problems.size() >= kMostProblems)
            break;
        if (!isPlainName(key))
            problems.push_back({table.placeOf(row, column), shownCell(key),
                                "cannot name a row; allowed: letters, digits, \"-\", \"_\" and \".\", up to 100"});
        else if (!isNew)
            problems.push_back(
                {table.placeOf(row, column), key,
                 "the same key as in line " + std::to_string(same->second) + "; allowed: keys that differ"});
        keys.push_back(key);
    }
    return keys;
}

}  // namespace data
