#pragma once

#include "data/evaluations/evaluation.h"
#include "data/figure/figure_spec.h"

#include <string>

namespace data {

class OwnPresets;

/// Returns the source of the figure `name` of an evaluation in a file: its document and the files beside it that it reads,
/// so that the figure can be made again without them. The kind is unknown if the file can no longer be read.
FigureSource sourceOf(const std::string& evaluationFile, const std::string& name);

/// Reads the evaluation that such a source carries.
EvaluationReading evaluationOf(const FigureSource& source, const OwnPresets& own);

}  // namespace data
