#pragma once

#include "data/model/model_run.h"
#include "ui/look/palette.h"

#include <QString>

#include <array>
#include <cstdint>

namespace ui {

/// What the time of a model is made of, in the order in which it is drawn.
enum class ModelPart : std::uint8_t { feedingGemm, gemm, attention, elementWise, reduceScatter, allGather, allToAll };
inline constexpr std::array<ModelPart, 7> kModelParts{
    ModelPart::feedingGemm,   ModelPart::gemm,      ModelPart::attention, ModelPart::elementWise,
    ModelPart::reduceScatter, ModelPart::allGather, ModelPart::allToAll};

engine::Duration partOf(const data::ModelTime& time, ModelPart part);
/// Communication: counted only where nothing hides it.
bool isExposed(ModelPart part);
QString titleOf(ModelPart part);
QColor colorOf(ModelPart part, const Palette& colors);
/// What an operator counts as, of a collective of its longest part.
ModelPart partOf(const engine::Operator& op, const data::OperatorTime& time);

QString phaseTitle(engine::ModelPhase phase);      ///< "Training step"
QString policyTitle(engine::PolicyPreset policy);  ///< "t3-mca", as everywhere
QString formatFactor(double factor);               ///< "1.240×"
/// "4.2 %": a model has many parts, and whole percents would hide half of them.
QString formatShare(double share);

}  // namespace ui
