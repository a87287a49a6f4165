#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/broken_invariants.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace data {

class Store;

/// "From which link bandwidth on is the reduce-scatter hidden?": the metric of an experiment, on one side of a target,
/// while one of its parameters goes from one value to another.
struct BreakEvenQuestion {
    ExperimentDraft draft;            ///< with its policy; own presets written out
    std::string parameter;            ///< any that has numbers
    engine::ParameterValue from, to;  ///< to < from is allowed
    std::string metric;               ///< path of data::metrics()
    bool below = true;                ///< it holds where the metric is at most the target; else at least
    double target = 0;                ///< in base units; with `against` the factor on the other policy's metric
    std::string against;              ///< a policy whose metric is the target; empty: a fixed one
    double tolerance = 0.01;  ///< of the answer: of its value where the parameter goes by ratios, else of to - from
    static constexpr double kFinest = 1e-6;
};

/// The experiment at one value of the parameter.
struct BreakEvenStep {
    engine::ParameterValue value;
    double number = 0;  ///< of the metric
    double target = 0;  ///< what it is held against
    bool holds = false;
    bool reused = false;  ///< kept before, not simulated
    std::string failure;  ///< why there is no number; empty when there is
};

/// Between two values that are no further apart than the tolerance, or than anything that can be run between them, the
/// answer changes. Both are positions in BreakEven::steps.
struct BreakEvenCrossing {
    std::size_t before = 0, after = 0;
};

struct BreakEven {
    std::vector<BreakEvenStep> steps;          ///< from `from` to `to`, everything that was asked
    std::vector<BreakEvenCrossing> crossings;  ///< none: it holds everywhere or nowhere, see steps
    std::vector<BreakEvenCrossing>
        reversals;  ///< where the metric goes against its way from end to end, by two percent
    BrokenInvariants broken;
    std::size_t ran = 0, reused = 0;  ///< experiments, those of the other policy counted
    std::string keepFailure;          ///< why the store did not take a run; empty when it took all
    std::chrono::nanoseconds wall{};

    bool monotone() const { return crossings.size() <= 1 && reversals.empty(); }
    bool holdsEverywhere() const { return crossings.empty() && steps.front().holds; }
};

/// Values from the smaller to the larger, all that were tried between them, for which it holds. Positions in
/// BreakEven::steps; `below` and `above` are the next values for which it does not, nothing at an end of the way.
struct BreakEvenStretch {
    std::size_t smallest = 0, largest = 0;
    std::optional<std::size_t> below, above;
};

/// Where it holds, with rising values whichever way was gone: what is said of one does not contradict another.
std::vector<BreakEvenStretch> holdingStretches(const BreakEven& answer);

/// How many values had an answer.
std::size_t answeredSteps(const BreakEven& answer);

struct BreakEvenOptions {
    Store* store = nullptr;  ///< runs are kept there and taken from there
    int threads = 1;         ///< for each run
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, rising, on the calling thread
};

/// What is wrong with the question itself; empty when it can be asked.
engine::Problems check(const BreakEvenQuestion& question);

/// Both ends first, then three values between them to notice where it is not monotone, or others near them where those
/// cannot be run; then bisection, by ratios where the parameter goes by ratios, of every place where the answer changes.
/// Throws engine::InvalidExperiment for what check finds and for ends that cannot be run or have no such number,
/// engine::RunStopped, StoreError. What was run before stays in the store.
BreakEven breakEven(const BreakEvenQuestion& question, const BreakEvenOptions& options = {});

}  // namespace data
