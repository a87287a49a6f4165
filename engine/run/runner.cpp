#include "engine/api/runner.h"

#include "engine/run/experiment_run.h"

namespace engine {

std::string_view engineVersion() { return "0.1.0"; }

RunResult run(const Experiment& experiment, const RunOptions& options) {
    if (Problems problems = validate(experiment); !problems.empty())
        throw InvalidExperiment(std::move(problems));
    return ExperimentRun(experiment, options).run();
}

}  // namespace engine
