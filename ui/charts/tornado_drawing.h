#pragma once

#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_drawing.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/tornado.h"
#include "ui/look/texture.h"

#include <vector>

namespace ui {

/// What each axis does around the point of the sweep that is nearest to the base experiment: a bar to the metric at its
/// lowest value and one to that at its highest, the axis with the greatest effect on top. Bars start at the base point,
/// which is what they are compared with.
class TornadoDrawing final : public ChartDrawing {
public:
    TornadoDrawing(const ChartInput& input, const ChartStyle& style);

    void layOut(const QRectF& area) override;
    void paint(QPainter& painter) override;
    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override;

private:
    struct Place {
        std::size_t tornado = 0;
        Outcome outcome{};
    };

    void findBase();
    void noteBase(const std::vector<std::optional<std::size_t>>& nearest);
    std::vector<double> values() const;
    Fill fillOf(std::size_t tornado, bool high) const;
    QRectF rowBox(const QRectF& plot, std::size_t position) const;
    double xOf(const QRectF& plot, double value) const;
    void placeTargets(std::size_t tornado);
    void paintPanel(QPainter& painter, std::size_t tornado) const;
    void paintBar(QPainter& painter, std::size_t tornado, std::size_t position) const;
    void paintEnd(QPainter& painter, const QRectF& plot, const QRectF& bar, bool leftwards, const QString& text) const;

    std::vector<std::size_t> m_base;
    std::vector<Tornado> m_tornados;
    std::vector<std::size_t> m_order;  // axes, greatest effect first
    AxisScale m_scale;
    std::vector<AxisTick> m_ticks;
    std::vector<Panel> m_panels;
    std::vector<Place> m_places;  // of every target
    QRectF m_area;
    double m_labels = 0;  // width of the names at the left
};

}  // namespace ui
