#pragma once

#include <QColor>
#include <QLineF>
#include <QRectF>

#include <cstdint>
#include <vector>

class QImage;
class QPainter;

namespace ui {

/// A texture distinguishes two fills where colours cannot: in grey print, on a pale projector, for colour-blind
/// readers.
enum class Texture : std::uint8_t {
    plain,
    falling,  ///< lines from top left to bottom right
    rising,   ///< lines from bottom left to top right
    crossed,  ///< both
    rows,
    dots
};

struct Fill {
    QColor color;
    QColor ink;  ///< colour of the texture
    Texture texture = Texture::plain;
    bool operator==(const Fill&) const = default;
};

/// Returns the lines of a texture, clipped to `box`. Their positions are relative to the origin, not to the box, so
/// that the textures of neighbouring boxes line up. A dot is a short line.
std::vector<QLineF> textureLines(Texture texture, const QRectF& box, double spacing);

/// Paints the colour, then the texture. `spacing` is in the painter's coordinates; lines are thinner than a fifth of
/// the spacing.
void paintFill(QPainter& painter, const QRectF& box, const Fill& fill, double spacing);
/// Paints only the texture over the existing picture.
void paintTexture(QPainter& painter, const QRectF& box, const Fill& fill, double spacing);

/// Returns one period of a fill, `spacing` pixels wide and high, to be tiled in pictures that are composed pixel by
/// pixel.
QImage fillStamp(const Fill& fill, int spacing);

}  // namespace ui
