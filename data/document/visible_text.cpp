#include "data/document/visible_text.h"

#include <cstddef>

namespace data {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

unsigned char byteAt(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool isContinuation(unsigned char byte) { return (byte & 0xC0u) == 0x80u; }

/// Returns the length of the character that a byte begins; 1 if the byte begins none.
std::size_t lengthOf(unsigned char first) {
    if (first < 0xC2 || first > 0xF4)
        return 1;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/// Returns the length of the character at the beginning of a text; 1 if it is no UTF-8.
std::size_t firstLength(std::string_view text) {
    const std::size_t length = lengthOf(byteAt(text, 0));
    if (length > text.size())
        return 1;
    for (std::size_t i = 1; i < length; ++i) {
        if (!isContinuation(byteAt(text, i)))
            return 1;
    }
    return length;
}

/// Returns the code of a character of at most three bytes; the others are never escaped.
unsigned codeOf(std::string_view character) {
    constexpr unsigned kBits = 6, kMask = 0x3F;
    unsigned number = byteAt(character, 0);
    if (character.size() > 1)
        number &= character.size() == 2 ? 0x1Fu : 0x0Fu;
    for (std::size_t i = 1; i < character.size(); ++i)
        number = number << kBits | (byteAt(character, i) & kMask);
    return number;
}

bool isControl(unsigned number) {
    return (number < 0x20 && number != '\t' && number != '\n') || (number >= 0x7F && number < 0xA0);
}

/// Returns whether a character changes the direction of writing: the Arabic letter mark, the marks of direction, and
/// the embeddings, overrides and isolates.
bool isDirection(unsigned number) {
    return number == 0x061C || number == 0x200E || number == 0x200F || (number >= 0x202A && number <= 0x202E) ||
           (number >= 0x2066 && number <= 0x2069);
}

std::string escapeOf(unsigned number, std::string_view begin, int digits) {
    std::string text(begin);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        text += kHexDigits[number >> static_cast<unsigned>(shift) & 0xFu];
    return text;
}

}  // namespace

std::string visibleText(std::string_view text) {
    std::string visible;
    visible.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = firstLength(text);
        const std::string_view character = text.substr(0, length);
        const unsigned number = length < 4 ? codeOf(character) : 0xFFFF;
        if (length == 1 && number >= 0x80)
            visible += number < 0xA0 ? escapeOf(number, "\\x", 2) : std::string(character);
        else if (isControl(number) || isDirection(number))
            visible += escapeOf(number, "\\u", 4);
        else
            visible += character;
        text.remove_prefix(length);
    }
    return visible;
}

std::size_t incompleteAtEnd(std::string_view text) {
    constexpr std::size_t kLongest = 4;
    for (std::size_t back = 1; back < kLongest && back <= text.size(); ++back) {
        const unsigned char byte = byteAt(text, text.size() - back);
        if (!isContinuation(byte))
            return lengthOf(byte) > back ? back : 0;
    }
    return 0;
}

}  // namespace data
