#include "ui/drawing/mark_layout.h"

#include "ui/drawing/figure_text.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

void drawGrid(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const FigurePen pen = measure.pen(measure.colours().gridLine);
    if (plan.kind == PanelKind::plain) {
        for (const double tick : plan.y.place.ticks) {
            const double y = plan.yAt(tick).value_or(plan.plot.bottom());
            if (y < plan.plot.bottom() - 0.5)
                sheet.line(FigurePart::grid, {plan.plot.left(), y}, {plan.plot.right(), y}, pen);
        }
    }
    const bool points = sheet.measure().screen && plan.kind == PanelKind::plain && !plan.categorical;
    if (points || plan.kind == PanelKind::lanes || (plan.kind == PanelKind::rows && plan.namesShown)) {
        for (const double tick : plan.x.place.ticks) {
            const double x = plan.xAt(tick).value_or(plan.plot.left());
            if (x > plan.plot.left() + 0.5 && x < plan.plot.right() - 0.5)
                sheet.line(FigurePart::grid, {x, plan.plot.top()}, {x, plan.plot.bottom()}, pen);
        }
    }
}

void drawMarkAt(FigureSheet& sheet, const PanelPlan& plan, std::size_t index) {
    sheet.at(plan.index, index);
    // Includes the half of an outline that lies outside, so that a bar of 100 % on an axis up to 100 keeps its upper
    // edge.
    const double edge = sheet.measure().of(0.25);
    sheet.clipTo(plan.plot.adjusted(-edge, -edge, edge, edge));
    std::visit([&](const auto& kind) { drawMark(sheet, plan, index, kind); }, plan.panel->marks[index]);
}

void drawYAxis(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const FigurePen pen = measure.pen(measure.colours().axis);
    const double left = plan.plot.left();
    sheet.line(FigurePart::axis, {left, plan.plot.top()}, {left, plan.plot.bottom()}, pen);
    for (const double tick : plan.y.minor) {
        const double y = plan.yAt(tick).value_or(plan.plot.bottom());
        sheet.line(FigurePart::axis, {left - measure.of(1), y}, {left, y}, pen);
    }
    for (std::size_t i = 0; i < plan.y.labels.size(); ++i) {
        const double y = plan.yAt(plan.y.place.ticks[i]).value_or(plan.plot.bottom());
        sheet.line(FigurePart::axis, {left - measure.of(2), y}, {left, y}, pen);
        const QPointF at(left - measure.of(3.2), y + capHeightOf(measure.textSize) / 2);
        sheet.put(FigurePart::axis, sheet.text(at, plan.y.labels[i], measure.textSize, TextAlign::right));
    }
}

void drawXNumbers(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const FigurePen pen = measure.pen(measure.colours().axis);
    const double bottom = plan.plot.bottom();
    for (const double tick : plan.x.minor) {
        const double x = plan.xAt(tick).value_or(plan.plot.left());
        sheet.line(FigurePart::axis, {x, bottom}, {x, bottom + measure.of(1)}, pen);
    }
    for (std::size_t i = 0; i < plan.x.labels.size(); ++i) {
        const double x = plan.xAt(plan.x.place.ticks[i]).value_or(plan.plot.left());
        sheet.line(FigurePart::axis, {x, bottom}, {x, bottom + measure.of(2)}, pen);
        const QPointF at(x, bottom + measure.strip() + measure.of(4.2) + ascentOf(measure.textSize));
        if (plan.namesShown)
            sheet.put(FigurePart::axis, sheet.text(at, plan.x.labels[i], measure.textSize, TextAlign::centre));
    }
}

void drawXAxis(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const FigurePen pen = measure.pen(measure.colours().axis);
    const QRectF& plot = plan.plot;
    const std::optional<double> zero = plan.kind == PanelKind::plain ? plan.yAt(0) : std::nullopt;
    if (zero && *zero < plot.bottom() - 0.5 && *zero > plot.top() + 0.5)
        sheet.line(FigurePart::axis, {plot.left(), *zero}, {plot.right(), *zero}, pen);
    if (plan.kind == PanelKind::rows) {
        const double start = plan.xAt(0).value_or(plot.left());
        if (start >= plot.left() - 0.5)  // else all bars float beyond zero
            sheet.line(FigurePart::axis, {start, plot.top()}, {start, plot.bottom()}, pen);
        if (!plan.namesShown)
            return;
    }
    sheet.line(FigurePart::axis, plot.bottomLeft(), plot.bottomRight(), pen);
    if (!plan.categorical)
        return drawXNumbers(sheet, plan);
    drawNames(sheet, plan.names, plot.bottom() + measure.strip() + measure.of(2),
              [&](double x) { return plan.xAt(x).value_or(plot.left()); });
    for (const LabelLevel& level : plan.names.levels) {
        if (level.every > 1)
            sheet.fallShort(plan.index, QStringLiteral("only one in %1 names fits along x").arg(level.every));
    }
}

