#pragma once

#include <cstdint>
#include <vector>

namespace engine {

/// The order of chunks and steps on a ring in which GPU i sends to GPU i-1. GPU i produces chunks i, i+1, …, i+N-1 (mod
/// N): it begins with the chunk that its neighbour needs next, and ends with i-1, its own share.
struct RingSchedule {
    std::uint32_t gpus = 0;
    std::uint32_t gpu = 0;

    std::uint32_t chunkInOrder(std::uint32_t place) const { return (gpu + place) % gpus; }
    std::uint32_t ownChunk() const { return (gpu + gpus - 1) % gpus; }
    std::uint32_t next() const { return (gpu + gpus - 1) % gpus; }  ///< the GPU it sends to
    std::uint32_t before() const { return (gpu + 1) % gpus; }       ///< the GPU it receives from
    std::uint32_t ownerOf(std::uint32_t chunk) const { return (chunk + 1) % gpus; }
    std::uint32_t chunkOf(std::uint32_t owner) const { return (owner + gpus - 1) % gpus; }

    /// Returns the other GPUs, beginning with the one from which it receives, so that each GPU begins with a different
    /// one.
    std::vector<std::uint32_t> others() const {
        std::vector<std::uint32_t> all;
        for (std::uint32_t distance = 1; distance < gpus; ++distance)
            all.push_back((gpu + distance) % gpus);
        return all;
    }

    // Steps count from 1 to N-1.
    std::uint32_t reduceScatterSends(std::uint32_t step) const { return (gpu + step - 1) % gpus; }
    std::uint32_t reduceScatterReceives(std::uint32_t step) const { return (gpu + step) % gpus; }
    std::uint32_t allGatherSends(std::uint32_t step) const { return (gpu + gpus + step - 2) % gpus; }
    std::uint32_t allGatherReceives(std::uint32_t step) const { return (gpu + gpus + step - 1) % gpus; }

    // Two nodes of N/2 GPUs: the counterpart of GPU i of the first is GPU N-1-i of the second, so that the ring goes
    // around one node and then around the other.
    std::uint32_t counterpart() const { return counterpartOf(gpu); }
    std::uint32_t counterpartOf(std::uint32_t other) const { return gpus - 1 - other; }
    bool onMyNode(std::uint32_t other) const { return (other < gpus / 2) == (gpu < gpus / 2); }
};

}  // namespace engine
