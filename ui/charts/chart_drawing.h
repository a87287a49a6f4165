#pragma once

#include "ui/charts/chart_settings.h"
#include "ui/charts/marks.h"
#include "ui/charts/sweep_points.h"
#include "ui/shared/figure_offer.h"

#include <QPointF>
#include <QRectF>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// What a chart is made from: points and what the reader chose.
struct ChartInput {
    std::shared_ptr<const SweepPoints> points;
    ChartPlan plan;
    std::size_t metric = 0;
    ValueScale scale = ValueScale::automatic;
    bool published = false;
};

/// Where a point of the sweep can be pointed at. One point can have several such places, or none.
struct Target {
    std::size_t row = 0;  ///< position in SweepTable::rows
    QPointF at;
    QRectF cell;  ///< empty unless the point fills an area
};

/// One chart of one sweep at one size. Made anew when any of these changes: what moves with the mouse is painted over it.
class ChartDrawing {
public:
    ChartDrawing(const ChartInput& input, const ChartStyle& style) : m_input(input), m_style(style) {}
    ChartDrawing(const ChartDrawing&) = delete;
    ChartDrawing& operator=(const ChartDrawing&) = delete;
    virtual ~ChartDrawing() = default;

    /// Once or several times before painting; an area too small to draw in leaves everything empty.
    virtual void layOut(const QRectF& area) = 0;
    virtual void paint(QPainter& painter) = 0;
    /// One target again: after the others were dimmed, or `strong` because the mouse is there.
    virtual void paintTarget(QPainter& painter, std::size_t target, bool strong) const = 0;

    /// What is read rather than compared, and so is not dimmed with the rest.
    virtual void paintAbove(QPainter&) const {}

    const std::vector<Target>& targets() const { return m_targets; }
    const std::vector<QRectF>& plots() const { return m_plots; }  ///< what is dimmed where something is brushed
    const std::vector<ChartLegendEntry>& legend() const { return m_legend; }
    /// What a reader would miss otherwise: counted, in sentences. Complete after layOut.
    const QStringList& notes() const { return m_notes; }

protected:
    const SweepPoints& points() const { return *m_input.points; }
    const data::Sweep& sweep() const { return points().sweep(); }
    const ChartPlan& plan() const { return m_input.plan; }
    std::size_t metric() const { return m_input.metric; }
    /// Whether these values of a metric go on a logarithmic axis.
    bool logarithmic(const std::vector<double>& values, std::size_t which) const;
    bool logarithmic(const std::vector<double>& values) const { return logarithmic(values, metric()); }
    /// Counts the points that have no place in a chart of values, in words.
    void notePointsWithoutValue(const std::vector<std::size_t>& rows, std::size_t which);
    /// Entries for what failed, is missing or has no value, where the chart has such points.
    void addOutcomesToLegend(const std::vector<std::size_t>& rows, bool cells);
    void noteOffScale(std::size_t count);
    /// Counts those of `values` that their axis, if it is logarithmic, cannot show.
    void noteOffScale(const std::vector<double>& values);

    ChartInput m_input;
    ChartStyle m_style;
    std::vector<Target> m_targets;
    std::vector<QRectF> m_plots;
    std::vector<ChartLegendEntry> m_legend;
    QStringList m_notes;
};

std::unique_ptr<ChartDrawing> makeDrawing(const ChartInput& input, const ChartStyle& style);

/// Returns the picture of one kind of chart.
std::unique_ptr<ChartDrawing> lineDrawing(const ChartInput& input, const ChartStyle& style);
std::unique_ptr<ChartDrawing> heatDrawing(const ChartInput& input, const ChartStyle& style);
std::unique_ptr<ChartDrawing> parallelDrawing(const ChartInput& input, const ChartStyle& style);
std::unique_ptr<ChartDrawing> paretoDrawing(const ChartInput& input, const ChartStyle& style);
std::unique_ptr<ChartDrawing> tornadoDrawing(const ChartInput& input, const ChartStyle& style);

/// A chart of a sweep as a figure, from its numbers: lines and small multiples, heat maps, two metrics against each other
/// with their front, and what each axis does around the base point. Points without a result are gaps, and the caption
/// counts them. Parallel coordinates, which figures have no mark for, are drawn as they are. Nothing without points.
std::optional<FigureOffer> chartFigure(const ChartInput& input);

}  // namespace ui
