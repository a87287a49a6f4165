// The half of TimelineView that replays what the other half has built: no searching and no measuring of the run here.
#include "ui/look/collective_words.h"
#include "ui/look/format.h"
#include "ui/look/run_hint.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/timeline_legend.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace ui {
namespace {

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
    if (!m_model.hasRun()) {
        painter.fillRect(viewport()->rect(), colors.surface);
        paintEmpty(painter);
        return;
    }
    build();
    if (std::exchange(m_imagesStale, false)) {
        drawPane(m_pinned, true);
        drawPane(m_scrolled, false);
    }
    painter.fillRect(QRectF(0, 0, m_geometry.left, viewport()->height()), colors.surface);
    for (const Pane* pane : {&m_pinned, &m_scrolled}) {
        if (pane->area.height() < 1)
            continue;
        painter.drawImage(pane->area.topLeft(), pane->image.image());
        painter.setClipRect(QRectF(0, pane->area.top(), viewport()->width(), pane->area.height()));
        paintGutter(painter, pane == &m_pinned);
        paintLabels(painter, *pane);
        if (m_viewState.followedChunk())
            paintFollowed(painter, *pane);
        painter.setClipping(false);
    }
    if (m_layout.pinnedHeight > 0)
        painter.fillRect(QRectF(0, m_scrolled.area.top() - 1, viewport()->width(), 1), colors.line);
    if (m_model.isBound() && !m_dense)
        paintBoundStatement(painter);
    paintAxis(painter);
    paintMarkers(painter);
    paintFuture(painter);
    paintOverlays(painter);
    paintCursor(painter);
    if (!m_dense) {
        paintLegend(painter);
        paintReminder(painter);
    }
    paintBoxZoom(painter);
    paintDrop(painter);
}

