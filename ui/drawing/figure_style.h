#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/display_list.h"
#include "ui/look/palette.h"
#include "ui/look/policy_look.h"

#include <cstdint>
#include <string_view>

namespace ui {

/// What a figure is drawn on, which decides its colours: the page of a theme of figures, or the window in one of its
/// themes.
class Ground {
public:
    // NOLINTBEGIN(google-explicit-constructor): a theme is enough
    constexpr Ground(data::FigureTheme theme) : m_index(static_cast<std::size_t>(theme)) {}
    constexpr Ground(Theme theme) : m_index(theme == Theme::dark ? 4 : 3) {}
    // NOLINTEND(google-explicit-constructor)

    constexpr std::size_t index() const { return m_index; }  ///< 0 to 4
    constexpr bool isGrey() const { return m_index == static_cast<std::size_t>(data::FigureTheme::greyPrint); }
    constexpr bool isSlide() const { return m_index == static_cast<std::size_t>(data::FigureTheme::darkSlide); }
    constexpr bool isWindow() const { return m_index > 2; }
    constexpr bool isDark() const { return isSlide() || m_index == 4; }

private:
    std::size_t m_index;
};

/// The style of a meaning in one theme: the colour, and a texture or dash that works in grey print.
struct MarkStyle {
    FigureFill fill;    ///< for bars, areas, spans
    FigurePen outline;  ///< around fills
    FigurePen line;     ///< for lines
    Marker marker = Marker::circle;
};

/// The style of everything that does not represent data.
struct ThemeStyle {
    QColor background, ink, inkSoft, grid;
    FigurePen axis, gridLine, reference;
};

/// Returns the style of a meaning; unknown meanings have a neutral style. The colours are those of the window
/// (ui/look/palette.h); dark slides have those of its dark theme.
MarkStyle styleOf(std::string_view meaning, Ground ground);
const ThemeStyle& styleOf(Ground ground);

/// Returns the colour at a position of a heat map's scale, 0 to 1. Its grey value is monotonic too.
QColor heatColour(double share, Ground ground);

/// Returns the perceived lightness, 0 to 1, as a grey printer would show it.
double greyOf(const QColor& colour);

}  // namespace ui
