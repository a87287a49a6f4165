#include "ui/machine/machine_map.h"

#include "engine/api/topology.h"

#include <QtMath>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kBendPoints = 8;
constexpr int kSpreadRounds = 24;
constexpr double kEnoughCentre = 5;  // lines: room for numbers, picture, and one row of gauges
constexpr double kNoCentre = 0.05;
constexpr double kLegible = 100;      // factor in the score of a layout whose numbers are legible
constexpr double kLeastCard = 1.2;    // lines: as high as a number
constexpr double kTrackShare = 0.15;  // of the smaller side of the view, limited by the next two
constexpr double kLeastTrack = 1.6;   // lines: the track carries the chunks' numbers
constexpr double kMostTrack = 2.6;
constexpr double kLeastCentre = 0.48;  // of each side of the view: the focused GPU must be larger than the others

/// The number of cards on each side.
struct Sides {
    int top = 0;
    int bottom = 0;
    int each = 0;  ///< on the left, and as many on the right
};

struct Frame {
    QRectF area;
    CardNeeds needs;
    double gap;    // between cards
    double track;  // between cards and centre
};

double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

/// Returns the size of the largest card that leaves enough room for the centre.
QSizeF cardSize(const Sides& sides, const Frame& frame) {
    const double columns = sides.each > 0 ? 2 : 0;
    const double rows = (sides.top > 0 ? 1 : 0) + (sides.bottom > 0 ? 1 : 0);
    const double width = frame.area.width();
    const double height = frame.area.height();
    double most = width;
    if (sides.top > 0)
        most = std::min(most, (width - frame.gap * (sides.top - 1)) / sides.top);
    if (columns > 0)
        most = std::min(most, (width * (1 - kLeastCentre) - frame.track * 2) / 2);
    double tall = height;
    double possible = height;  // the height if the centre may be smaller than kLeastCentre
    if (rows > 0) {
        tall = std::min(tall, (height * (1 - kLeastCentre) - frame.track * rows) / rows);
        possible = (height - frame.track * rows) / (rows + 1);
    }
    if (sides.each > 0) {
        const double between = rows > 0 ? frame.gap * (sides.each - 1 + rows) : frame.gap * (sides.each - 1);
        tall = std::min(tall, (height - between) / (sides.each + rows));
        possible = std::min(possible, (height - between) / (sides.each + rows));
    }
    const CardNeeds& needs = frame.needs;
    const double picture = std::min(most / needs.aspect, tall - needs.caption);
    if (picture + needs.caption >= needs.line * kRoomyCard)
        return {picture * needs.aspect, picture + needs.caption};
    // The card is too low for a caption above a picture: it shows a number, with a picture beside it if there is room.
    const double low = std::clamp(tall, std::min(possible, needs.line * kLeastCard), needs.line * (kRoomyCard - 0.1));
    return {std::clamp(most, 1.0, std::max(needs.number + needs.line, low * needs.aspect)), std::max(1.0, low)};
}

Sides bestSides(int gpus, const Frame& frame) {
    Sides best;
    double most = -1;
    for (int each = 0; 2 * each <= gpus; ++each) {
        const int rest = gpus - 2 * each;
        const Sides sides{(rest + 1) / 2, rest / 2, each};
        const QSizeF size = cardSize(sides, frame);
        // A card with room for its number is better than a larger card without.
        const bool legible =
            size.width() >= frame.needs.number * kLeastNumber && size.height() >= frame.needs.line * kLeastNumber;
        const double rows = (sides.top > 0 ? 1 : 0) + (sides.bottom > 0 ? 1 : 0);
        const double centre = frame.area.height() - rows * size.height() - 2 * frame.track;
        const double roomy = std::clamp(centre / (frame.needs.line * kEnoughCentre), kNoCentre, 1.0);
        const double score = size.width() * size.height() * roomy * (legible ? kLegible : 1);
        if (score > most * 1.02) {
            most = score;
            best = sides;
        }
    }
    return best;
}

// Returns the position of card `i` of `count`, which are spaced evenly, with the same distance at both ends.
double along(double start, double extent, int count, int i, double size) {
    const double room = (extent - count * size) / (count + 1);
    return start + room * (i + 1) + size * i;
}

