#pragma once

#include "data/store/store.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace data {

/// What a merge added.
struct MergeSummary {
    std::size_t runs = 0;               ///< new: `into` did not have them
    std::size_t known = 0;              ///< `into` had them already
    std::size_t failures = 0;           ///< new: `into` did not have them
    std::size_t sweeps = 0;             ///< new: `into` did not have them
    std::size_t points = 0;             ///< points of sweeps that were new
    std::size_t ofOtherEngines = 0;     ///< runs and failures of other engine versions, new or already there
    std::vector<DamagedRun> damaged{};  ///< damaged runs of the merged store, which were left out
};

/// Why a store cannot be merged into another one.
struct MergeObstacle {
    std::string path;
    std::string text;        ///< what is wrong with it
    bool wrongName = false;  ///< true: there is no store of this name, or it is the target itself; false: it cannot be
                             ///< read
};

/// Returns what prevents these stores from being merged into the one at `into` (which need not exist yet), each with
/// its file: a missing, foreign or damaged file, another schema, the target itself. Empty if all of them can be merged.
std::vector<MergeObstacle> checkMerge(const std::string& into, std::span<const std::string> from);

/// Merges the runs, failures, sweeps, notes, tags and trash of the store at `from`, all of it or nothing, except runs
/// that are damaged there. A damaged run in `into` is replaced by an undamaged one. A run that `into` already has keeps
/// its data, gets the tags of both stores, and gets the other's note if it has none; merging the same store again
/// therefore changes nothing. Runs of different engine versions stay separate: a run is identified by its hash and its
/// engine version. Throws StoreError, also for everything that checkMerge reports.
MergeSummary merge(Store& into, const std::string& from);

}  // namespace data
