#pragma once

#include "engine/api/access_request.h"
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

/// Returns the version of the engine. It changes whenever any result can change; results of different versions are
/// never mixed.
std::string_view engineVersion();

struct RunOptions {
    bool recordTrace = false;     ///< fill RunResult::trace
    bool recordGranules = false;  ///< with a trace, fill Lane::granules
    /// Fill RunResult::attribution, and with a trace RunResult::path; records the data needed for that.
    bool attribution = false;
    bool perGpu = false;    ///< fill RunResult::perGpu also when mirrored
    bool baselines = true;  ///< also run the baselines that `isolated` and `speedupOverSequential` need
    /// Full mode: threads for the ring's GPUs; mirrored: threads for the policy's run and the baselines.
    int threads = 1;
    std::stop_token stop{};  ///< polled about every thousand events
    std::function<void(double)>
        /// Called with the rising fraction done, 0 to 1, on a worker thread, one call at a time, at most every few ms.
        progress{};
    /// The requests of the file whose digest `access.trace` has. A run that reads it (access.pattern=trace) without it, or
    /// with those of another file, throws InvalidExperiment.
    std::shared_ptr<const AccessRequests> accesses{};
    std::shared_ptr<BaselineCache> baselineCache{};  ///< shared with other runs; changes no result
};

/// Thrown when RunOptions::stop was requested before the run had ended.
class RunStopped : public std::runtime_error {
public:
    RunStopped() : std::runtime_error("stopped before the run had ended") {}
};

/// Thrown when no event is left although the run has not ended. The text says which component waits for what. The cause
/// is the described machine (such as a tracker without ways), so the author of the experiment has to change it.
class Deadlock : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Simulates one experiment. Throws InvalidExperiment, RunStopped or Deadlock.
RunResult run(const Experiment& experiment, const RunOptions& options = {});

/// The outcome of one of many runs: a result, or the reason why it failed, or neither if the run was stopped.
struct RunOutcome {
    std::optional<RunResult> result;
    std::string failure;
    bool stopped = false;
};

struct RunManyOptions {
    RunOptions each;  ///< options of every run; its threads, stop and progress are ignored
    int threads = 1;
    std::stop_token stop{};
    bool keepOutcomes = true;  ///< false: outcomes are passed to `finished` only, and the returned vector is empty
    /// Called on a worker thread before each run. The thread starts the run when `gate` returns, so a blocking `gate`
    /// pauses it.
    std::function<void()> gate{};
    /// Called once for each run that ended, on a worker thread, one call at a time; `count` rises from 1. With
    /// keepOutcomes=false it may move the result out of `outcome`.
    std::function<void(std::size_t index, RunOutcome& outcome, std::size_t count)> finished{};
    /// Called with the rising fraction done of a running run, on its thread, one call at a time, at most every few ms.
    std::function<void(std::size_t index, double fraction)> progress{};
};

/// Simulates experiments in parallel. Outcomes have the order of the experiments and do not depend on the number of
/// threads. A run that fails does not stop the others. After a stop, returns as soon as the running runs have noticed
/// it, within about a thousand events each. If `gate` or `finished` throws, stops all runs and rethrows the exception.
std::vector<RunOutcome> runMany(std::span<const Experiment* const> experiments, const RunManyOptions& options);
std::vector<RunOutcome> runMany(std::span<const Experiment> experiments, const RunManyOptions& options);

/// Experiments that are made one by one, because there are too many to keep in memory at once.
struct ManyExperiments {
    std::size_t count = 0;
    std::function<Experiment(std::size_t index)> make;  ///< called on a worker thread when it is the experiment's turn
    std::function<double(std::size_t index)> events;  ///< expectedEvents of an experiment; the longest runs begin first
};
std::vector<RunOutcome> runMany(const ManyExperiments& experiments, const RunManyOptions& options);

/// The outcome of checking one invariant.
struct Check {
    std::string group;  ///< conservation, counts, bounds, limits, exclusivity, determinism
    std::string name;   ///< a sentence that could be false
    bool held = false;
    std::string evidence;  ///< the numbers on both sides
};

/// Checks every invariant that applies to the experiment's policy, and repeats the run if an invariant needs that
/// (determinism, limits). Throws as `run` does.
std::vector<Check> verify(const Experiment& experiment, const RunOptions& options = {});

}  // namespace engine
