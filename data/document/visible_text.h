#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace data {

/// Returns the text with an escape in place of every character that steers a terminal or reorders what a person reads:
/// control characters except tab and line break (C0, DEL, C1), bytes from 0x80 to 0x9F that are no UTF-8, and the marks
/// and overrides of the direction of writing. The escapes are those of JSON ("\u001b"), so that a document means the
/// same with them; a byte that is no UTF-8 becomes "\x9b".
std::string visibleText(std::string_view text);

/// Returns how many bytes at the end of a text are the beginning of a UTF-8 character that is not complete. A text that
/// comes in pieces is cut before them.
std::size_t incompleteAtEnd(std::string_view text);

}  // namespace data
