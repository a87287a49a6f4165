#pragma once

#include "ui/look/texture.h"

#include <QColor>

#include <array>
#include <cstdint>
#include <string_view>

namespace ui {

/// The marker of a series.
enum class Marker : std::uint8_t { none, circle, square, triangle, diamond, cross, plus };

/// How a policy looks. It never differs from another one by colour alone.
struct PolicyLook {
    QRgb light, dark;  ///< in each theme, for thin lines
    Texture texture;   ///< of fills in figures
    double paler;      ///< share of white in these fills
    double grey;       ///< in grey print, from 0 (black) to 1 (white)
    Marker marker;
    std::array<double, 4> dash;  ///< of lines, in points; zeros: solid
};

/// Returns the look of a policy; null if there is no policy of that name.
const PolicyLook* lookOfPolicy(std::string_view policy);

}  // namespace ui
