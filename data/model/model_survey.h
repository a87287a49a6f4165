#pragma once

#include "data/model/model_run.h"

#include <string>
#include <vector>

namespace data {

/// Several whole models side by side, each on its GPUs, and what policies gain over all of them.
struct ModelSurvey {
    /// What one policy gains: of the whole models' times over sequential.
    struct Gain {
        engine::PolicyPreset policy{};
        double geomean = 1;
        double maximum = 1;
    };

    std::vector<ModelRun> runs;  ///< in the order asked, without those that cannot run
    std::vector<Gain> gains;     ///< by policy, in the order asked
    engine::Notices notices;     ///< which cannot run and why; what the runs have to say stays with them
};

/// Runs each as `modelRun` does, all with one memory. One that cannot run does not stop the others; where none can,
/// throws InvalidExperiment with what is wrong, once where it is the same for all. Otherwise throws as `modelRun` does.
/// `options.progress` is told the fraction of all.
ModelSurvey surveyModels(const std::vector<engine::Experiment>& bases, const ModelRunOptions& options);

}  // namespace data
