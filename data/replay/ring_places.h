#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <vector>

namespace data {

/// Returns whether a span's first number is a tile of the own work's output. A companion has tiles of its own.
bool isOfTile(const engine::Span& span);

/// Returns whether chunks go from each GPU to the one before it, all the way around. If not (direct, hierarchical, an
/// all-to-all, or a GEMM that waits for gathered data), only the packets themselves show which GPU sent what to which.
bool goesAroundRing(const engine::Experiment& experiment);

/// Maps tiles to chunks, and the numbers of the recorded GPU to those of any GPU. GPU i sends to GPU i-1; it works on
/// chunks i, i+1, … in this order and keeps the last one, i-1.
class RingPlaces {
public:
    /// Makes the places of an empty run: one GPU without output.
    RingPlaces() = default;
    explicit RingPlaces(const engine::Trace& trace);

    std::uint32_t gpus() const { return m_gpus; }
    std::uint32_t tiles() const { return m_firstTile.back(); }
    bool mirrored() const { return m_mirrored; }
    /// Returns the recorded GPU whose lanes represent `gpu`: GPU 0 in a mirrored trace, otherwise `gpu` itself.
    std::uint32_t recorded(std::uint32_t gpu) const { return m_mirrored ? 0 : gpu; }
    std::uint32_t neighbour(std::uint32_t gpu) const {
        return (gpu + m_gpus - 1) % m_gpus;
    }  ///< the GPU that `gpu`
       ///< sends to
    std::uint32_t upstream(std::uint32_t gpu) const {
        return (gpu + 1) % m_gpus;
    }  ///< the GPU that `gpu`
       ///< receives from

    std::uint32_t chunkFirstTile(std::uint32_t chunk) const { return m_firstTile[chunk]; }
    std::uint32_t chunkEndTile(std::uint32_t chunk) const { return m_firstTile[chunk + 1]; }
    std::uint32_t chunkOfTile(std::uint32_t tile) const;
    /// Returns the chunk that a span is about, in recorded numbers; kNone if it is about no chunk or about a
    /// companion's.
    std::uint32_t chunkOf(const engine::Span& span) const;

    /// Convert a recorded number to that of `gpu`, and back. Numbers that are not in the run stay unchanged.
    std::uint32_t chunkOn(std::uint32_t gpu, std::uint32_t recorded) const;
    std::uint32_t tileOn(std::uint32_t gpu, std::uint32_t recorded) const;
    std::uint32_t recordedChunk(std::uint32_t gpu, std::uint32_t shown) const;
    std::uint32_t recordedTile(std::uint32_t gpu, std::uint32_t shown) const;

    /// Returns the position of a chunk in the order of `gpu`: 0 if its stores go straight to the neighbour, gpus-1 if
    /// it stays on this GPU. In recorded numbers.
    std::uint32_t placeOf(std::uint32_t gpu, std::uint32_t recordedChunk) const;

private:
    std::uint32_t shifted(std::uint32_t tile, std::uint32_t chunks) const;

    std::uint32_t m_gpus = 1;
    bool m_mirrored = false;
    std::vector<std::uint32_t> m_firstTile{0, 0};  // by chunk; the last entry is the number of tiles
};

}  // namespace data
