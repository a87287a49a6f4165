#pragma once

#include "ui/charts/axis_scale.h"

#include <QColor>

#include <optional>
#include <vector>

namespace ui {

/// From numbers to colours whose lightness rises evenly, so that order survives grey print and every kind of colour
/// vision. Speed-ups have two hues that part at 1: slower and faster must not look alike.
class ColourScale {
public:
    enum class Kind { sequential, diverging };

    /// `values` may be equal or none. A logarithmic scale leaves out what is not positive.
    ColourScale(const std::vector<double>& values, Kind kind, bool logarithmic, int mostTicks, AxisMeasure measure);

    /// Nothing for what a logarithmic scale cannot hold.
    std::optional<QColor> colour(double value) const;
    QColor colourAt(double share) const;  ///< of the colour bar, 0 to 1
    const AxisScale& axis() const { return m_axis; }
    Kind kind() const { return m_kind; }

private:
    AxisScale m_axis;
    Kind m_kind;
};

}  // namespace ui
