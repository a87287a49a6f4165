#pragma once

#include "data/figure/figure_spec.h"
#include "data/model/model_step.h"
#include "engine/api/quantity.h"

#include <cstdint>
#include <string>
#include <vector>

namespace data {

/// Returns the meaning of the colour of a pass, in figures and in the window: "forward-pass". Passes through chunks
/// beyond the first of a stage are lighter: "forward-pass/light".
std::string meaningOf(const engine::PipelineStep& pass);

/// Returns "1F1B", "1F1B with 2 chunks", "ZB-H1".
std::string scheduleTitle(const engine::PipelineShape& shape);

/// Returns the largest unit of time that is not larger than `longest`, for the axis of a figure.
engine::UnitName axisUnitOf(engine::Duration longest);

/// Returns a time in a unit with four digits, "9.401 s".
std::string timeText(engine::Duration time, const engine::UnitName& unit);

/// Returns the panel of a step over time: a lane for each stage with its passes, each with the number of its
/// micro-batch, and its optimizer. The time axis ends at `end`. Passes that could not be distinguished even in print at
/// 600 dots per inch are merged, so that a figure does not grow with the number of micro-batches.
FigurePanel stepPanel(const ModelStep& step, engine::Duration end);

/// Returns a figure of one step, or of several steps of one model, one below the other on one time axis; the caller
/// sets name, title and provenance. Precondition: there is at least one step.
FigureSpec stepFigure(const std::vector<const ModelStep*>& steps);
inline FigureSpec stepFigure(const ModelStep& step) { return stepFigure(std::vector{&step}); }

}  // namespace data
