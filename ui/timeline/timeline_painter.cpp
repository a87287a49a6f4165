#include "ui/timeline/timeline_painter.h"

#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/partial_paint.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/lane_editor.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/row_labels.h"
#include "ui/timeline/timeline_gestures.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/timeline_margins.h"

#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace ui {

const DrawList& TimelinePainter::scrolledList() {
    build();
    return m_scrolled.list;
}

void TimelinePainter::build() {
    if (!std::exchange(m_itemsStale, false))
        return;
    m_imagesStale = true;
    const QRectF rows = m_layout.rowsArea();
    const double left = m_layout.geometry().left;
    const double split = std::min(m_layout.stack().pinnedHeight, rows.height());
    m_pinned.area = QRectF(left, rows.top(), rows.width() - left, split);
    m_scrolled.area = m_pinned.area.adjusted(0, split, 0, rows.height() - split);
    const PixelColumns columns(m_layout.geometry(), 0, m_layout.model().end());
    buildPane(m_pinned, columns);
    buildPane(m_scrolled, columns);
    m_axis.build(m_layout);
}

void TimelinePainter::buildPane(Pane& pane, const PixelColumns& columns) {
    pane.list = {};
    const QFontMetricsF metrics(m_layout.font());
    const std::vector<Row>& rows = m_layout.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RowBox box = m_layout.boxOf(i);
        if (rows[i].pinned != pane.pinned || box.bottom() <= pane.area.top() || box.top >= pane.area.bottom())
            continue;
        const RowFirsts first{pane.list.items.size(), pane.list.gaps.size(), pane.list.pieceEnds.size()};
        appendRow(m_layout.model(), rows[i], box, m_layout.geometry(), columns, pane.list);
        appendRowLabels(m_layout.model(), rows[i], box, m_layout.geometry(), metrics, first, pane.list);
    }
}

void TimelinePainter::drawPane(Pane& pane) {
    if (pane.area.height() < 1)
        return;
    const TimelineGeometry& geometry = m_layout.geometry();
    LaneGround ground{pane.area, geometry.pixel, {}, {}};
    const std::vector<Row>& rows = m_layout.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RowBox box = m_layout.boxOf(i);
        // The background shows the full height of an area lane, so that a low area is seen as a share of that height.
        if (rows[i].pinned == pane.pinned && hasGround(rows[i]))
            ground.fills.emplace_back(QPointF(geometry.left, box.top), QPointF(m_layout.right(), box.bottom()));
    }
    for (const Tick& tick : m_axis.ticks())
        ground.ticks.push_back(geometry.columnOf(tick.ps));
    pane.image.draw(pane.list, ground, paletteOf(m_view), m_viewState.followedChunk());
}

TimelinePainter::Moment TimelinePainter::moment() const {
    const std::optional<std::int64_t> cursor = m_viewState.cursor();
    if (!cursor)
        return {};
    return {futureBox(m_layout, *cursor), cursorAt(m_layout, *cursor, m_viewState.runEnd())};
}

QRegion TimelinePainter::followCursor() {
    const Moment now = moment();
    const QRectF& before = m_painted.future;
    if (before.isNull() || now.future.isNull())
        return QRegion(viewport());
    const double from = std::min(before.left(), now.future.left());
    const double to = std::max(before.left(), now.future.left());
    QRegion passed(damageOf(QRectF(from, now.future.top(), to - from, now.future.height())));
    for (const CursorMark& cursor : {m_painted.cursor, now.cursor})
        passed = passed.united(damageOf(cursor.line)).united(damageOf(cursor.bubble));
    m_passed = m_passed.united(passed);
    return passed;
}

QRect TimelinePainter::viewport() const {
    return {0, 0, static_cast<int>(m_layout.width()), static_cast<int>(m_layout.height())};
}

void TimelinePainter::paint(QPainter& painter, const DragFeedback& drag, const QRegion& part) {
    const QRegion passed = std::exchange(m_passed, {});
    if (!m_layout.model().hasRun()) {
        paintEmpty(painter);
        return;
    }
    const bool onlyCursorMoved =
        !m_itemsStale && !m_imagesStale && !m_painted.future.isNull() && part.subtracted(passed).isEmpty();
    m_painted = moment();
    if (onlyCursorMoved) {
        paintLayers(painter, part);
    } else {
        forgetLayers();
        paintStill(painter, m_painted.future);
    }
    paintCursor(painter, m_layout, paletteOf(m_view), m_painted.cursor);
    paintDrag(painter, drag);
}

void TimelinePainter::paintLayers(QPainter& painter, const QRegion& part) {
    if (m_past.isNull()) {
        const QRectF future = m_painted.future;
        m_past = layer({});
        m_future = layer(QRectF(QPointF(m_layout.geometry().left, future.top()), future.bottomRight()));
    }
    const double ratio = m_view.devicePixelRatioF();
    const int border = qRound(m_painted.future.left() * ratio);  // rounded like a filled rectangle
    for (const QRect& rect : part) {
        const QRect pixels = pixelsOf(rect, ratio);
        copyPixels(painter, {}, m_past, pixels.intersected(QRect(0, 0, border, m_past.height())));
        copyPixels(painter, {}, m_future, pixels.intersected(QRect(border, 0, m_past.width(), m_past.height())));
    }
}

