#pragma once

#include "ui/charts/chart_drawing.h"
#include "ui/charts/parallel_picture.h"
#include "ui/charts/plot_frame.h"

#include <vector>

namespace ui {

/// Every point of the sweep as a line through all its parameters and metrics. A line that has no value at a metric goes
/// through the strip beneath it, where a mark says why.
class ParallelDrawing final : public ChartDrawing {
public:
    ParallelDrawing(const ChartInput& input, const ChartStyle& style);

    void layOut(const QRectF& area) override;
    void paint(QPainter& painter) override;
    void paintAbove(QPainter& painter) const override;
    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override;

private:
    double xOf(std::size_t axis) const;
    double yOf(const std::optional<double>& share) const;
    std::vector<QPointF> lineOf(std::size_t row) const;
    void placeTargets();
    void paintAxis(QPainter& painter, std::size_t axis) const;
    void paintLines(QPainter& painter) const;
    void paintBundles(QPainter& painter) const;
    void paintOutcomes(QPainter& painter) const;
    double columnWidth() const;

    std::vector<UprightAxis> m_axes;
    std::vector<std::vector<AxisTick>> m_ticks;
    QRectF m_plot;
    double m_rail = 0;
    bool m_bundles = false;
};

}  // namespace ui
