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

/// Removes an author's own looks from the end of the meaning. Returns false if one of them is unknown or given twice.
bool takeLooks(std::string_view& meaning, FigureMeaning& read) {
    for (std::size_t semicolon = meaning.rfind(';'); semicolon != std::string_view::npos;
         semicolon = meaning.rfind(';')) {
        const std::string_view text = meaning.substr(semicolon + 1);
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos)
            return false;
        const auto look = std::ranges::find(ownLooks(), text.substr(0, equals), &OwnLook::key);
        if (look == ownLooks().end() || read.*(look->index))
            return false;
        const auto word = std::ranges::find(look->words, text.substr(equals + 1));
        if (word == look->words.end())
            return false;
        read.*(look->index) = static_cast<std::size_t>(word - look->words.begin());
        meaning = meaning.substr(0, semicolon);
    }
    return true;
}

}  // namespace

std::span<const OwnLook> ownLooks() {
    static constexpr std::array<OwnLook, 3> kLooks{{{"marker", &FigureMeaning::marker, kMarkerWords},
                                                    {"line", &FigureMeaning::line, kLineWords},
                                                    {"hatch", &FigureMeaning::hatch, kHatchWords}}};
    return kLooks;
}

std::string withLook(std::string_view meaning, std::string_view key, std::string_view word) {
    const FigureMeaning before = readMeaning(meaning).value_or(FigureMeaning{});
    std::string text(plainMeaning(meaning));
    for (const OwnLook& look : ownLooks()) {
        const auto& index = before.*look.index;
        const std::string_view own = look.key == key ? word : index ? look.words[*index] : std::string_view();
        if (!own.empty())
            text.append(";").append(look.key).append("=").append(own);
    }
    return text;
}

std::optional<FigureMeaning> readMeaning(std::string_view meaning) {
    FigureMeaning read;
    if (!takeLooks(meaning, read))
        return {};
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
