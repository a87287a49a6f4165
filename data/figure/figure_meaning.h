#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace data {

/// A meaning names the thing that a colour shows, and is the same in all views and figures. It is a word of this list,
/// or "policy/NAME" (policy/t3-mca), or "series/N" for things without a colour of their own (N from 0 to 99), or
/// "level/I/N/D" for value I of the N values of an ordered axis, whose colours have the same order, drawn with dash D
/// (all three up to 99), or "cause/NAME" for a cause of waiting (cause/memory contention). Any of these may end in
/// "/light" for a lighter colour of a related thing (gemm/light: reads beside writes). The colours are defined by the
/// window: ui/drawing/figure_style.h.
inline constexpr std::array<std::string_view, 20> kMeanings{
    "gemm",      "reduce-scatter", "all-gather",   "all-to-all",    "dma",
    "link",      "tracker",        "exposed",      "attention",     "element-wise",
    "neutral",   "ideal",          "empty-slots",  "batched-gemm",  "attention-element-wise",
    "optimizer", "collective",     "forward-pass", "backward-pass", "weight-pass"};

/// A meaning, parsed.
struct FigureMeaning {
    enum class Kind { word, policy, series, level, cause };
    Kind kind{};
    std::string_view name;  ///< the word, or the policy's name
    int series = 0;         ///< the N of a series, the I of a level, or the index of a cause
    int levels = 0, dash = 0;
    bool light = false;
};

/// Parses a meaning. Returns an empty optional if no style has this name. The result's `name` refers into `meaning`.
std::optional<FigureMeaning> readMeaning(std::string_view meaning);

/// Returns whether a style exists for `meaning`.
inline bool isMeaning(std::string_view meaning) { return readMeaning(meaning).has_value(); }

}  // namespace data