// Moves the ports towards the middle of their neighbours until the paths to both have similar lengths. Otherwise all
// ports of the cards near a corner would be at the bend. Evenly spaced ports stay where they are.
void spread(std::vector<double>& ports, double length) {
    const std::size_t count = ports.size();
    for (std::size_t i = 1; i < count; ++i) {
        while (ports[i] < ports[i - 1])
            ports[i] += length;
    }
    for (int round = 0; round < kSpreadRounds; ++round) {
        const std::vector<double> old = ports;
        for (std::size_t i = 0; i < count; ++i) {
            const double before = i > 0 ? old[i - 1] : old[count - 1] - length;
            const double after = i + 1 < count ? old[i + 1] : old[0] + length;
            ports[i] += 0.25 * (before + after - 2 * old[i]);
        }
    }
    for (double& port : ports)
        port -= std::floor(port / length) * length;
}

constexpr std::uint32_t kMany = 16;  // GPUs; more than that get a larger share of the room

// Makes the map of a ring, whose two directions share one track.
MachineMap mapOfRing(const engine::Topology& topology, const RingLayout& ring) {
    MachineMap map;
    map.cards = ring.cards;
    map.centre = ring.centre;
    map.links.resize(topology.links.size());
    for (std::uint32_t gpu = 0; gpu < topology.gpus && topology.gpus > 1; ++gpu) {
        map.hops.emplace_back(ring.way(gpu));
        const std::uint32_t before = (gpu + topology.gpus - 1) % topology.gpus;
        for (std::uint32_t link = 0; link < topology.links.size(); ++link) {
            const engine::TopologyLink& ends = topology.links[link];
            std::vector<QPointF> points = map.hops.back().points();
            if (ends.from == before && ends.to == gpu && map.links[link].empty())
                std::reverse(points.begin(), points.end());
            else if (ends.from != gpu || ends.to != before)
                continue;
            map.links[link] = Way(std::move(points));
        }
    }
    map.track = ring;
    return map;
}

}  // namespace

Racetrack::Racetrack(const QRectF& box, double mostRadius) {
    const double radius = std::min({mostRadius, box.width() / 2, box.height() / 2});
    const auto bend = [&](QPointF centre, double fromDegrees) {
        for (int i = 0; i <= kBendPoints; ++i) {
            const double angle = qDegreesToRadians(fromDegrees + 90.0 * i / kBendPoints);
            m_points.emplace_back(centre.x() + std::cos(angle) * radius, centre.y() + std::sin(angle) * radius);
        }
    };
    const QRectF middle = box.adjusted(radius, radius, -radius, -radius);
    bend(middle.topLeft(), 180);
    bend(middle.topRight(), 270);
    bend(middle.bottomRight(), 0);
    bend(middle.bottomLeft(), 90);
    m_points.push_back(m_points.front());
    m_distances.push_back(0);
    for (std::size_t i = 1; i < m_points.size(); ++i)
        m_distances.push_back(m_distances.back() + distance(m_points[i - 1], m_points[i]));
    m_length = m_distances.back();
}

QPointF Racetrack::at(double distance) const {
    if (m_points.empty())
        return {};
    const double wrapped = distance - std::floor(distance / m_length) * m_length;
    const auto after = std::upper_bound(m_distances.begin(), m_distances.end() - 1, wrapped);
    const auto i = static_cast<std::size_t>(after - m_distances.begin());
    const double span = m_distances[i] - m_distances[i - 1];
    const double share = span > 0 ? (wrapped - m_distances[i - 1]) / span : 0;
    return m_points[i - 1] + (m_points[i] - m_points[i - 1]) * share;
}

double Racetrack::nearest(QPointF point) const {
    if (m_points.empty())
        return 0;
    const NearestPlace place = nearestPlace(m_points, point);
    const double from = m_distances[place.piece - 1];
    return from + (m_distances[place.piece] - from) * place.share;
}

std::vector<QPointF> Racetrack::stretch(double from, double to) const {
    while (to < from)
        to += m_length;
    std::vector<QPointF> points{at(from)};
    for (int lap = 0; lap < 2; ++lap) {
        for (std::size_t i = 0; i + 1 < m_points.size(); ++i) {
            const double here = m_distances[i] + lap * m_length;
            if (here > from && here < to)
                points.push_back(m_points[i]);
        }
    }
    points.push_back(at(to));
    return points;
}

double RingLayout::wayLength(std::uint32_t gpu) const {
    const double to = ports[(gpu + ports.size() - 1) % ports.size()];
    const double length = ports[gpu] - to;
    return length > 0 ? length : length + track.length();
}

QPointF RingLayout::onWay(std::uint32_t gpu, double share) const {
    return track.at(ports[gpu] - wayLength(gpu) * share);
}

