#include "ui/figure/reference_layout.h"

#include "ui/figure/figure_text.h"
#include "ui/figure/legend_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using data::FigureReference;

/// Where text may stand: the plot, and a little above it, where no bar reaches.
QRectF roomOf(const FigureSheet& sheet, const PanelPlan& plan) {
    const double above = sheet.measure().of(4);
    return plan.plot.adjusted(0, -above, 0, 0);
}

/// A text on a patch of the background, for where it has to cross lines.
void putOnPatch(FigureSheet& sheet, FigurePart part, const TextItem& text) {
    FigureFill patch;
    patch.colour = sheet.measure().colours().background;
    patch.colour.setAlphaF(0.85F);
    sheet.rect(part, text.box().adjusted(-0.5, 1, 0.5, -1), patch, std::nullopt);
    sheet.put(part, text);
}

void writeAcross(FigureSheet& sheet, const PanelPlan& plan, const FigureReference& reference, double y) {
    const QString name = QString::fromStdString(reference.text);
    const double size = sheet.measure().smallSize();
    const double above = y - sheet.measure().of(1) - descentOf(size) * 0.6,
                 below = y + sheet.measure().of(1) + ascentOf(size);
    const double width = textWidth(name, size);
    const double left = plan.plot.left() + sheet.measure().of(2),
                 right = plan.plot.right() - sheet.measure().of(2) - width;
    const int steps = 24;
    for (const double baseline : {above, below}) {
        for (int step = 0; step <= steps; ++step) {
            const double x = right + (left - right) * step / steps;
            TextItem text = sheet.text({x, baseline}, name, size, TextAlign::left);
            text.colour = sheet.measure().colours().reference.colour;
            if (x >= left - 1 && sheet.free(text, roomOf(sheet, plan)))
                return sheet.put(FigurePart::reference, text);
        }
    }
    TextItem text = sheet.text({std::max(right, left), above}, name, size, TextAlign::left);
    text.colour = sheet.measure().colours().reference.colour;
    if (text.box().top() < plan.plot.top() - sheet.measure().of(4))
        text.at.setY(below);
    putOnPatch(sheet, FigurePart::reference, text);
    sheet.fallShort(plan.index, QStringLiteral("the text \"%1\" of a reference covers marks").arg(name));
}

void drawAcross(FigureSheet& sheet, const PanelPlan& plan, const FigureReference& reference, double y) {
    sheet.clipTo(plan.plot);
    sheet.line(FigurePart::reference, {plan.plot.left(), y}, {plan.plot.right(), y},
               sheet.measure().pen(sheet.measure().colours().reference));
    sheet.clipTo({});
    if (!reference.text.empty())
        writeAcross(sheet, plan, reference, y);
}

/// From where to where a short mark goes, in points.
std::pair<double, double> extentOf(const PanelPlan& plan, const FigureReference& reference) {
    double left = 1e300, right = -1e300;
    for (const BarPlace& place : plan.bars) {
        if (place.category == *reference.category && (!reference.bar || place.bar == *reference.bar)) {
            left = std::min(left, place.left);
            right = std::max(right, place.right);
        }
    }
    if (left > right) {
        left = plan.xCentre(*reference.category) - 0.4;
        right = left + 0.8;
    }
    return {plan.xAt(left).value_or(0), plan.xAt(right).value_or(0)};
}

/// Above, else beside, else turned above its mark; false where all of that is covered.
bool writeAtMark(FigureSheet& sheet, const PanelPlan& plan, const QString& name, double left, double right, double y) {
    const FigureMeasure& measure = sheet.measure();
    const double size = measure.smallSize(), middle = (left + right) / 2, cap = capHeightOf(size);
    double top = y;
    // What already stands over the bar, a value say, is stepped over once.
    for (int storey = 0; storey < 3; ++storey) {
        const double baseline = top - measure.of(1.5) - descentOf(size) * 0.5;
        const TextItem candidates[]{
            sheet.text({middle, baseline}, name, size, TextAlign::centre),
            sheet.text({right + measure.of(1.5), y + cap / 2}, name, size, TextAlign::left),
            sheet.text({left - measure.of(1.5), y + cap / 2}, name, size, TextAlign::right),
            sheet.text({middle + cap / 2, top - measure.of(1.5)}, name, size, TextAlign::left, -90)};
        for (TextItem text : candidates) {
            text.colour = measure.colours().reference.colour;
            if (sheet.free(text, roomOf(sheet, plan))) {
                sheet.put(FigurePart::reference, text);
                return true;
            }
        }
        top -= lineHeightOf(size);
    }
    return false;
}

