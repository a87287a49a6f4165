#pragma once

#include "data/evaluations/measured_answer.h"
#include "ui/drawing/figure_canvas.h"

#include <QStringList>

#include <string>
#include <vector>

namespace ui {

/// Returns the picture of our numbers over the measured ones: a mark for each pair, in their order, with shape and
/// colour by machine. `texts` describe the pairs in a tool tip and for a screen reader. The arrow keys go from the
/// least to the greatest measured value. Empty without pairs.
FigureCanvas::Content correlationOf(const std::vector<data::MeasuredPair>& pairs, const std::string& metric,
                                    const QStringList& texts);

}  // namespace ui
