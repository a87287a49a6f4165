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

/// A question such as "From which link bandwidth on is the reduce-scatter hidden?": at which value of one parameter
/// does a metric of an experiment reach a target?
struct BreakEvenQuestion {
    ExperimentDraft draft;            ///< with its policy; own presets written out
    std::string parameter;            ///< any parameter with numbers
    engine::ParameterValue from, to;  ///< to < from is allowed
    std::string metric;               ///< path of data::metrics()
    bool below = true;                ///< true: the condition holds where the metric is at most the target; false: at
                                      ///< least
    double target = 0;                ///< in base units; with `against` a factor on the other policy's metric
    /// Another policy, or another setting ("companion.by=dma"), whose metric is the target; empty: a fixed target.
    std::string against;
    double tolerance = 0.01;  ///< relative to the answer if the parameter's scale is logarithmic, else to the distance
                              ///< to - from
    static constexpr double kFinest = 1e-6;
    /// Paths of other parameters that vary elsewhere, such as the other axes of a sweep. The answer holds for the values
    /// that `draft` gives them.
    std::vector<std::string> fixed{};
};

/// The experiment at one value of the parameter.
struct BreakEvenStep {
    engine::ParameterValue value;
    double number = 0;  ///< the value of the metric
    double target = 0;  ///< the target at this value
    bool holds = false;
    bool reused = false;  ///< taken from the store instead of being simulated
    std::string failure;  ///< why there is no number; empty if there is one
};

/// Two neighbouring values between which the answer changes. They are at most the tolerance apart, or no value between
/// them can be run. Both are indices into BreakEven::steps.
struct BreakEvenCrossing {
    std::size_t before = 0, after = 0;
};

struct BreakEven {
    std::vector<BreakEvenStep> steps;          ///< all values that were tried, ordered from `from` to `to`
    std::vector<BreakEvenCrossing> crossings;  ///< empty: the condition holds everywhere or nowhere, see steps
    std::vector<BreakEvenCrossing>
        reversals;  ///< where the metric moves against its overall direction by two percent or more
    BrokenInvariants broken;
    std::size_t ran = 0, reused = 0;  ///< experiments, including those of the other policy
    std::string keepFailure;          ///< why the store did not keep a run; empty if it kept all
    std::chrono::nanoseconds wall{};

    bool monotone() const { return crossings.size() <= 1 && reversals.empty(); }
    bool holdsEverywhere() const { return crossings.empty() && steps.front().holds; }
};

/// A range of tried values in which the condition holds throughout. All members are indices into BreakEven::steps.
/// `below` and `above` are the nearest values outside the range, where it does not hold; empty at an end of the search.
struct BreakEvenStretch {
    std::size_t smallest = 0, largest = 0;
    std::optional<std::size_t> below, above;
};

/// Returns the ranges in which the condition holds, by rising values, whichever direction was searched, so that two
/// texts about one answer cannot contradict each other.
std::vector<BreakEvenStretch> holdingStretches(const BreakEven& answer);

/// Returns where the condition holds and the nearest values where it does not: "up to 60, and from 82 to 254; not at 61,
/// 81, 256". `valueAt` returns the text of the value of a step. Precondition: the condition holds somewhere, but not
/// everywhere.
std::string stretchesText(const BreakEven& answer, const std::function<std::string(std::size_t step)>& valueAt);

/// Returns how many values have an answer.
std::size_t answeredSteps(const BreakEven& answer);

struct BreakEvenOptions {
    Store* store = nullptr;  ///< the store in which runs are kept and looked up; may be null
    int threads = 1;         ///< for each run
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, rising, on the calling thread
};

/// Returns the problems of the question itself; empty if it can be answered.
engine::Problems check(const BreakEvenQuestion& question);

/// Answers the question. Runs both ends first, then three values between them to detect a metric that is not monotone
/// (or values near them if those cannot be run). Then bisects every place where the answer changes, logarithmically if
/// the parameter's scale is logarithmic. Throws engine::InvalidExperiment for the problems of check and for ends that
/// cannot be run or lack the metric, engine::RunStopped, StoreError. Runs that were made before stay in the store.
BreakEven breakEven(const BreakEvenQuestion& question, const BreakEvenOptions& options = {});

}  // namespace data
