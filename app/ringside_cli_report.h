#pragma once

#include "app/ringside_cli_command.h"
#include "data/laboratory/laboratory.h"
#include "data/model/model_run.h"
#include "data/model/model_step.h"
#include "data/model/model_survey.h"
#include "engine/api/runner.h"

#include <iosfwd>
#include <vector>

namespace cli {

/// Prints the output of `run`.
void writeRun(const data::LaboratoryRun& run, Output output, std::ostream& out);

/// Prints the output of `compare`: one line for each policy.
void writeComparison(const std::vector<data::LaboratoryRun>& runs, Output output, std::ostream& out);

/// Prints the output of `verify`.
void writeChecks(const engine::Experiment& experiment, const std::vector<engine::Check>& checks, Output output,
                 std::ostream& out);

/// A table of `model`, as --show names it: the step of all stages, replicas and micro-batches; for one micro-batch, the
/// parts of the time, one occurrence of each operator, and all occurrences of each class of operators.
enum class ModelTable { step, parts, operators, classes };

/// Prints the output of `model`. The table of parts and JSON have every number of the run in whole picoseconds, so that
/// the parts of a time can be added up. JSON has all tables; CSV has the first of `tables`, with one line for each
/// policy and row. Precondition: `tables` is not empty.
void writeModelRun(const data::ModelRun& run, int threads, Output output, const std::vector<ModelTable>& tables,
                   std::ostream& out);

/// Returns the first cells of each CSV line of `model`: model, phase, tp, machine, policy.
std::vector<std::string> csvCellsOf(const data::ModelRun& run, engine::PolicyPreset policy);

Json classesJson(const data::ModelRun& run);
void writeClasses(const data::ModelRun& run, std::ostream& out);
void writeClassesCsv(const data::ModelRun& run, std::ostream& out);

Json stepJson(const data::ModelStep& step);
/// Returns "8 stages, 1 replica, 64 micro-batches, schedule 1f1b".
std::string divisionOfStepText(const engine::Experiment& base);
/// Prints the step under each policy. Precondition: there is at least one.
void writeStep(const data::ModelRun& run, const std::vector<data::ModelStep>& steps, std::ostream& out);
void writeStepCsv(const data::ModelRun& run, const std::vector<data::ModelStep>& steps, std::ostream& out);
void writeOperatorsCsv(const data::ModelRun& run, std::ostream& out);

/// Prints the output of `model all`: one line for each model, then the geometric mean and the maximum of each policy's
/// gain. JSON has the object of each model, with its operators on request; CSV has one line for each model and policy.
void writeModelSurvey(const data::ModelSurvey& survey, int threads, Output output, bool operators, std::ostream& out);

}  // namespace cli
