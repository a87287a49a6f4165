#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"

#include <QString>

namespace ui {

/// What data::problemsOf says of a figure, in the words of the options: "The range of the Y axis is empty: 1.6 to 1.6."
/// for "panels[0].y.to: 1.6: more than .from is expected". What the options cannot change keeps its place in the document.
QString problemText(const engine::Problem& problem, const data::FigureSpec& figure);

}  // namespace ui
