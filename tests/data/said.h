#pragma once

#include "engine/api/problem.h"

#include <QtGlobal>

#include <algorithm>
#include <string>
#include <string_view>

// Functions that check texts, among them the texts of problems.

namespace tests {

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Returns the descriptions of all problems, one on each line.
inline std::string described(const engine::Problems& problems) {
    std::string text;
    for (const engine::Problem& problem : problems)
        text += describe(problem) + "\n";
    return text;
}

/// Returns whether a problem at this path contains the text. If none does, prints all problems as a warning.
inline bool saysAt(const engine::Problems& problems, const std::string& path, std::string_view text) {
    const bool found = std::any_of(problems.begin(), problems.end(), [&](const engine::Problem& problem) {
        return problem.path == path && contains(problem.text, text);
    });
    if (!found)
        qWarning("%s", described(problems).c_str());
    return found;
}

}  // namespace tests
