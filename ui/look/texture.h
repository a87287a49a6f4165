#pragma once

#include <QColor>
#include <QLineF>
#include <QRectF>

#include <cstdint>
#include <vector>

class QImage;
class QPainter;

namespace ui {

/// What tells two fills apart where colours cannot: in grey print, on a pale projector, for colour-blind readers.
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
    QColor ink;  ///< of the texture
    Texture texture = Texture::plain;
    bool operator==(const Fill&) const = default;
};

/// The lines of a texture within `box`, clipped to it. They hang on the origin, not on the box, so that neighbouring
/// boxes continue each other. A dot is a short line.
std::vector<QLineF> textureLines(Texture texture, const QRectF& box, double spacing);

/// Colour, then texture. `spacing` is in the painter's coordinates; lines are thinner than a fifth of it.
void paintFill(QPainter& painter, const QRectF& box, const Fill& fill, double spacing);
/// Only the texture, over what is there.
void paintTexture(QPainter& painter, const QRectF& box, const Fill& fill, double spacing);

/// One period of the same, `spacing` pixels each way, to be laid side by side: for pictures that are put together pixel
/// by pixel.
QImage fillStamp(const Fill& fill, int spacing);

}  // namespace ui
