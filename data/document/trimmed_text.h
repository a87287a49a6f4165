#pragma once

#include <string_view>

namespace data {

/// Returns a text without the blanks at its beginning and end.
inline std::string_view trimmedText(std::string_view text, std::string_view blanks = " \t\n\r") {
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace data
