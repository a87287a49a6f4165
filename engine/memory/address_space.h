#pragma once

#include <cstdint>

namespace engine {

/// Addresses of one GPU's data in granules, counted over all channels. The bank model derives banks and rows from them.
/// The output begins at 0. Validation keeps the matrices of a GPU below 2^24 granules together.
inline constexpr std::uint32_t kCopyRoom = 1u << 24;
/// Number of matrices that pass through the cache: A, B and a cached output.
inline constexpr std::uint32_t kMatrices = 3;

/// Returns the address of matrix `number`, counted from 0.
constexpr std::uint32_t matrixAddress(std::uint32_t number) { return (1u << 28) + number * (1u << 27); }

/// Returns the address of received copy `copy`, counted from 1, of a collective. Eight copies fit before the matrices;
/// the others lie behind them.
constexpr std::uint32_t receivedCopyAddress(std::uint32_t copy) {
    constexpr std::uint32_t kBefore = 8;
    return copy <= kBefore ? (1u << 27) + (copy - 1) * kCopyRoom
                           : matrixAddress(kMatrices) + (copy - kBefore - 1) * kCopyRoom;
}

/// Address of the companion's data: its matrices or buffers one behind the other. Validation keeps both parts of an
/// experiment below 2^24 granules together.
inline constexpr std::uint32_t kCompanionAddress = 0xe0000000u;

/// Address of the background reads, which are not part of the experiment.
inline constexpr std::uint32_t kBackgroundAddress = 0xf0000000u;

/// Returns the address of received copy `copy`, counted from 1, of a companion's collective: behind its buffer, copy
/// after copy. There is room for fifteen. A sixteenth has the address of the first and so opens the same rows, which is
/// the only effect of an address.
constexpr std::uint32_t companionCopyAddress(std::uint32_t copy) {
    constexpr std::uint32_t kCopies = (kBackgroundAddress - kCompanionAddress) / kCopyRoom - 1;
    return kCompanionAddress + (1 + (copy - 1) % kCopies) * kCopyRoom;
}

}  // namespace engine
