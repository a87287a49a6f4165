#pragma once

#include "data/replay/time_range.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// The history of visible ranges, like the pages of a browser. Changes in quick succession, such as the steps of a
/// wheel or a drag, count as one.
class ZoomHistory {
public:
    static constexpr std::int64_t kPauseMs = 700;  ///< a pause of this length begins a new entry
    static constexpr std::size_t kMostEntries = 100;

    /// Records that the range has changed to `range`, at `nowMs` of any clock.
    void record(data::TimeRange range, std::int64_t nowMs);
    /// Returns the range to show instead; an empty optional at the end of the history. Recording that range afterwards
    /// has no effect.
    std::optional<data::TimeRange> back();
    std::optional<data::TimeRange> forward();
    /// Clears the history for another run, in which the former ranges have no meaning.
    void restart(data::TimeRange range);

private:
    std::vector<data::TimeRange> m_entries;
    std::size_t m_at = 0;
    std::optional<std::int64_t> m_lastMs;
};

}  // namespace ui
