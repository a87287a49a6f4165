#pragma once

#include <QPointF>
#include <QRect>
#include <QRectF>

class QImage;
class QPainter;

namespace ui {

/// Helpers for widgets that repaint only the parts that have changed.

/// Returns the part of a widget to repaint when the content of `box` changes, including the pixels that antialiased
/// edges touch; empty if the box is null.
QRect damageOf(const QRectF& box);

/// Returns the device pixels that `part` touches, with `ratio` device pixels per unit.
QRect pixelsOf(const QRectF& part, double ratio);

/// Copies `image` pixel by pixel, without resampling: the image has the resolution of the device, and its upper left
/// corner is at `topLeft`, on a pixel boundary. If `pixels` is given, only the part within these device pixels, counted
/// from the painter's origin, is copied.
void copyPixels(QPainter& painter, QPointF topLeft, const QImage& image);
void copyPixels(QPainter& painter, QPointF topLeft, const QImage& image, const QRect& pixels);

}  // namespace ui
