#include "ui/timeline/timeline_painter.h"

#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/plate.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/timeline_margins.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

void TimelineAxis::build(const TimelineLayout& layout) {
    const TimelineGeometry& geometry = layout.geometry();
    m_ticks = timeTicks(geometry.range, static_cast<int>(geometry.width / (layout.line() * 6)));
    buildPhases(layout);
    buildTags(layout);
}

void TimelineAxis::buildPhases(const TimelineLayout& layout) {
    m_phases.clear();
    const QFontMetricsF metrics(layout.font());
    for (const Phase& phase : layout.model().phases()) {
        const std::optional<QRectF> box = layout.boxOf(phase);
        if (!box)
            continue;
        QString text;
        for (const QString& candidate : {phase.label, phase.shortLabel}) {
            // Stripes must be visible beside the plate behind the text.
            const double room = phase.role == Role::overlapped ? layout.line() * 4 : 10;
            if (metrics.horizontalAdvance(candidate) + room > box->width())
                continue;
            text = candidate;
            break;
        }
        m_phases.push_back({*box, phase.role, text, phase.inCompany});
    }
}

void TimelineAxis::buildTags(const TimelineLayout& layout) {
    m_tags.clear();
    if (layout.isDense())
        return;  // tags are in the foot, which a dense timeline does not have
    const QFontMetricsF metrics(layout.font());
    const TimelineGeometry& geometry = layout.geometry();
    const double top = layout.footTop() + std::round(layout.line() * 0.1);
    const std::vector<TimelineMarker>& markers = layout.model().markers();
    double limit = layout.right();  // left edge of the next tag on the right
    for (std::size_t i = markers.size(); i-- > 0;) {
        const double x = geometry.xOf(markers[i].ps);
        if (x < geometry.left || x > layout.right() + 1)
            continue;
        const double width = metrics.horizontalAdvance(markers[i].label) + 10;
        if (!m_tags.empty() && std::abs(m_tags.back().x - x) < 3) {
            // Two markers at the same time share a tag.
            m_tags.back().text = markers[i].label + QStringLiteral(" · ") + m_tags.back().text;
            m_tags.back().box.setLeft(m_tags.back().box.left() - width);
            limit = m_tags.back().box.left();
            continue;
        }
        // A tag is left of its line, or right of it if it would cover the previous line and there is room on the right.
        const double before = i > 0 ? geometry.xOf(markers[i - 1].ps) : 0;
        const bool crosses = x - width < before && before < x - 3;
        const bool right = crosses && x + width + 6 < limit;
        const double left = right ? x + 1 : std::min(x, limit - 6) - width;
        m_tags.push_back(
            {x, QRectF(left, top, width, layout.line() * 1.15), markers[i].role, markers[i].label, markers[i].kernel});
        limit = left;
    }
}

