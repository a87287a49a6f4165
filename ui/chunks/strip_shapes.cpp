#include "ui/chunks/strip_shapes.h"

#include "ui/look/tile_style.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ui {
namespace {

/// Columns that look the same: how many steps high each state reaches, from the furthest one up.
struct Stretch {
    std::size_t first = 0, end = 0;
    std::array<int, data::kTileStates> tops{};
};

std::vector<Stretch> stretchesOf(const std::vector<ChunkCounts>& counts, int steps) {
    std::vector<Stretch> stretches;
    for (std::size_t column = 0; column < counts.size(); ++column) {
        const double tiles = std::max(1.0, std::accumulate(counts[column].begin(), counts[column].end(), 0.0));
        std::array<int, data::kTileStates> tops{};
        double below = 0;
        for (std::size_t state = data::kTileStates; state-- > 0;) {
            below += counts[column][state];
            tops[state] = static_cast<int>(std::lround(below / tiles * steps));
        }
        if (stretches.empty() || stretches.back().tops != tops)
            stretches.push_back({column, column, tops});
        stretches.back().end = column + 1;
    }
    return stretches;
}

}  // namespace

void paintStripShapes(QPainter& painter, const QRectF& box, const std::vector<ChunkCounts>& counts,
                      const StripShapesLook& look) {
    const int steps = std::max(1, static_cast<int>(box.height() / look.step));
    const std::vector<Stretch> stretches = stretchesOf(counts, steps);
    const double width = box.width() / std::max(1.0, static_cast<double>(counts.size()));
    const auto y = [&](int step) { return box.bottom() - box.height() * step / steps; };
    for (std::size_t state = 0; state < data::kTileStates; ++state) {
        const Fill fill = fillOf(kAllTileStates[state], look.colors);
        QPolygonF over;
        QPolygonF under;
        const auto close = [&] {
            std::reverse(under.begin(), under.end());
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill.color);
            if (!over.isEmpty())
                painter.drawPolygon(over + under);
            over.clear();
            under.clear();
        };
        std::vector<QRectF> parts;
        for (const Stretch& stretch : stretches) {
            const int top = stretch.tops[state];
            const int bottom = state + 1 < data::kTileStates ? stretch.tops[state + 1] : 0;
            if (top == bottom) {
                close();
                continue;
            }
            const double left = box.left() + static_cast<double>(stretch.first) * width;
            const double right = box.left() + static_cast<double>(stretch.end) * width;
            over << QPointF(left, y(top)) << QPointF(right, y(top));
            under << QPointF(left, y(bottom)) << QPointF(right, y(bottom));
            parts.emplace_back(QPointF(left, y(top)), QPointF(right, y(bottom)));
        }
        close();
        // The texture hangs on the origin, so that its parts continue each other.
        for (const QRectF& part : parts)
            paintTexture(painter, part, fill, look.spacing);
    }
}

}  // namespace ui
