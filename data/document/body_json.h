#pragma once

#include "data/document/document_reader.h"
#include "engine/api/parameters.h"

#include <nlohmann/json.hpp>

namespace data {

/// Keys stay in the order they are written.
using BodyJson = nlohmann::ordered_json;

/// As a person would write it: a number where it has no unit, else text with the unit.
BodyJson valueJson(const engine::Parameter& parameter, const engine::ParameterValue& value);

/// The place of "link.bandwidth" in a nested document.
BodyJson& placeOf(BodyJson& document, const std::string& path);

/// Values by path into an object, in the parameter table's order, nested at the dots.
void addValues(const Settings& values, BodyJson& document);

}  // namespace data
