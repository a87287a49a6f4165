#pragma once

namespace tests {

/// Whether experiments with a companion, and rules of dispatch, are drawn, run and verified: an engine has to simulate them.
inline constexpr bool kDrawsCompanions = true;

}  // namespace tests
