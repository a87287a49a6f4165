#pragma once

#include "data/results/companion_slowdown.h"
#include "engine/api/results.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace data {

enum class HeadlineKind : std::uint8_t {
    total,
    gemm,
    reduceScatter,  ///< also for a run without a collective before the all-gather
    allToAll,
    allGather,
    hidden,
    exposed,
    ownWork,    ///< in place of `hidden` for a run with a companion
    companion,  ///< in place of `exposed` for a run with a companion
    speedup
};

/// One of the main numbers of a run, without words, units and colours.
struct HeadlineNumber {
    HeadlineKind kind{};
    /// Empty for a ratio, and if the run has no such time. Hidden time is negative for a run that is slower than
    /// sequential.
    std::optional<engine::Duration> time;
    std::optional<double> ratio;  ///< the speed-up; empty for times, and if there is no run to compare with
    /// The time of which `time` is a part: the total or, of hidden and exposed time, the communication of the sequential
    /// run. Empty if `time` is not told as a part of another time.
    std::optional<engine::Duration> whole;
    /// The time of the same work alone. Of the speed-up: the time that it is relative to.
    std::optional<engine::Duration> alone;
    std::optional<double> stretch;     ///< of the GEMM: its time over that of the GEMM alone
    std::optional<BesideTime> beside;  ///< of the own work and of the companion
    std::optional<double> ofIdeal;     ///< of the speed-up with a companion: its fraction of the ideal speed-up
    /// Whether the number belongs to a run with a companion, so that it cannot be compared with a run without one.
    bool inCompany = false;

    /// Returns `time` / `whole`, or an empty optional unless both are positive.
    std::optional<double> share() const;
    /// Returns whether the run loses time against the sequential run, so that the headline of hidden time tells a loss.
    bool isLost() const { return kind == HeadlineKind::hidden && time && time->ps < 0; }
};

/// Returns the headlines total, GEMM, reduce-scatter or all-to-all, all-gather, hidden, exposed and speed-up, in this
/// order for every run. The numbers are those of the whole run, over all GPUs; hidden and exposed come from
/// engine::hidingOf. With a companion, the times of the run's own work and of the companion replace hidden and exposed,
/// and the speed-up is relative to running one after the other.
std::vector<HeadlineNumber> headlineNumbersOf(const engine::RunResult& result);

}  // namespace data
