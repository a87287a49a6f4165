#include "ui/machine/machine_map.h"

#include "engine/api/topology.h"

#include <QLineF>
#include <QtMath>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ui {
namespace {

using engine::Topology;
using engine::TopologyKind;

constexpr double kLargestCard = 0.24;  // of the width and height of the room, because links need room, too
constexpr double kOfFew = 1.45;        // factor for up to four cards
constexpr double kShrink = 0.94;
constexpr double kSmallest = 5;
constexpr int kArcSteps = 720;
constexpr int kLinkBendPoints = 4;
constexpr std::size_t kDense = 600;  // with more links, all are straight, even across other nodes
constexpr std::array<double, 7> kBows{0, 0.14, -0.14, 0.28, -0.28, 0.42, -0.42};  // relative to a link's length

struct Room {
    QRectF area;
    double aspect, line, caption;
};

double lengthBetween(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

QSizeF cardOf(double picture, const Room& room) { return {picture * room.aspect, picture + room.caption}; }

QRectF boxAt(QPointF centre, QSizeF size) {
    return {centre.x() - size.width() / 2, centre.y() - size.height() / 2, size.width(), size.height()};
}

/// Returns `count` positions on an ellipse, clockwise at equal distances along it. `turn`: the offset of the first from
/// the top, in such distances.
std::vector<QPointF> around(const QRectF& box, std::size_t count, double turn) {
    const auto at = [&](int step) {
        const double angle = qDegreesToRadians(360.0 * step / kArcSteps) - M_PI_2;
        return QPointF(box.center().x() + std::cos(angle) * box.width() / 2,
                       box.center().y() + std::sin(angle) * box.height() / 2);
    };
    std::vector<double> lengths{0};
    for (int step = 1; step <= kArcSteps; ++step)
        lengths.push_back(lengths.back() + lengthBetween(at(step - 1), at(step)));
    std::vector<QPointF> places;
    for (std::size_t i = 0; i < count; ++i) {
        const double place = (static_cast<double>(i) + turn) / static_cast<double>(count);
        const double wanted = (place - std::floor(place)) * lengths.back();
        places.push_back(
            at(static_cast<int>(std::lower_bound(lengths.begin(), lengths.end(), wanted) - lengths.begin())));
    }
    return places;
}

bool meet(const std::vector<QRectF>& boxes, double gap) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (boxes[i].adjusted(-gap, -gap, gap, gap).intersects(boxes[j]))
                return true;
        }
    }
    return false;
}

/// Returns the largest cards on an ellipse that do not overlap. Up to four cards may be larger than more cards.
std::vector<QRectF> circle(std::size_t count, const Room& room, double turn) {
    const double gap = room.line * (count > 16 ? 0.25 : 0.6);
    const double largest = kLargestCard * (count <= 4 ? kOfFew : 1);
    double picture = std::min(room.area.width() * largest / room.aspect,
                              std::max(kSmallest, room.area.height() * largest - room.caption));
    double caption = room.caption;
    for (;;) {
        const QSizeF size(picture * room.aspect, picture + caption);
        const QRectF track =
            room.area.adjusted(size.width() / 2, size.height() / 2, -size.width() / 2, -size.height() / 2);
        std::vector<QRectF> boxes;
        for (const QPointF place : around(track, count, turn))
            boxes.push_back(boxAt(place, size));
        if (!meet(boxes, gap) || picture * room.aspect < kSmallest)
            return boxes;
        picture *= kShrink;
        if (picture < room.line)  // too small to have a caption
            caption *= kShrink;
    }
}

std::size_t switchesOf(const Topology& topology) { return topology.nodes.size() - topology.gpus; }

// Places one switch in the middle of the room, or several around it.
void placeSwitches(const Topology& topology, const Room& room, std::vector<QRectF>& nodes) {
    const std::size_t count = switchesOf(topology);
    if (count == 0)
        return;
    QRectF middle = room.area;
    for (const QRectF& gpu : nodes) {
        const QPointF from = gpu.center() - room.area.center();
        if (std::abs(from.x()) * room.area.height() > std::abs(from.y()) * room.area.width())
            from.x() < 0 ? middle.setLeft(std::max(middle.left(), gpu.right()))
                         : middle.setRight(std::min(middle.right(), gpu.left()));
        else
            from.y() < 0 ? middle.setTop(std::max(middle.top(), gpu.bottom()))
                         : middle.setBottom(std::min(middle.bottom(), gpu.top()));
    }
    QSizeF size(room.line * 6.5, room.line * 1.8);
    if (count == 1) {
        size.setWidth(std::max(kSmallest, std::min(size.width(), middle.width() * 0.6)));
        size.setHeight(std::max(kSmallest, std::min(size.height(), middle.height() * 0.6)));
        nodes.push_back(boxAt(middle.center(), size));
        return;
    }
    std::vector<QRectF> boxes;
    do {
        QRectF track = QRectF(0, 0, middle.width() * 0.45, middle.height() * 0.45);
        track.moveCenter(middle.center());
        boxes.clear();
        for (const QPointF place : around(track, count, 0))
            boxes.push_back(boxAt(place, size));
        size *= kShrink;
    } while (meet(boxes, 2) && size.height() > kSmallest);
    nodes.insert(nodes.end(), boxes.begin(), boxes.end());
}