void TimelineAxis::paint(QPainter& painter, const TimelineLayout& layout, const Palette& colors) const {
    const TimelineGeometry& geometry = layout.geometry();
    const double line = layout.line();
    painter.fillRect(QRectF(0, 0, layout.width(), layout.axisHeight()), colors.surface);
    painter.fillRect(QRectF(0, layout.footTop(), layout.width(), layout.footHeight()), colors.surface);
    painter.setFont(layout.font());
    painter.setPen(colors.inkSoft);
    for (const Tick& tick : m_ticks) {
        const double x = geometry.columnOf(tick.ps);
        painter.fillRect(QRectF(x, line * 1.3, 1, line * 0.25), colors.line);
        const double width = painter.fontMetrics().horizontalAdvance(tick.label) + 4;
        const double textLeft = std::min(x - width / 2, layout.width() - width);  // the last label stays inside
        painter.drawText(QRectF(textLeft, 0, width, line * 1.3), Qt::AlignCenter, tick.label);
    }
    const Fill company = fillOf(data::kFirstCopy, colors);
    for (const PhaseItem& phase : m_phases) {
        const QRectF box = phase.box.adjusted(0, 0, -geometry.pixel, 0);
        const bool alone = phase.inCompany && phase.role == Role::neutral;
        const double strip = phase.inCompany && !alone ? std::round(box.height() * 0.22) : 0;
        painter.fillRect(box, legendBrush(colors, phase.role, line));
        // While the companion runs beside the run's own work, it is shown as a strip below that work.
        if (phase.inCompany)
            paintFill(painter, alone ? box : box.adjusted(0, box.height() - strip, 0, 0), company,
                      std::max(4.0, line * 0.35));
        if (phase.text.isEmpty())
            continue;
        if (alone) {
            const double width = painter.fontMetrics().horizontalAdvance(phase.text) + line;
            QRectF plate(0, 0, width, box.height());
            plate.moveCenter(box.center());
            painter.fillRect(plate, company.color);
            painter.setPen(Palette::inkOn(company.color));
            painter.drawText(box, Qt::AlignCenter, phase.text);
            continue;
        }
        if (phase.role == Role::overlapped) {
            // The text gets a plate, because no single colour of text is readable on stripes.
            const double width = painter.fontMetrics().horizontalAdvance(phase.text) + line;
            QRectF plate(0, 0, width, phase.box.height());
            plate.moveCenter(phase.box.center());
            painter.fillRect(plate, colors.of(Role::gemm));
        }
        painter.setPen(Palette::inkOn(colors.of(phase.role)));
        painter.drawText(phase.box.adjusted(0, 0, 0, -strip), Qt::AlignCenter, phase.text);
    }
    painter.setPen(colors.inkSoft);
    painter.drawText(QRectF(0, line * 1.55, geometry.left - line * 0.5, line * 1.2), Qt::AlignRight | Qt::AlignVCenter,
                     QCoreApplication::translate("ui::TimelineView", "phases"));
}

void TimelineAxis::paintMarkers(QPainter& painter, const TimelineLayout& layout, const Palette& colors) const {
    painter.setFont(layout.font());
    for (const Tag& tag : m_tags) {
        painter.setPen(QPen(Palette::seeThrough(colors.inkSoft, 170), 1, Qt::DashLine));
        const double x = std::floor(tag.x) + 0.5;
        painter.drawLine(QPointF(x, layout.axisHeight()), QPointF(x, layout.footTop() + layout.line() * 0.1));
        if (tag.box.isNull())
            continue;
        const QColor color = tag.kernel ? fillOf(*tag.kernel, colors).color : colors.of(tag.role);
        painter.fillRect(tag.box, color);
        painter.setPen(Palette::inkOn(color));
        painter.drawText(tag.box, Qt::AlignCenter, tag.text);
    }
}

QRectF futureBox(const TimelineLayout& layout, std::int64_t ps) {
    const TimelineGeometry& geometry = layout.geometry();
    const double line = layout.line();
    const double x = std::clamp(geometry.xOf(ps), geometry.left - 1, layout.right() + 1);
    if (x < geometry.left)
        return {};
    return {x, line * 1.5, layout.right() + line - x, layout.footTop() - line * 1.5};
}

CursorMark cursorAt(const TimelineLayout& layout, std::int64_t ps, std::int64_t runEnd) {
    const double line = layout.line();
    const double x = layout.geometry().xOf(ps);
    if (x < layout.geometry().left || x > layout.right())
        return {};
    CursorMark cursor{
        QRectF(std::floor(x) - 0.5, line * 1.3, 2, layout.footTop() - line * 1.3), {}, formatTimeSteady(ps, runEnd)};
    const double width = QFontMetrics(layout.boldFont()).horizontalAdvance(cursor.text) + line;
    cursor.bubble = QRectF(x - width / 2, 0, width, line * 1.3);
    cursor.bubble.moveLeft(std::clamp(cursor.bubble.left(), 0.0, std::max(0.0, layout.width() - width)));
    return cursor;
}

void paintCursor(QPainter& painter, const TimelineLayout& layout, const Palette& colors, const CursorMark& cursor) {
    if (cursor.line.isNull())
        return;
    painter.fillRect(cursor.line, colors.cursor);
    painter.setFont(layout.boldFont());
    paintPlate(painter, cursor.bubble, 4, colors.cursor, cursor.text);
}

}  // namespace ui
