#pragma once

#include <algorithm>
#include <chrono>

namespace tests {

/// Returns the shortest time that `measured` returns in up to five attempts; stops at the first time below `enough`.
/// Slow code is slow in every attempt, but a busy machine is not.
template <class Measured>
std::chrono::milliseconds leastTime(std::chrono::milliseconds enough, Measured measured) {
    constexpr int kAttempts = 5;
    std::chrono::milliseconds least = measured();
    for (int attempt = 1; attempt < kAttempts && least >= enough; ++attempt)
        least = std::min(least, measured());
    return least;
}

/// Returns the time that `work` takes.
template <class Work>
std::chrono::milliseconds timeOf(Work work) {
    const auto before = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - before);
}

}  // namespace tests
