#include "ui/timeline/timeline_layout.h"

#include "ui/look/widget_parts.h"
#include "ui/timeline/row_tracks.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ui {
namespace {

constexpr double kLeastGutter = 8.6;                     // lines: "reduce-scatter" in a row of its own
constexpr std::array kDenseWeights{1.8, 1.4, 1.1, 0.9};  // lines
constexpr std::size_t kEnoughLanes = 3;
constexpr double kReach = 3;  // pixels on both sides of a span in which a click still selects it

}  // namespace

void TimelineLayout::setFont(const QFont& font) {
    m_font = font;
    m_line = QFontMetricsF(font).height();
    m_axisHeight = std::round(m_line * kAxisLines);
    m_footHeight = m_dense ? 0 : std::round(m_line * 2.9);
}

// In a dense timeline lanes are low. They become lower still if that leaves room for three of them. Lanes for which
// there is no room are left out, beginning with the last, rather than scrolled to. The phases above them are always
// shown.
void TimelineLayout::setRows(std::vector<Row> rows, bool scrolls) {
    const double room = rowsArea().height();
    m_rows = std::move(rows);
    if (m_dense) {
        const std::vector<Row> all = m_rows;
        for (const double most : kDenseWeights) {
            m_rows = all;
            for (Row& row : m_rows)
                row.weight = std::min(row.weight, most);
            while (!scrolls && !m_rows.empty() && layoutRows(m_rows, room, m_line).height > room)
                m_rows.pop_back();
            if (scrolls || m_rows.size() >= std::min(kEnoughLanes, all.size()))
                break;
        }
    }
    m_stack = layoutRows(m_rows, room, m_line);
}

void TimelineLayout::setRange(data::TimeRange range, double pixel, double leastGutter) {
    m_geometry.range = range;
    m_geometry.pixel = pixel;
    m_geometry.left = std::max(ownGutter(), leastGutter);
    m_geometry.width = std::max(50.0, std::floor(width() - m_geometry.left - m_line));
}

QFont TimelineLayout::boldFont() const { return strongFont(m_font); }

// A GPU's name is in its first row, beside the name of that row's lane, so there must be room for both.
double TimelineLayout::ownGutter() const {
    const QFontMetricsF metrics(m_font), bold(boldFont());
    double width = kLeastGutter * m_line;
    for (const Row& row : m_rows) {
        if (row.compact || m_model.isBound())
            continue;
        const double name = row.opensGroup ? bold.horizontalAdvance(gpuName(row.gpu)) + m_line * 1.4 : 0;
        width = std::max(width, name + metrics.horizontalAdvance(row.label) + m_line * 2);
    }
    return std::round(width);
}

QRectF TimelineLayout::rowsArea() const {
    return {0, m_axisHeight, width(), std::max(0.0, height() - m_axisHeight - m_footHeight)};
}

QRectF TimelineLayout::reminderBox() const {
    if (m_reminder.isEmpty())
        return {};
    const double wanted = QFontMetricsF(m_font).horizontalAdvance(m_reminder) + m_line;
    return {m_line * 0.4, footTop() + std::round(m_line * 0.1), std::min(wanted, m_geometry.left - m_line * 0.6),
            std::round(m_line * 1.25)};
}

std::optional<QRectF> TimelineLayout::boxOf(const Phase& phase) const {
    const double left = std::max(m_geometry.left, m_geometry.columnOf(phase.start));
    const double end = std::min(right(), m_geometry.columnOf(phase.end));
    if (end <= left)
        return std::nullopt;
    return QRectF(left, std::round(m_line * 1.55), end - left, std::round(m_line * 1.2));
}

RowBox TimelineLayout::boxOf(std::size_t row) const {
    const RowBox& box = m_stack.boxes[row];
    return {box.top + m_axisHeight - (m_rows[row].pinned ? 0 : m_scroll), box.height};
}

std::pair<std::size_t, std::size_t> TimelineLayout::blockOf(std::size_t row) const {
    std::size_t first = row, last = row;
    if (!m_rows[row].compact)
        return {row, row};
    while (first > 0 && !m_rows[first].opensGroup)
        --first;
    while (last + 1 < m_rows.size() && m_rows[last + 1].compact && !m_rows[last + 1].opensGroup)
        ++last;
    return {first, last};
}

int TimelineLayout::scrollShowing(std::size_t row) const {
    if (m_rows[row].pinned)
        return m_scroll;
    const RowBox& box = m_stack.boxes[row];
    const double top = box.top - m_stack.pinnedHeight - m_line * 0.5;
    const double bottom = box.bottom() + m_line * 0.5 - rowsArea().height();
    return static_cast<int>(std::clamp(static_cast<double>(m_scroll), std::ceil(bottom), std::max(bottom, top)));
}

std::optional<std::size_t> TimelineLayout::rowAt(QPointF position) const {
    if (!rowsArea().contains(position))
        return std::nullopt;
    const bool pinned = position.y() < m_axisHeight + m_stack.pinnedHeight;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = boxOf(i);
        if (m_rows[i].pinned == pinned && position.y() >= box.top && position.y() < box.bottom())
            return i;
    }
    return std::nullopt;
}

std::optional<TimelineLayout::Spot> TimelineLayout::spotAt(QPointF position) const {
    const std::optional<std::size_t> row = rowAt(position);
    if (!row || position.x() < m_geometry.left)
        return std::nullopt;
    const RowBox box = boxOf(*row);
    return Spot{*row, (position.y() - box.top) / box.height, m_geometry.timeAt(position.x())};
}

std::optional<data::SpanRef> TimelineLayout::spanAt(QPointF position) const {
    const std::optional<Spot> spot = spotAt(position);
    if (!spot)
        return std::nullopt;
    const auto reach = static_cast<std::int64_t>(std::ceil(m_geometry.psPerPixel() / m_geometry.pixel * kReach));
    return spanUnder(m_model, m_rows[spot->row], spot->heightShare, spot->ps, reach);
}

std::uint32_t TimelineLayout::gpuNear(double y) const {
    const bool pinned = y < m_axisHeight + m_stack.pinnedHeight;
    std::uint32_t gpu = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = boxOf(i);
        const double away = std::max({0.0, box.top - y, y - box.bottom()});
        if (m_rows[i].pinned != pinned || away >= nearest)
            continue;
        nearest = away;
        gpu = m_rows[i].gpu;
    }
    return gpu;
}

bool TimelineLayout::isOnGpuName(std::size_t row, QPointF position) const {
    if (!m_rows[row].opensGroup || m_rows[row].pinned)
        return m_rows[row].compact;
    const double name = QFontMetricsF(boldFont()).horizontalAdvance(gpuName(m_rows[row].gpu));
    return m_rows[row].compact || position.x() < m_line * 1.7 + name;
}

QString TimelineLayout::gpuName(std::uint32_t gpu) {
    return QCoreApplication::translate("ui::TimelineView", "GPU %1").arg(gpu);
}

TimelinePicture TimelineLayout::picture(const Palette& palette) const {
    const QRectF area = rowsArea();
    TimelinePicture picture{m_geometry, {},      QRectF(m_geometry.left, area.top(), m_geometry.width, area.height()),
                            m_line,     m_model, palette};
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox box = boxOf(i);
        picture.rows.push_back({m_rows[i], {m_geometry.left, box.top, m_geometry.width, box.height}});
    }
    return picture;
}

}  // namespace ui
