#pragma once

#include "engine/api/results.h"

#include <nlohmann/json.hpp>

namespace data {

struct ModelPoint;

/// A JSON value whose keys keep the order in which they were written.
using ResultJson = nlohmann::ordered_json;

// Groups of a result that several documents contain. Times in ps, sizes in bytes.
ResultJson timeJson(const engine::TimeResult& time);
ResultJson dramJson(const engine::DramResult& dram);
ResultJson noticesJson(const engine::Notices& notices);
/// Reads the member "notices" of a result's document. Throws DamagedDocument.
engine::Notices readNotices(const ResultJson& document);

/// Returns what `run --output json` prints after "experiment": all results.
ResultJson outcomeJson(const engine::RunResult& result);

/// Returns the result of a point of whole models (model_point_fields.h): "of", its subject, then its numbers and
/// notices.
ResultJson modelPointJson(const ModelPoint& point);

/// Reads what outcomeJson wrote; ignores other keys of the object. Throws DamagedDocument with the name of the key.
engine::RunResult readOutcome(const ResultJson& document);

}  // namespace data
