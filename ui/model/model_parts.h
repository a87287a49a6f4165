#pragma once

#include "data/figure/figure_spec.h"
#include "data/model/model_run.h"
#include "ui/look/palette.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace ui {

using data::kModelParts;
using data::ModelPart;

/// Returns a paragraph of rich text.
QString paragraph(const QString& html);

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
/// "4.295 GFLOP": four digits and the largest prefix that the value reaches.
QString formatScaled(double value, const QString& unit);

/// Where the time of a model goes under each policy, as a figure: a stack for each policy, its parts as on the screen.
data::FigureSpec modelFigure(const data::ModelRun& run, engine::ModelPhase phase);

/// What a box has room for: "fc-2", "all-reduce", "weights".
QString shortName(const engine::Operator& op);
/// An experiment without what its model does not depend on: sub-layer, bytes of a collective alone, policy.
engine::Experiment modelOf(engine::Experiment experiment);
/// What Explore shows of an operator: of a sub-layer's GEMM or its collective that sub-layer, else nothing. Nothing also
/// where that would be another model.
std::optional<engine::Experiment> openedExperiment(const data::ModelRun& run, std::uint32_t op);

/// Title, times and shares of an operator under a policy, one a line.
QStringList timeLines(const data::ModelRun& run, const data::PolicyModelTime& policy, std::uint32_t op);
/// The same with its size, formula and source, as rich text; letters of the formula are told.
QString operatorHtml(const data::ModelRun& run, const data::PolicyModelTime& policy, std::uint32_t op,
                     const Palette& colors);
/// What to read before anything is selected: what the model is, how to go on, and notices.
QString modelHtml(const data::ModelRun& run, const Palette& colors);
/// "Training step of t-nlg on 8 GPUs under t3-mca: 8.021 s, 1.081× as fast as sequential; communication …"
QString headlineOf(const data::ModelRun& run, const data::PolicyModelTime& policy);

}  // namespace ui
