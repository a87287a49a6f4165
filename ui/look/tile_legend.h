#pragma once

#include <QRectF>

class QFontMetricsF;
class QPainter;

namespace ui {

class TileWords;
struct Palette;

/// Height of the legend of tile states in a view of this width: as many rows as it takes.
double tileLegendHeight(const TileWords& words, double width, const QFontMetricsF& metrics);

/// Swatch and name of every state, from left to right.
void paintTileLegend(QPainter& painter, const QRectF& box, const TileWords& words, const Palette& colors);

/// Spacing of textures where text is `line` high: the same in every view, so that a swatch looks like what it names.
double textureSpacing(double line);

}  // namespace ui
