#pragma once

#include "engine/api/parameters.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace data {

/// Returns the word for an enumerator, as the parameter at `path` spells it. Precondition: its words are those of the
/// enumeration, in its order.
template <class Enum>
const std::string& wordAt(std::string_view path, Enum value) {
    return engine::findParameter(path)->words.at(static_cast<std::size_t>(value));
}

}  // namespace data
