#include "data/figure/figure_table.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_text.h"
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
#include <QPen>

#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kPointsInAnInch = 72;
constexpr double kMetresInAnInch = 0.0254;
constexpr int kUnitsInAnInch = 1200;  // the resolution of PDF files

QPen penOf(const FigurePen& pen, Qt::PenJoinStyle join) {
    QPen drawn(pen.colour, pen.width, Qt::SolidLine, Qt::FlatCap, join);
    if (!pen.dash.empty() && pen.width > 0) {
        QList<qreal> dash;  // QPen counts in line widths
        for (const double length : pen.dash)
            dash << length / pen.width;
        if (dash.size() % 2 != 0)
            dash << dash;
        drawn.setDashPattern(dash);
    }
    return drawn;
}

/// Draws items with a painter whose unit is a point.
class ItemPainter {
public:
    explicit ItemPainter(QPainter& painter) : m_painter(painter) {}

    void operator()(const RectItem& item) {
        fill(item.fill, item.box, [&] { m_painter.drawRect(item.box); });
        outline(item.pen, [&] { m_painter.drawRect(item.box); });
    }
    void operator()(const PolygonItem& item) {
        fill(item.fill, item.points, [&] { m_painter.drawPolygon(item.points); });
        outline(item.pen, [&] { m_painter.drawPolygon(item.points); });
    }
    void operator()(const EllipseItem& item) {
        fill(item.fill, ellipseOutline(item.box), [&] { m_painter.drawEllipse(item.box); });
        outline(item.pen, [&] { m_painter.drawEllipse(item.box); });
    }
    void operator()(const PolylineItem& item) {
        m_painter.setPen(penOf(item.pen, Qt::RoundJoin));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(item.points);
    }
    void operator()(const TextItem& item) {
        m_painter.save();
        m_painter.translate(item.at);
        m_painter.rotate(item.angle);
        m_painter.translate(leftEndOf(item), 0);
        m_painter.scale(item.size / kFigureFontSize, item.size / kFigureFontSize);
        m_painter.setFont(figureFont(item.weight));
        m_painter.setPen(item.colour);
        m_painter.drawText(QPointF(0, 0), item.text);
        m_painter.restore();
    }
    void operator()(const ImageItem& item) { m_painter.drawImage(item.box, item.image); }

private:
    template <class Shape, class Draw>
    void fill(const std::optional<FigureFill>& fill, const Shape& shape, Draw draw) {
        if (!fill)
            return;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(fill->colour);
        draw();
        const std::vector<QLineF> lines = fillLines(*fill, shape);
        if (lines.empty())
            return;
        m_painter.setPen(QPen(fill->textureInk, fillLineWidth(*fill), Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    template <class Draw>
    void outline(const std::optional<FigurePen>& pen, Draw draw) {
        if (!pen)
            return;
        m_painter.setPen(penOf(*pen, Qt::MiterJoin));
        m_painter.setBrush(Qt::NoBrush);
        draw();
    }

    QPainter& m_painter;
};

void attachDocuments(QPdfWriter& writer, const data::FigureSpec& spec) {
    writer.addFileAttachment(QLatin1String(kSpecFile), specBytes(spec), QStringLiteral("application/json"));
    for (const data::FigureTable& table : data::tablesOf(spec))
        writer.addFileAttachment(QString::fromStdString(table.fileName),
                                 QByteArray::fromStdString(data::writeCsv(table)), QStringLiteral("text/csv"));
}

}  // namespace

void paint(QPainter& painter, const DisplayList& list) {
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);  // keeps the cells of a heat map sharp
    for (const DisplayItem& item : list.items) {
        if (item.clip) {
            painter.save();
            painter.setClipRect(*item.clip, Qt::IntersectClip);
        }
        std::visit(ItemPainter(painter), item.shape);
        if (item.clip)
            painter.restore();
    }
    painter.restore();
}

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
