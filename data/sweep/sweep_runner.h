#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/results/model_point_fields.h"
#include "data/store/store.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_shelf.h"
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

/// What a start would do, said before it.
struct SweepOutlook {
    std::size_t points = 0;
    std::size_t kept = 0;                 ///< in the store already, for this engine version
    std::size_t failed = 0;               ///< tried before, with their reason; are tried again only on request
    std::size_t unusable = 0;             ///< cannot be run at all
    std::size_t toRun = 0;                ///< distinct experiments that are missing
    std::vector<DamagedRun> damaged{};    ///< kept runs that count as missing, because they are damaged
    OtherEngines others{};                ///< points among the missing ones that only other engine versions have run
    std::chrono::nanoseconds estimate{};  ///< of wall time on `threads` threads, from probes of the sweep's own points
};

struct SweepProgress {
    std::size_t done = 0;  ///< of `toRun`
    std::size_t toRun = 0;
    std::size_t failed = 0;
    double perSecond = 0;
    std::chrono::nanoseconds left{};
};

/// A point that ended, as soon as it has ended (before it is on disk).
struct SweepArrival {
    std::size_t point = 0;  ///< position in SweepPlan::points; equal experiments arrive once for each of their points
    std::shared_ptr<const engine::RunResult> result;  ///< null for a failed one, and of a whole model
    std::string failure;
    std::shared_ptr<const ModelPoint> model{};  ///< null for a failed one, and of a run
    bool ended() const { return result != nullptr || model != nullptr; }
};

/// Puts points that have ended into a table of the whole sweep: their state, and what the table's metrics read.
void takeArrivals(SweepTable& table, const std::vector<SweepArrival>& arrivals);

struct SweepOptions {
    int threads = 1;
    bool retryFailed = false;
    std::stop_token stop{};
    std::function<void(const SweepProgress&)> progress{};  ///< at most every 50 ms, one call at a time, on some thread
    std::function<void(std::vector<SweepArrival>)> arrived{};  ///< in batches, one call at a time, on some thread
    std::shared_ptr<engine::BaselineCache> baselineCache{};    ///< shared with other sweeps; changes no result
};

/// How it went. Everything that ended is in the store, also after a stop.
struct SweepSummary {
    std::size_t ran = 0, reused = 0, failed = 0;
    std::size_t baselineRuns = 0, baselineHits = 0;  ///< what the ratios needed, simulated and shared in this go
    BrokenInvariants broken;                         ///< of the runs of this go
    bool stopped = false;
    std::vector<DamagedRun> damaged{};  ///< kept runs that were run anew, because they were damaged
    std::chrono::nanoseconds wall{};
};

/// Lets the threads of a sweep rest between two points, and go on. Safe from any thread.
class SweepPause {
public:
    void set(bool paused);
    bool isSet() const;
    /// Returns when it is not set or the stop was requested.
    void wait(const std::stop_token& stop) const;

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable_any m_changed;
    bool m_paused = false;
};

/// Runs what is missing of a plan into the store at `storePath` and writes as it goes, in batches, by one writer.
/// A point is keyed by the hash of its experiment and the version of the engine; what is kept is never simulated again.
/// Points of whole models come one after the other and share their simulations, each of which has all threads.
/// Safe on a worker thread; opens a store of its own. Throws StoreError when the store cannot be opened or written;
/// what was written before stays.
/// Stopped while it still finds out what is missing, it throws engine::RunStopped, and nothing was written.
SweepOutlook outlookOf(const SweepPlan& plan, const std::string& storePath, int threads,
                       const PlanningOptions& options = {});
SweepSummary runSweep(const SweepPlan& plan, const std::string& storePath, const SweepOptions& options,
                      const SweepPause* pause = nullptr);
/// The same into a store that the calling thread has open, so that it can be one in memory.
SweepSummary runSweep(const SweepPlan& plan, Store& store, const SweepOptions& options,
                      const SweepPause* pause = nullptr);

}  // namespace data
