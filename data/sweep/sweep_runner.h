#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/results/model_point_fields.h"
#include "data/store/store.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/results.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine {
class BaselineCache;
}

namespace data {

/// The points of a sweep by state, and the work that a start would do.
struct SweepOutlook {
    std::size_t points = 0;
    std::size_t kept = 0;                 ///< already in the store for this engine version
    std::size_t failed = 0;               ///< failed before, with a reason; they are run again only on request
    std::size_t unusable = 0;             ///< points that cannot be run
    std::size_t toRun = 0;                ///< distinct experiments that are missing
    std::vector<DamagedRun> damaged{};    ///< kept runs that count as missing because they are damaged
    OtherEngines others{};                ///< missing points that only other engine versions have run
    std::chrono::nanoseconds estimate{};  ///< wall time on `threads` threads, from timed runs of some of the sweep's
                                          ///< points
};

struct SweepProgress {
    std::size_t done = 0;  ///< of `toRun`
    std::size_t toRun = 0;
    std::size_t failed = 0;
    double perSecond = 0;
    std::chrono::nanoseconds left{};
};

/// A point that has just ended; it may not be on disk yet.
struct SweepArrival {
    std::size_t point = 0;  ///< index in SweepPlan::points; equal experiments arrive once for each of their points
    std::shared_ptr<const engine::RunResult> result;  ///< null for a failed point and for a whole model
    std::string failure;
    std::shared_ptr<const ModelPoint> model{};  ///< null for a failed point and for a run
    bool ended() const { return result != nullptr || model != nullptr; }
};

/// Adds points that have ended to a table of the whole sweep: their state and the values of the table's metrics.
void takeArrivals(SweepTable& table, const std::vector<SweepArrival>& arrivals);

struct SweepOptions {
    int threads = 1;
    bool retryFailed = false;
    std::stop_token stop{};
    std::function<void(const SweepProgress&)> progress{};  ///< at most every 50 ms; calls never overlap, but come from
                                                           ///< any thread
    std::function<void(std::vector<SweepArrival>)> arrived{};  ///< in batches; calls never overlap, but come from any
                                                               ///< thread
    std::shared_ptr<engine::BaselineCache> baselineCache{};    ///< shared with other sweeps; changes no result
    SweepTexts texts = SweepTexts::replaced;                   ///< of a sweep that the store already has
};

/// The outcome of a sweep. Every point that ended is in the store, also after a stop.
struct SweepSummary {
    std::size_t ran = 0, reused = 0, failed = 0;
    std::size_t baselineRuns = 0, baselineHits = 0;  ///< runs that the ratios needed: simulated, and shared, in this
                                                     ///< execution
    BrokenInvariants broken;                         ///< of the runs of this execution
    bool stopped = false;
    std::vector<DamagedRun> damaged{};  ///< kept runs that were damaged and therefore simulated again
    std::chrono::nanoseconds wall{};
};

/// Pauses and resumes the threads of a sweep between two points. Thread-safe.
class SweepPause {
public:
    void set(bool paused);
    bool isSet() const;
    /// Blocks until the pause is lifted or a stop is requested.
    void wait(const std::stop_token& stop) const;

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable_any m_changed;
    bool m_paused = false;
};

/// Estimates, or runs, the missing points of a plan in the store at `storePath`. runSweep writes while it runs, in
/// batches, from one thread. A point is identified by the hash of its experiment and the version of the engine; a kept
/// point is never simulated again. Points of whole models run one after the other and share their simulations, each of
/// which uses all threads. Both functions may run on a worker thread; they open a store of their own. They throw
/// StoreError if the store cannot be opened or written; what was written before stays. A stop while they look for
/// missing points throws engine::RunStopped, and nothing was written.
SweepOutlook outlookOf(const SweepPlan& plan, const std::string& storePath, int threads,
                       const PlanningOptions& options = {});
SweepSummary runSweep(const SweepPlan& plan, const std::string& storePath, const SweepOptions& options,
                      const SweepPause* pause = nullptr);
/// Runs a sweep into a store that the calling thread has open, which may be in memory.
SweepSummary runSweep(const SweepPlan& plan, Store& store, const SweepOptions& options,
                      const SweepPause* pause = nullptr);

}  // namespace data