QImage TimelinePainter::layer(const QRectF& future) {
    const double ratio = m_view.devicePixelRatioF();
    QImage image(viewport().size() * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    painter.setFont(m_view.font());
    paintStill(painter, future);
    return image;
}

void TimelinePainter::paintStill(QPainter& painter, const QRectF& future) {
    const Palette& colors = paletteOf(m_view);
    const TimelineModel& model = m_layout.model();
    build();
    if (std::exchange(m_imagesStale, false)) {
        drawPane(m_pinned);
        drawPane(m_scrolled);
    }
    painter.fillRect(QRectF(0, 0, m_layout.geometry().left, m_layout.height()), colors.surface);
    paintPane(painter, m_pinned);
    paintPane(painter, m_scrolled);
    if (m_layout.stack().pinnedHeight > 0)
        painter.fillRect(QRectF(0, m_scrolled.area.top() - 1, m_layout.width(), 1), colors.line);
    if (model.isBound() && !m_layout.isDense())
        paintBoundStatement(painter, m_layout, colors);
    m_axis.paint(painter, m_layout, colors);
    m_axis.paintMarkers(painter, m_layout, colors);
    if (!future.isNull())
        painter.fillRect(future, Palette::seeThrough(colors.surface, 190));
    paintOverlays(painter);  // after the dimming, so that they stay bright
    if (!m_layout.isDense()) {
        paintLegend(painter, m_layout, colors);
        paintReminder(painter, m_layout, colors);
    }
}

void TimelinePainter::paintEmpty(QPainter& painter) const {
    painter.fillRect(viewport(), paletteOf(m_view).surface);
    painter.setPen(paletteOf(m_view).inkSoft);
    painter.drawText(viewport(), Qt::AlignCenter, noRunHint());
}

void TimelinePainter::paintPane(QPainter& painter, const Pane& pane) const {
    if (pane.area.height() < 1)
        return;
    const bool showsFocus = m_view.hasFocus() && !m_layout.model().isBound();
    copyPixels(painter, pane.area.topLeft(), pane.image.image());
    painter.setClipRect(QRectF(0, pane.area.top(), m_layout.width(), pane.area.height()));
    paintGutter(painter, m_layout, paletteOf(m_view), pane.pinned, showsFocus ? m_lanes.focusedRow() : std::nullopt);
    paintLabels(painter, pane);
    if (m_viewState.followedChunk())
        paintFollowed(painter, pane);
    painter.setClipping(false);
}

void TimelinePainter::paintLabels(QPainter& painter, const Pane& pane) const {
    const Palette& colors = paletteOf(m_view);
    QFont small = m_layout.font();
    for (const DrawLabel& label : pane.list.labels) {
        // Rows shrink before they scroll, and their labels shrink with them.
        const bool low = label.box.height() < m_layout.line();
        if (low)
            small.setPixelSize(std::max(7, static_cast<int>(label.box.height() * 0.82)));
        painter.setFont(low ? small : m_layout.font());
        const QColor ground = label.onPlate  ? colors.surface
                              : label.onGap  ? emptySlotFill(colors).color
                              : label.kernel ? fillOf(*label.kernel, colors).color
                                             : colors.of(label.role);
        if (label.kernel || label.onGap || label.onPlate) {
            // The text gets a plate, because no colour of text is readable on a texture.
            QRectF plate(0, 0, painter.fontMetrics().horizontalAdvance(label.text) + 6,
                         std::min(label.box.height(), painter.fontMetrics().height() * 1.0));
            plate.moveCenter(label.box.center());
            painter.fillRect(plate, ground);
        }
        painter.setPen(Palette::inkOn(ground));
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

void TimelinePainter::paintFollowed(QPainter& painter, const Pane& pane) const {
    painter.setPen(QPen(paletteOf(m_view).ink, 2));
    for (const DrawItem& item : pane.list.items) {
        if (!isAbout(item, *m_viewState.followedChunk()) || item.width <= 3)
            continue;
        const double gap = item.width > 4 ? m_layout.geometry().pixel : 0;
        painter.drawRect(QRectF(item.x + 1, item.y + 1, item.width - gap - 2, item.height - 2));
    }
}

// Paints the overlays once within the scrolling rows and once within the pinned rows. For the latter, the rows that
// have scrolled below them are placed at their bottom, outside the clip, so that nothing shows through.
void TimelinePainter::paintOverlays(QPainter& painter) const {
    if (m_overlays.empty())
        return;
    TimelinePicture shown = m_layout.picture(paletteOf(m_view));
    const QFontMetricsF metrics(m_layout.font());
    for (const Pane* pane : {&m_scrolled, &m_pinned}) {
        for (const DrawLabel& label : pane->list.labels) {
            QRectF text(0, 0, metrics.horizontalAdvance(label.text), label.box.height());
            text.moveCenter(label.box.center());
            shown.texts.push_back(text);
        }
    }
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

void TimelinePainter::paintDrag(QPainter& painter, const DragFeedback& drag) const {
    const Palette& colors = paletteOf(m_view);
    if (drag.zoomBox) {
        painter.fillRect(*drag.zoomBox, Palette::seeThrough(colors.accent, 45));
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(*drag.zoomBox);
    }
    if (drag.dropLine)
        painter.fillRect(*drag.dropLine, colors.accent);
}

}  // namespace ui
