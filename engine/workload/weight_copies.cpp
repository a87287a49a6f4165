#include "engine/api/weight_copies.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

namespace engine {

namespace {

constexpr std::string_view kNoCopies = "none";

std::string formatWords() {
    std::string words;
    for (const WeightFormat& format : kWeightFormats)
        words.append(words.empty() ? "" : ", ").append(format.word);
    return words;
}

Problem copiesProblem(std::string_view value, std::string text) {
    return {"training.copies", std::string(value), std::move(text)};
}

/// Reads one entry, such as "mx9:2".
std::optional<Problem> readEntry(std::string_view entry, std::vector<WeightCopies>& copies) {
    const std::size_t colon = std::min(entry.find(':'), entry.size());
    const std::string_view word = entry.substr(0, colon);
    const auto* format = std::find_if(kWeightFormats.begin(), kWeightFormats.end(),
                                      [&](const WeightFormat& each) { return each.word == word; });
    if (format == kWeightFormats.end())
        return copiesProblem(entry, "no format; allowed: none, or " + formatWords() +
                                        ", divided by commas and each with a number of copies, such as mx9:2,mx6:2");
    WeightCopies read{*format};
    if (colon != entry.size()) {
        const char* end = entry.data() + entry.size();
        const auto number = std::from_chars(entry.data() + colon + 1, end, read.count);
        if (number.ec != std::errc{} || number.ptr != end || read.count < 1 || read.count > kMostCopies)
            return copiesProblem(entry,
                                 "no number of copies behind the colon; allowed: 1 to " + std::to_string(kMostCopies));
    }
    copies.push_back(read);
    return std::nullopt;
}

}  // namespace

CopiesReading readCopies(std::string_view text) {
    CopiesReading reading;
    if (text == kNoCopies)
        return reading;
    std::int64_t count = 0;
    for (std::string_view rest = text; !reading.problem;) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        reading.problem = readEntry(rest.substr(0, comma), reading.copies);
        if (!reading.problem)
            count += reading.copies.back().count;
        if (comma == rest.size())
            break;
        rest.remove_prefix(comma + 1);
    }
    if (!reading.problem && count > kMostCopies)
        reading.problem =
            copiesProblem(text, std::to_string(count) + " copies; allowed: up to " + std::to_string(kMostCopies));
    if (reading.problem)
        reading.copies.clear();
    return reading;
}

std::int64_t bitsOf(const std::vector<WeightCopies>& copies) {
    std::int64_t bits = 0;
    for (const WeightCopies& each : copies)
        bits += each.format.bits * each.count;
    return bits;
}

}  // namespace engine
