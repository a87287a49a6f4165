#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace data {

/// A meaning names the thing that a colour shows, and is the same in all views and figures. It is a word of this list,
/// or "policy/NAME" (policy/t3-mca), or "series/N" for things without a colour of their own (N from 0 to 99), or
/// "level/I/N/D" for value I of the N values of an ordered axis, whose colours have the same order, drawn with dash D
/// (all three up to 99), or "cause/NAME" for a cause of waiting (cause/memory contention). Any of these may end in
/// "/light" for a lighter colour of a related thing (gemm/light: reads beside writes). An author's own marker, line and
/// hatch follow after semicolons: "policy/t3-mca;marker=square;line=dashed;hatch=dots". The colours are defined by the
/// window: ui/drawing/figure_style.h.
inline constexpr std::array<std::string_view, 20> kMeanings{
    "gemm",      "reduce-scatter", "all-gather",   "all-to-all",    "dma",
    "link",      "tracker",        "exposed",      "attention",     "element-wise",
    "neutral",   "ideal",          "empty-slots",  "batched-gemm",  "attention-element-wise",
    "optimizer", "collective",     "forward-pass", "backward-pass", "weight-pass"};

/// The words for an author's own marker, line and hatch, in the order of the window's enumerations and dashes.
inline constexpr std::array<std::string_view, 7> kMarkerWords{"none",    "circle", "square", "triangle",
                                                              "diamond", "cross",  "plus"};
inline constexpr std::array<std::string_view, 5> kLineWords{"solid", "dashed", "dotted", "dash-dotted", "long-dashed"};
inline constexpr std::array<std::string_view, 6> kHatchWords{"plain", "falling", "rising", "crossed", "rows", "dots"};

/// A meaning, parsed.
struct FigureMeaning {
    enum class Kind { word, policy, series, level, cause };
    Kind kind{};
    std::string_view name;  ///< the word, or the policy's name
    int series = 0;         ///< the N of a series, the I of a level, or the index of a cause
    int levels = 0, dash = 0;
    bool light = false;
    std::optional<std::size_t> marker{}, line{}, hatch{};  ///< of an author, as indices of the words above
};

/// One of an author's own looks, by its key in a meaning.
struct OwnLook {
    std::string_view key;  ///< "marker"
    std::optional<std::size_t> FigureMeaning::*index;
    std::span<const std::string_view> words;
};
std::span<const OwnLook> ownLooks();

/// Returns the meaning with an author's look, or, if the word is empty, without it. Precondition: `key` is that of one of
/// ownLooks().
std::string withLook(std::string_view meaning, std::string_view key, std::string_view word);

/// Returns the meaning without any look of an author.
inline std::string_view plainMeaning(std::string_view meaning) { return meaning.substr(0, meaning.find(';')); }

/// The end of the meaning of a line without dashes: the only line of its figure.
inline constexpr std::string_view kSolid = ";line=solid";

/// Parses a meaning. Returns an empty optional if no style has this name. The result's `name` refers into `meaning`.
std::optional<FigureMeaning> readMeaning(std::string_view meaning);

/// Returns whether a style exists for `meaning`.
inline bool isMeaning(std::string_view meaning) { return readMeaning(meaning).has_value(); }

}  // namespace data