/// The rows and columns of a torus, and the size of the gaps through which its rows and columns close.
struct Grid {
    std::uint32_t columns = 1, rows = 1;
    QSizeF gap;

    explicit Grid(const Topology& topology) {
        for (const engine::TopologyNode& node : topology.nodes) {
            columns = std::max(columns, node.column + 1);
            rows = std::max(rows, node.row + 1);
        }
    }
};

std::vector<QRectF> gridOf(const Topology& topology, const Room& room, Grid& grid) {
    const double wide = room.line * (std::max(grid.columns, grid.rows) > 5 ? 1.0 : 4.2);
    grid.gap = QSizeF(wide, wide * 0.75);
    const QSizeF cell(room.area.width() / grid.columns, room.area.height() / grid.rows);
    const double picture = std::max(kSmallest, std::min((cell.width() - grid.gap.width()) / room.aspect,
                                                        cell.height() - grid.gap.height() - room.caption));
    QSizeF size = cardOf(std::min(picture, room.area.height() * kLargestCard), room);
    size = size.boundedTo(QSizeF(cell.width() * 0.8, cell.height() * 0.8));
    grid.gap = QSizeF(cell.width() - size.width(), cell.height() - size.height())
                   .boundedTo(QSizeF(room.line * 2.4, room.line * 2));
    std::vector<QRectF> boxes;
    for (const engine::TopologyNode& node : topology.nodes) {
        boxes.push_back(boxAt(QPointF(room.area.left() + cell.width() * (node.column + 0.5),
                                      room.area.top() + cell.height() * (node.row + 0.5)),
                              size));
    }
    return boxes;
}

// Places the GPUs of two nodes on mirrored circles, so that counterparts are at the same height. Each circle is rotated
// by a quarter of the distance between two GPUs, which keeps the links between counterparts apart.
std::vector<QRectF> twoCircles(const Topology& topology, const Room& room, std::vector<QRectF>& groups) {
    const double between = std::max(room.area.width() * 0.14, room.line * 5);
    const double width = std::max(kSmallest, (room.area.width() - between) / 2);
    groups = {QRectF(room.area.topLeft(), QSizeF(width, room.area.height())),
              QRectF(QPointF(room.area.right() - width, room.area.top()), QSizeF(width, room.area.height()))};
    const double inset = room.line * 0.6;
    Room half = room;
    half.area = groups[0].adjusted(inset, room.line * 1.5, -inset, -inset);
    const std::size_t each = topology.gpus / 2;
    const std::vector<QRectF> places = circle(each, half, 0.25);
    std::vector<QRectF> boxes;
    for (const engine::TopologyNode& node : topology.nodes) {
        const QRectF& place = places[node.column % places.size()];
        const double mirrored = room.area.left() + room.area.right() - place.center().x();
        boxes.push_back(node.group == 0 ? place : boxAt(QPointF(mirrored, place.center().y()), place.size()));
    }
    return boxes;
}

/// Returns the point at which the line from `from`, inside the box, to `to` leaves the box.
QPointF leaving(const QRectF& box, QPointF from, QPointF to) {
    const QPointF way = to - from;
    double share = 1;
    if (way.x() > 0)
        share = std::min(share, (box.right() - from.x()) / way.x());
    if (way.x() < 0)
        share = std::min(share, (box.left() - from.x()) / way.x());
    if (way.y() > 0)
        share = std::min(share, (box.bottom() - from.y()) / way.y());
    if (way.y() < 0)
        share = std::min(share, (box.top() - from.y()) / way.y());
    return from + way * std::max(0.0, share);
}

bool crosses(QPointF a, QPointF b, const QRectF& box) {
    if (box.contains((a + b) / 2))
        return true;
    const QLineF line(a, b);
    const std::array<QLineF, 2> diagonals{QLineF(box.topLeft(), box.bottomRight()),
                                          QLineF(box.topRight(), box.bottomLeft())};
    return std::any_of(diagonals.begin(), diagonals.end(), [&](const QLineF& diagonal) {
        return line.intersects(diagonal, nullptr) == QLineF::BoundedIntersection;
    });
}

