#include "data/figure/figure_meaning.h"

#include "engine/api/attribution.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <charconv>

namespace data {
namespace {

constexpr std::string_view kLight = "/light";
constexpr std::string_view kPolicy = "policy/";
constexpr std::string_view kSeries = "series/";
constexpr std::string_view kLevel = "level/";
constexpr std::string_view kCause = "cause/";
constexpr int kMostSeries = 99;

/// Removes a number from 0 to 99 and the slash after it from the front of `text`, and returns the number.
std::optional<int> takeNumber(std::string_view& text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || text.front() == '-' || number > kMostSeries)
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('/') && text.size() > 1)
        text.remove_prefix(1);
    return number;
}

std::optional<FigureMeaning> readLevel(std::string_view meaning, FigureMeaning read) {
    read.kind = FigureMeaning::Kind::level;
    std::string_view rest = meaning.substr(kLevel.size());
    const auto level = takeNumber(rest), levels = takeNumber(rest), dash = takeNumber(rest);
    if (!level || !levels || !dash || !rest.empty() || *level >= *levels)
        return {};
    read.series = *level;
    read.levels = *levels;
    read.dash = *dash;
    return read;
}

std::optional<FigureMeaning> readCause(std::string_view meaning, FigureMeaning read) {
    read.kind = FigureMeaning::Kind::cause;
    read.name = meaning.substr(kCause.size());
    const auto nameOf = [](int cause) { return engine::name(static_cast<engine::Cause>(cause)); };
    while (read.series < static_cast<int>(engine::kCauses) && nameOf(read.series) != read.name)
        ++read.series;
    return read.series < static_cast<int>(engine::kCauses) ? std::optional(read) : std::nullopt;
}

}  // namespace

std::optional<FigureMeaning> readMeaning(std::string_view meaning) {
    FigureMeaning read;
    if (meaning.ends_with(kLight)) {
        read.light = true;
        meaning.remove_suffix(kLight.size());
    }
    read.name = meaning;
    if (meaning.starts_with(kPolicy)) {
        read.kind = FigureMeaning::Kind::policy;
        read.name.remove_prefix(kPolicy.size());
        return engine::policyPresetNamed(read.name) ? std::optional(read) : std::nullopt;
    }
    if (meaning.starts_with(kLevel))
        return readLevel(meaning, read);
    if (meaning.starts_with(kCause))
        return readCause(meaning, read);
    if (meaning.starts_with(kSeries)) {
        read.kind = FigureMeaning::Kind::series;
        const std::string_view digits = meaning.substr(kSeries.size());
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), read.series);
        const bool whole = error == std::errc{} && end == digits.data() + digits.size() && digits.front() != '-';
        return whole && read.series <= kMostSeries ? std::optional(read) : std::nullopt;
    }
    const bool known = std::find(kMeanings.begin(), kMeanings.end(), meaning) != kMeanings.end();
    return known ? std::optional(read) : std::nullopt;
}

}  // namespace data
