#pragma once

#include "data/figure/figure_spec.h"
#include "data/replay/shown_run.h"

#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// Returns a figure of the causes of several runs: a stack of causes for each run, in the given order and on one time
/// scale. Runs without a critical path are left out; an empty optional if no run has one.
std::optional<data::FigureSpec> causeFigure(const std::vector<std::shared_ptr<const data::ShownRun>>& runs);

}  // namespace ui
