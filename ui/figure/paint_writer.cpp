#include "data/figure/figure_table.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"
#include "ui/look/pdf_date.h"

#include <QBuffer>
#include <QImageWriter>
#include <QMarginsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kPointsInAnInch = 72;
constexpr double kMetresInAnInch = 0.0254;
constexpr int kUnitsInAnInch = 1200;  // the resolution of PDF files

void attachDocuments(QPdfWriter& writer, const data::FigureSpec& spec) {
    writer.addFileAttachment(QLatin1String(kSpecFile), specBytes(spec), QStringLiteral("application/json"));
    for (const data::FigureTable& table : data::tablesOf(spec))
        writer.addFileAttachment(QString::fromStdString(table.fileName),
                                 QByteArray::fromStdString(data::writeCsv(table)), QStringLiteral("text/csv"));
}

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
    // Keys must be unique, so several entries with one key are written as lines of one text.
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

QByteArray pdfOf(const ReadyFigure& figure) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(titleOf(figure.spec));
        writer.setCreator(QString::fromStdString(figure.spec.provenance.program));
        writer.setDocumentXmpMetadata(xmpOf(figure.spec));
        writer.setResolution(kUnitsInAnInch);
        const QPageSize size(figure.laidOut.list.page, QPageSize::Point, QString(), QPageSize::ExactMatch);
        writer.setPageLayout(QPageLayout(size, QPageLayout::Portrait, QMarginsF()));
        attachDocuments(writer, figure.spec);
        QPainter painter(&writer);
        painter.scale(kUnitsInAnInch / kPointsInAnInch, kUnitsInAnInch / kPointsInAnInch);
        paint(painter, figure.laidOut.list);
    }
    buffer.close();
    return withCreationDate(std::move(bytes), QString::fromStdString(figure.spec.provenance.made));
}

}  // namespace ui