std::vector<QPointF> RingLayout::way(std::uint32_t gpu) const {
    const double length = wayLength(gpu);
    double from = ports[gpu] - length;
    if (from < 0)
        from += track.length();
    std::vector<QPointF> points = track.stretch(from, from + length);
    std::reverse(points.begin(), points.end());
    return points;
}

RingLayout layoutRing(std::uint32_t gpus, const QRectF& area, const CardNeeds& needs) {
    const int count = static_cast<int>(std::max(1u, gpus));
    const double line = needs.line;
    const double track =
        std::clamp(std::min(area.width(), area.height()) * kTrackShare, line * kLeastTrack, line * kMostTrack);
    const Frame frame{area, needs, line * (count > 32 ? 0.15 : count > 16 ? 0.3 : 0.7), track};
    const Sides sides = bestSides(count, frame);
    const QSizeF size = cardSize(sides, frame);
    const double aboveHeight = sides.top > 0 ? size.height() : 0;
    const double belowHeight = sides.bottom > 0 ? size.height() : 0;
    RingLayout layout;
    const auto add = [&](double x, double y) { layout.cards.emplace_back(QPointF(x, y), size); };
    const double columnTop = area.top() + aboveHeight;
    const double columnHeight = area.height() - aboveHeight - belowHeight;
    for (int i = 0; i < sides.top; ++i)
        add(along(area.left(), area.width(), sides.top, i, size.width()), area.top());
    for (int i = 0; i < sides.each; ++i)
        add(area.right() - size.width(), along(columnTop, columnHeight, sides.each, i, size.height()));
    for (int i = sides.bottom - 1; i >= 0; --i)
        add(along(area.left(), area.width(), sides.bottom, i, size.width()), area.bottom() - size.height());
    for (int i = sides.each - 1; i >= 0; --i)
        add(area.left(), along(columnTop, columnHeight, sides.each, i, size.height()));
    // The first GPU is at the top left, where reading begins.
    if (sides.top == 0)
        std::rotate(layout.cards.begin(), layout.cards.end() - 1, layout.cards.end());

    const double columnWidth = sides.each > 0 ? size.width() : 0;
    const double half = frame.track / 2;
    const double side = sides.each > 0 ? half : line * 0.6;
    const double under = sides.bottom > 0 ? half : line * 0.6;
    const double over = sides.top > 0 ? half : line * 0.6;
    const QRectF loop =
        area.adjusted(columnWidth + side, aboveHeight + over, -columnWidth - side, -belowHeight - under);
    layout.track = Racetrack(loop, line * 2);
    layout.centre = loop.adjusted(half, half, -half, -half);
    for (const QRectF& card : layout.cards)
        layout.ports.push_back(layout.track.nearest(card.center()));
    if (sides.top > 0 && sides.each > 0)
        spread(layout.ports, layout.track.length());
    for (std::size_t i = 0; i < layout.cards.size(); ++i) {
        const QRectF& card = layout.cards[i];
        const QPointF at = layout.track.at(layout.ports[i]);
        layout.stems.emplace_back(std::clamp(at.x(), card.left(), card.right()),
                                  std::clamp(at.y(), card.top(), card.bottom()));
    }
    return layout;
}

MachineMap mapOf(const engine::Topology& topology, const QRectF& area, const CardNeeds& needs) {
    if (topology.kind == engine::TopologyKind::ring || topology.gpus < 2)
        return mapOfRing(topology, layoutRing(std::max(1u, topology.gpus), area, needs));
    const bool beside = area.width() > area.height() * 1.2;
    const double share = topology.gpus > kMany ? 0.68 : 0.58;
    QRectF graph = area;
    QRectF centre = area;
    if (beside) {
        graph.setWidth(area.width() * share);
        centre.setLeft(graph.right() + needs.line * 1.5);
    } else {
        graph.setHeight(area.height() * share);
        centre.setTop(graph.bottom() + needs.line);
    }
    // Many cards have no room for a line of text over their picture.
    TopologyLayout layout =
        layoutTopology(topology, graph, needs.aspect, needs.line, topology.gpus > kMany ? 0 : needs.caption);
    MachineMap map;
    map.cards.assign(layout.nodes.begin(), layout.nodes.begin() + topology.gpus);
    map.switches.assign(layout.nodes.begin() + topology.gpus, layout.nodes.end());
    map.groups = std::move(layout.groups);
    map.links = std::move(layout.links);
    map.hops = std::move(layout.hops);
    map.centre = centre;
    return map;
}

}  // namespace ui
