#pragma once

#include "engine/api/problem.h"

#include <string>
#include <string_view>

// What a test asks of a text, and the text of problems.

namespace tests {

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Returns the descriptions of all problems, each with the end of a line.
inline std::string described(const engine::Problems& problems) {
    std::string text;
    for (const engine::Problem& problem : problems)
        text += describe(problem) + "\n";
    return text;
}

}  // namespace tests
