// The half of TimelineView that replays what the other half has built: no searching and no measuring of the run here.
#include "ui/shared/format.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <array>
#include <cmath>

namespace ui {
namespace {

struct LegendEntry {
    Role role;
    const char* text;
    const char* brief;  // where the window is narrow
};

constexpr std::array<LegendEntry, 7> kLegend{
    {{Role::gemm, QT_TR_NOOP("GEMM, compute stream"), QT_TR_NOOP("GEMM")},
     {Role::reduceScatter, QT_TR_NOOP("reduce-scatter, communication stream"), QT_TR_NOOP("reduce-scatter")},
     {Role::allGather, QT_TR_NOOP("all-gather"), QT_TR_NOOP("all-gather")},
     {Role::dma, QT_TR_NOOP("DMA"), QT_TR_NOOP("DMA")},
     {Role::link, QT_TR_NOOP("link"), QT_TR_NOOP("link")},
     {Role::overlapped, QT_TR_NOOP("overlap"), QT_TR_NOOP("overlap")},
     {Role::exposed, QT_TR_NOOP("exposed"), QT_TR_NOOP("exposed")}}};

QBrush stripes(const Palette& colors, double line) {
    // GEMM's blue with reduce-scatter's orange, so that overlap reads as both at once; told by form as well as by colour.
    const int size = std::max(8, static_cast<int>(std::round(line * 0.7)));
    QImage tile(size, size, QImage::Format_RGB32);
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const bool orange = (x + y) % size < size / 2;
            tile.setPixelColor(x, y, colors.of(orange ? Role::reduceScatter : Role::gemm));
        }
    }
    return QBrush(tile);
}

QBrush brushOf(const Palette& colors, Role role, double line) {
    return role == Role::overlapped ? stripes(colors, line) : QBrush(colors.of(role));
}

QColor withAlpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

}  // namespace

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Palette& colors = paletteOf(*this);
    painter.fillRect(viewport()->rect(), colors.surface);
    if (!m_model.hasRun()) {
        paintEmpty(painter);
        return;
    }
    painter.save();
    painter.setClipRect(rowsArea());
    painter.translate(0, m_axisHeight - verticalScrollBar()->value());
    paintRows(painter);
    paintItems(painter);
    paintGutter(painter);
    if (m_model.isBound())
        paintBoundStatement(painter);
    painter.restore();
    paintOverlays(painter);
    paintAxis(painter);
    paintMarkers(painter);
    paintCursor(painter);
    paintLegend(painter);
    paintBoxZoom(painter);
}

void TimelineView::paintRows(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    const double right = m_geometry.left + m_geometry.width;
    for (const Tick& tick : m_ticks) {
        painter.fillRect(QRectF(m_geometry.columnOf(tick.ps), 0, 1, m_layout.height), colors.grid);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const RowBox& box = m_layout.boxes[i];
        if (m_rows[i].opensGroup && i > 0) {
            painter.fillRect(
                QRectF(0, std::round((m_layout.boxes[i - 1].bottom() + box.top) / 2), viewport()->width(), 1),
                colors.grid);
        }
        const bool area = m_rows[i].kind == RowKind::dram || m_rows[i].kind == RowKind::link ||
                          m_rows[i].kind == RowKind::waves || m_rows[i].kind == RowKind::dma;
        if (!area)
            continue;
        // The full height of an area lane, so that a low area reads as a share of something.
        painter.fillRect(QRectF(m_geometry.left, box.top, right - m_geometry.left, box.height),
                         withAlpha(colors.grid, 110));
    }
}

