#pragma once

#include "ui/charts/chart_drawing.h"
#include "ui/charts/line_picture.h"
#include "ui/charts/plot_frame.h"

#include <QPen>

#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

class QChart;
class QGraphicsScene;

namespace ui {

/// Lines, grouped lines and small multiples. One panel is one QChart, which draws the lines; axes, marks and what has no
/// value are drawn here, because Qt Charts joins lines across gaps and knows no ticks at 1, 2 and 5.
class LineDrawing final : public ChartDrawing {
public:
    LineDrawing(const ChartInput& input, const ChartStyle& style);
    ~LineDrawing() override;

    void layOut(const QRectF& area) override;
    void paint(QPainter& painter) override;
    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override;

private:
    struct Mark {
        Outcome outcome{};
        std::size_t series = 0;  ///< which style
        bool drawn = true;       ///< false: too close to its neighbours; it can still be pointed at
    };

    struct Piece {
        std::vector<QPointF> points;
        QPen pen;
    };

    std::vector<double> scaledValues() const;
    void noteSeriesWithoutValues();
    void buildStyles();
    std::vector<std::size_t> drawnPolicies() const;
    void buildLegend();
    SeriesStyle styleOf(const LineSeries& series) const;
    void placeTargets(const LinePanel& content, const Panel& panel);
    void placeSeries(const LineSeries& series, std::size_t style, double offset, const Panel& panel);
    void buildCharts();
    void fillChart(QChart& chart, const LinePanel& content, const QRectF& plot);
    void paintAxes(QPainter& painter) const;
    void paintPublished(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;

    LinePicture m_picture;
    std::vector<PublishedMark> m_published;
    std::vector<QColor> m_secondColors;
    AxisScale m_scale;
    std::vector<AxisTick> m_ticksUp, m_ticksAcross;
    std::vector<Panel> m_panels;
    std::vector<SeriesStyle> m_styles;                            // of every series, panel after panel
    std::vector<Mark> m_marks;                                    // of every target
    std::set<std::tuple<double, double, int, Outcome>> m_inRail;  // panel, place and mark that are taken
    QRectF m_area;
    double m_rail = 0;  // height of the strip for points without a value
    std::unique_ptr<QGraphicsScene> m_scene;
    std::vector<Piece> m_direct;  // what is drawn without a chart
};

}  // namespace ui
