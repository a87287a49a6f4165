#include "ui/charts/bare_chart.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>

namespace ui {

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

void addLine(QChart& chart, const std::vector<QPointF>& points, const QPen& pen) {
    auto* series = new QLineSeries;
    series->setPen(pen);
    series->replace(QList<QPointF>(points.begin(), points.end()));
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
