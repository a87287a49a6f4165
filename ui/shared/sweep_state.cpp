#include "ui/shared/sweep_state.h"

#include <algorithm>
#include <utility>

namespace ui {

void SweepState::setTable(std::shared_ptr<const data::SweepTable> table) {
    if (table == m_table)
        return;
    const bool sameSweep = table && m_table && table->id == m_table->id;
    m_table = std::move(table);
    if (!sameSweep) {
        setHovered(std::nullopt);
        setBrushed({});
    }
    if (!m_table || m_metric >= m_table->metrics.size())
        setMetric(0);
    Q_EMIT tableChanged();
}

void SweepState::setHovered(std::optional<std::size_t> point) {
    if (point == m_hovered)
        return;
    m_hovered = point;
    Q_EMIT hoveredChanged();
}

void SweepState::setBrushed(std::vector<std::size_t> points) {
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points == m_brushed)
        return;
    m_brushed = std::move(points);
    Q_EMIT brushedChanged();
}

void SweepState::setMetric(std::size_t metric) {
    if (metric == m_metric)
        return;
    m_metric = metric;
    Q_EMIT metricChanged();
}

}  // namespace ui
