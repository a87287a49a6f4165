#pragma once

#include "data/figure/figure_spec.h"
#include "data/replay/shown_run.h"

#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// What runs waited for, as a figure: a stack of causes for each run, in the order given, all on one scale of time. Runs
/// without a critical path are left out; nothing where none has one.
std::optional<data::FigureSpec> causeFigure(const std::vector<std::shared_ptr<const data::ShownRun>>& runs);

}  // namespace ui
