#pragma once

#include "engine/api/results.h"

#include <optional>

namespace data {

/// The time of the own work or of the companion, divided into waiting for a CU and running.
struct BesideTime {
    engine::Duration waits;          ///< until its first workgroup had room on a CU; 0 if that is not known
    std::optional<double> slowdown;  ///< the time from then on over the time alone; empty without times alone
};

BesideTime ownBeside(const engine::CompanionResult& result);
BesideTime companionBeside(const engine::CompanionResult& result);

/// Returns whether texts tell a slow-down as a factor, "2.7 times as long", and not as a percentage. From 2 on a
/// percentage such as "170 % slower" is easily read as a factor.
constexpr bool isToldAsFactor(double slowdown) { return slowdown >= 2; }

}  // namespace data
