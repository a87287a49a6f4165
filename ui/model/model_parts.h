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

/// Returns whether a part is exposed communication (such a part has no kind of operator).
inline bool isExposed(const ModelPart& part) { return !part.kind; }
QString titleOf(const ModelPart& part);
QColor colorOf(const ModelPart& part, const Palette& colors);
/// Returns the part of the time that an operator belongs to; for a collective, its longest part.
const ModelPart& partOf(const engine::Operator& op, const data::OperatorTime& time);

QString phaseTitle(engine::ModelPhase phase);  ///< "Training step"
/// Returns what the times of a run are those of: "Training step", or of a divided model "One micro-batch of a training
/// step". The page Step shows the whole step of a divided model.
QString workTitle(const data::ModelRun& run);
QString formatFactor(double factor);  ///< "1.240×"
/// Formats a share: "4.2 %". Models have many parts, so whole percents would be too coarse.
QString formatShare(double share);
/// Formats a value with four digits and the largest prefix that it reaches: "4.295 GFLOP".
QString formatScaled(double value, const QString& unit);

/// Returns "T3: 1.6 s in total, of which 10.9 % is exposed communication; GEMM …".
QString spokenOf(const data::PolicyModelTime& policy);
/// Returns a figure of the time of a model under each policy: a stack for each policy, with the same parts as in the
/// window.
data::FigureSpec modelFigure(const data::ModelRun& run, engine::ModelPhase phase);

/// Returns a short name for a box: "fc-2", "all-reduce", "Adam".
QString shortName(const engine::Operator& op);
/// Returns the experiment with the settings that do not affect its model reset: sub-layer, bytes of a collective alone,
/// policy.
engine::Experiment modelOf(engine::Experiment experiment);
/// Returns the experiment that Explore shows for an operator: for a sub-layer's GEMM or its collective, that sub-layer.
/// Returns an empty optional for other operators, and if the experiment would belong to another model.
std::optional<engine::Experiment> openedExperiment(const data::ModelRun& run, std::uint32_t op);

/// Returns times and shares of an operator under a policy, one in each line.
QStringList timeLines(const data::ModelRun& run, const data::PolicyModelTime& policy, std::uint32_t op);
/// Returns the same lines with the operator's title, kind, size, formula and source as rich text, and explains the
/// letters of the formula.
QString operatorHtml(const data::ModelRun& run, const data::PolicyModelTime& policy, std::uint32_t op,
                     const Palette& colors);
/// Returns the text shown while no operator is selected: the model, what the user can do next, and the notices.
QString modelHtml(const data::ModelRun& run, const Palette& colors);
/// Returns "Training step of t-nlg on 8 GPUs under t3-mca: 8.021 s, 1.081× as fast as sequential; exposed
/// communication …".
QString headlineOf(const data::ModelRun& run, const data::PolicyModelTime& policy);

}  // namespace ui
