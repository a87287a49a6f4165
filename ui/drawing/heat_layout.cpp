#include "ui/drawing/mark_layout.h"

#include "ui/drawing/figure_text.h"
#include "ui/drawing/heat_scale.h"
#include "ui/look/colour_map.h"
#include "ui/look/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr int kScaleSteps = 96;

// BrBG (Brewer): brown for losses, green-blue for gains.
constexpr std::array<QRgb, 9> kParting{0xff8c510a, 0xffbf812d, 0xffdfc27d, 0xfff6e8c3, 0xfff5f5f5,
                                       0xffc7eae5, 0xff80cdc1, 0xff35978f, 0xff01665e};
constexpr double kNoOverlap = 0.05;  // share of a colour bar between two labels

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
    const HeatScale scale(mark, sheet.measure().ground);
    QImage image(static_cast<int>(columns), static_cast<int>(mark.rows.size()), QImage::Format_ARGB32);
    image.fill(sheet.measure().colours().background);
    for (std::size_t i = 0; i < columns * mark.rows.size(); ++i) {
        if (mark.values[i])
            image.setPixelColor(static_cast<int>(i % columns), static_cast<int>(i / columns),
                                *scale.colour(*mark.values[i]));
    }
    const QRectF first = cellOf(plan, 0, 0), last = cellOf(plan, mark.rows.size() - 1, columns - 1);
    sheet.image(FigurePart::mark, first.united(last), image);
}

FigureFill missing(const FigureMeasure& measure) {
    return {measure.colours().background, Texture::crossed, measure.colours().grid, measure.of(3), measure.of(0.4)};
}

void writeValue(FigureSheet& sheet, const QRectF& cell, const QString& value, const QColor& background) {
    const TextSize size = sheet.measure().smallSize();
    const QPointF at(cell.center().x(), cell.center().y() + capHeightOf(size) / 2);
    TextItem text = sheet.text(at, value, size, TextAlign::centre);
    text.colour = Palette::inkOn(background);
    if (cell.width() >= text.width + 2 && cell.height() >= lineHeightOf(size))
        sheet.put(FigurePart::value, text);
}

}  // namespace

HeatScale::HeatScale(const data::HeatMark& mark, Ground ground, data::FigureScale scale) : m_ground(ground) {
    DataReach reach;
    reach.tight = true;
    for (const std::optional<double>& value : mark.values) {
        if (value)
            reach.include(*value);
    }
    data::FigureAxis axis;
    axis.scale = scale;
    axis.from = mark.from;
    axis.to = mark.to;
    m_range = planAxis(axis, reach, 1, 1).place;
    const bool within = mark.middle && m_range.from < *mark.middle && *mark.middle < m_range.to;
    if (within && !ground.isGrey() && !m_range.logarithmic)
        m_middle = mark.middle;
}

std::optional<double> HeatScale::shareOf(double value) const {
    if (!m_middle)
        return ui::shareOf(m_range, value);
    return value < *m_middle ? (value - m_range.from) / (*m_middle - m_range.from) / 2
                             : 0.5 + (value - *m_middle) / (m_range.to - *m_middle) / 2;
}

std::optional<QColor> HeatScale::colour(double value) const {
    const std::optional<double> share = shareOf(value);
    return share ? std::optional(colourAt(*share)) : std::nullopt;
}

QColor HeatScale::colourAt(double share) const {
    return m_middle ? alongColours(kParting, share) : heatColour(share, m_ground);
}

AxisPlan HeatScale::axis(const data::FigureAxis& titles, double length, int mostIntervals) const {
    const auto between = [&](double from, double to, int intervals) {
        data::FigureAxis axis = titles;
        axis.scale = m_range.logarithmic ? data::FigureScale::logarithmic : data::FigureScale::linear;
        axis.from = from;
        axis.to = to;
        return planAxis(axis, {}, length, intervals);
    };
    if (!m_middle)
        return between(m_range.from, m_range.to, mostIntervals);
    // Each half of the bar has a scale of its own.
    const int half = std::max(2, mostIntervals / 2);
    AxisPlan plan = between(m_range.from, *m_middle, half);
    while (!plan.labels.empty() && *shareOf(plan.place.ticks.back()) > 0.5 - kNoOverlap) {
        plan.place.ticks.pop_back();
        plan.labels.pop_back();
    }
    const AxisPlan upper = between(*m_middle, m_range.to, half);
    plan.place.ticks.insert(plan.place.ticks.end(), upper.place.ticks.begin(), upper.place.ticks.end());
    plan.labels.insert(plan.labels.end(), upper.labels.begin(), upper.labels.end());
    plan.place.to = m_range.to;
    return plan;
}

std::optional<ColourScalePlan> planColourScale(const data::FigurePanel& panel, double height,
                                               const FigureMeasure& measure) {
    const data::HeatMark* heat = heatOf(panel);
    if (!heat)
        return std::nullopt;
    data::FigureAxis axis;
    axis.title = heat->valueTitle;
    axis.unit = heat->valueUnit;
    ColourScalePlan plan;
    plan.axis = HeatScale(*heat, measure.ground)
                    .axis(axis, height, std::clamp(static_cast<int>(height / measure.of(12)), 1, 6));
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
    const HeatScale scale(mark, sheet.measure().ground);
    for (std::size_t i = 0; i < columns * mark.rows.size(); ++i) {
        const QRectF cell = cellOf(plan, i / columns, i % columns);
        const FigureFill fill =
            mark.values[i] ? FigureFill{.colour = *scale.colour(*mark.values[i])} : missing(sheet.measure());
        sheet.show(ItemValue{i, 0});
        sheet.rect(FigurePart::mark, cell, fill, std::nullopt);
        if (mark.values[i] && mark.valuesWritten)
            writeValue(sheet, cell, valueLabel(*mark.values[i], mark.decimals), fill.colour);
    }
}

void drawColourScale(FigureSheet& sheet, const PanelPlan& plan) {
    if (!plan.colours)
        return;
    const FigureMeasure& measure = sheet.measure();
    const FigurePen pen = measure.pen(measure.colours().axis);
    const AxisPlan& axis = plan.colours->axis;
    const HeatScale scale(*heatOf(*plan.panel), measure.ground);
    const QRectF box(plan.plot.right() + measure.of(5), plan.plot.top(), measure.of(7), plan.plot.height());
    for (int i = 0; i < kScaleSteps; ++i) {
        const double step = box.height() / kScaleSteps;
        const FigureFill fill{.colour = scale.colourAt((i + 0.5) / kScaleSteps)};
        // Each step extends under the next one, so that no gap shows between them.
        const double top = box.bottom() - (i + 1) * step;
        sheet.rect(FigurePart::legend, QRectF(box.left(), top, box.width(), i == 0 ? step : step * 1.5), fill,
                   std::nullopt);
    }
    sheet.rect(FigurePart::legend, box, std::nullopt, pen);
    double widest = 0;
    for (std::size_t i = 0; i < axis.labels.size(); ++i) {
        const double y = box.bottom() - scale.shareOf(axis.place.ticks[i]).value_or(0) * box.height();
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
