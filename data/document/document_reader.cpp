#include "data/document/document_reader.h"

#include "data/document/regular_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace data {
namespace {

constexpr std::size_t kLongestReason = 200;

/// Returns line and column of a byte offset, both from 1.
std::string lineAndColumn(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " +
           std::to_string(std::max<std::size_t>(1, before.size() - start));
}

/// Returns the parser's message without its prefix, on one line.
std::string reasonOf(std::string_view what) {
    const std::size_t column = what.find("column ");
    const std::size_t colon = column == std::string_view::npos ? what.find("] ") : what.find(": ", column);
    std::string reason(colon == std::string_view::npos ? what : what.substr(colon + 2));
    if (reason.size() > kLongestReason)
        reason = reason.substr(0, kLongestReason) + "...";
    for (char& c : reason) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code >= 0x7F)
            c = '?';
    }
    return reason;
}

}  // namespace

std::string shownValue(std::string_view text, DocumentValue::Kind kind) {
    using enum DocumentValue::Kind;
    const std::string plain(text);
    return kind == object ? "{...}" : kind == list ? "[...]" : kind == string ? "\"" + plain + "\"" : plain;
}

std::optional<engine::Problem> versionProblem(std::string_view text, DocumentValue::Kind kind, int known) {
    double version = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), version);
    const std::string allowed = "; allowed: " + std::to_string(known);
    if (kind != DocumentValue::Kind::number)
        return engine::Problem{"version", shownValue(text, kind), "not a number" + allowed};
    if (read.ec != std::errc{} || version != known)
        return engine::Problem{"version", shownValue(text, kind),
                               "this version of the format is not known here" + allowed};
    return std::nullopt;
}

engine::Problem tooLarge(const std::string& origin, std::size_t largest, std::string_view kind) {
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    return {origin, "",
            "larger than the " + std::to_string(largest / kMiB) + " MiB that " + std::string(kind) +
                " may have; is this the right file?"};
}

engine::Problem badJson(std::string_view text, std::string_view origin, std::size_t position, std::string_view reason) {
    return {std::string(origin), "", "not valid JSON at " + lineAndColumn(text, position) + ": " + reasonOf(reason)};
}

std::string readText(const std::string& path, engine::Problems& problems, std::size_t largest, std::string_view kind) {
    const bool standardInput = path == "-";
    const std::string origin = standardInput ? "standard input" : path;
    const auto refused = [&](engine::Problem problem) {
        problems.push_back(std::move(problem));
        return std::string();
    };
    std::error_code error;
    if (!standardInput && std::filesystem::is_regular_file(path, error) &&
        std::filesystem::file_size(path, error) > largest)
        return refused(tooLarge(origin, largest, kind));
    const FileOpening opened = standardInput ? FileOpening() : openForReading(path);
    if (!opened.reason.empty())
        return refused({origin, "", opened.reason});
    std::FILE* file = standardInput ? stdin : opened.file.get();
    // The size of a pipe is not known in advance. Reads little more than the limit, which shows that it is
    // exceeded.
    std::string text;
    std::array<char, 65536> buffer{};
    while (text.size() <= largest) {
        const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), file);
        text.append(buffer.data(), read);
        if (read == 0)
            break;
    }
    if (std::ferror(file) != 0)
        return refused({origin, "", "cannot be read: " + std::generic_category().message(errno)});
    return text.size() > largest ? refused(tooLarge(origin, largest, kind)) : text;
}

}  // namespace data
