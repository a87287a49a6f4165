#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/figure/figure_spec.h"
#include "data/presets/presets.h"

#include <string>

namespace data {

// Figures that the document of an evaluation describes: its points as bars or lines, beside published numbers.

/// "t3-speed-up": what the gallery and files call it.
std::string chartName(const Evaluation& evaluation, const EvaluationFigure& figure);

/// The document's title of it, or "T3: Speed-up by Model".
std::string chartTitle(const Evaluation& evaluation, const EvaluationFigure& figure);

/// The title, and what the bars or lines are: "Speed-up over sequential by model, the geometric mean of 8 points each."
std::string chartSentence(const Evaluation& evaluation, const EvaluationFigure& figure);

/// Makes the figure of what `reproduction` has; points without a value are gaps, and so are means of such points. An item
/// whose points are those of one bar is marked there; any other is a line across. Complete with caption, alternative text
/// and provenance but for the command. `settings`: those that the reproduction had.
/// Precondition: `reproduction` has a table for each sweep of the evaluation.
FigureSpec chartOf(const Evaluation& evaluation, const EvaluationFigure& figure, const Reproduction& reproduction,
                   const Settings& settings = {});

/// Whether at least one bar or place of a line has a value.
bool hasValues(const FigureSpec& chart);

}  // namespace data
