#pragma once

#include "data/figure/figure_spec.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// Words of a figure's document for what is an enumeration or a kind in the value. In the order of the enumeration.

inline constexpr std::array<std::string_view, 2> kScaleWords{"linear", "logarithmic"};
inline constexpr std::array<std::string_view, 3> kLegendWords{"top", "right", "none"};
inline constexpr std::array<std::string_view, 3> kWeightWords{"regular", "semi-bold", "bold"};
/// In the order of FigureMark.
inline constexpr std::array<std::string_view, 7> kMarkWords{"bars",     "lines",    "areas",  "boxes",
                                                            "heat-map", "timeline", "drawing"};

/// "#rrggbb", or "#aarrggbb" where it is not opaque.
std::string colourWord(DrawingColour colour);
std::optional<DrawingColour> colourNamed(std::string_view word);

}  // namespace data
