#pragma once

#include <cstddef>
#include <cstdint>

namespace tests {

inline constexpr std::size_t kMostAtWork = 64;

/// Remembers which number a thread is at, for a crash to tell.
void noteAtWork(std::size_t place, std::uint64_t index);
void noteIdle(std::size_t place);

/// From now on a crash, a failed assertion or a sanitizer's report says on standard error which numbers were at work.
void tellWhereACrashWas();

}  // namespace tests
