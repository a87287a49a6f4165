#include "ui/drawing/display_list.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui {
namespace {

constexpr int kEllipseSides = 48;
constexpr double kDot = 0.3;  // width of a dot, as a share of the spacing

// Returns how far the square end of a slanted line extends beyond the end point.
double reachOf(const FigureFill& fill) {
    const bool slanted =
        fill.texture == Texture::rising || fill.texture == Texture::falling || fill.texture == Texture::crossed;
    return slanted ? fill.lineWidth / 2 * std::numbers::sqrt2 / 2 : 0;
}

std::vector<QLineF> linesOver(const FigureFill& fill, const QRectF& box) {
    std::vector<QLineF> lines = textureLines(fill.texture, box, fill.spacing);
    if (fill.texture == Texture::dots) {
        // Keep only the dots that are wholly inside: a clipped dot looks like dirt.
        const double half = fill.spacing * kDot / 2;
        std::erase_if(lines, [&](const QLineF& line) {
            return line.length() < 2 * half - 1e-9 || line.y1() - half < box.top() || line.y1() + half > box.bottom();
        });
    }
    return lines;
}

// Returns where a line enters and leaves a polygon, as shares of the line's length.
std::vector<double> crossings(const QLineF& line, const QPolygonF& polygon) {
    std::vector<double> shares;
    const QPointF along = line.p2() - line.p1();
    for (qsizetype i = 0; i < polygon.size(); ++i) {
        const QPointF a = polygon[i] - line.p1();
        const QPointF edge = polygon[(i + 1) % polygon.size()] - polygon[i];
        const double sideA = along.x() * a.y() - along.y() * a.x();
        const QPointF b = a + edge;
        const double sideB = along.x() * b.y() - along.y() * b.x();
        // The edge is half open, so that a corner counts once.
        if ((sideA < 0) == (sideB < 0))
            continue;
        const QPointF hit = a + edge * (sideA / (sideA - sideB));
        shares.push_back((hit.x() * along.x() + hit.y() * along.y()) / (along.x() * along.x() + along.y() * along.y()));
    }
    std::sort(shares.begin(), shares.end());
    return shares;
}

}  // namespace

double fillLineWidth(const FigureFill& fill) {
    return fill.texture == Texture::dots ? fill.spacing * kDot : fill.lineWidth;
}

QPolygonF ellipseOutline(const QRectF& box) {
    QPolygonF outline;
    for (int i = 0; i < kEllipseSides; ++i) {
        const double angle = 2 * std::numbers::pi * i / kEllipseSides;
        outline << box.center() + QPointF(box.width() / 2 * std::cos(angle), box.height() / 2 * std::sin(angle));
    }
    return outline;
}

std::vector<QLineF> fillLines(const FigureFill& fill, const QRectF& box) {
    const double reach = reachOf(fill);
    return linesOver(fill, box.normalized().adjusted(reach, reach, -reach, -reach));
}

std::vector<QLineF> fillLines(const FigureFill& fill, const QPolygonF& polygon) {
    std::vector<QLineF> inside;
    if (polygon.size() < 3)
        return inside;
    for (const QLineF& line : linesOver(fill, polygon.boundingRect())) {
        if (fill.texture == Texture::dots) {
            if (polygon.containsPoint(line.p1(), Qt::OddEvenFill) && polygon.containsPoint(line.p2(), Qt::OddEvenFill))
                inside.push_back(line);
            continue;
        }
        const std::vector<double> shares = crossings(line, polygon);
        for (std::size_t i = 0; i + 1 < shares.size(); i += 2) {
            const double from = std::clamp(shares[i], 0.0, 1.0);
            const double to = std::clamp(shares[i + 1], 0.0, 1.0);
            if (to > from)
                inside.emplace_back(line.pointAt(from), line.pointAt(to));
        }
    }
    return inside;
}

}  // namespace ui
