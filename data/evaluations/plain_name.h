#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace data {

inline constexpr std::size_t kLongestEvaluationName = 100;

/// Returns whether a text may name a sweep, an item, a row or a lesson: a path out of a folder may not.
inline bool isPlainName(std::string_view text) {
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.';
    };
    return !text.empty() && text.size() <= kLongestEvaluationName && text.front() != '.' && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), isAllowed);
}

}  // namespace data