void drawShort(FigureSheet& sheet, const PanelPlan& plan, const FigureReference& reference, double y,
               const QString& shared) {
    const FigureMeasure& measure = sheet.measure();
    const auto [left, right] = extentOf(plan, reference);
    const double over = measure.of(1);
    FigurePen pen = measure.pen(measure.colours().reference);
    pen.dash.clear();
    pen.width = measure.of(1.4);
    sheet.clipTo(plan.plot.adjusted(-over, -over, over, over));
    sheet.line(FigurePart::reference, {left - over, y}, {right + over, y}, pen);
    sheet.clipTo({});
    QString name = QString::fromStdString(reference.text);
    if (!shared.isEmpty())
        name = name.mid(shared.size() + 2);
    if (!name.isEmpty() && !writeAtMark(sheet, plan, name, left, right, y))
        sheet.fallShort(plan.index, QStringLiteral("the text \"%1\" of a reference found no room").arg(name));
    sheet.cover(QRectF(left, y - 0.7, right - left, 1.4));
}

/// Turns of a circle around the point, near ones first.
std::vector<QPointF> offsets(const FigureMeasure& measure) {
    std::vector<QPointF> result;
    for (const double distance : {0.0, 8.0, 14.0, 22.0, 32.0, 44.0}) {
        for (const QPointF way : {QPointF(0, -1), QPointF(0.7, -0.7), QPointF(-0.7, -0.7), QPointF(1, 0),
                                  QPointF(-1, 0), QPointF(0.7, 0.7), QPointF(-0.7, 0.7), QPointF(0, 1)})
            result.push_back(way * measure.of(distance));
    }
    return result;
}

void annotate(FigureSheet& sheet, const PanelPlan& plan, const QString& name, const QPointF& point) {
    const FigureMeasure& measure = sheet.measure();
    const double size = measure.smallSize();
    for (const QPointF& offset : offsets(measure)) {
        const QPointF centre = point + offset - QPointF(0, offset.isNull() ? measure.of(4) : 0);
        const double side = offset.x() > 0 ? 0.5 : offset.x() < 0 ? -0.5 : 0;
        const QPointF at = centre + QPointF(side * textWidth(name, size), capHeightOf(size) / 2);
        const TextItem text = sheet.text(at, name, size, TextAlign::centre);
        if (!sheet.free(text, roomOf(sheet, plan)))
            continue;
        if (!offset.isNull())
            sheet.line(FigurePart::annotation, point, centre, {measure.colours().inkSoft, measure.of(0.5), {}});
        return sheet.put(FigurePart::annotation, text);
    }
    TextItem text = sheet.text(point - QPointF(0, measure.of(2)), name, size, TextAlign::centre);
    const double half = text.width / 2;
    const double left = plan.plot.left() + half, right = std::max(left, plan.plot.right() - half);
    text.at.setX(std::clamp(text.at.x(), left, right));
    putOnPatch(sheet, FigurePart::annotation, text);
    sheet.fallShort(plan.index, QStringLiteral("the word \"%1\" covers marks").arg(name));
}

/// Positions between categories lie between their centres.
double categoryUnit(const PanelPlan& plan, double x) {
    if (!plan.categorical || plan.centres.empty())
        return x;
    const double last = static_cast<double>(plan.centres.size()) - 1;
    const double below = std::clamp(std::floor(x), 0.0, last), above = std::min(below + 1, last);
    const double from = plan.centres[static_cast<std::size_t>(below)],
                 to = plan.centres[static_cast<std::size_t>(above)];
    return above > below && x >= 0 ? from + (x - below) * (to - from) : from + (x - below);
}

}  // namespace

void drawReferences(FigureSheet& sheet, const PanelPlan& plan) {
    const QString shared = sharedNameOf(plan.panel->references);
    for (const FigureReference& reference : plan.panel->references) {
        const std::optional<double> y = plan.yAt(reference.value);
        if (!y || *y < plan.plot.top() - 0.01 || *y > plan.plot.bottom() + 0.01) {
            sheet.fallShort(plan.index, QStringLiteral("a reference at %1 is beyond the axis").arg(reference.value));
            continue;
        }
        if (reference.category && plan.categorical)
            drawShort(sheet, plan, reference, *y, shared);
        else
            drawAcross(sheet, plan, reference, *y);
    }
}

void drawAnnotations(FigureSheet& sheet, const PanelPlan& plan) {
    for (const data::FigureAnnotation& annotation : plan.panel->annotations) {
        const std::optional<double> x = plan.xAt(categoryUnit(plan, annotation.x)), y = plan.yAt(annotation.y);
        const QPointF point(x.value_or(-1), y.value_or(-1));
        if (!x || !y || !plan.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(point)) {
            sheet.fallShort(
                plan.index,
                QStringLiteral("the word \"%1\" stands beyond the axes").arg(QString::fromStdString(annotation.text)));
            continue;
        }
        annotate(sheet, plan, QString::fromStdString(annotation.text), point);
    }
}

}  // namespace ui
