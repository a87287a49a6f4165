#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data {

/// What colours stand for, by name, the same in all views and figures. A meaning is a word of this list, or
/// "policy/NAME" (policy/t3-mca), "series/N" for things without a colour of their own (N from 0), "neutral", and any of
/// them with "/light" behind it for the same thing a little off (gemm/light: reads beside writes).
/// The window has the colours: ui/figure/figure_style.h.
inline constexpr std::string_view kMeanings[]{"gemm",      "reduce-scatter", "all-gather", "all-to-all",
                                              "dma",       "link",           "tracker",    "exposed",
                                              "attention", "element-wise",   "neutral",    "ideal"};

/// Whether a style exists for it.
bool isMeaning(std::string_view meaning);

}  // namespace data
