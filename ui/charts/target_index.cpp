#include "ui/charts/target_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui {
namespace {

constexpr std::int64_t kRow = std::int64_t{1} << 32;

double distanceSquared(QPointF a, QPointF b) {
    const QPointF d = a - b;
    return d.x() * d.x() + d.y() * d.y();
}

}  // namespace

TargetIndex::TargetIndex(const std::vector<Target>& targets, double reach)
    : m_targets(&targets), m_side(std::max(1.0, reach)) {
    for (const Target& target : targets)  // cells may be larger than the mouse's reach
        m_side = std::max({m_side, target.cell.width(), target.cell.height()});
    m_squares.reserve(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        m_squares.emplace_back(squareOf(targets[i].at), static_cast<std::uint32_t>(i));
    std::sort(m_squares.begin(), m_squares.end());
    m_reach = reach;
}

std::int64_t TargetIndex::squareOf(QPointF position) const {
    return static_cast<std::int64_t>(std::floor(position.y() / m_side)) * kRow +
           static_cast<std::int64_t>(std::floor(position.x() / m_side));
}

std::optional<std::size_t> TargetIndex::at(QPointF position) const {
    std::optional<std::size_t> best;
    double bestDistance = std::numeric_limits<double>::infinity();
    for (const double row : {-1.0, 0.0, 1.0}) {
        for (const double column : {-1.0, 0.0, 1.0}) {
            const std::int64_t square = squareOf(position + QPointF(column, row) * m_side);
            auto entry = std::lower_bound(m_squares.begin(), m_squares.end(), std::pair{square, std::uint32_t{0}});
            for (; entry != m_squares.end() && entry->first == square; ++entry) {
                const Target& target = (*m_targets)[entry->second];
                const bool inside = !target.cell.isEmpty() && target.cell.contains(position);
                const double distance = inside ? 0 : distanceSquared(target.at, position);
                const bool reached = target.cell.isEmpty() ? distance <= m_reach * m_reach : inside;
                if (reached && (distance < bestDistance || (distance == bestDistance && entry->second < *best))) {
                    best = entry->second;
                    bestDistance = distance;
                }
            }
        }
    }
    return best;
}

std::vector<std::size_t> TargetIndex::rowsWithin(const QRectF& box) const {
    std::vector<std::size_t> rows;
    if (m_targets == nullptr)
        return rows;
    for (const Target& target : *m_targets) {
        if (box.contains(target.at))
            rows.push_back(target.row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

std::optional<std::size_t> TargetIndex::neighbour(std::size_t target, QPointF direction) const {
    std::optional<std::size_t> best;
    double bestCost = std::numeric_limits<double>::infinity();
    if (m_targets == nullptr || target >= m_targets->size())
        return best;
    const QPointF from = (*m_targets)[target].at;
    for (std::size_t i = 0; i < m_targets->size(); ++i) {
        const QPointF step = (*m_targets)[i].at - from;
        const double along = QPointF::dotProduct(step, direction);
        const double aside = std::abs(step.x() * direction.y() - step.y() * direction.x());
        // A target straight ahead comes before a nearer one to the side.
        const double cost = along + 3 * aside;
        if (along > 0.5 && cost < bestCost) {
            best = i;
            bestCost = cost;
        }
    }
    return best;
}

}  // namespace ui