void TimelineView::paintLabels(QPainter& painter, const Pane& pane) const {
    const Palette& colors = paletteOf(*this);
    QFont small = font();
    for (const DrawLabel& label : pane.list.labels) {
        // Rows shrink before they scroll; their words shrink with them.
        const bool low = label.box.height() < m_line;
        if (low)
            small.setPixelSize(std::max(7, static_cast<int>(label.box.height() * 0.82)));
        painter.setFont(low ? small : font());
        painter.setPen(Palette::inkOn(colors.of(label.role)));
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

void TimelineView::paintFollowed(QPainter& painter, const Pane& pane) const {
    painter.setPen(QPen(paletteOf(*this).ink, 2));
    for (const DrawItem& item : pane.list.items) {
        if (item.chunk != *m_viewState.followedChunk() || item.width <= 3)
            continue;
        const double gap = item.width > 4 ? m_geometry.pixel : 0;
        painter.drawRect(QRectF(item.x + 1, item.y + 1, item.width - gap - 2, item.height - 2));
    }
}

void TimelineView::paintChevron(QPainter& painter, QPointF middle, bool open) const {
    const double size = m_line * 0.22;
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
    painter.setPen(QPen(paletteOf(*this).inkFaint, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(chevron);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// A closed GPU is marked as a whole, whichever of its rows has the focus. Lies under everything that is written there.
void TimelineView::paintFocus(QPainter& painter, bool pinned) const {
    const std::optional<std::size_t> focused = focusedRow();
    if (!focused || m_rows[*focused].pinned != pinned || !hasFocus() || m_model.isBound())
        return;
    const auto [first, last] = blockOf(*focused);
    const Palette& colors = paletteOf(*this);
    const double top = shownBox(first).top;
    const double height = shownBox(last).bottom() - top;
    painter.fillRect(QRectF(0, top, m_geometry.left - 4, height), colors.stripe);
    painter.fillRect(QRectF(0, top, 3, height), colors.accent);
}

void TimelineView::paintGutter(QPainter& painter, bool pinned) const {
    const Palette& colors = paletteOf(*this);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    QFont small = font();
    paintFocus(painter, pinned);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const RowBox box = shownBox(i);
        if (row.pinned != pinned || box.bottom() < m_axisHeight || box.top > viewport()->height())
            continue;
        if (row.opensGroup && i > 0 && !pinned) {
            const double line = std::round((shownBox(i - 1).bottom() + box.top) / 2);
            painter.fillRect(QRectF(0, line, viewport()->width(), 1), colors.grid);
        }
        const double right = m_geometry.left - m_line * (row.openable ? 1.15 : 0.5);
        small.setPixelSize(std::max(7, static_cast<int>(box.height * 0.82)));
        painter.setFont(box.height < m_line ? small : font());
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(0, box.top, right, box.height), Qt::AlignRight | Qt::AlignVCenter, row.label);
        if (row.openable)
            paintChevron(painter, {m_geometry.left - m_line * 0.6, box.top + box.height / 2}, row.open);
        if (!row.opensGroup || m_model.isBound())
            continue;
        const double height = row.compact                  ? shownBox(blockOf(i).second).bottom() - box.top
                              : row.kind == RowKind::waves ? m_line * 1.3
                                                           : box.height;
        if (!pinned)
            paintChevron(painter, {m_line * 0.75, box.top + height / 2}, !row.compact);
        painter.setFont(bold);
        painter.setPen(colors.ink);
        painter.drawText(QRectF(m_line * 1.4, box.top, right, height), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("GPU %1").arg(row.gpu));
    }
}

// Once within the rows that scroll and once within those that do not. For the latter, what has scrolled beneath them
// stands at their foot, out of the clip, so that nothing shows through.
void TimelineView::paintOverlays(QPainter& painter) const {
    if (m_overlays.empty())
        return;
    TimelinePicture shown = picture();
    const auto paintWithin = [&](const QRectF& area) {
        for (const TimelineOverlay* overlay : m_overlays) {
            painter.save();
            painter.setClipRect(shown.clip.intersected(area));
            overlay->paint(painter, shown);
            painter.restore();
        }
    };
    paintWithin(m_scrolled.area);
    if (m_pinned.area.height() < 1)
        return;
    for (PicturedRow& row : shown.rows) {
        if (!row.row.pinned && row.box.top() < m_pinned.area.bottom())
            row.box.moveTop(m_pinned.area.bottom() + 1);
    }
    paintWithin(m_pinned.area);
}

void TimelineView::paintBoxZoom(QPainter& painter) const {
    if (m_drag != Drag::box)
        return;
    const Palette& colors = paletteOf(*this);
    const double left = std::min(m_dragFrom.x(), m_dragTo.x());
    const QRectF box(left, m_axisHeight, std::abs(m_dragTo.x() - m_dragFrom.x()), rowsArea().height());
    painter.fillRect(box, withAlpha(colors.accent, 45));
    painter.setPen(QPen(colors.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
}

void TimelineView::paintDrop(QPainter& painter) const {
    if (m_drag != Drag::lane)
        return;
    const std::optional<std::size_t> over = rowAt(m_dragTo);
    if (!over)
        return;
    const RowBox box = shownBox(*over);
    const double line = m_dragTo.y() < m_dragFrom.y() ? box.top : box.bottom();
    painter.fillRect(QRectF(0, line - 1, m_geometry.left + m_geometry.width, 2), paletteOf(*this).accent);
}

QRectF TimelineView::reminderBox() const {
    if (m_reminder.isEmpty())
        return {};
    const double wanted = QFontMetricsF(font()).horizontalAdvance(m_reminder) + m_line;
    return {m_line * 0.4, viewport()->height() - m_footHeight + std::round(m_line * 0.1),
            std::min(wanted, m_geometry.left - m_line * 0.6), std::round(m_line * 1.25)};
}

void TimelineView::paintReminder(QPainter& painter) const {
    const QRectF box = reminderBox();
    if (box.isEmpty())
        return;
    const Palette& colors = paletteOf(*this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.notice);
    painter.drawRoundedRect(box, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(font());
    painter.setPen(Palette::inkOn(colors.notice));
    painter.drawText(box, Qt::AlignCenter, m_reminder);
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

// What has not happened yet is faint: that is what makes the picture play. Where the moment itself is out of sight
// somebody is looking around, and everything stays bright. So does what the reader has laid upon the picture.
void TimelineView::paintFuture(QPainter& painter) const {
    if (!m_viewState.cursor())
        return;
    const double right = m_geometry.left + m_geometry.width;
    const double x = std::clamp(m_geometry.xOf(*m_viewState.cursor()), m_geometry.left - 1, right + 1);
    const double bottom = viewport()->height() - m_footHeight;
    if (x >= m_geometry.left)
        painter.fillRect(QRectF(x, m_line * 1.5, right + m_line - x, bottom - m_line * 1.5),
                         withAlpha(paletteOf(*this).surface, 190));
}

void TimelineView::paintCursor(QPainter& painter) const {
    if (!m_viewState.cursor())
        return;
    const Palette& colors = paletteOf(*this);
    const std::int64_t ps = *m_viewState.cursor();
    const double right = m_geometry.left + m_geometry.width;
    const double x = m_geometry.xOf(ps);
    const double bottom = viewport()->height() - m_footHeight;
    if (x < m_geometry.left || x > right)
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
    const std::vector<TimelineLegendEntry> legend = legendOf(m_model);
    double needed = m_geometry.left;
    for (const TimelineLegendEntry& entry : legend)
        needed += painter.fontMetrics().horizontalAdvance(entry.text) + m_line * 2.3;
    const bool roomy = needed <= viewport()->width();
    double x = roomy ? m_geometry.left : m_line;
    const double middle = viewport()->height() - m_line * 0.8;
    for (const TimelineLegendEntry& entry : legend) {
        const QString text = roomy ? entry.text : entry.brief;
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
    const QRectF area(m_geometry.left, m_axisHeight + m_layout.height, m_geometry.width,
                      std::max(0.0, rowsArea().height() - m_layout.height));
    QFont big = font();
    big.setPointSizeF(big.pointSizeF() * 1.6);
    big.setWeight(QFont::DemiBold);
    painter.setFont(big);
    painter.setPen(colors.ink);
    painter.drawText(area.adjusted(0, 0, 0, -area.height() / 2), Qt::AlignHCenter | Qt::AlignBottom,
                     tr("Sequential parts, perfectly overlapped: a formula, not a simulation"));
    QFont normal = font();
    normal.setPointSizeF(normal.pointSizeF() * 1.15);
    painter.setFont(normal);
    painter.setPen(colors.inkSoft);
    painter.drawText(area.adjusted(0, area.height() / 2 + m_line * 0.5, 0, 0),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     tr("%1 = %2\nEach part was simulated alone; nothing here contends for memory or links.")
                         .arg(boundFormula(m_model.run().run.experiment,
                                           {lengthOf(RowKind::boundGemm), lengthOf(RowKind::boundReduceScatter),
                                            lengthOf(RowKind::boundAllGather)}),
                              formatTime(m_model.end())));
}

void TimelineView::paintEmpty(QPainter& painter) const {
    painter.setPen(paletteOf(*this).inkSoft);
    painter.drawText(viewport()->rect(), Qt::AlignCenter, noRunHint());
}

}  // namespace ui
