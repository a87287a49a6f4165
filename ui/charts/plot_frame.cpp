#include "ui/charts/plot_frame.h"

#include "ui/look/palette.h"

#include <QChart>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace ui {
namespace {

constexpr double kLeastPlot = 8;     // pixels; a smaller plot is not drawn
constexpr double kAxisLength = 200;  // points; only texts over values depend on it
constexpr int kTightIntervals = 6;

double snapped(double value, const ChartStyle& style) { return std::round(value * style.ratio) / style.ratio; }

QPen hairline(const QColor& color, const ChartStyle& style) {
    return {color, std::max(1.0, std::floor(style.ratio)) / style.ratio};
}

}  // namespace

std::size_t columnsFor(std::size_t count, QSizeF area, double shape) {
    std::size_t best = 1;
    double bestFit = -1;
    for (std::size_t columns = 1; columns <= std::max<std::size_t>(1, count); ++columns) {
        const std::size_t rows = std::max<std::size_t>(1, (count + columns - 1) / columns);
        const double width = area.width() / static_cast<double>(columns);
        const double height = area.height() / static_cast<double>(rows);
        // The area of the largest plot of the wanted shape within this panel.
        const double fit = std::min(width, height * shape) * std::min(height, width / shape);
        if (fit > bestFit * (1 + 1e-9)) {
            bestFit = fit;
            best = columns;
        }
    }
    return best;
}

std::vector<Panel> placePanels(std::size_t count, const QRectF& area, double shape, const PanelGaps& gaps) {
    const QRectF inside = area.adjusted(gaps.left, 0, 0, -gaps.bottom);
    const std::size_t columns = columnsFor(count, inside.size(), shape);
    const std::size_t rows = std::max<std::size_t>(1, (count + columns - 1) / columns);
    const auto across = static_cast<double>(columns);
    const double width = (inside.width() - gaps.between * (across - 1)) / across;
    const double height = inside.height() / static_cast<double>(rows);
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t column = i % columns;
        const std::size_t row = i / columns;
        QRectF plot(inside.left() + static_cast<double>(column) * (width + gaps.between),
                    inside.top() + static_cast<double>(row) * height + gaps.top, width,
                    height - gaps.top - gaps.underEach);
        if (plot.width() < kLeastPlot || plot.height() < kLeastPlot)
            plot = {};
        panels.push_back({plot, column == 0, i + columns >= count});
    }
    return panels;
}

