#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

// Parameters whose text has lines: workload.network and collective.table. A line ends at a new line or a semicolon; `#`
// begins a comment, which a semicolon does not end.

namespace engine {

/// A place in the text: both are counted from 1.
struct TextPlace {
    std::size_t line = 0, column = 0;
};

inline bool isBlankOfLine(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline std::string_view trimmedLine(std::string_view text) {
    while (!text.empty() && isBlankOfLine(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlankOfLine(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Calls `take(line, place)` for each line of a text that is not empty; `place` is where it begins.
template <class Take>
void forEachTextLine(std::string_view text, const Take& take) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, std::min(text.find('#'), end));
        std::size_t column = 1;
        while (true) {
            const std::size_t part = std::min(line.find(';'), line.size());
            if (!trimmedLine(line.substr(0, part)).empty())
                take(line.substr(0, part), TextPlace{number, column});
            if (part == line.size())
                break;
            line.remove_prefix(part + 1);
            column += part + 1;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Returns a text without comments and spare blanks, its lines divided by "; ".
inline std::string plainTextLines(std::string_view text) {
    std::string plain;
    forEachTextLine(text, [&](std::string_view line, const TextPlace&) {
        plain += plain.empty() ? "" : "; ";
        bool blank = false;
        for (const char c : trimmedLine(line)) {
            if (isBlankOfLine(c)) {
                blank = true;
                continue;
            }
            if (blank)
                plain += ' ';
            blank = false;
            plain += c;
        }
    });
    return plain;
}

}  // namespace engine