/// Draws links between boxes at arbitrary positions.
class Joiner {
public:
    Joiner(const std::vector<QRectF>& nodes, double apart, bool mayBow)
        : m_nodes(nodes), m_apart(apart), m_mayBow(mayBow) {}

    std::vector<QPointF> join(std::uint32_t from, std::uint32_t to) const {
        std::vector<QPointF> best;
        for (const double bow : kBows) {
            std::vector<QPointF> way = bowed(from, to, bow);
            if (best.empty())
                best = way;
            if (!m_mayBow || isFree(way, from, to))
                return way;
        }
        return best;
    }

private:
    // Returns a path, straight if `bow` is 0. It is to the right of the line between the centres, so that the path of
    // the opposite direction is beside it.
    std::vector<QPointF> bowed(std::uint32_t from, std::uint32_t to, double bow) const {
        const QPointF a = m_nodes[from].center();
        const QPointF b = m_nodes[to].center();
        const double length = std::max(1.0, lengthBetween(a, b));
        const QPointF side = QPointF(-(b - a).y(), (b - a).x()) / length;
        // The two directions of a link bend to the same side.
        const double sign = from < to ? 1 : -1;
        const QPointF start = a + side * m_apart;
        const QPointF end = b + side * m_apart;
        const QPointF control = (start + end) / 2 + side * (bow * sign * length);
        if (bow == 0)
            return {leaving(m_nodes[from], start, end), leaving(m_nodes[to], end, start)};
        const QPointF first = leaving(m_nodes[from], start, control);
        const QPointF last = leaving(m_nodes[to], end, control);
        std::vector<QPointF> points;
        for (int i = 0; i <= 3 * kLinkBendPoints; ++i) {
            const double t = i / (3.0 * kLinkBendPoints);
            points.push_back(first * ((1 - t) * (1 - t)) + control * (2 * t * (1 - t)) + last * (t * t));
        }
        return points;
    }

    bool isFree(const std::vector<QPointF>& way, std::uint32_t from, std::uint32_t to) const {
        for (std::uint32_t node = 0; node < m_nodes.size(); ++node) {
            if (node == from || node == to)
                continue;
            for (std::size_t i = 1; i < way.size(); ++i) {
                if (crosses(way[i - 1], way[i], m_nodes[node]))
                    return false;
            }
        }
        return true;
    }

    const std::vector<QRectF>& m_nodes;
    double m_apart;
    bool m_mayBow;
};

// Appends a rounded bend at `corner`.
void bend(std::vector<QPointF>& points, QPointF before, QPointF corner, QPointF after, double radius) {
    const auto towards = [&](QPointF to) {
        const double length = std::max(1e-9, lengthBetween(corner, to));
        return corner + (to - corner) * (std::min(radius, length / 2) / length);
    };
    const QPointF a = towards(before);
    const QPointF b = towards(after);
    for (int i = 0; i <= kLinkBendPoints; ++i) {
        const double t = static_cast<double>(i) / kLinkBendPoints;
        points.push_back(a * ((1 - t) * (1 - t)) + corner * (2 * t * (1 - t)) + b * (t * t));
    }
}

/// Returns the path that closes a row of a torus, from its last GPU to its first or back, through the gap beside the
/// row. For columns x and y are exchanged.
std::vector<QPointF> closing(const QRectF& from, const QRectF& to, bool inRow, QSizeF gap, double apart) {
    const auto flip = [inRow](QPointF point) { return inRow ? point : QPointF(point.y(), point.x()); };
    const auto flipped = [inRow](const QRectF& box) {
        return inRow ? box : QRectF(box.y(), box.x(), box.height(), box.width());
    };
    const QRectF a = flipped(from);
    const QRectF b = flipped(to);
    const bool ahead = a.left() > b.left();  // the path begins at the last GPU
    const double room = inRow ? gap.width() : gap.height();
    const double beside = inRow ? gap.height() : gap.width();
    const double shift = ahead ? apart : -apart;
    const double out = room * 0.3 + shift;
    const double y = a.top() - beside * 0.45 - shift;
    const QPointF start(ahead ? a.right() : a.left(), a.center().y() + a.height() * 0.2 - shift);
    const QPointF end(ahead ? b.left() : b.right(), b.center().y() + b.height() * 0.2 - shift);
    const double startX = ahead ? start.x() + out : start.x() - out;
    const double endX = ahead ? end.x() - out : end.x() + out;
    const std::array<QPointF, 6> corners{
        start, QPointF(startX, start.y()), QPointF(startX, y), QPointF(endX, y), QPointF(endX, end.y()), end};
    std::vector<QPointF> points{start};
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        bend(points, corners[i - 1], corners[i], corners[i + 1], room * 0.25);
    points.push_back(end);
    for (QPointF& point : points)
        point = flip(point);
    return points;
}

