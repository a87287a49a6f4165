#pragma once

#include "data/sweep/sweep_document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace data {

enum class PointState { missing, done, failed };

/// One point of a sweep with what became of it.
struct SweepRow {
    std::size_t index = 0;
    std::vector<std::size_t> at;  ///< which value of each axis
    std::size_t policy = 0;       ///< which of Sweep::policies
    PointState state = PointState::missing;
    std::string reason;                         ///< of a failed one
    std::optional<std::int64_t> runId;          ///< in the store, of a done one
    std::vector<std::optional<double>> values;  ///< one for each metric of the table; nothing where there is none
};

/// A sweep as charts and tables take it: all its points, in the order of their index, whatever became of them.
/// Nothing is left out: what has no value says why.
struct SweepTable {
    Sweep sweep;
    std::string id;                    ///< sweepId
    std::vector<std::string> metrics;  ///< paths; at least those of the sweep
    std::vector<SweepRow> rows;
    std::string engineVersion{};  ///< of all results in it; points of different engines are never in one table
};

}  // namespace data
