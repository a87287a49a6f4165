#pragma once

#include "data/model/model_run.h"

#include <string>
#include <vector>

namespace data {

/// Several whole models, each on its own GPUs, and the gain of each policy over all of them.
struct ModelSurvey {
    /// The gain of one policy: the ratios of the whole models' times to sequential.
    struct Gain {
        engine::PolicyPreset policy{};
        double geomean = 1;
        double maximum = 1;
    };

    std::vector<ModelRun> runs;  ///< in the requested order, without those that cannot run
    std::vector<Gain> gains;     ///< by policy, in the requested order
    engine::Notices notices;     ///< which models cannot run and why; notices of the runs stay with the runs
};

/// Runs each model as `modelRun` does, all with one memory. A model that cannot run does not stop the others; if none
/// can run, throws InvalidExperiment with the problems, each once if all models have it. Otherwise throws as `modelRun`
/// does. `options.progress` receives the fraction of all models.
ModelSurvey surveyModels(const std::vector<engine::Experiment>& bases, const ModelRunOptions& options);

}  // namespace data
