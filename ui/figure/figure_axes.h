#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_layout.h"

#include <QString>

#include <limits>
#include <optional>
#include <vector>

namespace ui {

/// How far the data reach along one axis.
struct DataReach {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double leastPositive = std::numeric_limits<double>::infinity();
    bool fromZero = false;  ///< bars and areas stand on zero
    bool padded = false;    ///< markers need room at the ends
    bool tight = false;     ///< ends where the data end
    bool unusable = false;  ///< values at or below zero, which a logarithmic axis leaves out

    /// What must stay free beyond a value, in points: a number that is written there.
    struct Headroom {
        double value = 0, points = 0;
    };
    std::vector<Headroom> headroom, footroom;  ///< above and below

    void include(double value);
    bool empty() const { return most < least; }
};

/// An axis with what is written along it.
struct AxisPlan {
    AxisPlace place;
    std::vector<QString> labels;  ///< of place.ticks
    std::vector<double> minor;    ///< ticks without a label
    QString title;                ///< with its unit
};

/// Takes the range from the author, else from the data, and ticks at 1-2-5. No more than `mostIntervals` between them.
AxisPlan planAxis(const data::FigureAxis& axis, const DataReach& reach, double length, int mostIntervals);

/// "Time (µs)", "Runtime (normalised to Sequential)".
QString titleOf(const data::FigureAxis& axis);

/// 0 at the axis's start and 1 at its end. Nothing for what a logarithmic axis cannot show.
std::optional<double> shareOf(const AxisPlace& axis, double value);

/// Numbers with as many decimals as tell neighbours `step` apart; from 10 000 on with k, M, G, T or P.
QString tickLabel(double value, double step, double largest);

/// For one value written beside its mark: three significant digits.
QString valueLabel(double value);

}  // namespace ui
