#include "ui/drawing/mark_layout.h"

#include "ui/drawing/figure_text.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using data::FigureSeries;

double heightAt(const PanelPlan& plan, double value) { return plan.yAt(value).value_or(plan.plot.bottom()); }

void drawErrorOf(FigureSheet& sheet, const PanelPlan& plan, const BarPlace& place, const FigureSeries& series,
                 double base) {
    const auto low = valueAt(series.low, place.category), high = valueAt(series.high, place.category);
    if (!low || !high)
        return;
    const double left = *plan.xAt(place.left), right = *plan.xAt(place.right);
    const double half = std::min((right - left) * 0.3, sheet.measure().of(2));
    drawErrorBar(sheet, (left + right) / 2, heightAt(plan, base + *low), heightAt(plan, base + *high), half);
}

/// Draws a stack; `first` is the index of its first series in the mark.
void drawStack(FigureSheet& sheet, const PanelPlan& plan, const BarPlace& place, const data::FigureBar& bar,
               std::size_t first) {
    constexpr double kThin = 3;  // pixels; an outline would hide so thin a bar
    const double from = stackEnds(bar, place.category).from;
    double above = from, below = from;
    for (const FigureSeries& series : bar.stack) {
        const std::size_t index = first++;
        const auto value = valueAt(series.values, place.category);
        if (!value)
            continue;
        double& base = *value >= 0 ? above : below;
        const MarkStyle style = sheet.measure().style(series.meaning);
        QRectF box = barBox(plan, place, base, base + *value);
        if (sheet.measure().screen && !bar.from.empty() && *value != 0)
            box.setSize(box.size().expandedTo(QSizeF(1, 1)));  // a step is visible, however small
        const bool thin = sheet.measure().screen && std::min(box.width(), box.height()) < kThin;
        sheet.mean(series.meaning);
        sheet.show(ItemValue{place.category, index});
        sheet.rect(FigurePart::mark, box, style.fill, thin ? std::nullopt : std::optional(style.outline));
        sheet.cover(box.intersected(plan.plot));
        if (plan.kind == PanelKind::rows && sheet.measure().screen->rows->parts)
            writePart(sheet, box, *value, style.fill.colour);
        base += *value;
    }
    sheet.show(std::nullopt);
    if (plan.kind == PanelKind::rows)
        return;
    double base = from;
    for (const FigureSeries& series : bar.stack) {
        sheet.mean(series.meaning);
        drawErrorOf(sheet, plan, place, series, base);
        base += valueAt(series.values, place.category).value_or(0);
    }
}

/// Joins the end of each floating bar with the next one if it begins or ends there, as in a waterfall.
void joinSteps(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark) {
    for (std::size_t i = 0; i + mark.bars.size() < plan.bars.size(); ++i) {
        const BarPlace &place = plan.bars[i], &next = plan.bars[i + mark.bars.size()];
        if (place.mark != index || next.mark != index || mark.bars[place.bar].from.empty())
            continue;
        const StackEnds own = stackEnds(mark.bars[place.bar], place.category);
        const StackEnds other = stackEnds(mark.bars[place.bar], next.category);
        const double end = own.from + writtenValue(own), slack = 1e-9 * std::max(std::abs(end), std::abs(own.from));
        if (!own.any || !other.any ||
            (std::abs(other.from - end) > slack && std::abs(other.from + writtenValue(other) - end) > slack))
            continue;
        sheet.line(FigurePart::grid, barBox(plan, place, end, end).center(), barBox(plan, next, end, end).center(),
                   sheet.measure().pen(sheet.measure().colours().gridLine));
    }
}

/// Returns the y of the outermost part of a bar, which may be its error bar.
double topOf(const PanelPlan& plan, const BarPlace& place, const data::FigureBar& bar, bool upwards) {
    const StackEnds ends = stackEnds(bar, place.category);
    double top = ends.from + (upwards ? ends.above : ends.below);
    double base = ends.from;
    for (const FigureSeries& series : bar.stack) {
        const auto end = valueAt(upwards ? series.high : series.low, place.category);
        if (end)
            top = upwards ? std::max(top, base + *end) : std::min(top, base + *end);
        base += valueAt(series.values, place.category).value_or(0);
    }
    return heightAt(plan, top);
}

TextItem valueText(const FigureSheet& sheet, const QString& text, bool turned, const QPointF& end, bool upwards) {
    const TextSize size = sheet.measure().smallSize();
    const double gap = sheet.measure().of(1.2);
    if (turned) {
        const QPointF at = end + QPointF(capHeightOf(size) / 2, upwards ? -gap : gap);
        return sheet.text(at, text, size, upwards ? TextAlign::left : TextAlign::right, -90);
    }
    const QPointF at = end + QPointF(0, upwards ? -gap - descentOf(size) * 0.35 : gap + capHeightOf(size));
    return sheet.text(at, text, size, TextAlign::centre);
}

/// Returns the box that must be free of bars: little higher than the digits, which are lower than their line.
QRectF inkOf(const TextItem& text) {
    const QRectF box = text.box();
    const double above = (ascentOf(text.size) - capHeightOf(text.size)) * 0.7, below = descentOf(text.size) * 0.7;
    return text.angle == 0 ? box.adjusted(0, above, 0, -below) : box.adjusted(above, 0, -below, 0);
}

