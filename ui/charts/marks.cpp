#include "ui/charts/marks.h"

#include "ui/drawing/figure_sheet.h"
#include "ui/look/palette.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>

namespace ui {
namespace {

constexpr double kMarker = 1.4;  // relative to the marker of a line in a figure

double textureSpacing(const ChartStyle& style) { return std::max(4.0, style.line * 0.4); }

double markSize(const ChartStyle& style) { return style.line * 0.5; }

double entryWidth(const ChartLegendEntry& entry, const ChartStyle& style) {
    const double sample = entry.heading ? 0 : entry.line ? style.line * 2.2 : style.line * 1.1;
    return sample + style.text(entry.label) + style.line * (entry.heading ? 0.5 : 1.1);
}

void paintSample(QPainter& painter, const QRectF& room, const ChartLegendEntry& entry, const ChartStyle& style) {
    const QPointF middle = room.center();
    const QRectF box(middle.x() - style.line * 0.45, middle.y() - style.line * 0.35, style.line * 0.9,
                     style.line * 0.7);
    if (entry.bar) {
        FigureSheet sheet({{style.textSize()}, style.colors->theme});
        sheet.rect(FigurePart::legend, box, entry.look.fill, entry.look.outline);
        return paint(painter, sheet.list());
    }
    if (entry.outcome != Outcome::value) {
        if (entry.cell)
            return paintOutcomeCell(painter, box, entry.outcome, style);
        return paintOutcome(painter, middle, entry.outcome, style, false);
    }
    if (entry.line) {
        painter.setPen(penOf(entry.look.line, Qt::RoundJoin));
        painter.drawLine(QPointF(room.left(), middle.y()), QPointF(room.right(), middle.y()));
    }
    if (!entry.line || entry.look.marker != Marker::none)
        paintMarker(painter, middle, entry.look, kMarker, style, Emphasis::none);
}

/// Calls `place` with the rectangle of every entry, row by row; returns the height of all rows.
template <class Place>
double layOutLegend(const std::vector<ChartLegendEntry>& entries, double width, const ChartStyle& style, Place place) {
    const double row = style.line * 1.25;
    double x = 0;
    double y = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double needed = entryWidth(entries[i], style);
        // A heading stays with the first entry that it names.
        const double together =
            entries[i].heading && i + 1 < entries.size() ? needed + entryWidth(entries[i + 1], style) : needed;
        if (x > 0 && x + together > width) {
            x = 0;
            y += row;
        }
        place(entries[i], QRectF(x, y, std::min(needed, width - x), row));
        x += needed;
    }
    return entries.empty() ? 0 : y + row;
}

}  // namespace

double ChartStyle::text(const QString& label) const { return QFontMetricsF(font).horizontalAdvance(label); }

double ChartStyle::textSize() const { return QFontInfo(font).pixelSize(); }

void paintMarker(QPainter& painter, QPointF at, const MarkStyle& look, double scale, const ChartStyle& style,
                 Emphasis emphasis) {
    FigureSheet sheet({{style.textSize()}, style.colors->theme});
    const FigureMeasure& measure = sheet.measure();
    const double larger = emphasis == Emphasis::strong ? 1.15 : 1;
    if (emphasis != Emphasis::none) {
        const double reach =
            measure.of(1.6) * scale * larger + style.line * (emphasis == Emphasis::strong ? 0.3 : 0.15);
        const QRectF ring(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach);
        const double width = style.line * (emphasis == Emphasis::strong ? 0.12 : 0.08);
        sheet.ellipse(FigurePart::mark, ring, FigureFill{.colour = style.colors->surface},
                      FigurePen{style.colors->ink, width, {}});
    }
    MarkStyle shown = look;
    if (shown.marker == Marker::none)
        shown.marker = Marker::circle;
    sheet.marker(FigurePart::mark, at, shown, scale * larger);
    paint(painter, sheet.list());
}

void paintOutcome(QPainter& painter, QPointF at, Outcome outcome, const ChartStyle& style, bool strong) {
    const double reach = markSize(style) * (strong ? 0.6 : 0.42);
    painter.setBrush(Qt::NoBrush);
    if (strong) {
        painter.setPen(QPen(style.colors->ink, style.line * 0.1));
        painter.drawEllipse(at, reach * 1.7, reach * 1.7);
    }
    const double width = style.line * 0.11;
    switch (outcome) {
    case Outcome::failed:
        painter.setPen(QPen(style.colors->error, width * 1.25, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(at + QPointF(-reach, -reach), at + QPointF(reach, reach));
        painter.drawLine(at + QPointF(-reach, reach), at + QPointF(reach, -reach));
        break;
    case Outcome::missing:
        painter.setPen(QPen(style.colors->inkFaint, width));
        painter.drawEllipse(at, reach, reach);
        break;
    case Outcome::without:
        painter.setPen(QPen(style.colors->inkFaint, width, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(at - QPointF(reach, 0), at + QPointF(reach, 0));
        break;
    case Outcome::value: break;
    }
}

void paintOutcomeCell(QPainter& painter, const QRectF& cell, Outcome outcome, const ChartStyle& style) {
    const Palette& colors = *style.colors;
    painter.save();
    const double hair = std::max(1 / style.ratio, style.line * 0.06);
    const QRectF inside = cell.adjusted(hair, hair, -hair, -hair);
    if (outcome == Outcome::failed) {
        paintFill(painter, cell, {colors.surface, colors.error, Texture::rising}, textureSpacing(style));
        painter.setPen(QPen(colors.error, hair));
    } else if (outcome == Outcome::missing) {
        painter.setPen(QPen(colors.inkFaint, hair, Qt::DotLine));
    } else {
        painter.setPen(QPen(colors.line, hair));
    }
    painter.setBrush(Qt::NoBrush);
    if (inside.width() > 0 && inside.height() > 0)
        painter.drawRect(inside);
    if (outcome == Outcome::without)
        paintOutcome(painter, cell.center(), outcome, style, false);
    painter.restore();
}

double legendHeight(const std::vector<ChartLegendEntry>& entries, double width, const ChartStyle& style) {
    return layOutLegend(entries, width, style, [](const ChartLegendEntry&, const QRectF&) {});
}

void paintLegend(QPainter& painter, const QRectF& room, const std::vector<ChartLegendEntry>& entries,
                 const ChartStyle& style) {
    painter.setFont(style.font);
    layOutLegend(entries, room.width(), style, [&](const ChartLegendEntry& entry, const QRectF& place) {
        QRectF box = place.translated(room.topLeft());
        if (!entry.heading) {
            const double sample = entry.line ? style.line * 1.8 : style.line * 0.8;
            painter.setRenderHint(QPainter::Antialiasing);
            paintSample(painter, QRectF(box.left(), box.top(), sample, box.height()), entry, style);
            painter.setRenderHint(QPainter::Antialiasing, false);
            box.setLeft(box.left() + sample + style.line * 0.4);
        }
        painter.setPen(entry.heading ? style.colors->inkFaint : style.colors->inkSoft);
        const QFontMetricsF metrics(style.font);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(entry.label, Qt::ElideRight, box.width()));
    });
}

}  // namespace ui
