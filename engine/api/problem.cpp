#include "engine/api/problem.h"

#include <cstddef>
#include <string_view>

namespace engine {
namespace {

constexpr std::size_t kLongestValue = 80;
constexpr std::size_t kLongestPath = 1000;  // a file's name and a place in the file, which stands at the end

/// Returns a value on one line and shortened: control characters would break the line or the terminal, and a value of a
/// megabyte would hide the explanation of the problem.
std::string onOneLine(std::string_view value, std::size_t longest) {
    std::string line;
    for (const char c : value) {
        if (line.size() >= longest) {
            // Not in the middle of a UTF-8 sequence.
            while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0u) == 0x80u)
                line.pop_back();
            if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0u)
                line.pop_back();
            return line + "...";
        }
        const auto code = static_cast<unsigned char>(c);
        line += code < 0x20 || code == 0x7F ? '?' : c;
    }
    return line;
}

std::string summary(const Problems& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty())
            text += '\n';
        text += describe(problem);
    }
    return text;
}

}  // namespace

std::string describe(const Problem& problem) {
    const std::string value = onOneLine(problem.value, kLongestValue);
    return onOneLine(problem.path, kLongestPath) + ": " + (value.empty() ? "" : value + ": ") + problem.text;
}

InvalidExperiment::InvalidExperiment(Problems problems)
    : std::runtime_error(summary(problems)), m_problems(std::move(problems)) {}

}  // namespace engine
