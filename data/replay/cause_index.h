#pragma once

#include "data/replay/time_range.h"
#include "engine/api/attribution.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace data {

/// A critical path made ready for questions: time by cause between any two moments, exactly, at a look-up a moment. What a
/// ribbon of a million steps costs to draw follows from its pixels alone. Sums stand at every few steps; between
/// them steps are walked. Built in one pass over the steps.
class CauseIndex {
public:
    /// Of no run: no steps, no time.
    CauseIndex() = default;
    explicit CauseIndex(std::shared_ptr<const engine::CriticalPath> path);

    bool empty() const { return steps().empty(); }
    const std::vector<engine::PathStep>& steps() const;
    std::int64_t end() const { return empty() ? 0 : steps().back().end.ps; }
    /// From the beginning to a moment; those outside the run count as its nearest end.
    engine::CauseTimes until(std::int64_t ps) const;
    engine::CauseTimes between(TimeRange range) const;
    /// The step that holds a moment; the last one at the end of the run. Precondition: not empty.
    std::size_t stepAt(std::int64_t ps) const;

private:
    std::size_t blockOf(std::int64_t ps) const;

    std::shared_ptr<const engine::CriticalPath> m_path;
    std::vector<std::int64_t> m_starts;       // of every kBlock-th step
    std::vector<engine::CauseTimes> m_until;  // time by cause before it
};

/// Returns each cause's time in `a` less that in `b`.
engine::CauseTimes minus(engine::CauseTimes a, const engine::CauseTimes& b);

}  // namespace data
