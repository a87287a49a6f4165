#pragma once

#include "ui/charts/chart_figure.h"
#include "ui/charts/marks.h"

#include <QPointF>
#include <QRectF>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <vector>

class QPainter;

namespace ui {

/// A place where the mouse can hover a point of the sweep. A point can have several targets, or none.
struct Target {
    std::size_t row = 0;  ///< index into SweepTable::rows
    QPointF at;
    QRectF cell;  ///< empty unless the point fills an area
};

/// A chart of one sweep at one size. A new one is made when the input or the size changes; highlights are painted over
/// it.
class ChartDrawing {
public:
    ChartDrawing(const ChartInput& input, const ChartStyle& style) : m_input(input), m_style(style) {}
    ChartDrawing(const ChartDrawing&) = delete;
    ChartDrawing& operator=(const ChartDrawing&) = delete;
    virtual ~ChartDrawing() = default;

    /// Computes the layout; to be called at least once before painting. In an area that is too small, nothing is drawn.
    virtual void layOut(const QRectF& area) = 0;
    virtual void paint(QPainter& painter) = 0;
    /// Paints one target again, after the others were dimmed; `strong`: the mouse is over it.
    virtual void paintTarget(QPainter& painter, std::size_t target, bool strong) const = 0;

    /// Paints parts that stay readable above dimmed plots, such as axes.
    virtual void paintAbove(QPainter&) const {}

    const std::vector<Target>& targets() const { return m_targets; }
    const std::vector<QRectF>& plots() const {
        return m_plots;
    }  ///< the parts that are dimmed while points are brushed
    const std::vector<ChartLegendEntry>& legend() const { return m_legend; }
    /// Returns sentences that count what the chart does not show. Complete after layOut().
    const QStringList& notes() const { return m_notes; }

protected:
    const SweepPoints& points() const { return *m_input.points; }
    const data::Sweep& sweep() const { return points().sweep(); }
    const ChartPlan& plan() const { return m_input.plan; }
    std::size_t metric() const { return m_input.metric; }
    /// Adds legend entries for failed points, missing points and points without a value, if the chart has such points.
    void addOutcomesToLegend(const std::vector<std::size_t>& rows, bool cells);
    /// Adds a note if a logarithmic axis cannot show this number of points.
    void noteOffScale(std::size_t count);

    ChartInput m_input;
    ChartStyle m_style;
    std::vector<Target> m_targets;
    std::vector<QRectF> m_plots;
    std::vector<ChartLegendEntry> m_legend;
    QStringList m_notes;
};

std::unique_ptr<ChartDrawing> makeDrawing(const ChartInput& input, const ChartStyle& style);

/// The functions below return the chart of one kind.
/// Shows lines, Pareto fronts and tornados as their figure, with its lines as series of Qt Charts.
std::unique_ptr<ChartDrawing> figureDrawing(const ChartInput& input, const ChartStyle& style);
std::unique_ptr<ChartDrawing> heatDrawing(const ChartInput& input, const ChartStyle& style);
std::unique_ptr<ChartDrawing> parallelDrawing(const ChartInput& input, const ChartStyle& style);

}  // namespace ui
