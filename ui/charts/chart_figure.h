#pragma once

#include "data/figure/figure_spec.h"
#include "ui/charts/chart_settings.h"
#include "ui/charts/sweep_points.h"
#include "ui/shared/figure_offer.h"

#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// Up to this number of values on an axis of numbers, the values are its ticks in the window.
inline constexpr std::size_t kMostOwnTicks = 16;

/// The input of a chart: points and the user's choices.
struct ChartInput {
    std::shared_ptr<const SweepPoints> points;
    ChartPlan plan;
    std::size_t metric = 0;
    ValueScale scale = ValueScale::automatic;
    bool published = false;
    bool withPoints = false;  ///< draws the points behind means over seeds as well

    /// Returns whether the axis of this metric is logarithmic.
    bool logarithmic(std::size_t which) const;
};

/// A point of the sweep at its place in a panel of the figure.
struct ChartPoint {
    std::size_t row = 0;  ///< index into SweepTable::rows
    std::size_t panel = 0;
    std::size_t look = 0;  ///< index into ChartFigure::looks
    double across = 0;     ///< along x, or the category, or the cell
    double value = 0;      ///< in the unit of y; valid for Outcome::value only
    Outcome outcome = Outcome::missing;
    bool onFront = false;  ///< no other point dominates it
};

/// A sweep's chart: its figure, and the points behind the numbers.
struct ChartFigure {
    data::FigureSpec figure;
    std::vector<ChartPoint> points;
    std::vector<std::string> looks;  ///< meanings
    QStringList notes;               ///< sentences that count what the chart does not show
};

/// Returns the figure of lines, grouped lines, small multiples, heat maps, Pareto fronts and tornados.
ChartFigure chartOf(const ChartInput& input);

/// An axis of the sweep as an axis of the figure: its title, one unit for all numbers, and the values in that unit.
struct Across {
    data::FigureAxis axis;
    std::vector<std::size_t> order;   ///< indices of the values in rising order
    std::vector<double> numbers;      ///< in that order; empty if the values are words
    std::vector<std::string> labels;  ///< in that order; numbers have no unit, because the axis has it
};
Across acrossOf(const data::SweepAxis& axis);

/// Returns the axis of a metric.
data::FigureAxis axisOf(const ChartInput& input, std::size_t metric);

/// Returns the meaning of a series of grouped lines: colours in the order of the axis, and a dash for each policy.
std::string meaningOfLevel(std::size_t level, std::size_t levels, std::size_t dash);

/// Returns whether all values are positive and span a factor of fifty.
bool wantsLogarithmic(const std::vector<double>& values);

/// Returns the note on points that a logarithmic axis cannot show; empty if there are none.
QString offScaleNote(std::size_t count);

/// Returns a figure of a sweep's chart with its numbers, for paper. Points without a result are gaps, and the caption
/// counts them. Parallel coordinates are included as a drawing, because figures have no mark for them. An empty
/// optional if there are no points.
std::optional<FigureOffer> chartFigure(const ChartInput& input);

}  // namespace ui
