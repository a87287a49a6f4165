#pragma once

#include "engine/api/experiment.h"
#include "engine/memory/last_level_cache.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/tile_walk.h"

#include <cstdint>
#include <vector>

namespace engine {

/// The properties of one GEMM, and how its workgroups fit a CU. `grid` and the walk of `order` must outlive every
/// object made from them.
struct GemmSetting {
    GemmSize shape;
    const TileGrid* grid = nullptr;
    TileOrder order;
    GemmConfig tiling;        ///< with its prefetch as a number
    std::int64_t slots = 1;   ///< workgroups that fill one CU
    std::uint8_t kernel = 0;  ///< kOwnKernel, or the number of a copy from 1
    std::int64_t cus = 0;     ///< CUs that take its workgroups
};

/// The constants of one GEMM: its K-steps with their times, the slabs that each tile loads, the order of its
/// workgroups. A K-step is `tiling.kStep` elements of K; the last one is the remainder.
class GemmWork {
public:
    GemmWork(const Experiment& experiment, const GemmSetting& setting, std::uint32_t gpu);

    /// Adds the regions of A and B to the cache. Call before any load.
    void connect(LastLevelCache& cache);

    /// The data that the workgroup at one position of the order loads and computes.
    struct Tile {
        std::uint32_t tile = 0;
        /// The first slab of A: (part of K x tile rows + the tile's row counted from that of the GPU's first tile,
        /// around the last row) x K-steps.
        std::uint32_t aNext = 0;
        std::uint32_t bNext = 0;     ///< the first slab of B: the tile's column, counted in the same way, x K-steps
        SlabShape aSlab, aLastSlab;  ///< slabs of a whole K-step, and of the last one
        SlabShape bSlab, bLastSlab;
        std::uint32_t shapeClass = 0;
        std::uint32_t aSharers = 1, bSharers = 1;  ///< workgroups for which A, or B, passes from the cache once
    };
    Tile tileAt(std::uint32_t position) const;

    /// Returns the time from the dispatch of the workgroup at `position` to its start.
    Duration startDelay(std::uint32_t position) const;

    std::uint8_t kernel() const { return m_kernel; }
    std::uint32_t tiles() const { return m_order.tiles; }
    std::uint32_t steps() const { return m_steps; }  ///< K-steps of a tile
    std::uint32_t depth() const { return m_depth; }  ///< K-steps whose loads may be outstanding
    std::uint32_t slots() const { return m_slots; }
    std::uint32_t workgroupsOfWave() const { return m_workgroupsOfWave; }
    Duration stepTime(std::uint32_t shapeClass, std::uint32_t step) const { return m_stepTime[shapeClass][step]; }
    Duration epilogue() const { return m_epilogue; }
    const LastLevelCache::Region& a() const { return m_a; }
    const LastLevelCache::Region& b() const { return m_b; }

private:
    SlabShape slabShape(std::int64_t elements, std::int64_t k) const;
    void share(std::uint32_t position, const TileGrid::Tile& at, Tile& tile) const;

    GemmSize m_shape;
    const TileGrid& m_grid;
    TileOrder m_order;
    std::uint8_t m_kernel;
    std::uint32_t m_granuleBits;
    std::int64_t m_elementBytes;
    std::uint32_t m_kStep;
    std::uint32_t m_steps;
    std::uint32_t m_depth;
    std::uint32_t m_multicast;
    std::uint32_t m_slots;
    std::uint32_t m_workgroupsOfWave;
    Duration m_epilogue;
    Duration m_jitter;
    Duration m_ownJitter;  // jitter that is drawn separately for this GPU
    std::uint64_t m_seed;
    std::uint64_t m_ownSeed;
    std::uint32_t m_firstRow = 0;
    std::uint32_t m_firstColumn = 0;
    std::vector<Duration> m_stepTime[4];  // by ragged row, ragged column; then K-step
    LastLevelCache::Region m_a, m_b;
};

}  // namespace engine
