#include "ui/timeline/timeline_gutter.h"

#include "ui/timeline/timeline_layout.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

void paintChevron(QPainter& painter, const TimelineLayout& layout, const Palette& colors, QPointF middle, bool open) {
    const double size = layout.line() * 0.22;
    QPainterPath chevron;
    if (open) {
        chevron.moveTo(middle + QPointF(-size, -size / 2));
        chevron.lineTo(middle + QPointF(0, size / 2));
        chevron.lineTo(middle + QPointF(size, -size / 2));
    } else {
        chevron.moveTo(middle + QPointF(-size / 2, -size));
        chevron.lineTo(middle + QPointF(size / 2, 0));
        chevron.lineTo(middle + QPointF(-size / 2, size));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.inkFaint, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(chevron);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Lies under everything that is written there.
void paintFocus(QPainter& painter, const TimelineLayout& layout, const Palette& colors, std::size_t row) {
    const auto [first, last] = layout.blockOf(row);
    const double top = layout.boxOf(first).top;
    const double height = layout.boxOf(last).bottom() - top;
    painter.fillRect(QRectF(0, top, layout.geometry().left - 4, height), colors.stripe);
    painter.fillRect(QRectF(0, top, 3, height), colors.accent);
}

}  // namespace

void paintGutter(QPainter& painter, const TimelineLayout& layout, const Palette& colors, bool pinned,
                 std::optional<std::size_t> focusedRow) {
    const std::vector<Row>& rows = layout.rows();
    const double line = layout.line();
    const double left = layout.geometry().left;
    const QFont bold = layout.boldFont();
    QFont small = layout.font();
    if (focusedRow && rows[*focusedRow].pinned == pinned)
        paintFocus(painter, layout, colors, *focusedRow);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const RowBox box = layout.boxOf(i);
        if (row.pinned != pinned || box.bottom() < layout.axisHeight() || box.top > layout.height())
            continue;
        if (row.opensGroup && i > 0 && !pinned) {
            const double border = std::round((layout.boxOf(i - 1).bottom() + box.top) / 2);
            painter.fillRect(QRectF(0, border, layout.width(), 1), colors.grid);
        }
        const double right = left - line * (row.openable ? 1.15 : 0.5);
        small.setPixelSize(std::max(7, static_cast<int>(box.height * 0.82)));
        painter.setFont(box.height < line ? small : layout.font());
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(0, box.top, right, box.height), Qt::AlignRight | Qt::AlignVCenter, row.label);
        if (row.openable)
            paintChevron(painter, layout, colors, {left - line * 0.6, box.top + box.height / 2}, row.open);
        if (!row.opensGroup || layout.model().isBound())
            continue;
        const double height = row.compact                  ? layout.boxOf(layout.blockOf(i).second).bottom() - box.top
                              : row.kind == RowKind::waves ? line * 1.3
                                                           : box.height;
        if (!pinned)
            paintChevron(painter, layout, colors, {line * 0.75, box.top + height / 2}, !row.compact);
        painter.setFont(bold);
        painter.setPen(colors.ink);
        painter.drawText(QRectF(line * 1.4, box.top, right, height), Qt::AlignLeft | Qt::AlignVCenter,
                         TimelineLayout::gpuName(row.gpu));
    }
}

}  // namespace ui
