#pragma once

#include "data/figure/figure_spec.h"
#include "data/model/model_run.h"

namespace ui {

/// Where the time of a model goes under each policy, as a figure: a stack for each policy, its parts as on the screen.
data::FigureSpec modelFigure(const data::ModelRun& run, engine::ModelPhase phase);

}  // namespace ui
