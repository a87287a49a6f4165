#pragma once

#include <QPointF>
#include <QRect>
#include <QRectF>

class QImage;
class QPainter;

namespace ui {

/// Parts for widgets that paint again only what has changed.

/// Returns the part of a widget to paint again where what stands in `box` changes, with the pixels that its edges smear
/// over; empty where the box is null.
QRect damageOf(const QRectF& box);

/// Returns the pixels of the device that `part` touches, `ratio` of them to the unit.
QRect pixelsOf(const QRectF& part, double ratio);

/// Copies `image`, one to one: it has the resolution of the device, and its upper left corner stands at `topLeft`, on a
/// pixel. Painting it as such would resample it. Of the image only what lies within `pixels` of the device, counted from
/// the painter's origin, if they are given.
void copyPixels(QPainter& painter, QPointF topLeft, const QImage& image);
void copyPixels(QPainter& painter, QPointF topLeft, const QImage& image, const QRect& pixels);

}  // namespace ui
