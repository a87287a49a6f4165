#pragma once

#include "engine/api/parameters.h"

#include <map>
#include <string>

namespace data {

/// Values of parameters by their paths: what a document, a preset or a draft sets.
using Settings = std::map<std::string, engine::ParameterValue, std::less<>>;

}  // namespace data
