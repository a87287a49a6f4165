#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace data {

/// What colours stand for, by name, the same in all views and figures. A meaning is a word of this list,
/// "policy/NAME" (policy/t3-mca), "series/N" for things without a colour of their own (N from 0 to 99), "level/I/N/D" for
/// the value I of N of an ordered axis (its colours are in that order) drawn with dash D (all three up to 99), or any of
/// them with "/light" behind it for the same thing a little off (gemm/light: reads beside writes).
/// The window has the colours: ui/figure/figure_style.h.
inline constexpr std::array<std::string_view, 17> kMeanings{
    "gemm",      "reduce-scatter", "all-gather",  "all-to-all",   "dma",
    "link",      "tracker",        "exposed",     "attention",    "element-wise",
    "neutral",   "ideal",          "empty-slots", "batched-gemm", "attention-element-wise",
    "optimizer", "collective"};

/// A meaning taken apart.
struct FigureMeaning {
    enum class Kind { word, policy, series, level };
    Kind kind{};
    std::string_view name;  ///< the word, or the policy's name
    int series = 0;         ///< or the level
    int levels = 0, dash = 0;
    bool light = false;
};

/// The name refers into `meaning`. Nothing where no style has this name.
std::optional<FigureMeaning> readMeaning(std::string_view meaning);

/// Whether a style exists for it.
inline bool isMeaning(std::string_view meaning) { return readMeaning(meaning).has_value(); }

}  // namespace data
