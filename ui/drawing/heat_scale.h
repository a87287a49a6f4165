#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/figure_style.h"
#include "ui/drawing/panel_plan.h"

#include <QColor>

#include <optional>

namespace ui {

/// Maps the values of a heat map to colours whose lightness rises evenly, so that the order is visible in grey print and
/// to people with any kind of colour vision: the first value of the scale has the first colour and the last value the
/// last. With a middle, values below and above it have two hues that meet there, each over its half of the colour bar;
/// grey print has no hues, so there the middle is left out.
class HeatScale {
public:
    HeatScale(const data::HeatMark& mark, Ground ground, data::FigureScale scale = data::FigureScale::linear);

    /// Returns the position of a value on the colour bar, 0 to 1; an empty optional if a logarithmic scale cannot show
    /// it.
    std::optional<double> shareOf(double value) const;
    /// Returns the colour of a value; an empty optional if a logarithmic scale cannot show it.
    std::optional<QColor> colour(double value) const;
    QColor colourAt(double share) const;  ///< colour of the colour bar at this position, 0 to 1
    /// Returns an axis along the colour bar, with ticks and labels at shareOf().
    AxisPlan axis(const data::FigureAxis& titles, double length, int mostIntervals) const;

    double from() const { return m_range.from; }
    double to() const { return m_range.to; }

private:
    AxisPlace m_range;
    std::optional<double> m_middle;  ///< within the range
    Ground m_ground;
};

}  // namespace ui
