#pragma once

#include "ui/evaluations/evaluation_session.h"

#include <QString>

#include <cstddef>

namespace ui {

/// Formats a count with thin spaces between groups: "48 213".
QString evaluationCount(std::size_t count);

/// Describes the progress for the list: "16 items" before the evaluation was looked up, "12 of 80 points run", "80
/// points, all run".
QString progressText(const data::Evaluation& evaluation, const EvaluationLook* look);

/// Describes points and verdicts: "All 80 points have ended · 3 of 3 judged rows hold · 1 of 2 targets holds".
QString pointsText(const EvaluationLook& look);

/// Returns "Constants 310451ccd3cb, engine 0.4.0 · Fitted: gemm.tile_m, …"; only "Fitted: …" before the evaluation was
/// looked up.
/// Returns the notices of the points, one in each line, for a tool tip.
QString noticesText(const EvaluationLook& look);

QString constantsText(const data::Evaluation& evaluation, const EvaluationLook* look);

/// Returns "holds", "does not hold" and so on.
QString verdictText(const data::ReproducedItem& row);
/// Returns the verdict with the allowed range: "does not hold; allowed: 2.40 to 2.60".
QString verdictReason(const data::ReproducedItem& row);
/// Returns "+1.5 %", "-4.2 points", or a dash if there is no difference.
QString differenceText(const data::ReproducedItem& row);
/// Returns the meaning of a role in one sentence.
QString roleMeaning(data::EvaluationRole role);

/// Returns a measured row in a sentence: "visible[m=160,…]: 40.1 µs, measured 36.35 µs, +10.3 %".
QString pairText(const data::ReproducedItem& row);
/// Returns what the rows of a measured table show together, with the machine before it and the verdict behind it.
QString answerText(const data::MeasuredAnswer& answer);

}  // namespace ui
