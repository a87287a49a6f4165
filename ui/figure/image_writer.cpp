#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"

#include <QBuffer>
#include <QImageWriter>
#include <QPainter>

#include <cmath>

namespace ui {
namespace {

constexpr double kPointsInAnInch = 72;
constexpr double kMetresInAnInch = 0.0254;

}  // namespace

QImage imageOf(const ReadyFigure& figure, double dpi) {
    const double scale = dpi / kPointsInAnInch;
    const QSizeF page = figure.laidOut.list.page;
    QImage image(static_cast<int>(std::ceil(page.width() * scale - 1e-6)),
                 static_cast<int>(std::ceil(page.height() * scale - 1e-6)), QImage::Format_RGB32);
    image.setDotsPerMeterX(static_cast<int>(std::lround(dpi / kMetresInAnInch)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paint(painter, figure.laidOut.list);
    return image;
}

QByteArray pngOf(const ReadyFigure& figure, double dpi) {
    QImage image = imageOf(figure, dpi);
    // Keys may not repeat: what there is several of stands under one, a line each.
    for (const auto& [key, text] : metadataOf(figure.spec)) {
        const QString before = image.text(key);
        image.setText(key, before.isEmpty() ? text : before + QLatin1Char('\n') + text);
    }
    image.setText(QLatin1String(kSpecKey), QString::fromUtf8(specBytes(figure.spec)));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter(&buffer, "png").write(image);
    return bytes;
}

}  // namespace ui
