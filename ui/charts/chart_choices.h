#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/problem.h"
#include "ui/charts/chart_settings.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ui {

/// A chart of a sweep as words choose it, on the command line and in the source of a figure:
///
///   where=PATH=VALUE[,VALUE...]   only the points with these values; several are allowed, and policy=NAME,...
///   x=PATH, series=PATH|policy, panels=PATH   the axes of the chart by their place
///   y=METRIC                      default: the first metric of the sweep
///   kind=WORD                     lines, grouped-lines, heat-map, small-multiples, parallel, pareto or tornado
///   against=METRIC                the cost of a Pareto front
///   scale=linear|logarithmic      of the metric
///   published=true                with published values
///   points=true                   with the points behind means over seeds
struct ChartChoice {
    data::Sweep sweep;       ///< with the values that `where` leaves, and with the metrics of the chart
    ChartSettings settings;  ///< complete: every axis with several values has a place
    std::size_t metric = 0;  ///< index in sweep.metrics
};

/// Reads the words "OPTION=VALUE". Problems name the option: an axis, a value, a policy or a metric that the sweep lacks,
/// with what it has; nothing left; an axis with several values and no place in the chart, whose points would have one
/// place.
ChartChoice readChartChoice(data::Sweep sweep, const std::vector<std::string>& words, engine::Problems& problems);

/// Returns the words that choose this chart of the sweep.
std::vector<std::string> chartWords(const data::Sweep& sweep, const ChartPlan& plan, std::size_t metric,
                                    ValueScale scale, bool published, bool points = false);

}  // namespace ui
