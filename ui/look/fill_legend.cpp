#include "ui/look/fill_legend.h"

#include <QFontMetricsF>
#include <QPainter>

namespace ui {
namespace {

constexpr double kLegendLine = 1.25;  // lines

}  // namespace

double paintFillLegend(QPainter* painter, const QRectF& area, const std::vector<FillLegendEntry>& entries,
                       const QFont& font, const QColor& ink) {
    const QFontMetricsF metrics(font);
    const double unit = metrics.height();
    double x = area.left();
    double y = area.top();
    for (const FillLegendEntry& entry : entries) {
        const double wide = metrics.horizontalAdvance(entry.text) + unit * 2.4;
        if (x + wide > area.right() + unit && x > area.left()) {
            x = area.left();
            y += unit * kLegendLine;
        }
        if (painter != nullptr) {
            paintFill(*painter, QRectF(x, y + unit * 0.15, unit * 0.9, unit * 0.7), entry.fill, unit * 0.5);
            painter->setFont(font);
            painter->setPen(ink);
            painter->setBrush(Qt::NoBrush);
            if (entry.framed)
                painter->drawRect(QRectF(x, y + unit * 0.15, unit * 0.9, unit * 0.7));
            painter->drawText(QRectF(x + unit * 1.2, y, wide, unit), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        }
        x += wide;
    }
    return y + unit * kLegendLine - area.top();
}

}  // namespace ui
