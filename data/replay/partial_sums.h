#pragma once

#include "data/replay/ring_state.h"

#include <cstdint>
#include <vector>

namespace engine {
struct ChunkMoves;
struct Experiment;
}  // namespace engine

namespace data {

/// The number of GPUs that have contributed to a GPU's copy of a chunk, computed from the steps of the run's
/// reduce-scatter. In a run without a reduction a tile has one contribution.
class SumPlan {
public:
    SumPlan() = default;
    /// Makes the plan of a valid experiment. Reads the steps of every GPU: make one plan for a run.
    SumPlan(const engine::Experiment& experiment, std::uint32_t gpus);

    /// Returns the number of partial sums in a complete tile: the number of GPUs, or 1 without a reduction.
    std::uint32_t parts() const { return m_parts; }
    bool reduces() const { return m_reduces; }
    /// Returns how many partial sums of other GPUs are in a tile of the chunk once `arrived` contributions have landed.
    /// It is a lower bound: it takes the smallest of the contributions that come.
    std::uint32_t others(std::uint32_t gpu, std::uint32_t chunk, std::uint32_t arrived) const;
    /// Returns how many partial sums of other GPUs are in a tile of the chunk once all contributions have landed.
    std::uint32_t allOthers(std::uint32_t gpu, std::uint32_t chunk) const;
    /// Returns the GPU on which the reduce-scatter completes the chunk, or the number of GPUs if there is none.
    std::uint32_t keeperOf(std::uint32_t chunk) const;

private:
    /// `moves`: by GPU, then chunk.
    void addChunk(std::uint32_t chunk, const std::vector<std::vector<engine::ChunkMoves>>& moves);

    std::uint32_t m_gpus = 0, m_parts = 1, m_chunks = 0;
    bool m_reduces = false;
    std::vector<std::vector<std::uint32_t>> m_arrivals;  ///< by GPU, then chunk: partial sums in the first 1, 2, …
                                                         ///< contributions
    std::vector<std::uint32_t> m_keepers;                ///< by chunk
};

/// The tiles of one chunk on one GPU, counted by the partial sums in them.
struct ChunkSums {
    std::uint32_t tiles = 0;
    std::uint32_t whole = 0;          ///< final on this GPU: they have every partial sum
    std::uint32_t sent = 0;           ///< tiles that have left for another GPU
    std::uint32_t least = 0;          ///< the number of partial sums that every tile has at least
    std::uint32_t most = 0;           ///< the number of partial sums in the tile with the most
    std::vector<std::uint32_t> in;    ///< by place, the own partial sum first: the number of tiles, neither sent nor
                                      ///< complete, that have it
    std::vector<std::uint32_t> gone;  ///< by place: the number of tiles that had it and were sent
    bool operator==(const ChunkSums&) const = default;
};

/// Returns the sums of a chunk, whose tiles are [first, end), on GPU `gpu`.
ChunkSums sumsOf(const SumPlan& plan, const GpuState& state, std::uint32_t gpu, std::uint32_t chunk,
                 std::uint32_t first, std::uint32_t end);

/// The partial sums in one tile: the own one, if it is there, and those of other GPUs.
struct TileSums {
    bool own = false;
    std::uint32_t others = 0;
    bool sent = false;
    bool whole = false;
    std::uint32_t count() const { return (own ? 1 : 0) + others; }
};
TileSums tileSums(const SumPlan& plan, const GpuState& state, std::uint32_t gpu, std::uint32_t chunk,
                  std::uint32_t tile);

}  // namespace data
