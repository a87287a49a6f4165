#pragma once

#include "data/document/document_reader.h"
#include "engine/api/parameters.h"

#include <nlohmann/json.hpp>

namespace data {

/// A JSON object whose keys stay in the order in which they were written.
using BodyJson = nlohmann::ordered_json;

/// Returns the value as a person would write it: a bare number if the parameter has no unit, otherwise text with the
/// unit.
BodyJson valueJson(const engine::Parameter& parameter, const engine::ParameterValue& value);

/// Returns the value at a dotted path ("link.bandwidth") of a nested document; objects on the way are created.
BodyJson& placeOf(BodyJson& document, const std::string& path);

/// Adds `values` to an object, in the order of the parameter table. Each dot of a path nests an object.
void addValues(const Settings& values, BodyJson& document);

}  // namespace data
