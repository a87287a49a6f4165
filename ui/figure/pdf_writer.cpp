#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"

#include <QBuffer>
#include <QMarginsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

namespace ui {
namespace {

constexpr int kUnitsInAnInch = 1200;
constexpr double kPointsInAnInch = 72;

}  // namespace

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
        writer.addFileAttachment(QLatin1String(kSpecFile), specBytes(figure.spec), QStringLiteral("application/json"));
        QPainter painter(&writer);
        painter.scale(kUnitsInAnInch / kPointsInAnInch, kUnitsInAnInch / kPointsInAnInch);
        paint(painter, figure.laidOut.list);
    }
    return bytes;
}

}  // namespace ui
