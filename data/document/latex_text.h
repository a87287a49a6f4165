#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace data {

/// Where a text stands in LaTeX. Picture: a text of a figure, in which every hyphen is kept apart from the next, and the
/// micro sign is \figuremicro, which the figure defines. Prose: a text of an author's document, with LaTeX's own
/// \textmu.
enum class LatexUse : std::uint8_t { picture, prose };

/// Returns a text in UTF-8 for a LaTeX document: characters with a meaning in LaTeX are escaped, so that no text of a
/// stranger is a command, and signs are spelled. Characters that LaTeX cannot set become "?".
std::string latexText(std::string_view text, LatexUse use = LatexUse::prose);

}  // namespace data
