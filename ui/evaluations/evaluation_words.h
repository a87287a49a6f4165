#pragma once

#include "ui/evaluations/evaluation_session.h"

#include <QString>

#include <cstddef>

namespace ui {

/// "48 213", thin groups.
QString evaluationCount(std::size_t count);

/// How far it has come, for the list: "16 items" before it was looked up, "12 of 80 points run", "80 points, all run".
QString progressText(const data::Evaluation& evaluation, const EvaluationLook* look);

/// What the store has of it and what the rows come to: "All 80 points have ended · 3 of 3 judged rows hold".
QString pointsText(const EvaluationLook& look);

/// "Constants 310451ccd3cb, engine 0.4.0 · Fitted: gemm.tile_m, …"; without the first part before it was looked up.
QString constantsText(const data::Evaluation& evaluation, const EvaluationLook* look);

}  // namespace ui
