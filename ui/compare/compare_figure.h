#pragma once

#include "data/figure/figure_spec.h"
#include "data/replay/shown_run.h"
#include "ui/compare/waterfall_view.h"

#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// By how much each cause, and the total, differs from A: a group of bars a cause, a bar a run. Nothing where there are no
/// two runs. `runs` made it, A first.
std::optional<data::FigureSpec> waterfallFigure(const std::vector<WaterfallColumn>& columns,
                                                const std::vector<std::shared_ptr<const data::ShownRun>>& runs);

}  // namespace ui
