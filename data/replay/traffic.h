#pragma once

#include "data/replay/log_facts.h"
#include "engine/api/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace data {

/// The owner of traffic.
enum class TrafficOwner : std::uint8_t { compute, communication, companion };
inline constexpr std::size_t kTrafficOwners = 3;
/// `pass`: a pass inside memory, whose bytes no bus carries.
enum class TrafficKind : std::uint8_t { read, write, update, pass };
inline constexpr std::size_t kTrafficKinds = 4;

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

/// Return the owner of a DRAM service (the companion, or the own work by its stream) and its kind.
TrafficOwner trafficOwnerOf(const engine::Span& span);
TrafficKind trafficKindOf(const engine::Span& span);

/// Returns the traffic of a lane of DRAM services or of packets in [from, to). Each span counts with the share of its
/// bytes that lies in the range; a pass inside memory has none. Precondition: the lane's spans do not overlap.
Traffic servedBetween(const engine::Lane& channel, std::int64_t from, std::int64_t to);
struct Carried {
    double bytes = 0;
    std::int64_t busyPs = 0;
    /// The bytes by owner: those of chunks whose stores go straight to a link count as compute.
    std::array<double, kTrafficOwners> ofOwner{};
};
/// Returns the traffic of a link in [from, to). `parts`: by chunk, as the packets number them; empty: no packet is a
/// store.
Carried carriedBetween(const engine::Lane& link, std::int64_t from, std::int64_t to, std::span<const ChunkPart> parts);

}  // namespace data
