#pragma once

#include <string>
#include <string_view>

namespace data {

/// Returns a text for the content or an attribute of HTML: the five characters with a meaning become references.
std::string escapedHtml(std::string_view text);

}  // namespace data