void TimelineView::paintItems(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    const auto followed = m_viewState.followedChunk();
    for (const DrawItem& item : m_drawList.items) {
        QColor color = item.shaded ? colors.shaded(item.role) : colors.of(item.role);
        const bool other = followed && item.chunk != engine::kNone && item.chunk != *followed;
        if (other)
            color = withAlpha(color, 70);
        // A hairline between neighbours, where there is room for one.
        const double gap = item.chunk != engine::kNone && item.width > 4 ? m_geometry.pixel : 0;
        painter.fillRect(QRectF(item.x, item.y, item.width - gap, item.height), color);
        if (followed && item.chunk == *followed && item.width > 3) {
            painter.setPen(QPen(colors.ink, 2));
            painter.drawRect(QRectF(item.x + 1, item.y + 1, item.width - gap - 2, item.height - 2));
        }
    }
    QFont small = font();
    for (const DrawLabel& label : m_drawList.labels) {
        // Rows shrink before they scroll; their words shrink with them.
        const bool low = label.box.height() < m_line;
        if (low)
            small.setPixelSize(std::max(7, static_cast<int>(label.box.height() * 0.82)));
        painter.setFont(low ? small : font());
        painter.setPen(Palette::inkOn(colors.of(label.role)));
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

void TimelineView::paintGutter(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    const double gutter = m_geometry.left - m_line * 0.5;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    QFont small = font();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const RowBox& box = m_layout.boxes[i];
        small.setPixelSize(std::max(7, static_cast<int>(box.height * 0.82)));
        painter.setFont(box.height < m_line ? small : font());
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(0, box.top, gutter, box.height), Qt::AlignRight | Qt::AlignVCenter, row.label);
        if (!row.opensGroup || m_model.isBound())
            continue;
        const bool pair = i + 1 < m_rows.size() && !m_rows[i + 1].opensGroup;
        const double height = row.compact                  ? m_layout.boxes[pair ? i + 1 : i].bottom() - box.top
                              : row.kind == RowKind::waves ? m_line * 1.3
                                                           : box.height;
        const double middle = box.top + height / 2;
        const double size = m_line * 0.22;
        const double x = m_line * 0.75;
        QPainterPath chevron;
        if (row.compact) {
            chevron.moveTo(x - size / 2, middle - size);
            chevron.lineTo(x + size / 2, middle);
            chevron.lineTo(x - size / 2, middle + size);
        } else {
            chevron.moveTo(x - size, middle - size / 2);
            chevron.lineTo(x, middle + size / 2);
            chevron.lineTo(x + size, middle - size / 2);
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colors.inkFaint, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(chevron);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setFont(bold);
        painter.setPen(colors.ink);
        painter.drawText(QRectF(m_line * 1.4, box.top, gutter, height), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("GPU %1").arg(row.gpu));
    }
}

void TimelineView::paintOverlays(QPainter& painter) const {
    if (m_overlays.empty())
        return;
    const TimelinePicture shown = picture();
    for (const TimelineOverlay* overlay : m_overlays) {
        painter.save();
        painter.setClipRect(shown.clip);
        overlay->paint(painter, shown);
        painter.restore();
    }
}

void TimelineView::paintBoxZoom(QPainter& painter) const {
    if (m_drag != Drag::box)
        return;
    const Palette& colors = paletteOf(*this);
    const double left = std::min(m_dragFrom.x(), m_dragTo.x());
    const QRectF box(left, m_axisHeight, std::abs(m_dragTo.x() - m_dragFrom.x()), rowsArea().height());
    painter.fillRect(box, withAlpha(colors.accent, 45));
    painter.setPen(QPen(colors.accent, 1));
    painter.drawRect(box);
}

void TimelineView::paintAxis(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    painter.fillRect(QRectF(0, 0, viewport()->width(), m_axisHeight), colors.surface);
    painter.fillRect(QRectF(0, viewport()->height() - m_footHeight, viewport()->width(), m_footHeight), colors.surface);
    painter.setFont(font());
    painter.setPen(colors.inkSoft);
    for (const Tick& tick : m_ticks) {
        const double x = m_geometry.columnOf(tick.ps);
        painter.fillRect(QRectF(x, m_line * 1.3, 1, m_line * 0.25), colors.line);
        const double width = painter.fontMetrics().horizontalAdvance(tick.label) + 4;
        const double textLeft = std::min(x - width / 2, viewport()->width() - width);  // the last one stays inside
        painter.drawText(QRectF(textLeft, 0, width, m_line * 1.3), Qt::AlignCenter, tick.label);
    }
    for (const PhaseItem& phase : m_phaseItems) {
        painter.fillRect(phase.box.adjusted(0, 0, -m_geometry.pixel, 0), brushOf(colors, phase.role, m_line));
        if (phase.text.isEmpty())
            continue;
        if (phase.role == Role::overlapped) {
            // A plate under the words: on stripes no single ink reads well.
            const double width = painter.fontMetrics().horizontalAdvance(phase.text) + m_line;
            QRectF plate(0, 0, width, phase.box.height());
            plate.moveCenter(phase.box.center());
            painter.fillRect(plate, colors.of(Role::gemm));
        }
        painter.setPen(Palette::inkOn(colors.of(phase.role)));
        painter.drawText(phase.box, Qt::AlignCenter, phase.text);
    }
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(0, m_line * 1.55, m_geometry.left - m_line * 0.5, m_line * 1.2),
                     Qt::AlignRight | Qt::AlignVCenter, tr("phases"));
}

