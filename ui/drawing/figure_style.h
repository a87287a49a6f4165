#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/display_list.h"
#include "ui/look/policy_look.h"

#include <cstdint>
#include <string_view>

namespace ui {

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
MarkStyle styleOf(std::string_view meaning, data::FigureTheme theme);
const ThemeStyle& styleOf(data::FigureTheme theme);

/// Returns the colour at a position of a heat map's scale, 0 to 1. Its grey value is monotonic too.
QColor heatColour(double share, data::FigureTheme theme);

/// Returns the perceived lightness, 0 to 1, as a grey printer would show it.
double greyOf(const QColor& colour);

}  // namespace ui
