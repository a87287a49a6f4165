#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/display_list.h"

#include <cstdint>
#include <string_view>

namespace ui {

enum class Marker : std::uint8_t { none, circle, square, triangle, diamond, cross, plus };

/// How one meaning looks in one theme: the colour, and a second channel for print in grey.
struct MarkStyle {
    FigureFill fill;    ///< of bars, areas, spans
    FigurePen outline;  ///< around fills
    FigurePen line;     ///< of lines
    Marker marker = Marker::circle;
};

/// What does not stand for data.
struct ThemeStyle {
    QColor background, ink, inkSoft, grid;
    FigurePen axis, gridLine, reference;
};

/// Unknown meanings look neutral. The colours are those of the window (ui/look/palette.h), for dark slides its dark theme's.
MarkStyle styleOf(std::string_view meaning, data::FigureTheme theme);
const ThemeStyle& styleOf(data::FigureTheme theme);

/// Along a heat map's scale, 0 to 1: as monotonic in grey as in colour.
QColor heatColour(double share, data::FigureTheme theme);

/// Perceived lightness 0 to 1 as a grey printer would show it.
double greyOf(const QColor& colour);

}  // namespace ui