void paintTicksAcross(QPainter& painter, const QRectF& plot, const std::vector<AxisTick>& ticks, double labelsTop,
                      bool labels, bool lines, const ChartStyle& style) {
    painter.setFont(style.font);
    for (const AxisTick& tick : ticks) {
        const double x = snapped(plot.left() + tick.share * plot.width(), style);
        if (lines) {
            painter.setPen(hairline(style.colors->grid, style));
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
        if (labels) {
            painter.setPen(style.colors->inkSoft);
            const double width = style.text(tick.label) + 2;
            painter.drawText(QRectF(x - width / 2, labelsTop, width, style.line), Qt::AlignCenter, tick.label);
        }
    }
}

void paintTicksUp(QPainter& painter, const QRectF& plot, const std::vector<AxisTick>& ticks, bool labels, bool lines,
                  const ChartStyle& style) {
    painter.setFont(style.font);
    for (const AxisTick& tick : ticks) {
        const double y = snapped(plot.bottom() - tick.share * plot.height(), style);
        if (lines) {
            painter.setPen(hairline(style.colors->grid, style));
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
        if (labels) {
            painter.setPen(style.colors->inkSoft);
            const double width = style.text(tick.label) + 2;
            painter.drawText(QRectF(plot.left() - style.line * 0.4 - width, y - style.line / 2, width, style.line),
                             Qt::AlignRight | Qt::AlignVCenter, tick.label);
        }
    }
}

double widestLabel(const std::vector<AxisTick>& ticks, const ChartStyle& style) {
    double widest = 0;
    for (const AxisTick& tick : ticks)
        widest = std::max(widest, style.text(tick.label));
    return widest;
}

std::vector<AxisTick> ticksOf(const AxisPlan& plan, double length,
                              const std::function<double(const QString&)>& measure) {
    std::vector<AxisTick> all;
    for (std::size_t i = 0; i < plan.labels.size(); ++i)
        all.push_back({shareOf(plan.place, plan.place.ticks[i]).value_or(0), plan.labels[i]});
    const auto apart = [&](const AxisTick& before, const AxisTick& tick) {
        return (measure(before.label) + measure(tick.label)) / 2 <= (tick.share - before.share) * length + 1e-9;
    };
    // Of ticks at equal distances every n-th has a label, so that a reader can count those between.
    const bool even = all.size() > 2 && std::ranges::adjacent_find(all, [&](const AxisTick& a, const AxisTick& b) {
                                            return std::abs(b.share - a.share - all[1].share + all[0].share) > 1e-9;
                                        }) == all.end();
    for (std::size_t every = 1;; ++every) {
        std::vector<AxisTick> ticks;
        bool fit = true;
        for (std::size_t i = 0; i < all.size(); i += even ? every : 1) {
            const bool fits = ticks.empty() || apart(ticks.back(), all[i]);
            fit = fit && fits;
            if (fits)
                ticks.push_back(all[i]);
        }
        if (fit || !even)
            return ticks;
    }
}

AxisPlan evenAxis(std::vector<QString> words, const data::FigureAxis& axis) {
    AxisPlan plan;
    plan.place.to = static_cast<double>(std::max<std::size_t>(1, words.size()));
    for (std::size_t i = 0; i < words.size(); ++i)
        plan.place.ticks.push_back(static_cast<double>(i) + 0.5);
    plan.labels = std::move(words);
    plan.title = titleOf(axis);
    return plan;
}

AxisPlan tightAxis(const data::FigureAxis& axis, const std::vector<double>& values) {
    DataReach reach;
    reach.tight = true;
    for (const double value : values)
        reach.include(value);
    return planAxis(axis, reach, kAxisLength, kTightIntervals);
}

void paintText(QPainter& painter, const QRectF& room, int alignment, const QString& text, const QColor& ink,
               const ChartStyle& style, bool strong) {
    QFont font = style.font;
    if (strong)
        font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(room, alignment,
                     QFontMetricsF(font).elidedText(text, Qt::ElideRight, std::max(0.0, room.width())));
}

QString shortened(const QString& title, double room, const ChartStyle& style) {
    QFont font = style.font;
    font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(title) <= room)
        return title;
    const QString own = title.section(QStringLiteral(": "), -1);
    const qsizetype end = std::max(own.lastIndexOf(QStringLiteral(" (")), own.lastIndexOf(QStringLiteral(" = ")));
    const QString tail = end < 0 ? QString() : own.mid(end);
    return metrics.elidedText(own.chopped(tail.size()), Qt::ElideRight,
                              std::max(0.0, room - metrics.horizontalAdvance(tail))) +
           tail;
}

std::unique_ptr<QChart> bareChart(const QRectF& plot) {
    auto chart = std::make_unique<QChart>();
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setPos(plot.topLeft());
    chart->resize(plot.size());
    chart->setPlotArea(QRectF(QPointF(), plot.size()));
    return chart;
}

void addLine(QChart& chart, const QPolygonF& points, const QPen& pen) {
    auto* series = new QLineSeries;
    series->setPen(pen);
    series->replace(points);
    chart.addSeries(series);
}

void attachAxes(QChart& chart) {
    for (const Qt::Alignment side : {Qt::AlignBottom, Qt::AlignLeft}) {
        auto* axis = new QValueAxis;
        axis->setRange(0, 1);
        axis->setVisible(false);
        chart.addAxis(axis, side);
        for (QAbstractSeries* series : chart.series())
            series->attachAxis(axis);
    }
}

}  // namespace ui
