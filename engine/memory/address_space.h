#pragma once

#include <cstdint>

namespace engine {

/// Where the data of one GPU lie, in granules counted over all channels: what the bank model takes banks and rows from.
/// The output begins at 0. Validation keeps the matrices of a GPU below 2^24 granules together.
inline constexpr std::uint32_t kCopyRoom = 1u << 24;
inline constexpr std::uint32_t kMatrices = 3;  ///< that pass through the cache: A, B and a cached output

/// Where matrix `number`, from 0, begins.
constexpr std::uint32_t matrixAddress(std::uint32_t number) { return (1u << 28) + number * (1u << 27); }

/// Where copy `copy`, from 1, of what a collective receives begins. Eight copies fit before the matrices; the others lie
/// behind them.
constexpr std::uint32_t receivedCopyAddress(std::uint32_t copy) {
    constexpr std::uint32_t kBefore = 8;
    return copy <= kBefore ? (1u << 27) + (copy - 1) * kCopyRoom
                           : matrixAddress(kMatrices) + (copy - kBefore - 1) * kCopyRoom;
}

/// Where what belongs to a companion begins, one matrix or buffer behind the other. Validation keeps both parts of an
/// experiment below 2^24 granules together.
inline constexpr std::uint32_t kCompanionAddress = 0xe0000000u;

/// Where reads begin that are not part of the experiment.
inline constexpr std::uint32_t kBackgroundAddress = 0xf0000000u;

/// Where copy `copy`, from 1, of what a companion's collective receives begins: behind its buffer, copy after copy. Fifteen
/// have room there; a sixteenth lies where the first does and so opens the same rows, which is all that an address decides.
constexpr std::uint32_t companionCopyAddress(std::uint32_t copy) {
    constexpr std::uint32_t kCopies = (kBackgroundAddress - kCompanionAddress) / kCopyRoom - 1;
    return kCompanionAddress + (1 + (copy - 1) % kCopies) * kCopyRoom;
}

}  // namespace engine
