#include "engine/api/runner.h"

#include "engine/run/experiment_run.h"
#include "engine/run/verification.h"

namespace engine {

std::string_view engineVersion() { return "0.3.0"; }

namespace {

void requireValid(const Experiment& experiment) {
    if (Problems problems = validate(experiment); !problems.empty())
        throw InvalidExperiment(std::move(problems));
}

}  // namespace

RunResult run(const Experiment& experiment, const RunOptions& options) {
    requireValid(experiment);
    return ExperimentRun(experiment, options).run();
}

std::vector<Check> verify(const Experiment& experiment, const RunOptions& options) {
    requireValid(experiment);
    return Verification(experiment, options).run();
}

}  // namespace engine
