#include "ui/timeline/timeline_foot.h"

#include "ui/look/collective_words.h"
#include "ui/look/format.h"
#include "ui/look/plate.h"
#include "ui/look/relative_font.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/timeline_legend.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QString footTr(const char* text) { return QCoreApplication::translate("ui::TimelineView", text); }

}  // namespace

void paintLegend(QPainter& painter, const TimelineLayout& layout, const Palette& colors) {
    const double line = layout.line();
    const double left = layout.geometry().left;
    painter.setFont(layout.font());
    const std::vector<TimelineLegendEntry> legend = legendOf(layout.model());
    double needed = left;
    for (const TimelineLegendEntry& entry : legend)
        needed += painter.fontMetrics().horizontalAdvance(entry.text) + line * 2.3;
    const bool roomy = needed <= layout.width();
    double x = roomy ? left : line;
    const double middle = layout.height() - line * 0.8;
    for (const TimelineLegendEntry& entry : legend) {
        const QString text = roomy ? entry.text : entry.brief;
        const double width = painter.fontMetrics().horizontalAdvance(text);
        if (x + line + width > layout.width())
            break;
        const QRectF swatch(x, std::round(middle - line * 0.35), std::round(line * 0.9), std::round(line * 0.7));
        painter.fillRect(swatch, legendBrush(colors, entry.role, line));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(swatch.right() + line * 0.35, middle - line, width + 2, line * 2),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x = swatch.right() + line * 1.4 + width;
    }
}

void paintReminder(QPainter& painter, const TimelineLayout& layout, const Palette& colors) {
    const QRectF box = layout.reminderBox();
    if (box.isEmpty())
        return;
    painter.setFont(layout.font());
    paintPlate(painter, box, 4, colors.notice, layout.reminder());
}

void paintBoundStatement(QPainter& painter, const TimelineLayout& layout, const Palette& colors) {
    const TimelineModel& model = layout.model();
    const auto lengthOf = [&](RowKind kind) {
        const engine::Span span = model.boundSpan(kind);
        return formatTime((span.end - span.start).ps);
    };
    const double rows = layout.stack().height;
    const QRectF area(layout.geometry().left, layout.axisHeight() + rows, layout.geometry().width,
                      std::max(0.0, layout.rowsArea().height() - rows));
    painter.setFont(scaledFont(layout.font(), 1.6, QFont::DemiBold));
    painter.setPen(colors.ink);
    painter.drawText(area.adjusted(0, 0, 0, -area.height() / 2), Qt::AlignHCenter | Qt::AlignBottom,
                     footTr("Sequential parts, perfectly overlapped: a formula, not a simulation"));
    painter.setFont(scaledFont(layout.font(), 1.15));
    painter.setPen(colors.inkSoft);
    painter.drawText(area.adjusted(0, area.height() / 2 + layout.line() * 0.5, 0, 0),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     footTr("%1 = %2\nEach part was simulated alone; nothing here contends for memory or links.")
                         .arg(boundFormula(model.run().run.experiment,
                                           {lengthOf(RowKind::boundGemm), lengthOf(RowKind::boundReduceScatter),
                                            lengthOf(RowKind::boundAllGather)}),
                              formatTime(model.end())));
}

}  // namespace ui
