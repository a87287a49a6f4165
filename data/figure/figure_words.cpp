#include "data/figure/figure_words.h"

#include <charconv>

namespace data {

std::string colourWord(DrawingColour colour) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const bool opaque = colour >> 24U == 0xff;
    std::string word = "#";
    for (int digit = opaque ? 5 : 7; digit >= 0; --digit)
        word += kDigits[(colour >> (4U * static_cast<unsigned>(digit))) & 0xfU];
    return word;
}

std::optional<DrawingColour> colourNamed(std::string_view word) {
    if ((word.size() != 7 && word.size() != 9) || word.front() != '#')
        return std::nullopt;
    DrawingColour colour = 0;
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data() + 1, last, colour, 16);
    if (error != std::errc{} || end != last)
        return std::nullopt;
    return word.size() == 7 ? colour | 0xff000000U : colour;
}

}  // namespace data
