#pragma once

#include <string>

namespace engine {

// These functions change the case of ASCII letters and leave other characters as they are. std::tolower and
// std::toupper depend on the locale of the process: in a Turkish locale the capital of "i" is not "I".

constexpr char lowerLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upperLetter(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// Returns a label or a group's name as it is written within a sentence: "bandwidth", but "DMA engines" and "K-step".
inline std::string inASentence(std::string words) {
    if (words.size() > 1 && words[1] >= 'a' && words[1] <= 'z')
        words[0] = lowerLetter(words[0]);
    return words;
}

}  // namespace engine
