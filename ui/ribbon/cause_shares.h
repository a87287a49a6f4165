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

/// What the time of a run, or of a stretch of it, is split by.
enum class ShareKind : std::uint8_t { cause, gpu, phase };

/// One line of the table: a cause, a GPU or a phase.
struct ShareRow {
    QString name;
    engine::CauseTimes times;  ///< of a cause: its own time alone
    std::int64_t total = 0;    ///< picoseconds
    int tenths = 0;            ///< of a percent; those of all rows sum to 1000, or to 0 where there is no time
    std::optional<engine::Cause> cause;  ///< nothing for a GPU or a phase
};

/// Every cause has its line, also without time; of GPUs and phases those that have some.
std::vector<ShareRow> shareRows(const data::CauseIndex& causes, data::TimeRange range, ShareKind kind);

/// Shares in tenths of a percent that sum to 1000: rounded down, and what is missing goes to those that lost most by it.
std::vector<int> tenthsOf(std::span<const std::int64_t> parts);

/// "41.2 %"
QString formatTenths(int tenths);

}  // namespace ui