void drawRowNames(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const RowPlan& rows = plan.rows;
    const double right = plan.plot.left() - measure.of(3);
    for (std::size_t i = 0; i < rows.labels.size(); i += rows.every) {
        const double y = *plan.yAt(plan.rowCentre(i)) + capHeightOf(rows.size) / 2;
        const bool bars = plan.kind == PanelKind::rows, strong = bars && measure.screen->rows->strong == i;
        sheet.put(FigurePart::category, sheet.text({bars ? right - rows.labelWidth : right, y}, rows.labels[i],
                                                   rows.size, bars ? TextAlign::left : TextAlign::right, 0,
                                                   strong ? TextWeight::semiBold : TextWeight::regular));
    }
    if (rows.every > 1)
        sheet.fallShort(plan.index, QStringLiteral("only one in %1 names of rows fits").arg(rows.every));
}

void drawRowGroups(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const double x = plan.plot.left() - measure.of(3) - plan.rows.labelWidth - measure.of(2.5);
    for (const RowPlan::Group& group : plan.rows.groups) {
        const double first = plan.rowCentre(group.first), last = first + static_cast<double>(group.count) - 1;
        const double top = *plan.yAt(first - 0.4), bottom = *plan.yAt(last + 0.4), middle = (top + bottom) / 2;
        sheet.line(FigurePart::category, {x, top}, {x, bottom}, {measure.colours().inkSoft, measure.of(0.5), {}});
        const double cap = capHeightOf(measure.textSize);
        const QPointF turned(x - measure.of(2.5), middle), level(x - measure.of(2), middle + cap / 2);
        sheet.put(FigurePart::category, plan.rows.groupsTurned
                                            ? sheet.text(turned, group.label, measure.textSize, TextAlign::centre, -90)
                                            : sheet.text(level, group.label, measure.textSize, TextAlign::right));
        if (group.first > 0) {
            const double edge = *plan.yAt(first - 0.5);
            sheet.line(FigurePart::grid, {plan.plot.left(), edge}, {plan.plot.right(), edge},
                       measure.pen(measure.colours().gridLine));
        }
    }
}

void drawTitles(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    const QRectF& plot = plan.plot;
    const double pitch = lineHeightOf(measure.textSize);
    if (!plan.panel->title.empty() && plan.kind != PanelKind::rows) {
        const double above = plan.kind == PanelKind::plain ? capHeightOf(measure.textSize) / 2 + measure.of(1) : 0;
        const QPointF at(plot.center().x(), plot.top() - above - measure.of(1.5) - descentOf(measure.textSize));
        sheet.put(FigurePart::title, sheet.text(at, QString::fromStdString(plan.panel->title), measure.textSize,
                                                TextAlign::centre, 0, TextWeight::semiBold));
    }
    double x = plot.left() - plan.titleLeft + ascentOf(measure.textSize);
    const double middle = plot.center().y() + plan.titleDrop;
    for (const QString& line : plan.yTitle) {
        sheet.put(FigurePart::title, sheet.text({x, middle}, line, measure.textSize, TextAlign::centre, -90));
        x += pitch;
    }
    if (plan.xTitleShown && !plan.x.title.isEmpty()) {
        const double below = plan.categorical  ? measure.of(2) + heightOf(plan.names, measure)
                             : plan.namesShown ? measure.of(4.5) + pitch
                                               : measure.of(2);
        const QPointF at(plot.center().x(), plot.bottom() + measure.strip() + below + ascentOf(measure.textSize));
        sheet.put(FigurePart::title, sheet.text(at, plan.x.title, measure.textSize, TextAlign::centre));
    }
}

/// Draws the place where a part of the y axis is left out: a strip of the page over marks and axis, between two strokes.
void drawBreak(FigureSheet& sheet, const PanelPlan& plan) {
    const AxisPlace& axis = plan.y.place;
    if (plan.kind != PanelKind::plain || !axis.isBroken())
        return;
    const FigureMeasure& measure = sheet.measure();
    const double top = *plan.yAt(*axis.breakTo), bottom = *plan.yAt(*axis.breakFrom);
    const double inset = (bottom - top) * kBreakInset, out = measure.of(2);
    const QRectF strip(QPointF(plan.plot.left() - out, top + inset), QPointF(plan.plot.right() + out, bottom - inset));
    sheet.rect(FigurePart::axis, strip, FigureFill{.colour = measure.colours().background}, std::nullopt);
    const FigurePen pen = measure.pen(measure.colours().axis);
    for (const double y : {strip.top(), strip.bottom()})
        sheet.line(FigurePart::axis, {plan.plot.left() - out, y + out / 2}, {plan.plot.left() + out, y - out / 2}, pen);
    sheet.cover(strip);
}

