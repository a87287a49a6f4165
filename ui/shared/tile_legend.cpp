#include "ui/shared/tile_legend.h"

#include "ui/shared/tile_style.h"
#include "ui/shared/tile_words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr double kRow = 1.5;     // of a line of text
constexpr double kSwatch = 1.5;  // width
constexpr double kAfterSwatch = 0.4;
constexpr double kAfterName = 1.3;

/// Where each state's entry begins: row and x.
std::vector<std::pair<int, double>> places(const TileWords& words, double width, const QFontMetricsF& metrics) {
    std::vector<std::pair<int, double>> places;
    const double line = metrics.height();
    int row = 0;
    double x = 0;
    for (const TileState state : kAllTileStates) {
        const double extent = (kSwatch + kAfterSwatch) * line + metrics.horizontalAdvance(words.nameOf(state));
        if (x > 0 && x + extent > width) {
            ++row;
            x = 0;
        }
        places.emplace_back(row, x);
        x += extent + kAfterName * line;
    }
    return places;
}

}  // namespace

double tileLegendHeight(const TileWords& words, double width, const QFontMetricsF& metrics) {
    return (places(words, width, metrics).back().first + 1) * kRow * metrics.height();
}

void paintTileLegend(QPainter& painter, const QRectF& box, const TileWords& words, const Palette& colors) {
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const auto where = places(words, box.width(), metrics);
    for (std::size_t i = 0; i < where.size(); ++i) {
        const double top = std::round(box.top() + where[i].first * kRow * line);
        const double left = std::round(box.left() + where[i].second);
        const QRectF swatch(left, top + std::round(line * 0.25), std::round(line * kSwatch), std::round(line));
        paintFill(painter, swatch, fillOf(kAllTileStates[i], colors), textureSpacing(line));
        painter.setPen(colors.inkFaint);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(colors.inkSoft);
        painter.drawText(QPointF(swatch.right() + kAfterSwatch * line, swatch.center().y() + metrics.ascent() * 0.38),
                         words.nameOf(kAllTileStates[i]));
    }
}

double textureSpacing(double line) { return std::max(4.0, std::round(line * 0.42)); }

}  // namespace ui
