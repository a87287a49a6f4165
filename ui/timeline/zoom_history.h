#pragma once

#include "data/replay/time_range.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// What was in sight, as a browser remembers pages. Changes that follow each other closely, such as the notches of a
/// wheel or the steps of a drag, are one.
class ZoomHistory {
public:
    static constexpr std::int64_t kPauseMs = 700;  ///< that long without a change begins another entry
    static constexpr std::size_t kMostEntries = 100;

    /// The range has become `range` at `nowMs` of any clock.
    void record(data::TimeRange range, std::int64_t nowMs);
    /// The range to show instead; nothing at the end. What is shown then need not be recorded, though it may.
    std::optional<data::TimeRange> back();
    std::optional<data::TimeRange> forward();
    /// Of another run: what was in sight there means nothing here.
    void restart(data::TimeRange range);

private:
    std::vector<data::TimeRange> m_entries;
    std::size_t m_at = 0;
    std::optional<std::int64_t> m_lastMs;
};

}  // namespace ui
