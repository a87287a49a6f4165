#include "ui/look/plate.h"

#include "ui/look/palette.h"

#include <QPainter>

namespace ui {

void paintPlate(QPainter& painter, const QRectF& plate, double radius, const QColor& color, const QString& words,
                const QPen& edge) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(edge);
    painter.setBrush(color);
    painter.drawRoundedRect(plate, radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Palette::inkOn(color));
    painter.drawText(plate, Qt::AlignCenter, words);
}

}  // namespace ui
