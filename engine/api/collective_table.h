#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

/// A measured time of a collective.
struct MeasuredCollective {
    Bytes bytes;  ///< whole buffer
    Duration time;
    bool operator==(const MeasuredCollective&) const = default;
};

/// One line of collective.table: settings for some sizes of a collective, or its measured times.
struct CollectiveRule {
    SubLayer operation{};                                       ///< a collective alone
    std::optional<std::int64_t> gpus;                           ///< empty: any number
    Bytes from;                                                 ///< of the whole buffer; both ends are included
    std::optional<Bytes> to;                                    ///< empty: no end
    std::vector<std::pair<std::string, std::string>> settings;  ///< paths, and values as people write them
    std::vector<MeasuredCollective> measured;                   ///< by rising bytes; then there are no settings
    std::string text;                                           ///< the line, without spare blanks
    bool operator==(const CollectiveRule&) const = default;
};

struct CollectiveTable {
    std::vector<CollectiveRule> rules;

    /// Returns the first rule that fits, or null. `alone`: no GEMM feeds the collective; otherwise rules with measured
    /// times are left out.
    const CollectiveRule* find(SubLayer operation, std::int64_t gpus, Bytes bytes, bool alone = true) const;
};

struct CollectiveTableReading {
    CollectiveTable table;
    Problems problems;  ///< of collective.table, each with line and column
};

/// Reads collective.table: one line for each rule, "none" for no rule. A line ends at a new line or a semicolon; `#`
/// begins a comment.
///     OPERATION [GPUS] FROM..[TO]: PATH=VALUE ...
///     OPERATION GPUS: measured SIZE=TIME ...
/// OPERATION is a collective alone (workload.sublayer), sizes are bytes of the whole buffer, and PATH is one of
/// collective.*, dma.* and launch.kernel, without collective.operation and collective.table.
CollectiveTableReading readCollectiveTable(std::string_view text);

/// Returns a measured time, interpolated in the logarithms of size and time (derived). Below the first size it is the
/// first time; above the last one the bytes take as long as those of the last time. Precondition: `rule.measured` is not
/// empty.
Duration measuredTime(const CollectiveRule& rule, Bytes bytes);

/// Writes the settings of a rule to an experiment.
void applyRule(const CollectiveRule& rule, Experiment& experiment);

}  // namespace engine
