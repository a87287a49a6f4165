#pragma once

#include <string>
#include <string_view>

namespace data {

/// Returns the SHA-256 of a text as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace data
