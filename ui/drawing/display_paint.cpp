#include "ui/drawing/display_list.h"
#include "ui/drawing/figure_text.h"

#include <QLineF>
#include <QPainter>
#include <QPen>

#include <variant>
#include <vector>

namespace ui {
namespace {

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
        m_painter.setFont(figureFont(item.size.font, item.weight));
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

}  // namespace

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

}  // namespace ui
