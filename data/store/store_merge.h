#pragma once

#include "data/store/store.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace data {

/// What a store brought.
struct MergeSummary {
    std::size_t runs = 0;               ///< that were not there
    std::size_t known = 0;              ///< that were
    std::size_t failures = 0;           ///< that were not there
    std::size_t sweeps = 0;             ///< that were not there
    std::size_t points = 0;             ///< of sweeps, that were not there
    std::size_t ofOtherEngines = 0;     ///< runs and failures of other engine versions, new or known
    std::vector<DamagedRun> damaged{};  ///< of the store that was joined: left out
};

/// Why a store cannot be joined into another one.
struct MergeObstacle {
    std::string path;
    std::string text;        ///< what is wrong with it
    bool wrongName = false;  ///< there is no store of this name, or it is the other one; else it cannot be read
};

/// What keeps these stores from being joined into the one at `into` (which need not exist yet), each by its file. A
/// missing, foreign or damaged file, another schema, the file itself. Empty when all of them can be joined.
std::vector<MergeObstacle> checkMerge(const std::string& into, std::span<const std::string> from);

/// Joins the runs, failures, sweeps, notes, tags and trash of the store at `from`: all of it or nothing, but for runs that
/// are damaged there. A run that is damaged in `into` is replaced by a sound one. What `into`
/// knows already stays as it is there, with the tags of both, and with the note of the other where it has none; so the
/// same store again changes nothing. Runs of several engine versions stay apart, as they are everywhere: a run is known
/// only by its hash and its engine. Throws StoreError, also for what checkMerge would have said.
MergeSummary merge(Store& into, const std::string& from);

}  // namespace data
