#pragma once

#include "data/replay/cause_index.h"
#include "data/replay/time_range.h"
#include "engine/api/attribution.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ui {

/// The division of time by the rows of the table of shares.
enum class ShareKind : std::uint8_t { cause, gpu, phase };

/// One line of the table: a cause, a GPU or a phase.
struct ShareRow {
    QString name;
    engine::CauseTimes times;  ///< for a cause: its own time alone
    std::int64_t total = 0;    ///< picoseconds
    int tenths = 0;            ///< tenths of a percent; the sum over all rows is 1000, or 0 if there is no time
    std::optional<engine::Cause> cause;  ///< empty for a GPU or a phase
};

/// Returns the rows for a range of the run. Every cause has a row, even without time; GPUs and phases have a row only
/// if they have time.
std::vector<ShareRow> shareRows(const data::CauseIndex& causes, data::TimeRange range, ShareKind kind);

/// Returns the shares in tenths of a percent, with a sum of 1000: shares are rounded down, and the remainder goes to
/// those with the largest rounding errors.
std::vector<int> tenthsOf(std::span<const std::int64_t> parts);

/// Formats tenths of a percent: "41.2 %".
QString formatTenths(int tenths);

}  // namespace ui
