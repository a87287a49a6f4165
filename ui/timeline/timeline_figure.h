#pragma once

#include "data/figure/figure_spec.h"
#include "ui/timeline/timeline_model.h"

#include <optional>

namespace ui {

/// The lanes that the reader has arranged, over a range of time, as a figure: what has spans as lanes, what fills up or is
/// busy as areas beneath them. Spans that even print at 600 dots to the inch could not tell apart are one, so that a long
/// run weighs no more than a short one. Nothing without a run or without rows.
std::optional<data::FigureSpec> timelineFigure(const TimelineModel& model, const LaneArrangement& arrangement,
                                               data::TimeRange range);

}  // namespace ui