bool closesRow(const Topology& topology, const engine::TopologyLink& link, bool inRow) {
    const engine::TopologyNode& a = topology.nodes[link.from];
    const engine::TopologyNode& b = topology.nodes[link.to];
    const std::uint32_t from = inRow ? a.column : a.row;
    const std::uint32_t to = inRow ? b.column : b.row;
    const bool same = inRow ? a.row == b.row : a.column == b.column;
    return same && (from > to ? from - to : to - from) > 1;
}

std::vector<Way> joinNodes(const Topology& topology, const std::vector<QRectF>& nodes, const Grid& grid, double line) {
    const bool dense = topology.links.size() > kDense;
    const double apart = line * (dense ? 0.05 : topology.links.size() > kDense / 4 ? 0.1 : 0.2);
    const Joiner joiner(nodes, apart,
                        !dense && topology.kind != TopologyKind::torus && topology.kind != TopologyKind::twoNodes);
    std::vector<Way> ways;
    for (const engine::TopologyLink& link : topology.links) {
        if (link.from == link.to) {
            ways.emplace_back();
            continue;
        }
        const bool torus = topology.kind == TopologyKind::torus;
        const bool row = torus && closesRow(topology, link, true);
        const bool column = torus && closesRow(topology, link, false);
        ways.emplace_back(row || column ? closing(nodes[link.from], nodes[link.to], row, grid.gap, apart * 0.7)
                                        : joiner.join(link.from, link.to));
    }
    return ways;
}

}  // namespace

Way::Way(std::vector<QPointF> points) : m_points(std::move(points)) {
    for (std::size_t i = 0; i < m_points.size(); ++i)
        m_lengths.push_back(i == 0 ? 0 : m_lengths.back() + lengthBetween(m_points[i - 1], m_points[i]));
}

QPointF Way::at(double share) const { return m_points.empty() ? QPointF() : upTo(share).back(); }

std::vector<QPointF> Way::upTo(double share) const {
    if (m_points.empty())
        return {};
    const double wanted = std::clamp(share, 0.0, 1.0) * length();
    std::vector<QPointF> points{m_points.front()};
    for (std::size_t i = 1; i < m_points.size(); ++i) {
        if (m_lengths[i] < wanted) {
            points.push_back(m_points[i]);
            continue;
        }
        const double piece = m_lengths[i] - m_lengths[i - 1];
        const double part = piece > 0 ? (wanted - m_lengths[i - 1]) / piece : 0;
        points.push_back(m_points[i - 1] + (m_points[i] - m_points[i - 1]) * part);
        break;
    }
    return points;
}

NearestPlace nearestPlace(const std::vector<QPointF>& points, QPointF point) {
    NearestPlace nearest{1, 0, std::numeric_limits<double>::infinity()};
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF step = points[i] - points[i - 1];
        const double square = QPointF::dotProduct(step, step);
        const double share =
            square > 0 ? std::clamp(QPointF::dotProduct(point - points[i - 1], step) / square, 0.0, 1.0) : 0;
        const double distance = lengthBetween(point, points[i - 1] + step * share);
        if (distance < nearest.distance)
            nearest = {i, share, distance};
    }
    return nearest;
}

double Way::distanceTo(QPointF point) const { return nearestPlace(m_points, point).distance; }

std::optional<std::uint32_t> wayAt(const std::vector<Way>& ways, QPointF point, double reach) {
    std::optional<std::uint32_t> nearest;
    for (std::uint32_t i = 0; i < ways.size(); ++i) {
        const double away = ways[i].empty() ? reach : ways[i].distanceTo(point);
        if (away < reach) {
            reach = away;
            nearest = i;
        }
    }
    return nearest;
}

TopologyLayout layoutTopology(const Topology& topology, const QRectF& area, double aspect, double line,
                              double caption) {
    const Room room{area, aspect, line, caption};
    TopologyLayout layout;
    Grid grid(topology);
    if (topology.kind == TopologyKind::torus)
        layout.nodes = gridOf(topology, room, grid);
    else if (topology.kind == TopologyKind::twoNodes && topology.gpus > 1)
        layout.nodes = twoCircles(topology, room, layout.groups);
    else
        layout.nodes = circle(topology.gpus, room, 0);
    placeSwitches(topology, room, layout.nodes);
    layout.links = joinNodes(topology, layout.nodes, grid, line);
    for (const std::vector<std::uint32_t>& hop : topology.ring) {
        std::vector<QPointF> points;
        for (const std::uint32_t link : hop) {
            const std::vector<QPointF>& way = layout.links[link].points();
            points.insert(points.end(), way.begin(), way.end());
        }
        layout.hops.emplace_back(std::move(points));
    }
    return layout;
}

}  // namespace ui
