#pragma once

#include <cstdint>

namespace engine {

/// Returns a pseudo-random number for a seed and a position. SplitMix64 (Steele, Lea, Flood 2014): every bit of seed and
/// position reaches every bit of the result.
constexpr std::uint64_t splitMix(std::uint64_t seed, std::uint64_t position) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + position + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

}  // namespace engine
