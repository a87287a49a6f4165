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

/// A point that ended and is to be kept; a result or a failure.
struct EndedPoint {
    std::string name;   ///< displayName
    std::string draft;  ///< writeDraft
    std::string hash;   ///< as SweepPoint::hash
    const engine::Experiment* experiment = nullptr;
    const engine::RunResult* result = nullptr;  ///< null of a whole model, and where it failed
    std::string failure;
    const ModelPoint* model = nullptr;  ///< null of a run, and where it failed
};

/// What is known of an experiment under this engine version.
struct KeptPoint {
    std::optional<std::int64_t> runId;
    std::string failure;
};

/// A sweep that was started once, as a list shows it.
struct StoredSweep {
    std::string id;        ///< sweepId
    std::string label;     ///< its own, or the axes in words
    std::string document;  ///< as written by writeSweep
    std::int64_t createdUnixMs = 0;
    std::size_t points = 0, done = 0, failed = 0;
    std::string engineVersion{};  ///< under which `done` and `failed` ended
    std::int64_t key = 0;         ///< of this store, as CatalogueRow::sweep
};

/// Points that have a result here, but of other engine versions only.
struct OtherEngines {
    std::size_t points = 0;
    std::set<std::string> versions;
};

/// The sweeps of a store, and the batches in which their points come. Uses the store's connection and thread; what it
/// throws is StoreError; and engine::RunStopped where many points are looked at and a stop is requested meanwhile: then
/// nothing was written.
class SweepShelf {
public:
    explicit SweepShelf(Store& store) : m_store(store) {}

    /// Writes down which points belong to the sweep; the same sweep again changes its texts and metrics only. Runs that it
    /// needs come back from the trash. A shard writes down its own points; the others count as missing.
    void keepSweep(const SweepPlan& plan, const std::stop_token& stop = {});
    /// One transaction, which waits up to ten seconds for that of another program. A result takes the place of a failure;
    /// a kept result is never written over.
    void keepPoints(std::span<const EndedPoint> points);
    /// By hash, for every point of the plan that is known, under the running engine's version; also from the trash. A
    /// damaged run is not known.
    std::unordered_map<std::string, KeptPoint> known(const SweepPlan& plan, const std::stop_token& stop = {}) const;

    /// Counts the points that only other engine versions have run: a start runs them anew, and the old results stay. A point
    /// is recognised by its hash, by the hash that the kept sweep has for it, or by its document, because another version
    /// may give the same experiment another hash.
    OtherEngines ofOtherEngines(const SweepPlan& plan, const std::stop_token& stop = {}) const;

    std::vector<StoredSweep> sweeps() const;  ///< newest first
    std::optional<StoredSweep> sweepWithId(const std::string& id) const;
    /// Every point with its values, for the metrics of the sweep and `moreMetrics`. A point that cannot be run has failed,
    /// one whose run is in the trash or damaged is missing. Points are those of the running engine, or, as long as it has none, of the
    /// version that ran last. Throws StoreError for an unknown id.
    SweepTable table(const std::string& id, std::span<const std::string> moreMetrics = {}) const;
    /// The same of a sweep that was not started: what a start would find here. Not done is what is in the trash.
    SweepTable table(const SweepPlan& plan) const;
    /// The sweep goes, its runs stay.
    void removeSweep(const std::string& id);

private:
    Store& m_store;
};

}  // namespace data
