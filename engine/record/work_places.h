#pragma once

#include "engine/api/attribution.h"
#include "engine/record/trace_lanes.h"

#include <utility>
#include <vector>

namespace engine {

/// Where in a trace the work on a tile, a block or a granule is: what times alone do not tell. Recorded GPUs and their
/// numbers throughout.
class WorkPlaces {
public:
    /// `scatters`, `gathers`: what DMA does.
    WorkPlaces(const TraceLanes& lanes, std::int64_t blockTiles, bool scatters, bool gathers);

    /// Nothing: the tile was not worked on there.
    std::optional<SpanPlace> workgroup(std::uint32_t gpu, std::uint32_t tile) const;
    /// The first workgroup, by slot, whose stores were taken at that moment.
    std::optional<SpanPlace> releasedAt(std::uint32_t gpu, TimePoint when) const;
    std::optional<SpanPlace> lastReleasedBefore(std::uint32_t gpu, TimePoint when) const;

    /// When a K-step was done; never, where it is not known.
    TimePoint computed(std::uint32_t gpu, std::uint32_t tile, std::uint32_t step) const;
    /// The last of a tile's K-steps that was done before `when`.
    std::optional<std::uint32_t> lastComputedBefore(std::uint32_t gpu, std::uint32_t tile, TimePoint when) const;
    std::uint32_t steps(std::uint32_t gpu) const;

    std::uint32_t chunkOf(std::uint32_t tile) const;
    std::uint32_t firstGranule(std::uint32_t tile) const { return tile < m_granule.size() ? m_granule[tile] : 0; }
    /// Of a granule of a tile, as the last 16 bits of its number tell it.
    std::uint32_t indexInChunk(std::uint32_t tile, std::uint16_t part) const;

    /// Tiles [first, end) of the block that a trigger or transfer of one phase is about.
    std::pair<std::uint32_t, std::uint32_t> tilesOf(std::uint32_t gpu, WorkPhase phase, const Span& ofBlock) const;
    /// The transfer that sent a tile.
    std::optional<SpanPlace> transfer(std::uint32_t gpu, WorkPhase phase, std::uint32_t tile) const;

private:
    struct Release {
        TimePoint end;
        SpanPlace place;
    };
    struct Blocks {
        std::vector<std::uint32_t> first;  // by chunk: its first block
        std::vector<SpanPlace> transfers;  // by block
    };
    struct Gpu {
        std::vector<SpanPlace> workgroups;  // by tile
        std::vector<Release> releases;      // by time, then slot
        // Of the all-gather, and of what comes before it.
        Blocks gathered, scattered;
    };

    void readWorkgroups(std::uint32_t gpu);
    void readBlocks(std::uint32_t gpu, bool scatters, bool gathers);
    static void addBlock(Blocks& blocks, const Span& span, SpanPlace place);
    const Blocks& blocks(std::uint32_t gpu, WorkPhase phase) const;

    const TraceLanes& m_lanes;
    std::uint32_t m_blockTiles;
    std::vector<Gpu> m_gpus;
    std::vector<std::uint32_t> m_granule;  // first of each tile
};

}  // namespace engine
