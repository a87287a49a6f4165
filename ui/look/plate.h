#pragma once

#include <QPen>
#include <QString>

class QPainter;
class QRectF;

namespace ui {

/// Paints words in the painter's font on a rounded plate of `color`, as a time or a value stands over a picture.
void paintPlate(QPainter& painter, const QRectF& plate, double radius, const QColor& color, const QString& words,
                const QPen& edge = Qt::NoPen);

}  // namespace ui
