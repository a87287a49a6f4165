#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <vector>

namespace data {

/// Whether a span's first number is a tile of the output of the own work. A companion has tiles of its own.
bool isOfTile(const engine::Span& span);

/// Whether chunks go from each GPU to the one before it, all the way around. Otherwise (direct, hierarchical, an
/// all-to-all) or where a GEMM waits for what is gathered, nobody but the packets themselves tells who sent what to whom.
bool goesAroundRing(const engine::Experiment& experiment);

/// Which tile belongs to which chunk, and by which number a GPU's reader knows what the trace has recorded once for all.
/// GPU i sends to GPU i-1; it works on chunks i, i+1, … in this order and keeps the last, i-1.
class RingPlaces {
public:
    /// Of no run: one GPU without output.
    RingPlaces() = default;
    explicit RingPlaces(const engine::Trace& trace);

    std::uint32_t gpus() const { return m_gpus; }
    std::uint32_t tiles() const { return m_firstTile.back(); }
    bool mirrored() const { return m_mirrored; }
    /// The GPU whose lanes tell what `gpu` did.
    std::uint32_t recorded(std::uint32_t gpu) const { return m_mirrored ? 0 : gpu; }
    std::uint32_t neighbour(std::uint32_t gpu) const { return (gpu + m_gpus - 1) % m_gpus; }  ///< it sends to
    std::uint32_t upstream(std::uint32_t gpu) const { return (gpu + 1) % m_gpus; }            ///< it receives from

    std::uint32_t chunkFirstTile(std::uint32_t chunk) const { return m_firstTile[chunk]; }
    std::uint32_t chunkEndTile(std::uint32_t chunk) const { return m_firstTile[chunk + 1]; }
    std::uint32_t chunkOfTile(std::uint32_t tile) const;
    /// The chunk that a span is about, in recorded numbers; kNone where it is about none, or about a companion's.
    std::uint32_t chunkOf(const engine::Span& span) const;

    /// A recorded number as `gpu` counts, and back. Numbers that are not in the run stay what they are.
    std::uint32_t chunkOn(std::uint32_t gpu, std::uint32_t recorded) const;
    std::uint32_t tileOn(std::uint32_t gpu, std::uint32_t recorded) const;
    std::uint32_t recordedChunk(std::uint32_t gpu, std::uint32_t shown) const;
    std::uint32_t recordedTile(std::uint32_t gpu, std::uint32_t shown) const;

    /// 0: its stores go straight to the neighbour; gpus-1: it stays here. In recorded numbers.
    std::uint32_t placeOf(std::uint32_t gpu, std::uint32_t recordedChunk) const;

private:
    std::uint32_t shifted(std::uint32_t tile, std::uint32_t chunks) const;

    std::uint32_t m_gpus = 1;
    bool m_mirrored = false;
    std::vector<std::uint32_t> m_firstTile{0, 0};  // of each chunk, and the number of tiles at the end
};

}  // namespace data
