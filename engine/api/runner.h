#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

class BaselineCache;

/// Changes whenever any result can change; results of different engine versions are never mixed.
std::string_view engineVersion();

struct RunOptions {
    bool recordTrace = false;  ///< fill RunResult::trace
    bool attribution = false;  ///< fill RunResult::attribution, and with a trace RunResult::path; records what it needs
    bool perGpu = false;       ///< fill RunResult::perGpu also when mirrored
    bool baselines = true;     ///< also run what `isolated` and `speedupOverSequential` need
    int threads = 1;           ///< for a full ring's GPUs; for the policy and the baselines of a mirrored one
    std::stop_token stop{};    ///< polled about every thousand events
    std::function<void(double)>
        progress{};  ///< fraction done, 0 to 1, rising; called on a running thread, one at a time, at most every few ms
    std::shared_ptr<BaselineCache> baselineCache{};  ///< shared with other runs; changes no result
};

/// Thrown when RunOptions::stop was requested before the run had ended.
class RunStopped : public std::runtime_error {
public:
    RunStopped() : std::runtime_error("stopped before the run had ended") {}
};

/// Thrown when nothing can happen any more although the run has not ended; says which component waits for what.
/// It is the machine that was described that cannot go on (a tracker without ways), so its author has to act.
class Deadlock : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Simulates one experiment. Throws InvalidExperiment, RunStopped or Deadlock.
RunResult run(const Experiment& experiment, const RunOptions& options = {});

/// What became of one of many runs: a result, a reason why there is none, or neither because it was stopped.
struct RunOutcome {
    std::optional<RunResult> result;
    std::string failure;
    bool stopped = false;
};

struct RunManyOptions {
    RunOptions each;  ///< for every run; its threads, stop and progress are not read
    int threads = 1;
    std::stop_token stop{};
    bool keepOutcomes = true;  ///< false: they go to `finished` alone, and what is returned is empty
    /// Called on a working thread before each run: as long as it does not return that thread rests.
    std::function<void()> gate{};
    /// Called once for each run that ended, one call at a time, on a working thread; `count` rises from 1. May take
    /// the result where outcomes are not kept.
    std::function<void(std::size_t index, RunOutcome& outcome, std::size_t count)> finished{};
    /// The fraction of a run that is at work, rising, one call at a time, on its thread, at most every few ms.
    std::function<void(std::size_t index, double fraction)> progress{};
};

/// Simulates experiments side by side. Outcomes stand in the order of the experiments and do not depend on the number
/// of threads. A run that fails does not stop the others. After a stop returns as soon as the runs at work have seen
/// it, within about a thousand events each. What `gate` or `finished` throw ends the whole, and is thrown again here.
std::vector<RunOutcome> runMany(std::span<const Experiment* const> experiments, const RunManyOptions& options);
std::vector<RunOutcome> runMany(std::span<const Experiment> experiments, const RunManyOptions& options);

/// More experiments than are wanted in memory at once.
struct ManyExperiments {
    std::size_t count = 0;
    std::function<Experiment(std::size_t index)> make;  ///< called on a working thread when it is the experiment's turn
    std::function<double(std::size_t index)> events;    ///< expectedEvents: those that take long begin first
};
std::vector<RunOutcome> runMany(const ManyExperiments& experiments, const RunManyOptions& options);

/// One invariant, checked.
struct Check {
    std::string group;  ///< conservation, counts, bounds, limits, exclusivity, determinism
    std::string name;   ///< a sentence that could be false
    bool held = false;
    std::string evidence;  ///< the numbers on both sides
};

/// Runs every invariant that concerns the experiment's policy, re-running it where an invariant needs that
/// (determinism, limits). Throws as `run` does.
std::vector<Check> verify(const Experiment& experiment, const RunOptions& options = {});

}  // namespace engine
