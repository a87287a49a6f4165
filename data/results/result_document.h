#pragma once

#include "data/document/document_reader.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <string>
#include <string_view>

namespace data {

/// Returns the JSON object of `run --output json`, pretty-printed with two spaces, with its keys in a fixed order.
/// Keys of a mechanism that the run does not have are absent. If `withExperiment` is false, "experiment" is left out.
std::string writeResult(const engine::Experiment& experiment, const engine::RunResult& result,
                        bool withExperiment = true);

/// Reads what writeResult wrote (without the trace). Throws DamagedDocument naming the key.
engine::RunResult readResult(std::string_view json);

}  // namespace data
