#include "ui/inside/flow_stroke.h"

#include "ui/inside/inside_paint.h"

#include <QPainter>
#include <QPen>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kIdle = 0.07, kThinnest = 0.16;                           // lines
constexpr double kMost = 1.5;                                              // relative to `widest`
constexpr std::array<double, data::kTrafficOwners> kDash{1.5, 0.7, 0.25};  // lines
constexpr double kGapShare = 0.45;                                         // share of colour between the dashes

QPointF direction(QPointF from, QPointF to) {
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    return length > 0 ? way / length : QPointF();
}
QPointF normal(QPointF direction) { return {-direction.y(), direction.x()}; }

/// Returns the path without its last `by`, which the arrow needs.
std::vector<QPointF> shortened(std::vector<QPointF> path, double by) {
    path.back() -= direction(path[path.size() - 2], path.back()) * by;
    return path;
}

void paintArrow(QPainter& painter, const std::vector<QPointF>& path, double width, double length, const QColor& color) {
    const QPointF along = direction(path[path.size() - 2], path.back());
    const QPointF base = path.back() - along * length;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{path.back(), base + normal(along) * width / 2, base - normal(along) * width / 2});
}

QPolygonF polyline(const std::vector<QPointF>& path) { return {QList<QPointF>(path.begin(), path.end())}; }

void paintBand(QPainter& painter, const std::vector<QPointF>& path, double width, data::TrafficOwner owner,
               const StreamLook& look) {
    const QColor color = fillOf(owner, look.colors).color;
    QPen ground(Palette::mixed(look.colors.surface, color, kGapShare), width, Qt::SolidLine, Qt::FlatCap,
                Qt::MiterJoin);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(ground);
    painter.drawPolyline(polyline(path));
    const double dash = kDash[static_cast<std::size_t>(owner)] * look.line / width;  // in pen widths, Qt's unit
    QPen dashes(color, width, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    dashes.setDashPattern({dash, dash});
    dashes.setDashOffset(-std::fmod(look.phase, 1.0) * dash * 2);
    painter.setPen(dashes);
    painter.drawPolyline(polyline(path));
}

}  // namespace

std::vector<QPointF> besidePath(const std::vector<QPointF>& path, double distance) {
    std::vector<QPointF> beside = path;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const QPointF before = i > 0 ? normal(direction(path[i - 1], path[i])) : QPointF();
        const QPointF after = i + 1 < path.size() ? normal(direction(path[i], path[i + 1])) : QPointF();
        const bool turns = before != after && i > 0 && i + 1 < path.size();
        beside[i] += (turns ? before + after : i > 0 ? before : after) * distance;
    }
    return beside;
}

double streamWidth(double bytesPerSecond, const StreamLook& look) {
    if (bytesPerSecond <= 0)
        return 0;
    return std::clamp(look.widest * bytesPerSecond / std::max(look.peak, 1.0), look.line * kThinnest,
                      look.widest * kMost);
}

void paintStream(QPainter& painter, const std::vector<QPointF>& path,
                 const std::array<double, data::kTrafficOwners>& rates, const StreamLook& look) {
    double total = 0, width = 0;
    for (const double rate : rates) {
        total += rate;
        width += streamWidth(rate, look);
    }
    if (total <= 0) {
        paintSignal(painter, path, look.colors.line, look.line * kIdle, look.line);
        return;
    }
    const double head = std::clamp(width * 0.6, look.line * 0.5, look.line * 1.1);
    const std::vector<QPointF> body = shortened(path, head);
    double left = -width / 2;
    std::size_t most = 0;
    for (std::size_t owner = 0; owner < rates.size(); ++owner) {
        const double band = streamWidth(rates[owner], look);
        if (band > 0)
            paintBand(painter, besidePath(body, left + band / 2), band, static_cast<data::TrafficOwner>(owner), look);
        left += band;
        most = rates[owner] > rates[most] ? owner : most;
    }
    paintArrow(painter, path, std::max(width * 1.35, look.line * 0.8), head,
               fillOf(static_cast<data::TrafficOwner>(most), look.colors).color);
}

void paintSignal(QPainter& painter, const std::vector<QPointF>& path, const QColor& color, double width, double line) {
    const double head = std::max(line * 0.45, width * 1.8);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(polyline(shortened(path, head)));
    paintArrow(painter, path, head * 1.1, head, color);
}

}  // namespace ui
