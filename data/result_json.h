#pragma once

#include "engine/api/results.h"

#include <nlohmann/json.hpp>

namespace data {

/// Keys stay in the order of cli.md.
using ResultJson = nlohmann::ordered_json;

// Groups of a result that several documents contain. Times in ps, sizes in bytes.
ResultJson timeJson(const engine::TimeResult& time);
ResultJson dramJson(const engine::DramResult& dram);

}  // namespace data
