#pragma once

#include <cstddef>
#include <cstdint>

namespace tests {

inline constexpr std::size_t kMostAtWork = 64;

/// Records the number of the experiment that a thread runs, for the report of a crash.
void noteAtWork(std::size_t place, std::uint64_t index);
void noteIdle(std::size_t place);

/// Installs handlers: from now on a crash, a failed assertion, a sanitizer's report or the end of alarm() also calls
/// `report`, which must not allocate memory, because it runs in a signal handler.
void whenItCrashes(void (*report)());

/// Installs handlers: from now on a crash, a failed assertion or a sanitizer's report also prints on standard error
/// which experiments were running.
void reportWhereACrashWas();

}  // namespace tests
