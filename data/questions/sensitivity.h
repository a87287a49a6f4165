#pragma once

#include "data/laboratory/broken_invariants.h"
#include "engine/api/attribution.h"
#include "engine/api/experiment.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace data {

/// The sensitivity of the total time to one parameter: to a small step if the parameter is a quantity, otherwise to
/// another choice.
struct Sensitivity {
    std::string path;           ///< of the parameter table
    engine::Cause group{};      ///< the cause that a change of this parameter acts on
    std::string before, after;  ///< values in words: "150 GB/s", "165 GB/s"
    double change = 0;          ///< relative change of the parameter: 0.1; for a count, in units; 0: a choice
    double effect = 0;          ///< relative change of the total, the mean over seeds: -0.041
    double noise = 0;           ///< standard error of `effect`; 0 with one seed
    bool isChoice = false;  ///< true: `after` is another choice, such as an algorithm, instead of more of a resource
};

/// Returns whether the effect cannot be distinguished from zero.
bool isWithinNoise(const Sensitivity& sensitivity);
/// Returns whether the change makes the run visibly shorter, by more than the noise between seeds.
bool helps(const Sensitivity& sensitivity);

/// All parameters that can affect an experiment, ordered from the one that helps most to the one that hurts most.
struct SensitivityReport {
    std::vector<Sensitivity> parameters;
    std::int64_t runs = 0;  ///< number of runs
    int seeds = 1;          ///< number of seeds that each effect is averaged over
    BrokenInvariants broken;
    double spread = 0;  ///< standard deviation of the unchanged total between seeds, relative
};

struct SensitivityOptions {
    double step = 0.1;                 ///< relative change, in the direction of more of the resource: a latency is
                                       ///< shortened
    std::vector<std::string> paths{};  ///< parameters to change; empty: all that the experiment reads
    bool choices = true;               ///< also try other algorithms, policies, tiles: the parameters that
                                       ///< engine::roleOf calls a method
    int seeds = 5;
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, 0 to 1, rising; called on a running thread
};

/// The expected cost of a sensitivity analysis on this machine.
struct SensitivityOutlook {
    std::int64_t runs = 0;
    std::chrono::nanoseconds estimate{};
};

/// Estimates the cost by timing a part of one run, for at most a twentieth of a second. Throws
/// engine::InvalidExperiment.
SensitivityOutlook outlookOf(const engine::Experiment& experiment, const SensitivityOptions& options);

/// Runs the experiment once for each changed parameter that its policy, topology and operation read. Throws
/// engine::InvalidExperiment, engine::RunStopped or engine::Deadlock if the unchanged experiment does; a changed
/// experiment that cannot be run is left out. The bounds have no sensitivities, because they are formulas.
SensitivityReport sensitivityOf(const engine::Experiment& experiment, const SensitivityOptions& options = {});

}  // namespace data
