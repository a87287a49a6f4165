#include "ui/charts/marks.h"

#include "ui/look/palette.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

namespace ui {
namespace {

constexpr std::array kShapes{MarkShape::circle,  MarkShape::square,   MarkShape::triangle,
                             MarkShape::diamond, MarkShape::pentagon, MarkShape::wedge};

QPainterPath polygon(QPointF centre, double radius, int corners, double turn) {
    QPainterPath path;
    for (int i = 0; i < corners; ++i) {
        const double angle = (turn + static_cast<double>(i) / corners) * 2 * std::numbers::pi;
        const QPointF corner = centre + QPointF(std::sin(angle), -std::cos(angle)) * radius;
        i == 0 ? path.moveTo(corner) : path.lineTo(corner);
    }
    path.closeSubpath();
    return path;
}

/// Returns the outline of a shape, scaled so that all shapes look equally large: corners reach further than a circle.
QPainterPath outline(QPointF at, MarkShape shape, double size) {
    QPainterPath path;
    switch (shape) {
    case MarkShape::none: break;
    case MarkShape::circle: path.addEllipse(at, size * 0.5, size * 0.5); break;
    case MarkShape::square: return polygon(at, size * 0.64, 4, 0.125);
    case MarkShape::triangle: return polygon(at + QPointF(0, size * 0.08), size * 0.66, 3, 0);
    case MarkShape::diamond: return polygon(at, size * 0.62, 4, 0);
    case MarkShape::pentagon: return polygon(at, size * 0.57, 5, 0);
    case MarkShape::wedge: return polygon(at - QPointF(0, size * 0.08), size * 0.66, 3, 0.5);
    }
    return path;
}

double entryWidth(const ChartLegendEntry& entry, const ChartStyle& style) {
    const double sample = entry.heading ? 0 : entry.line ? style.line * 2.2 : style.line * 1.1;
    return sample + style.text(entry.label) + style.line * (entry.heading ? 0.5 : 1.1);
}

void paintSample(QPainter& painter, const QRectF& room, const ChartLegendEntry& entry, const ChartStyle& style) {
    const QPointF middle = room.center();
    const QRectF box(middle.x() - style.line * 0.45, middle.y() - style.line * 0.35, style.line * 0.9,
                     style.line * 0.7);
    if (entry.fill)
        return paintFill(painter, box, *entry.fill, textureSpacing(style));
    if (entry.outcome != Outcome::value) {
        if (entry.cell)
            return paintOutcomeCell(painter, box, entry.outcome, style);
        return paintOutcome(painter, middle, entry.outcome, style, false);
    }
    if (entry.line) {
        painter.setPen(linePen(entry.style, style));
        painter.drawLine(QPointF(room.left(), middle.y()), QPointF(room.right(), middle.y()));
    }
    paintMark(painter, middle, entry.style.shape, entry.style.color, style, false);
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

SeriesStyle policyStyle(std::string_view policy, const Palette& colors) {
    SeriesStyle style{colors.ofPolicy(policy), MarkShape::circle, {}};
    if (const PolicyLook* look = lookOfPolicy(policy)) {
        style.shape = look->shape;
        std::ranges::copy_if(look->chartDash, std::back_inserter(style.dash), [](double length) { return length > 0; });
    }
    return style;
}

MarkShape shapeOf(std::size_t index) { return kShapes[index % kShapes.size()]; }

double textureSpacing(const ChartStyle& style) { return std::max(4.0, style.line * 0.4); }

double markSize(const ChartStyle& style) { return style.line * 0.5; }

QPen linePen(const SeriesStyle& series, const ChartStyle& style) {
    QPen pen(series.color, style.line * 0.115, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!series.dash.empty())
        pen.setDashPattern(QList<qreal>(series.dash.begin(), series.dash.end()));
    return pen;
}

void paintMark(QPainter& painter, QPointF at, MarkShape shape, const QColor& color, const ChartStyle& style,
               bool strong) {
    if (strong) {
        painter.setBrush(style.colors->surface);
        painter.setPen(QPen(style.colors->ink, style.line * 0.12));
        painter.drawEllipse(at, markSize(style) * 1.05, markSize(style) * 1.05);
    }
    painter.setBrush(color);
    // An edge in the background's colour separates marks that touch.
    painter.setPen(QPen(style.colors->surface, style.line * 0.06));
    painter.drawPath(outline(at, shape, markSize(style) * (strong ? 1.15 : 1)));
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
