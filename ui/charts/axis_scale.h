#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// A mark on an axis: where between its start (0) and its end (1), and what is written there.
struct AxisTick {
    double share = 0;
    QString label;
};

/// Numbers on an axis. Linear ones end at ticks; logarithmic ones at the values themselves with a little room.
struct AxisScale {
    double from = 0;
    double to = 1;
    bool logarithmic = false;

    /// Nothing for what a logarithmic axis cannot hold.
    std::optional<double> shareOf(double value) const;
    double valueAt(double share) const;
};

/// What the numbers of an axis are. Bytes that a run measures are in decimal units (MB); those that a person enters,
/// capacities and sizes in powers of two, in binary ones (MiB).
struct AxisMeasure {
    engine::ParameterUnit unit{};
    bool measured = false;

    AxisMeasure() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a parameter's unit is enough
    AxisMeasure(engine::ParameterUnit entered) : unit(entered) {}
    static AxisMeasure ofMetric(engine::ParameterUnit unit);
};

/// Returns one unit for all numbers of an axis, where no tick says its own: the largest that is not larger than
/// `magnitude`. Its name may be empty.
const ScaledUnit& axisUnitFor(AxisMeasure measure, double magnitude);

/// `values` may be equal or none. Automatic: logarithmic where they are all positive and span a factor of fifty.
AxisScale scaleFor(const std::vector<double>& values, bool logarithmic, int mostTicks, AxisMeasure measure);
bool wantsLogarithmic(const std::vector<double>& values);

/// At 1, 2 or 5 times a power of ten; as many of them as `most` allows, in one unit with as many decimals as it takes.
/// A logarithmic axis has 1, 2 and 5 in each decade, or whole decades where these are too many.
std::vector<AxisTick> ticksOf(const AxisScale& scale, int most, AxisMeasure measure);

/// Where the values of a sweep's axis stand: by their size where they are numbers, else side by side.
struct AxisPlaces {
    std::vector<double> shares;      ///< of each value
    std::vector<QString> labels;     ///< of each value
    std::optional<AxisScale> scale;  ///< of numbers
    AxisMeasure measure;
};
AxisPlaces placesOf(const data::SweepAxis& axis);
/// Side by side, as categories and the cells of a heat map stand: each in the middle of its own stretch.
AxisPlaces evenPlacesOf(std::vector<QString> labels);

/// What to write at these places: of few numbers those that fit into `length`, round numbers for many, and every n-th
/// word. `measure` is the length of a label with its distance to the next.
std::vector<AxisTick> ticksOf(const AxisPlaces& places, double length,
                              const std::function<double(const QString&)>& measure);

}  // namespace ui
