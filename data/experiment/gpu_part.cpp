#include "data/experiment/gpu_part.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace data {
namespace {

constexpr std::array<std::string_view, kGpuParts> kWords = {"compute-units", "cache",    "address-map", "tracker",
                                                            "near-memory",   "arbiter",  "channels",    "dma",
                                                            "links-in",      "links-out"};

std::optional<std::uint32_t> unitOf(std::string_view digits) {
    std::uint32_t unit = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return unit;
}

}  // namespace

std::string_view wordOf(GpuPart part) { return kWords[static_cast<std::size_t>(part)]; }

std::string textOf(GpuPartRef ref) {
    std::string text(wordOf(ref.part));
    if (ref.unit)
        text += '/' + std::to_string(*ref.unit);
    return text;
}

std::optional<GpuPartRef> gpuPartOf(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto word = std::find(kWords.begin(), kWords.end(), text.substr(0, slash));
    if (word == kWords.end())
        return std::nullopt;
    GpuPartRef ref{static_cast<GpuPart>(word - kWords.begin()), std::nullopt};
    if (slash == std::string_view::npos)
        return ref;
    ref.unit = unitOf(text.substr(slash + 1));
    return ref.unit ? std::optional(ref) : std::nullopt;
}

const std::vector<std::string>& gpuPartWords() {
    static const std::vector<std::string> words(kWords.begin(), kWords.end());
    return words;
}

}  // namespace data
