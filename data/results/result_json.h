#pragma once

#include "engine/api/results.h"

#include <nlohmann/json.hpp>

namespace data {

struct ModelPoint;

/// Keys stay in the order of cli.md.
using ResultJson = nlohmann::ordered_json;

// Groups of a result that several documents contain. Times in ps, sizes in bytes.
ResultJson timeJson(const engine::TimeResult& time);
ResultJson dramJson(const engine::DramResult& dram);
ResultJson noticesJson(const engine::Notices& notices);

/// What `run --output json` prints behind "experiment": everything that came out.
ResultJson outcomeJson(const engine::RunResult& result);

/// The same of a point of a sweep of whole models (model_point_fields.h): "of", its subject, then its numbers and notices.
ResultJson modelPointJson(const ModelPoint& point);

/// Reads what outcomeJson made, whatever stands beside it. Throws DamagedDocument naming the key.
engine::RunResult readOutcome(const ResultJson& document);

}  // namespace data
