#pragma once

#include "data/evaluations/evaluation.h"
#include "engine/api/problem.h"

#include <string>
#include <string_view>

namespace data {

/// Returns an evaluation with the measured numbers that its items are compared `against`. They come from a CSV file with
/// a column of keys, which is named like that of the sweep's rows, and a column of numbers above 0 for each item; other
/// columns are not read. It has a row for each key of these sweeps, and no key that their files do not have. Constants
/// stay as they are. Adds problems that name `file`, line, column and what is allowed; the result is then incomplete.
Evaluation withMeasured(Evaluation evaluation, std::string_view csv, const std::string& file,
                        engine::Problems& problems);
/// Reads the file; "-" is standard input.
Evaluation withMeasuredFile(Evaluation evaluation, const std::string& path, engine::Problems& problems);

/// Returns whether an item of the evaluation waits for measured numbers.
bool awaitsMeasured(const Evaluation& evaluation);

}  // namespace data
