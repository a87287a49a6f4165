#pragma once

#include "engine/api/problem.h"

#include <cstddef>
#include <span>
#include <string>

namespace data {

class Store;

/// What a store brought.
struct MergeSummary {
    std::size_t runs = 0;            ///< that were not there
    std::size_t known = 0;           ///< that were
    std::size_t failures = 0;        ///< that were not there
    std::size_t sweeps = 0;          ///< that were not there
    std::size_t points = 0;          ///< of sweeps, that were not there
    std::size_t ofOtherEngines = 0;  ///< runs and failures of other engine versions, new or known
};

/// What keeps these stores from being joined into the one at `into` (which need not exist yet): each by its file, with
/// what is wrong with it. A missing, foreign or damaged file, another schema, the file itself. Empty when all of them can be joined.
engine::Problems checkMerge(const std::string& into, std::span<const std::string> from);

/// Joins the runs, failures, sweeps, notes, tags and trash of the store at `from`: all of it or nothing. What `into`
/// knows already stays as it is there, with the tags of both, and with the note of the other where it has none; so the
/// same store again changes nothing. Runs of several engine versions stay apart, as they are everywhere: a run is known
/// only by its hash and its engine. Throws StoreError, also for what checkMerge would have said.
MergeSummary merge(Store& into, const std::string& from);

}  // namespace data
