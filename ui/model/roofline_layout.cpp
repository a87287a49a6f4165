#include "ui/model/roofline_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ui {
namespace {

constexpr double kLargestMark = 1;  // radius; all lengths are in lines of text
constexpr double kSmallestMark = 0.3;
constexpr double kSameMark = 0.2;    // marks hide each other if distance and difference of radii are below this
constexpr double kApart = 0.45;      // distance by which such marks are moved apart
constexpr double kRoomBeside = 2.2;  // room left and right of the marks, for marks that are moved apart
constexpr double kRoomOver = 1.4;    // room above and below the marks, for the labels of the roof
constexpr double kNear = 1;          // greatest distance between the pointer and the mark that it hits
constexpr std::size_t kMostLabels = 14;

/// Adds boxes along a polyline to `taken`, so that labels avoid the line.
void coverWay(const QPolygonF& way, double size, std::vector<QRectF>& taken) {
    for (qsizetype i = 1; i < way.size(); ++i) {
        const QPointF step = way[i] - way[i - 1];
        const int count = std::max(1, static_cast<int>(std::hypot(step.x(), step.y()) / size));
        for (int n = 0; n <= count; ++n)
            taken.emplace_back(way[i - 1] + step * n / count - QPointF(size, size) / 2, QSizeF(size, size));
    }
}

}  // namespace

RooflineLayout::RooflineLayout(const OperatorFacts& facts, const QRectF& plot, double line)
    : m_plot(plot), m_line(line), m_roof(facts.roof) {
    reach(facts);
    placeMarks(facts);
}

// Sets the axes from the least to the greatest plotted value, including the ridge and the flat roof, with room for
// whole marks around.
void RooflineLayout::reach(const OperatorFacts& facts) {
    const auto widen = [](Decades& axis, double value) {
        axis.from = std::min(axis.from, std::log10(value));
        axis.to = std::max(axis.to, std::log10(value));
    };
    m_across = {std::log10(m_roof.ridge()), std::log10(m_roof.ridge())};
    m_up = {std::log10(m_roof.flopsPerSecond), std::log10(m_roof.flopsPerSecond)};
    for (std::size_t row = 0; row < facts.points.size(); ++row) {
        if (!facts.isPlotted(row))
            continue;
        widen(m_across, facts.points[row].work.intensity());
        widen(m_up, facts.points[row].work.rate());
    }
    const auto makeRoom = [this](Decades& axis, double length, double lines) {
        constexpr double kLeastDecades = 2;
        const double missing = std::max(0.0, kLeastDecades - (axis.to - axis.from));
        const double room = std::min(0.3, lines * m_line / std::max(1.0, length));
        const double around = (axis.to - axis.from + missing) * room / (1 - 2 * room) + missing / 2;
        axis = {axis.from - around, axis.to + around};
    };
    makeRoom(m_across, m_plot.width(), kLargestMark + kRoomBeside);
    makeRoom(m_up, m_plot.height(), kLargestMark + kRoomOver);
}

void RooflineLayout::placeMarks(const OperatorFacts& facts) {
    if (facts.points.empty())
        return;
    const auto longest = static_cast<double>(std::max<std::int64_t>(1, facts.points.front().time.ps));
    for (std::size_t row = 0; row < facts.points.size(); ++row) {
        if (!facts.isPlotted(row))
            continue;
        const data::OperatorPoint& point = facts.points[row];
        RooflineMark mark{row, at(point.work.intensity(), point.work.rate()), 0};
        mark.radius =
            m_line * std::max(kSmallestMark, kLargestMark * std::sqrt(static_cast<double>(point.time.ps) / longest));
        const auto hides = [&](const RooflineMark& other) {
            const QPointF away = other.centre - mark.centre;
            return std::hypot(away.x(), away.y()) < kSameMark * m_line &&
                   std::abs(other.radius - mark.radius) < kSameMark * m_line;
        };
        // Moves marks to the right and to the left in turn, so that their middle stays at the exact place.
        const double exact = mark.centre.x();
        for (int turn = 1; std::ranges::any_of(m_marks, hides); ++turn)
            mark.centre.setX(exact + (turn % 2 == 1 ? 1 : -1) * ((turn + 1) / 2) * kApart * m_line);
        m_marks.push_back(mark);
    }
}

const RooflineMark* RooflineLayout::markOf(std::size_t row) const {
    const auto found = std::ranges::find(m_marks, row, &RooflineMark::row);
    return found == m_marks.end() ? nullptr : &*found;
}

QPointF RooflineLayout::at(double intensity, double rate) const {
    return {m_plot.left() + m_plot.width() * m_across.shareOf(std::log10(intensity)),
            m_plot.bottom() - m_plot.height() * m_up.shareOf(std::log10(rate))};
}

