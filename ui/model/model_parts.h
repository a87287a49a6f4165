#pragma once

#include "data/model/model_run.h"
#include "ui/look/palette.h"

#include <QString>

namespace ui {

using data::kModelParts;
using data::ModelPart;

/// Communication: counted only where nothing hides it.
inline bool isExposed(const ModelPart& part) { return !part.kind; }
QString titleOf(const ModelPart& part);
QColor colorOf(const ModelPart& part, const Palette& colors);
/// What an operator counts as, of a collective of its longest part.
const ModelPart& partOf(const engine::Operator& op, const data::OperatorTime& time);

QString phaseTitle(engine::ModelPhase phase);      ///< "Training step"
QString policyTitle(engine::PolicyPreset policy);  ///< "t3-mca", as everywhere
QString formatFactor(double factor);               ///< "1.240×"
/// "4.2 %": a model has many parts, and whole percents would hide half of them.
QString formatShare(double share);

}  // namespace ui
