#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/measured_answer.h"
#include "data/evaluations/reproduce.h"
#include "data/figure/figure_spec.h"
#include "data/presets/presets.h"

#include <string>
#include <vector>

namespace data {

struct Metric;

// Figures described by the document of an evaluation: its points as bars or lines, beside published numbers.

/// Returns the name of the figure in the gallery and in file names: "t3-speed-up".
std::string chartName(const Evaluation& evaluation, const EvaluationFigure& figure);

/// Returns the figure's title in the document, or, if it has none, a title like "T3: Speed-up by Model".
std::string chartTitle(const Evaluation& evaluation, const EvaluationFigure& figure);

/// Returns the title with a description of the bars or lines: "Speed-up over sequential by model, the geometric mean of
/// 8 points each."
std::string chartSentence(const Evaluation& evaluation, const EvaluationFigure& figure);

/// Makes the figure from the points of `reproduction`. Points without a value are gaps, and so are means over such
/// points. A published item whose points are exactly those of one bar is marked at that bar; any other item is a line
/// across the panel. The figure has caption, alternative text and provenance, but not the command that made it.
/// `settings` are those of the reproduction. Precondition: `reproduction` has a table for each sweep of the evaluation.
FigureSpec chartOf(const Evaluation& evaluation, const EvaluationFigure& figure, const Reproduction& reproduction,
                   const Settings& settings = {});

/// Returns the panel of a correlation: ours over measured, both logarithmic, with a point for each pair in their order,
/// a series for each machine, and lines where both are equal or 10 % apart.
FigurePanel correlationPanel(const std::vector<MeasuredPair>& pairs, const Metric& metric);

/// Returns whether at least one bar or one point of a line has a value.
bool hasValues(const FigureSpec& chart);

}  // namespace data
