#pragma once

#include <QPen>
#include <QString>

class QPainter;
class QRectF;

namespace ui {

/// Paints a text in the painter's font on a rounded plate of `color`, such as a time or a value over a picture.
void paintPlate(QPainter& painter, const QRectF& plate, double radius, const QColor& color, const QString& words,
                const QPen& edge = Qt::NoPen);

}  // namespace ui
