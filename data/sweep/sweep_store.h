#pragma once

#include "data/sweep/sweep_plan.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace data {

class Store;
struct ModelPoint;

/// A point that ended, to be stored: a result or a failure.
struct EndedPoint {
    std::string name;   ///< displayName
    std::string draft;  ///< writeDraft
    std::string hash;   ///< as SweepPoint::hash
    const engine::Experiment* experiment = nullptr;
    const engine::RunResult* result = nullptr;  ///< null for a whole model or a failure
    std::string failure;
    const ModelPoint* model = nullptr;  ///< null for a run or a failure
};

/// The run or the failure that the store has for an experiment under this engine version.
struct KeptPoint {
    std::optional<std::int64_t> runId;
    std::string failure;
};

/// A sweep that was started, as a list shows it.
struct StoredSweep {
    std::string id;        ///< sweepId
    std::string label;     ///< its own label, or the axes in words
    std::string document;  ///< as written by writeSweep
    std::int64_t createdUnixMs = 0;
    std::size_t points = 0, done = 0, failed = 0;
    std::string engineVersion{};  ///< the version under which `done` and `failed` ended
    std::int64_t key = 0;         ///< key in this store, as CatalogueRow::sweep
};

/// Points that only other engine versions have run in this store.
struct OtherEngines {
    std::size_t points = 0;
    std::set<std::string> versions;
};

/// What storing a sweep again does to its label, notes and metrics.
enum class SweepTexts { replaced, kept };

/// Reads and writes the sweeps of a store, and stores their points in batches. It uses the store's connection and
/// thread. Throws StoreError. If many points are read and a stop is requested meanwhile, throws engine::RunStopped, and
/// nothing was written.
class SweepStore {
public:
    explicit SweepStore(Store& store) : m_store(store) {}

    /// Stores a sweep and its points. Storing the same sweep again changes only its texts and metrics, as `texts` says;
    /// a sweep without a label keeps the label that it has. Runs that it needs are restored from the trash. A shard
    /// stores only its own points; the others count as missing.
    void keepSweep(const SweepPlan& plan, const std::stop_token& stop = {}, SweepTexts texts = SweepTexts::replaced);
    /// Stores points in one transaction, which waits up to ten seconds for another program's transaction. A result
    /// replaces a failure; a kept result is never overwritten.
    void keepPoints(std::span<const EndedPoint> points);
    /// Returns by hash every point of the plan that is stored under the running engine's version, also in the trash. A
    /// damaged run counts as missing.
    std::unordered_map<std::string, KeptPoint> known(const SweepPlan& plan, const std::stop_token& stop = {}) const;

    /// Counts the points that only other engine versions have run: a start runs them again, and the old results stay.
    /// Another version may give the same experiment another hash; a point is therefore recognised by its hash, by the
    /// hash that the kept sweep has for it, or by its document.
    OtherEngines ofOtherEngines(const SweepPlan& plan, const std::stop_token& stop = {}) const;

    std::vector<StoredSweep> sweeps() const;  ///< newest first
    std::optional<StoredSweep> sweepWithId(const std::string& id) const;
    /// Returns every point with its values, for the metrics of the sweep and `moreMetrics`. A point that cannot be run
    /// counts as failed; a point whose run is in the trash or damaged counts as missing. Results are those of the
    /// running engine version or, if it has none, of the version that ran last. Throws StoreError for an unknown id.
    SweepTable table(const std::string& id, std::span<const std::string> moreMetrics = {}) const;
    /// Returns the table of a sweep that was not started, with the results that the store already has. Runs in the
    /// trash count as missing.
    SweepTable table(const SweepPlan& plan) const;
    /// Removes a sweep and keeps its runs.
    void removeSweep(const std::string& id);

private:
    Store& m_store;
};

}  // namespace data
