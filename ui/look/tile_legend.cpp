#include "ui/look/tile_legend.h"

#include "ui/look/tile_style.h"
#include "ui/look/tile_words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr double kRow = 1.5;  // of a line of text
constexpr double kAfterSwatch = 0.4;

/// In lines of text.
struct Spacing {
    double swatch = 1.5;  ///< width
    double afterName = 1.3;
};

/// The entries closer together, where that saves a row.
constexpr Spacing kTight{1, 0.6};

struct Places {
    Spacing spacing;
    std::vector<std::pair<int, double>> entries;  ///< where each state's entry begins: row and x
    int rows() const { return entries.back().first + 1; }
};

Places placesWith(const Spacing& spacing, const TileWords& words, double width, const QFontMetricsF& metrics) {
    Places places{spacing, {}};
    const double line = metrics.height();
    int row = 0;
    double x = 0;
    for (const data::TileState state : kAllTileStates) {
        const double extent = (spacing.swatch + kAfterSwatch) * line + metrics.horizontalAdvance(words.nameOf(state));
        if (x > 0 && x + extent > width) {
            ++row;
            x = 0;
        }
        places.entries.emplace_back(row, x);
        x += extent + spacing.afterName * line;
    }
    return places;
}

Places placesIn(const TileWords& words, double width, const QFontMetricsF& metrics) {
    Places roomy = placesWith({}, words, width, metrics);
    Places tight = placesWith(kTight, words, width, metrics);
    return tight.rows() < roomy.rows() ? tight : roomy;
}

}  // namespace

double tileLegendHeight(const TileWords& words, double width, const QFontMetricsF& metrics) {
    return placesIn(words, width, metrics).rows() * kRow * metrics.height();
}

void paintTileLegend(QPainter& painter, const QRectF& box, const TileWords& words, const Palette& colors) {
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const Places places = placesIn(words, box.width(), metrics);
    const auto& where = places.entries;
    for (std::size_t i = 0; i < where.size(); ++i) {
        const double top = std::round(box.top() + where[i].first * kRow * line);
        const double left = std::round(box.left() + where[i].second);
        const QRectF swatch(left, top + std::round(line * 0.25), std::round(line * places.spacing.swatch),
                            std::round(line));
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
