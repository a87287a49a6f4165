#pragma once

#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_drawing.h"
#include "ui/charts/pareto.h"
#include "ui/charts/plot_frame.h"

#include <memory>
#include <vector>

class QGraphicsScene;

namespace ui {

/// Two metrics against each other, every point of the sweep, and the front of those that no other point beats.
class ParetoDrawing final : public ChartDrawing {
public:
    ParetoDrawing(const ChartInput& input, const ChartStyle& style);
    ~ParetoDrawing() override;

    void layOut(const QRectF& area) override;
    void paint(QPainter& painter) override;
    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override;

private:
    void sortPoints();
    void placeTargets();
    void buildFront();
    void paintMany(QPainter& painter) const;
    QString preference() const;

    std::size_t m_across = 0;  // metric
    std::vector<ParetoPoint> m_all;
    std::vector<std::size_t> m_front;
    std::vector<bool> m_onFront;  // by target
    AxisScale m_scaleAcross, m_scaleUp;
    std::vector<AxisTick> m_ticksAcross, m_ticksUp;
    QRectF m_area, m_plot;
    std::unique_ptr<QGraphicsScene> m_scene;
};

}  // namespace ui
