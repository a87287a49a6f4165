#pragma once

#include "data/replay/ring_state.h"

#include <cstdint>
#include <vector>

namespace engine {
struct ChunkMoves;
struct Experiment;
}  // namespace engine

namespace data {

/// How many GPUs have a part in what stands of a chunk on a GPU, as the steps of the run's reduce-scatter have it. In a run
/// that sums nothing a tile has one part.
class SumPlan {
public:
    SumPlan() = default;
    /// Of a valid experiment. Takes the steps of every GPU: make it once for a run.
    SumPlan(const engine::Experiment& experiment, std::uint32_t gpus);

    /// Partial sums of a whole tile: the number of GPUs, or 1 where nothing is summed.
    std::uint32_t parts() const { return m_parts; }
    bool reduces() const { return m_reduces; }
    /// Partial sums of other GPUs that stand in a tile of the chunk once `arrived` contributions have landed: at least as
    /// many as in the smallest ones of those that come.
    std::uint32_t others(std::uint32_t gpu, std::uint32_t chunk, std::uint32_t arrived) const;
    /// The same once all have come.
    std::uint32_t allOthers(std::uint32_t gpu, std::uint32_t chunk) const;
    /// The GPU on which the reduce-scatter makes the chunk whole; the number of GPUs where there is none.
    std::uint32_t keeperOf(std::uint32_t chunk) const;

private:
    /// `moves`: by GPU, then chunk.
    void addChunk(std::uint32_t chunk, const std::vector<std::vector<engine::ChunkMoves>>& moves);

    std::uint32_t m_gpus = 0, m_parts = 1, m_chunks = 0;
    bool m_reduces = false;
    std::vector<std::vector<std::uint32_t>> m_arrivals;  ///< by GPU, then chunk: parts in the first 1, 2, … that come
    std::vector<std::uint32_t> m_keepers;                ///< by chunk
};

/// The tiles of one chunk on one GPU by the partial sums that stand in them.
struct ChunkSums {
    std::uint32_t tiles = 0;
    std::uint32_t whole = 0;        ///< final on this GPU: every partial sum
    std::uint32_t sent = 0;         ///< have left for another GPU
    std::uint32_t least = 0;        ///< partial sums that stand in every tile
    std::uint32_t most = 0;         ///< in some tile
    std::vector<std::uint32_t> in;  ///< by place, the own partial sum first: tiles neither sent nor whole that have it
    std::vector<std::uint32_t> gone;  ///< likewise: of those that were sent
    bool operator==(const ChunkSums&) const = default;
};

/// Returns the sums of a chunk, whose tiles are [first, end), on GPU `gpu`.
ChunkSums sumsOf(const SumPlan& plan, const GpuState& state, std::uint32_t gpu, std::uint32_t chunk,
                 std::uint32_t first, std::uint32_t end);

/// Returns the partial sums in one tile: the own one, if it is there, and those of other GPUs.
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
