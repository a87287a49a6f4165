#pragma once

#include "data/replay/time_range.h"
#include "engine/api/attribution.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace data {

/// An index of a critical path. It returns the exact time by cause between any two moments with one look-up for each
/// moment, so that the cost of drawing a ribbon of a million steps depends only on its pixels. Sums are stored for
/// every few steps, and the steps between them are added one by one. The index is built in one pass over the steps.
class CauseIndex {
public:
    /// Makes an empty index: no steps, no time.
    CauseIndex() = default;
    explicit CauseIndex(std::shared_ptr<const engine::CriticalPath> path);

    bool empty() const { return steps().empty(); }
    const std::vector<engine::PathStep>& steps() const;
    std::int64_t end() const { return empty() ? 0 : steps().back().end.ps; }
    /// Returns the time by cause from the start of the run to a moment. A moment outside the run counts as its nearer
    /// end.
    engine::CauseTimes until(std::int64_t ps) const;
    engine::CauseTimes between(TimeRange range) const;
    /// Returns the step that contains a moment; for the end of the run, the last step. Precondition: not empty.
    std::size_t stepAt(std::int64_t ps) const;

private:
    std::size_t blockOf(std::int64_t ps) const;

    std::shared_ptr<const engine::CriticalPath> m_path;
    std::vector<std::int64_t> m_starts;       // start of every kBlock-th step
    std::vector<engine::CauseTimes> m_until;  // time by cause before that step
};

/// Returns the difference a - b for each cause.
engine::CauseTimes minus(engine::CauseTimes a, const engine::CauseTimes& b);

}  // namespace data
