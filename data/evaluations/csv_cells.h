#pragma once

#include "data/document/csv_reader.h"
#include "data/evaluations/evaluation.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// The unit of a column of numbers: a unit of `kind` by its name, "µs". Without a name the numbers have no unit.
struct CellUnit {
    engine::ParameterUnit kind = engine::ParameterUnit::none;
    std::string name;
};

/// Returns the value of a parameter that a cell has, in the form of the command line: "64 MiB", or a number in base
/// units. Adds a problem at `place` and returns an empty optional if the cell is not such a value.
std::optional<engine::ParameterValue> parameterInCell(const engine::Parameter& parameter, const std::string& cell,
                                                      const std::string& place, engine::Problems& problems);

/// Returns the number above 0 that a cell has in this unit. Adds a problem at `place` and returns an empty optional if
/// the cell has no such number.
std::optional<EvaluationNumber> numberInCell(const CellUnit& unit, const std::string& cell, const std::string& place,
                                             engine::Problems& problems);

/// Returns the keys of all rows in their order. Adds problems for cells of the column that are not plain names, and for
/// equal keys.
std::vector<std::string> keysIn(const CsvTable& table, std::size_t column, engine::Problems& problems);

}  // namespace data