void TimelineView::paintMarkers(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    painter.setFont(font());
    for (const Tag& tag : m_tags) {
        painter.setPen(QPen(withAlpha(colors.inkSoft, 170), 1, Qt::DashLine));
        const double x = std::floor(tag.x) + 0.5;
        painter.drawLine(QPointF(x, m_axisHeight), QPointF(x, viewport()->height() - m_footHeight + m_line * 0.1));
        if (tag.box.isNull())
            continue;
        const QColor color = colors.of(tag.role);
        painter.fillRect(tag.box, color);
        painter.setPen(Palette::inkOn(color));
        painter.drawText(tag.box, Qt::AlignCenter, tag.text);
    }
}

void TimelineView::paintCursor(QPainter& painter) const {
    if (!m_viewState.cursor())
        return;
    const Palette& colors = paletteOf(*this);
    const std::int64_t ps = *m_viewState.cursor();
    const double right = m_geometry.left + m_geometry.width;
    const double x = std::clamp(m_geometry.xOf(ps), m_geometry.left - 1, right + 1);
    const double bottom = viewport()->height() - m_footHeight;
    // What has not happened yet is faint: that is what makes the picture play. Where the moment itself is out of
    // sight somebody is looking around, and everything stays bright.
    if (x < m_geometry.left)
        return;
    painter.fillRect(QRectF(x, m_line * 1.5, right + m_line - x, bottom - m_line * 1.5),
                     withAlpha(colors.surface, 190));
    if (x > right)
        return;
    painter.fillRect(QRectF(std::floor(x) - 0.5, m_line * 1.3, 2, bottom - m_line * 1.3), colors.cursor);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    const QString text = formatTimeSteady(ps, m_viewState.runEnd());
    const double width = painter.fontMetrics().horizontalAdvance(text) + m_line;
    QRectF bubble(x - width / 2, 0, width, m_line * 1.3);
    bubble.moveLeft(std::clamp(bubble.left(), 0.0, std::max(0.0, viewport()->width() - width)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.cursor);
    painter.drawRoundedRect(bubble, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Palette::inkOn(colors.cursor));
    painter.drawText(bubble, Qt::AlignCenter, text);
}

void TimelineView::paintLegend(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    painter.setFont(font());
    double needed = m_geometry.left;
    for (const LegendEntry& entry : kLegend)
        needed += painter.fontMetrics().horizontalAdvance(tr(entry.text)) + m_line * 2.3;
    const bool roomy = needed <= viewport()->width();
    double x = roomy ? m_geometry.left : m_line;
    const double middle = viewport()->height() - m_line * 0.8;
    for (const LegendEntry& entry : kLegend) {
        const QString text = tr(roomy ? entry.text : entry.brief);
        const double width = painter.fontMetrics().horizontalAdvance(text);
        if (x + m_line + width > viewport()->width())
            break;
        const QRectF swatch(x, std::round(middle - m_line * 0.35), std::round(m_line * 0.9), std::round(m_line * 0.7));
        painter.fillRect(swatch, brushOf(colors, entry.role, m_line));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(swatch.right() + m_line * 0.35, middle - m_line, width + 2, m_line * 2),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x = swatch.right() + m_line * 1.4 + width;
    }
}

void TimelineView::paintBoundStatement(QPainter& painter) const {
    const Palette& colors = paletteOf(*this);
    const auto lengthOf = [this](RowKind kind) {
        const engine::Span span = m_model.boundSpan(kind);
        return formatTime((span.end - span.start).ps);
    };
    const QRectF area(m_geometry.left, m_layout.height, m_geometry.width,
                      std::max(0.0, rowsArea().height() - m_layout.height));
    QFont big = font();
    big.setPointSizeF(big.pointSizeF() * 1.6);
    big.setWeight(QFont::DemiBold);
    painter.setFont(big);
    painter.setPen(colors.ink);
    painter.drawText(area.adjusted(0, 0, 0, -area.height() / 2), Qt::AlignHCenter | Qt::AlignBottom,
                     tr("A bound, not a simulation"));
    QFont normal = font();
    normal.setPointSizeF(normal.pointSizeF() * 1.15);
    painter.setFont(normal);
    painter.setPen(colors.inkSoft);
    painter.drawText(
        area.adjusted(0, area.height() / 2 + m_line * 0.5, 0, 0), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
        tr("max(GEMM %1, reduce-scatter %2) + all-gather %3 = %4\nEach part was simulated alone; nothing here "
           "contends for memory or links.")
            .arg(lengthOf(RowKind::boundGemm), lengthOf(RowKind::boundReduceScatter), lengthOf(RowKind::boundAllGather),
                 formatTime(m_model.end())));
}

void TimelineView::paintEmpty(QPainter& painter) const {
    painter.setPen(paletteOf(*this).inkSoft);
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     tr("No run yet. Choose a preset on the left and press Run (Ctrl+Return)."));
}

}  // namespace ui
