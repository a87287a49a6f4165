#include "ui/model/mark_shapes.h"

#include <QPolygonF>

#include <cmath>
#include <numbers>

namespace ui {
namespace {

constexpr double kArm = 0.38;  // thickness of the arms of cross and plus, relative to their size

QPolygonF cornersOf(MarkOutline shape) {
    switch (shape) {
    case MarkOutline::circle: break;
    case MarkOutline::square: return QPolygonF{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    case MarkOutline::triangle: return QPolygonF{{0, -1}, {0.95, 0.75}, {-0.95, 0.75}};
    case MarkOutline::diamond: return QPolygonF{{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    case MarkOutline::cross:
        return QPolygonF{{-1 + kArm, -1}, {0, -kArm}, {1 - kArm, -1}, {1, -1 + kArm}, {kArm, 0},  {1, 1 - kArm},
                         {1 - kArm, 1},   {0, kArm},  {-1 + kArm, 1}, {-1, 1 - kArm}, {-kArm, 0}, {-1, -1 + kArm}};
    case MarkOutline::plus:
        return QPolygonF{{-kArm, -1}, {kArm, -1}, {kArm, -kArm}, {1, -kArm}, {1, kArm},   {kArm, kArm},
                         {kArm, 1},   {-kArm, 1}, {-kArm, kArm}, {-1, kArm}, {-1, -kArm}, {-kArm, -kArm}};
    }
    return {};
}

double areaOf(const QPolygonF& polygon) {
    double twice = 0;
    for (qsizetype i = 0; i < polygon.size(); ++i) {
        const QPointF& from = polygon[i];
        const QPointF& to = polygon[(i + 1) % polygon.size()];
        twice += from.x() * to.y() - to.x() * from.y();
    }
    return std::abs(twice) / 2;
}

}  // namespace

QPainterPath markPath(MarkOutline shape, QPointF centre, double radius) {
    QPainterPath path;
    const QPolygonF corners = cornersOf(shape);
    if (corners.isEmpty()) {
        path.addEllipse(centre, radius, radius);
        return path;
    }
    const double scale = radius * std::sqrt(std::numbers::pi / areaOf(corners));
    for (const QPointF& corner : corners) {
        const QPointF point = centre + corner * scale;
        path.elementCount() == 0 ? path.moveTo(point) : path.lineTo(point);
    }
    path.closeSubpath();
    return path;
}

}  // namespace ui
