#pragma once

#include "data/store/store.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace data {

/// The numbers of rows that a merge added or found.
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
    std::string text;        ///< the problem
    bool wrongName = false;  ///< true: there is no store of this name, or it is the target itself; false: it cannot be
                             ///< read
};

/// Returns why stores cannot be merged into the one at `into`, which need not exist yet: their file is missing, foreign
/// or damaged, has another schema, or is the target itself. Empty if all stores can be merged.
std::vector<MergeObstacle> checkMerge(const std::string& into, std::span<const std::string> from);

/// Copies the runs, failures, sweeps, notes, tags and trash of the store at `from` into `into`: either all of them or,
/// if it throws, none.
///
/// A run is identified by its hash and its engine version, so runs of different engine versions stay separate. A run
/// that `into` already has keeps its result, gets the tags of both stores, and gets the other's note if it has none;
/// merging the same store again therefore changes nothing. Runs that are damaged in `from` are left out; a run that is
/// damaged in `into` is replaced by an undamaged one. Throws StoreError, also for everything that checkMerge reports.
MergeSummary merge(Store& into, const std::string& from);

}  // namespace data
