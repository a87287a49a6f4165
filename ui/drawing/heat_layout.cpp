#include "ui/drawing/mark_layout.h"

#include "ui/drawing/figure_text.h"
#include "ui/look/palette.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kScaleSteps = 96;

struct Extent {
    double least = 0, most = 1;
    double share(double value) const { return most > least ? (value - least) / (most - least) : 0.5; }
};

Extent extentOf(const data::HeatMark& mark) {
    DataReach reach;
    for (const std::optional<double>& value : mark.values) {
        if (value)
            reach.include(*value);
    }
    return reach.empty() ? Extent{} : Extent{reach.least, reach.most};
}

const data::HeatMark* heatOf(const data::FigurePanel& panel) {
    for (const data::FigureMark& mark : panel.marks) {
        if (const auto* heat = std::get_if<data::HeatMark>(&mark))
            return heat;
    }
    return nullptr;
}

QRectF cellOf(const PanelPlan& plan, std::size_t row, std::size_t column) {
    const double x = plan.xCentre(column), y = static_cast<double>(row);
    const double left = *plan.xAt(x - 0.5), right = *plan.xAt(x + 0.5);
    const double top = *plan.yAt(y - 0.5), bottom = *plan.yAt(y + 0.5);
    return {left, top, right - left, bottom - top};
}

void drawImage(FigureSheet& sheet, const PanelPlan& plan, const data::HeatMark& mark, std::size_t columns) {
    const Extent extent = extentOf(mark);
    const Ground ground = sheet.measure().ground;
    QImage image(static_cast<int>(columns), static_cast<int>(mark.rows.size()), QImage::Format_ARGB32);
    image.fill(sheet.measure().colours().background);
    for (std::size_t i = 0; i < columns * mark.rows.size(); ++i) {
        if (mark.values[i])
            image.setPixelColor(static_cast<int>(i % columns), static_cast<int>(i / columns),
                                heatColour(extent.share(*mark.values[i]), ground));
    }
    const QRectF first = cellOf(plan, 0, 0), last = cellOf(plan, mark.rows.size() - 1, columns - 1);
    sheet.image(FigurePart::mark, first.united(last), image);
}

FigureFill missing(const FigureMeasure& measure) {
    return {measure.colours().background, Texture::crossed, measure.colours().grid, measure.of(3), measure.of(0.4)};
}

void writeValue(FigureSheet& sheet, const QRectF& cell, double value, const QColor& background) {
    const double size = sheet.measure().smallSize();
    const QPointF at(cell.center().x(), cell.center().y() + capHeightOf(size) / 2);
    TextItem text = sheet.text(at, valueLabel(value), size, TextAlign::centre);
    text.colour = Palette::inkOn(background);
    if (cell.width() >= text.width + 2 && cell.height() >= lineHeightOf(size))
        sheet.put(FigurePart::value, text);
}

}  // namespace

std::optional<ColourScalePlan> planColourScale(const data::FigurePanel& panel, double height,
                                               const FigureMeasure& measure) {
    const data::HeatMark* heat = heatOf(panel);
    if (!heat)
        return std::nullopt;
    const Extent extent = extentOf(*heat);
    data::FigureAxis axis;
    axis.title = heat->valueTitle;
    axis.unit = heat->valueUnit;
    DataReach reach;
    reach.tight = true;
    reach.include(extent.least);
    reach.include(extent.most);
    ColourScalePlan plan;
    plan.axis = planAxis(axis, reach, height, std::clamp(static_cast<int>(height / measure.of(12)), 1, 6));
    const double labels = widestOf(QStringList(plan.axis.labels.begin(), plan.axis.labels.end()), measure.textSize);
    const double title = plan.axis.title.isEmpty() ? 0 : lineHeightOf(measure.textSize) + measure.of(1);
    plan.width = measure.of(5 + 7 + 4) + labels + title;
    return plan;
}

void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t, const data::HeatMark& mark) {
    const std::size_t columns = mark.rows.empty() ? 0 : mark.values.size() / mark.rows.size();
    if (columns == 0)
        return;
    if (mark.asImage)
        return drawImage(sheet, plan, mark, columns);
    const Extent extent = extentOf(mark);
    for (std::size_t i = 0; i < columns * mark.rows.size(); ++i) {
        const QRectF cell = cellOf(plan, i / columns, i % columns);
        const FigureFill fill =
            mark.values[i] ? FigureFill{.colour = heatColour(extent.share(*mark.values[i]), sheet.measure().ground)}
                           : missing(sheet.measure());
        sheet.show(ItemValue{i, 0});
        sheet.rect(FigurePart::mark, cell, fill, std::nullopt);
        if (mark.values[i] && mark.valuesWritten)
            writeValue(sheet, cell, *mark.values[i], fill.colour);
    }
}

void drawColourScale(FigureSheet& sheet, const PanelPlan& plan) {
    if (!plan.colours)
        return;
    const FigureMeasure& measure = sheet.measure();
    const FigurePen pen = measure.pen(measure.colours().axis);
    const AxisPlan& axis = plan.colours->axis;
    const QRectF box(plan.plot.right() + measure.of(5), plan.plot.top(), measure.of(7), plan.plot.height());
    for (int i = 0; i < kScaleSteps; ++i) {
        const double step = box.height() / kScaleSteps;
        const FigureFill fill{.colour = heatColour((i + 0.5) / kScaleSteps, measure.ground)};
        // Each step extends under the next one, so that no gap shows between them.
        const double top = box.bottom() - (i + 1) * step;
        sheet.rect(FigurePart::legend, QRectF(box.left(), top, box.width(), i == 0 ? step : step * 1.5), fill,
                   std::nullopt);
    }
    sheet.rect(FigurePart::legend, box, std::nullopt, pen);
    double widest = 0;
    for (std::size_t i = 0; i < axis.labels.size(); ++i) {
        const double y = box.bottom() - shareOf(axis.place, axis.place.ticks[i]).value_or(0) * box.height();
        sheet.line(FigurePart::legend, {box.right(), y}, {box.right() + measure.of(1.8), y}, pen);
        const QPointF at(box.right() + measure.of(3), y + capHeightOf(measure.textSize) / 2);
        sheet.put(FigurePart::legend, sheet.text(at, axis.labels[i], measure.textSize, TextAlign::left));
        widest = std::max(widest, textWidth(axis.labels[i], measure.textSize));
    }
    const double x = box.right() + measure.of(4) + widest + ascentOf(measure.textSize);
    sheet.put(FigurePart::title,
              sheet.text({x, box.center().y()}, axis.title, measure.textSize, TextAlign::centre, -90));
}

}  // namespace ui
