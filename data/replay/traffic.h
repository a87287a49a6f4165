#pragma once

#include "data/replay/log_facts.h"
#include "engine/api/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace data {

/// Whose traffic it is.
enum class TrafficOwner : std::uint8_t { compute, communication, companion };
inline constexpr std::size_t kTrafficOwners = 3;
enum class TrafficKind : std::uint8_t { read, write, update };
inline constexpr std::size_t kTrafficKinds = 3;

/// Bytes by owner and kind.
struct Traffic {
    std::array<std::array<double, kTrafficKinds>, kTrafficOwners> bytes{};
    double of(TrafficOwner owner) const;
    double of(TrafficOwner owner, TrafficKind kind) const {
        return bytes[static_cast<std::size_t>(owner)][static_cast<std::size_t>(kind)];
    }
    double total() const;
    Traffic& operator+=(const Traffic& other);
    Traffic& operator*=(double factor);
};

/// Returns whose DRAM service `span` is: the companion's, or the own work's by its stream; and what it does.
TrafficOwner trafficOwnerOf(const engine::Span& span);
TrafficKind trafficKindOf(const engine::Span& span);

/// What a lane of DRAM services or of packets carries over [from, to): each counts with the share of its bytes that lies in it.
/// Precondition: the lane's spans do not overlap.
Traffic servedBetween(const engine::Lane& channel, std::int64_t from, std::int64_t to);
struct Carried {
    double bytes = 0;
    std::int64_t busyPs = 0;
    /// Of the bytes: those of chunks whose stores go straight to a link count as compute.
    std::array<double, kTrafficOwners> ofOwner{};
};
/// `parts`: by chunk, as the packets number them; empty: no packet is a store.
Carried carriedBetween(const engine::Lane& link, std::int64_t from, std::int64_t to, std::span<const ChunkPart> parts);

}  // namespace data
