#pragma once

#include "data/figure/figure_spec.h"
#include "ui/timeline/timeline_model.h"

#include <optional>

namespace ui {

/// Returns a figure of a range of time with the lanes as the user arranged them: lanes of spans, and below them areas
/// that show how full or how busy resources are. Spans that could not be distinguished even in print at 600 dots per
/// inch are merged, so that the figure of a long run is not larger than that of a short one. Returns an empty optional
/// without a run or without rows.
std::optional<data::FigureSpec> timelineFigure(const TimelineModel& model, const LaneArrangement& arrangement,
                                               data::TimeRange range);

}  // namespace ui
