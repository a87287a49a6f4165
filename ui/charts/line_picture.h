#pragma once

#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_settings.h"
#include "ui/charts/sweep_points.h"

#include <QPointF>

#include <cstddef>
#include <optional>
#include <vector>

namespace ui {

struct SeriesPoint {
    double x = 0;  ///< 0 to 1 along the axis
    std::size_t row = 0;
    PointValue value;
};

/// The points of one policy, at one value of the second axis where there is one, from left to right.
struct LineSeries {
    std::size_t policy = 0;
    std::optional<std::size_t> second;
    std::vector<SeriesPoint> points;
};

struct LinePanel {
    QString title;  ///< "DMA: Tiles a block = 4"; empty when there is one panel
    std::vector<LineSeries> series;
};

/// What lines, grouped lines and small multiples draw, before it has a size.
struct LinePicture {
    AxisPlaces across;
    QString acrossTitle;
    std::vector<LinePanel> panels;
    std::vector<double> values() const;
    std::vector<std::size_t> rows() const;
};
LinePicture linePicture(const SweepPoints& points, const ChartPlan& plan, std::size_t metric);

/// The stretches of a series between its gaps, in shares of both axes. What the scale cannot hold is a gap, too.
std::vector<std::vector<QPointF>> stretchesOf(const LineSeries& series, const AxisScale& scale);

/// At most four points for each of `columns` columns: first, least, greatest and last, so that no peak gets lost.
std::vector<QPointF> decimated(const std::vector<QPointF>& points, std::size_t columns);

/// A published figure for a policy under this metric.
struct PublishedMark {
    std::size_t policy = 0;
    double value = 0;
    QString label;  ///< "T3-MCA: 1.30, geomean (published)"
};
std::vector<PublishedMark> publishedMarks(const data::SweepTable& table, const ChartPlan& plan, std::size_t metric);

}  // namespace ui
