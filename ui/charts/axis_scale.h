#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// A tick of an axis: its position, from 0 at the axis' start to 1 at its end, and its label.
struct AxisTick {
    double share = 0;
    QString label;
};

/// The scale of an axis of numbers. A linear scale ends at ticks; a logarithmic one ends at the values, with a small
/// margin.
struct AxisScale {
    double from = 0;
    double to = 1;
    bool logarithmic = false;

    /// Returns the position of a value; an empty optional if a logarithmic axis cannot show it.
    std::optional<double> shareOf(double value) const;
    double valueAt(double share) const;
};

/// The quantity of an axis. Bytes that a run measures have decimal units (MB); bytes that a user enters, which are
/// capacities and sizes in powers of two, have binary units (MiB).
struct AxisMeasure {
    engine::ParameterUnit unit{};
    bool measured = false;

    AxisMeasure() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a parameter's unit is enough
    AxisMeasure(engine::ParameterUnit entered) : unit(entered) {}
    static AxisMeasure ofMetric(engine::ParameterUnit unit);
};

/// Returns the unit for all numbers of an axis whose ticks have no units of their own: the largest that is not larger
/// than `magnitude`. Its name may be empty.
const ScaledUnit& axisUnitFor(AxisMeasure measure, double magnitude);

/// Returns a scale for the values, which may be equal or empty. By default it is logarithmic if all values are positive
/// and span a factor of fifty.
AxisScale scaleFor(const std::vector<double>& values, bool logarithmic, int mostTicks, AxisMeasure measure);
bool wantsLogarithmic(const std::vector<double>& values);

/// Returns ticks at 1, 2 or 5 times a power of ten, as many as `most` allows, in one unit and with as many decimals as
/// needed. A logarithmic axis has ticks at 1, 2 and 5 in each decade, or at whole decades if these are too many.
std::vector<AxisTick> ticksOf(const AxisScale& scale, int most, AxisMeasure measure);

/// The positions of the values of a sweep's axis: in proportion to the values if they are numbers, else evenly spaced.
struct AxisPlaces {
    std::vector<double> shares;      ///< position of each value
    std::vector<QString> labels;     ///< label of each value
    std::optional<AxisScale> scale;  ///< for numbers
    AxisMeasure measure;
};
AxisPlaces placesOf(const data::SweepAxis& axis);
/// Returns evenly spaced places for categories or the cells of a heat map: each value is in the middle of its own
/// section.
AxisPlaces evenPlacesOf(std::vector<QString> labels);

/// Returns ticks for these places that fit into `length`: the values themselves for a few numbers, round numbers for
/// many, and every n-th of the words. `measure` returns the length of a label including the gap to the next.
std::vector<AxisTick> ticksOf(const AxisPlaces& places, double length,
                              const std::function<double(const QString&)>& measure);

}  // namespace ui
