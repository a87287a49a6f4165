#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

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

/// Returns the time of the processor that `work` takes, in all threads of the program. Other work of the machine adds
/// nothing to it.
template <class Work>
std::chrono::milliseconds processorTimeOf(Work work) {
    const std::clock_t before = std::clock();
    work();
    return std::chrono::milliseconds(1'000 * (std::clock() - before) / CLOCKS_PER_SEC);
}

}  // namespace tests
