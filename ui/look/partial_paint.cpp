#include "ui/look/partial_paint.h"

#include <QImage>
#include <QPainter>

namespace ui {
namespace {

constexpr int kSmear = 2;  // around a box: half a pen's width, and rounding on both sides

}  // namespace

QRect damageOf(const QRectF& box) {
    return box.isNull() ? QRect() : box.toAlignedRect().adjusted(-kSmear, -kSmear, kSmear, kSmear);
}

QRect pixelsOf(const QRectF& part, double ratio) {
    return QRectF(part.topLeft() * ratio, part.size() * ratio).toAlignedRect();
}

void copyPixels(QPainter& painter, QPointF topLeft, const QImage& image) {
    const double ratio = painter.device()->devicePixelRatioF();
    copyPixels(painter, topLeft, image, QRect((topLeft * ratio).toPoint(), image.size()));
}

void copyPixels(QPainter& painter, QPointF topLeft, const QImage& image, const QRect& pixels) {
    const double ratio = painter.device()->devicePixelRatioF();
    const QPoint at = (topLeft * ratio).toPoint();
    const QRect copied = pixels.intersected(QRect(at, image.size()));
    if (copied.isEmpty())
        return;
    const QTransform before = painter.transform();
    painter.scale(1 / ratio, 1 / ratio);
    painter.drawImage(QRectF(copied), image, QRectF(copied.translated(-at)));
    painter.setTransform(before);
}

}  // namespace ui
