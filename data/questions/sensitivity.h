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

/// How the total time answers to one parameter: by finite differences where it is a quantity, else to another choice.
struct Sensitivity {
    std::string path;           ///< of the parameter table
    engine::Cause group{};      ///< the cause that a change of this parameter acts on
    std::string before, after;  ///< values in words: "150 GB/s", "165 GB/s"
    double change = 0;          ///< of the parameter, relative: 0.1; in whole steps where it counts things; 0: a choice
    double effect = 0;          ///< of the total, relative, the mean over seeds: -0.041
    double noise = 0;           ///< standard error of `effect`; 0 with one seed
    bool isChoice = false;  ///< `after` is another way to do the same, such as an algorithm, and no more of anything
};

/// Whether the effect could as well be none.
bool isWithinNoise(const Sensitivity& sensitivity);
/// Whether it makes the run shorter, by so much that it is worth a word and as far as the seeds can tell.
bool helps(const Sensitivity& sensitivity);

/// All parameters that can matter to an experiment, what helps most first, what hurts most last.
struct SensitivityReport {
    std::vector<Sensitivity> parameters;
    std::int64_t runs = 0;  ///< that it took
    int seeds = 1;          ///< that each effect is a mean over
    BrokenInvariants broken;
    double spread = 0;  ///< standard deviation of the unchanged total between seeds, relative
};

struct SensitivityOptions {
    double step = 0.1;                 ///< relative change; towards more of the resource: a latency is made shorter
    std::vector<std::string> paths{};  ///< parameters to change; empty: all that are read
    bool choices = true;               ///< also other algorithms, policies, tiles: what engine::roleOf calls a method
    int seeds = 5;
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, 0 to 1, rising; called on a running thread
};

/// What finding them would take on this machine.
struct SensitivityOutlook {
    std::int64_t runs = 0;
    std::chrono::nanoseconds estimate{};
};

/// Times a part of one run, for a twentieth of a second at most. Throws engine::InvalidExperiment.
SensitivityOutlook outlookOf(const engine::Experiment& experiment, const SensitivityOptions& options);

/// Runs the experiment with each parameter changed that the experiment's policy, topology and operation read. Throws
/// engine::InvalidExperiment, engine::RunStopped or engine::Deadlock, as the unchanged experiment does; a changed one
/// that cannot be run is left out. The bounds, which are formulas, have no sensitivities.
SensitivityReport sensitivityOf(const engine::Experiment& experiment, const SensitivityOptions& options = {});

}  // namespace data