QPolygonF RooflineLayout::roof() const {
    const double left = std::pow(10, m_across.from), right = std::pow(10, m_across.to);
    return QPolygonF{at(left, m_roof.at(left)), at(m_roof.ridge(), m_roof.flopsPerSecond),
                     at(right, m_roof.flopsPerSecond)};
}

std::optional<RooflineLayout::Along> RooflineLayout::alongSlope(double wide) const {
    constexpr int kPlaces = 24;
    const QPolygonF ends = roof();
    const double angle = std::atan2(ends[1].y() - ends[0].y(), ends[1].x() - ends[0].x());
    const QPointF way(std::cos(angle), std::sin(angle)), over(way.y(), -way.x());
    // The slope enters the plot at its left or its lower edge; `below` is the part of the slope under the lower edge.
    const double below = std::max(0.0, ends[0].y() - m_plot.bottom()) / std::max(1e-6, -way.y()) + m_line * 0.3;
    const double room = std::hypot(ends[1].x() - ends[0].x(), ends[1].y() - ends[0].y()) - below - wide - m_line;
    for (int place = 0; place < kPlaces && room > 0; ++place) {
        const double aside = (place % 2 == 0 ? 1 : -1) * ((place + 1) / 2) / (kPlaces * 1.0);
        Along along{ends[0] + way * (below + room * (0.5 + aside)), angle * 180 / std::numbers::pi, {}};
        for (double at = 0; at <= wide; at += m_line / 2)
            along.boxes.emplace_back(along.from + way * at + over * m_line * 0.65 - QPointF(m_line, m_line) * 0.4,
                                     QSizeF(m_line, m_line) * 0.8);
        const bool isFree = std::ranges::none_of(along.boxes, [this](const QRectF& box) {
            return std::ranges::any_of(m_marks, [&](const RooflineMark& mark) {
                const double x = std::clamp(mark.centre.x(), box.left(), box.right());
                const double y = std::clamp(mark.centre.y(), box.top(), box.bottom());
                return std::hypot(mark.centre.x() - x, mark.centre.y() - y) < mark.radius;
            });
        });
        if (isFree)
            return along;
    }
    return std::nullopt;
}

std::optional<std::size_t> RooflineLayout::rowAt(QPointF point) const {
    const RooflineMark* best = nullptr;
    double nearest = kNear * m_line;
    for (const RooflineMark& mark : m_marks) {
        const double distance = std::hypot(mark.centre.x() - point.x(), mark.centre.y() - point.y());
        // The smallest mark under the pointer ranks first, then the marks nearest to the pointer.
        const double beyond = distance - mark.radius;
        const double rank = beyond <= 0 ? mark.radius * 1e-6 - 1 : beyond;
        if (rank < nearest) {
            nearest = rank;
            best = &mark;
        }
    }
    return best != nullptr ? std::optional(best->row) : std::nullopt;
}

std::vector<RooflineLabel> RooflineLayout::labels(const OperatorFacts& facts, std::optional<std::size_t> chosen,
                                                  const QFont& font, std::vector<QRectF> taken) const {
    const QFontMetricsF metrics(font);
    std::vector<const RooflineMark*> order;
    for (const RooflineMark& mark : m_marks) {
        order.push_back(&mark);
        const double reach = mark.radius * 0.85;
        taken.emplace_back(mark.centre.x() - reach, mark.centre.y() - reach, reach * 2, reach * 2);
    }
    coverWay(roof(), m_line * 0.3, taken);
    std::ranges::stable_partition(order, [&](const RooflineMark* mark) { return mark->row == chosen; });
    std::vector<RooflineLabel> labels;
    for (const RooflineMark* mark : order) {
        if (labels.size() == kMostLabels)
            break;
        const QString words = labelOf(facts.at(mark->row));
        const QSizeF size(metrics.horizontalAdvance(words) + m_line * 0.3, m_line);
        const double away = mark->radius + m_line * 0.2, across = away * 0.75;
        const QPointF at = mark->centre;
        const double middle = at.y() - size.height() / 2, centred = at.x() - size.width() / 2;
        const double left = at.x() - size.width(), top = at.y() - size.height();
        const std::array<QPointF, 8> corners{
            QPointF{at.x() + away, middle},     {left - away, middle},           {centred, top - away},
            {centred, at.y() + away},           {at.x() + across, top - across}, {left - across, top - across},
            {at.x() + across, at.y() + across}, {left - across, at.y() + across}};
        for (const QPointF& corner : corners) {
            const QRectF box(corner, size);
            if (!m_plot.contains(box) ||
                std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
                continue;
            taken.push_back(box);
            labels.push_back({mark->row, box, words});
            break;
        }
    }
    return labels;
}

}  // namespace ui
