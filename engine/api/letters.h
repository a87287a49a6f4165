#pragma once

#include <string>

namespace engine {

// The case of ASCII letters; other characters stay as they are. std::tolower and std::toupper ask the locale of the
// process: in a Turkish one the capital of "i" is not "I".

constexpr char lowerLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upperLetter(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// A label or the name of a group within a sentence: "bandwidth", but "DMA engines" and "K-step".
inline std::string inASentence(std::string words) {
    if (words.size() > 1 && words[1] >= 'a' && words[1] <= 'z')
        words[0] = lowerLetter(words[0]);
    return words;
}

}  // namespace engine
