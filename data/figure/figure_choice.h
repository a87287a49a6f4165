#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data {

/// A choice of a figure's source as an option of the command: "x=link.bandwidth" is --x link.bandwidth.
struct FigureChoice {
    std::string option, value;
};

/// Splits a choice, or a setting, at its first equals sign. Without one the value is empty.
inline FigureChoice choiceOf(std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    return {std::string(text.substr(0, equals)), std::string(text.substr(std::min(equals + 1, text.size())))};
}

/// Returns the words between commas, without blanks around them.
inline std::vector<std::string> wordsOfList(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string_view word = text.substr(begin, comma - begin);
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        word = word.substr(0, word.find_last_not_of(' ') + 1);
        words.emplace_back(word);
        begin = comma + 1;
    }
    return words;
}

}  // namespace data
