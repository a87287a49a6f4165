#pragma once

namespace tests {

/// Whether experiments with a companion, and dispatch rules, are drawn, run and verified. False for an engine that
/// cannot simulate them.
inline constexpr bool kDrawsCompanions = true;

}  // namespace tests