void drawFrame(FigureSheet& sheet, const PanelPlan& plan) {
    const FigureMeasure& measure = sheet.measure();
    sheet.at(plan.index);
    if (plan.kind == PanelKind::cells)
        sheet.rect(FigurePart::axis, plan.plot, std::nullopt, measure.pen(measure.colours().axis));
    else if (plan.kind == PanelKind::plain)
        drawYAxis(sheet, plan);
    drawXAxis(sheet, plan);
    if (plan.kind != PanelKind::plain) {
        drawRowNames(sheet, plan);
        drawRowGroups(sheet, plan);
    }
    drawColourScale(sheet, plan);
    if (plan.kind == PanelKind::rows)
        drawRowTexts(sheet, plan);
}

void writeValues(FigureSheet& sheet, const PanelPlan& plan) {
    for (std::size_t i = 0; i < plan.panel->marks.size(); ++i) {
        sheet.at(plan.index, i);
        const auto* bars = std::get_if<data::BarMark>(&plan.panel->marks[i]);
        if (bars && bars->valuesWritten && plan.kind != PanelKind::rows)
            writeBarValues(sheet, plan, i, *bars);
    }
    sheet.at(plan.index);
}

void reportLeftOut(FigureSheet& sheet, const PanelPlan& plan) {
    if (plan.kind == PanelKind::plain && plan.y.place.logarithmic && valuesOfY(*plan.panel).unusable)
        sheet.fallShort(plan.index, QStringLiteral("the logarithmic y axis cannot show values at or below zero"));
    if (!plan.categorical && plan.x.place.logarithmic && reachOfX(*plan.panel).unusable)
        sheet.fallShort(plan.index, QStringLiteral("the logarithmic x axis cannot show values at or below zero"));
}

struct Placing {
    QPointF corner;
    double scale = 1;
    QPointF operator()(double x, double y) const { return corner + QPointF(x, y) * scale; }
};

void drawItem(FigureSheet& sheet, const data::DrawingShape& shape, const Placing& place) {
    QPolygonF points;
    for (const auto& [x, y] : shape.points)
        points << place(x, y);
    std::optional<FigureFill> fill;
    std::optional<FigurePen> pen;
    if (shape.fill)
        fill = FigureFill{.colour = QColor::fromRgba(*shape.fill)};
    if (shape.pen) {
        pen = FigurePen{QColor::fromRgba(shape.pen->colour), shape.pen->width * place.scale, {}};
        for (const double length : shape.pen->dash)
            pen->dash << length * place.scale;
    }
    if (shape.closed || fill)
        sheet.polygon(FigurePart::mark, points, fill, pen);
    else if (pen && points.size() > 1)
        sheet.line(FigurePart::mark, points, *pen);
}

void drawItem(FigureSheet& sheet, const data::DrawingText& text, const Placing& place) {
    TextItem item = sheet.text(place(text.x, text.y), QString::fromStdString(text.text), {text.size * place.scale},
                               TextAlign::left, text.angle, static_cast<TextWeight>(text.weight));
    item.colour = QColor::fromRgba(text.colour);
    sheet.put(FigurePart::mark, item);
}

}  // namespace

void drawPanel(FigureSheet& sheet, const PanelPlan& plan) {
    sheet.at(plan.index);
    if (plan.kind != PanelKind::drawing) {
        drawGrid(sheet, plan);
        if (plan.kind != PanelKind::rows)
            drawShortReferences(sheet, plan);
        drawBands(sheet, plan);
    }
    for (std::size_t i = 0; i < plan.panel->marks.size(); ++i)
        drawMarkAt(sheet, plan, i);
    sheet.at(plan.index);
    if (plan.kind != PanelKind::drawing) {
        drawFrame(sheet, plan);
        drawBreak(sheet, plan);
        if (plan.kind != PanelKind::rows)
            drawReferences(sheet, plan);
        writeValues(sheet, plan);
        if (plan.kind != PanelKind::rows)
            writeReferences(sheet, plan);
        drawAnnotations(sheet, plan);
        reportLeftOut(sheet, plan);
    }
    drawTitles(sheet, plan);
}

void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t, const data::DrawingMark& mark) {
    if (mark.width <= 0 || mark.height <= 0)
        return;
    const QRectF& box = plan.plot;
    const double scale = std::min(box.width() / mark.width, box.height() / mark.height);
    const QSizeF size(mark.width * scale, mark.height * scale);
    const QPointF corner(box.center().x() - size.width() / 2, box.top() + (box.height() - size.height()) / 2);
    sheet.clipTo(QRectF(corner, size));
    for (const data::DrawingMark::Item& item : mark.items)
        std::visit([&](const auto& one) { drawItem(sheet, one, {corner, scale}); }, item);
}

}  // namespace ui
