#include "data/document/shell_word.h"

#include "data/document/visible_text.h"

#include <algorithm>

namespace data {
namespace {

/// Returns whether a shell takes the character as it is, everywhere in a word but at its beginning.
bool isPlain(char c) {
    constexpr std::string_view kOthers = "_-./:,+@%=";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.find(c) != std::string_view::npos;
}

/// Returns a word in the quotes in which a backslash begins an escape.
std::string escapedWord(std::string_view word) {
    std::string escaped;
    for (const char c : word) {
        if (c == '\'' || c == '\\')
            escaped += '\\';
        escaped += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
    }
    return "$'" + visibleText(escaped) + "'";
}

}  // namespace

std::string shellQuoted(std::string_view word) {
    std::string inside;
    for (const char c : word)
        inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + inside + "'";
}

std::string shellWord(std::string_view word) {
    if (word.find_first_of("\n\t") != std::string_view::npos || visibleText(word) != word)
        return escapedWord(word);
    // zsh replaces a word that begins with an equals sign by the path of a program.
    const bool isSafe = !word.empty() && word.front() != '=' && std::all_of(word.begin(), word.end(), isPlain);
    return isSafe ? std::string(word) : shellQuoted(word);
}

}  // namespace data