/// Writes a value at the bar's end, or further out if something covers that place. Returns false if there is no room.
bool writeValue(FigureSheet& sheet, TextItem text, bool upwards, const QRectF& room) {
    const double step = sheet.measure().of(upwards ? -1.5 : 1.5);
    for (int i = 0; i < 8; ++i) {
        if (room.contains(inkOf(text)) && !sheet.covered(inkOf(text))) {
            sheet.put(FigurePart::value, text);
            return true;
        }
        text.at.ry() += step;
    }
    return false;
}

struct Box {
    double left, right, least, lower, median, upper, most;
};

void drawBox(FigureSheet& sheet, const Box& box, const MarkStyle& style) {
    const FigureMeasure& measure = sheet.measure();
    const double x = (box.left + box.right) / 2, half = (box.right - box.left) / 4;
    const FigurePen thin{measure.colours().ink, measure.of(0.5), {}};
    sheet.line(FigurePart::mark, {x, box.upper}, {x, box.most}, thin);
    sheet.line(FigurePart::mark, {x, box.lower}, {x, box.least}, thin);
    for (const double end : {box.most, box.least})
        sheet.line(FigurePart::mark, {x - half, end}, {x + half, end}, thin);
    const QRectF body(QPointF(box.left, box.upper), QPointF(box.right, box.lower));
    sheet.rect(FigurePart::mark, body, style.fill, style.outline);
    const FigurePen thick{measure.colours().ink, measure.of(1.2), {}};
    sheet.line(FigurePart::mark, {box.left, box.median}, {box.right, box.median}, thick);
    sheet.cover(QRectF(QPointF(box.left, box.most), QPointF(box.right, box.least)));
}

}  // namespace

// A bar from zero begins at the start of the axis if the axis does not include zero.
QRectF barBox(const PanelPlan& plan, const BarPlace& place, double from, double to) {
    if (plan.kind == PanelKind::rows) {
        const double start = plan.xAt(from).value_or(plan.plot.left()), end = plan.xAt(to).value_or(plan.plot.left());
        return {QPointF(std::min(start, end), *plan.yAt(place.left)),
                QPointF(std::max(start, end), *plan.yAt(place.right))};
    }
    const double start = heightAt(plan, from), end = heightAt(plan, to);
    return {QPointF(*plan.xAt(place.left), std::min(start, end)),
            QPointF(*plan.xAt(place.right), std::max(start, end))};
}

void drawErrorBar(FigureSheet& sheet, double x, double low, double high, double half) {
    const FigurePen pen{sheet.measure().colours().ink, sheet.measure().of(0.6), {}};
    sheet.line(FigurePart::mark, {x, low}, {x, high}, pen);
    sheet.line(FigurePart::mark, {x - half, low}, {x + half, low}, pen);
    sheet.line(FigurePart::mark, {x - half, high}, {x + half, high}, pen);
}

void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark) {
    joinSteps(sheet, plan, index, mark);
    std::vector<std::size_t> first{0};
    for (const data::FigureBar& bar : mark.bars)
        first.push_back(first.back() + bar.stack.size());
    for (const BarPlace& place : plan.bars) {
        if (place.mark == index)
            drawStack(sheet, plan, place, mark.bars[place.bar], first[place.bar]);
    }
}

void writeBarValues(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BarMark& mark) {
    const ValueDirection direction = directionOfValues(plan, index, plan.perUnit(), sheet.measure());
    if (!direction.written)
        return sheet.fallShort(plan.index, QStringLiteral("the bars are too narrow to show their values"));
    const double above = sheet.measure().of(4);
    const QRectF room = plan.plot.adjusted(0, -above, 0, above);
    int left = 0;
    for (const BarPlace& place : plan.bars) {
        const StackEnds ends = place.mark == index ? stackEnds(mark.bars[place.bar], place.category) : StackEnds();
        if (!ends.any)
            continue;
        const double value = writtenValue(ends);
        const double end = topOf(plan, place, mark.bars[place.bar], value >= 0);
        const double x = (*plan.xAt(place.left) + *plan.xAt(place.right)) / 2;
        if (!writeValue(sheet,
                        valueText(sheet, valueLabel(value, mark.decimals), direction.turned, {x, end}, value >= 0),
                        value >= 0, room))
            ++left;
    }
    if (left > 0)
        sheet.fallShort(plan.index, QStringLiteral("%1 values do not fit at their bars").arg(left));
}

void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t index, const data::BoxMark& mark) {
    for (const BarPlace& place : plan.bars) {
        if (place.mark != index)
            continue;
        const data::BoxMark::Group& group = mark.groups[place.bar];
        if (place.category >= group.boxes.size() || !group.boxes[place.category])
            continue;
        const data::FigureBox& box = *group.boxes[place.category];
        sheet.mean(group.meaning);
        sheet.show(ItemValue{place.category, place.bar});
        const auto y = [&](double value) { return heightAt(plan, value); };
        drawBox(sheet,
                {*plan.xAt(place.left), *plan.xAt(place.right), y(box.least), y(box.lower), y(box.median), y(box.upper),
                 y(box.most)},
                sheet.measure().style(group.meaning));
    }
}

}  // namespace ui
