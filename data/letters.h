#pragma once

namespace data {

// The case of ASCII letters; other characters stay as they are. std::tolower and std::toupper ask the locale of the
// process: in a Turkish one the capital of "i" is not "I".

constexpr char lowerLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upperLetter(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace data
