#pragma once

#include <string>
#include <string_view>

namespace data {

/// SHA-256, 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace data
