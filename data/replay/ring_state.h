#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// What has become of a tile of the output on one GPU, in the order in which it goes through them.
enum class TileState : std::uint8_t {
    notProduced,
    stored,     ///< computed and on its way to memory, or to the neighbour where its chunk goes straight there
    oneUpdate,  ///< one of its contributions has landed whole: the local one or the neighbour's
    ready,      ///< all contributions are there, it waits for its transfer
    inFlight,   ///< its transfer reads and sends it
    sent,       ///< has left for the neighbour
    reduced,    ///< whole and final: in the chunk that this GPU keeps, or received by the all-gather
};
inline constexpr std::size_t kTileStates = 7;

/// A tile goes from one state to another.
struct TileChange {
    std::int64_t ps = 0;
    std::uint32_t tile = 0;
    TileState from{}, to{};
    bool operator==(const TileChange&) const = default;
};

/// What of a tile is there on one GPU, whatever has become of it since.
struct TileCopies {
    bool computed = false;      ///< its workgroup has stored it; false where the collective's data are another's
    bool own = false;           ///< the own contribution has landed whole
    std::uint16_t arrived = 0;  ///< contributions of other GPUs that have landed whole, each of them a sum of its own
    bool operator==(const TileCopies&) const = default;
};

/// A granule that has landed in memory and was counted.
struct Landing {
    std::int64_t ps = 0;
    std::uint32_t tile = 0;
    std::uint32_t granule = 0;  ///< of the tile
    std::uint32_t bytes = 0;
    bool operator==(const Landing&) const = default;
};

/// One taken entry of the tracker's table.
struct TrackerEntry {
    std::uint32_t set = 0;
    std::uint32_t tag = 0;        ///< workgroup id without the bits that pick the set
    std::uint32_t workgroup = 0;  ///< position in this GPU's order
    std::uint32_t tile = 0;
    std::uint32_t chunk = 0;                    ///< as numbered on the shown GPU
    std::vector<std::uint32_t> landedBytes;     ///< by wavefront
    std::vector<std::uint32_t> thresholdBytes;  ///< likewise: all contributions to it
    std::int64_t firstUpdatePs = 0;
    std::optional<Landing> lastLanding;  ///< the latest update that it counted
    bool operator==(const TrackerEntry&) const = default;
};

/// A DMA block under way or waiting.
struct BlockState {
    std::uint32_t block = 0;
    std::uint32_t chunk = 0;  ///< as numbered on the shown GPU
    bool gathering = false;   ///< a command of the all-gather's, which has block numbers of its own
    std::int64_t sincePs = 0;
    double doneShare = 0;  ///< of its bytes, 0 to 1
    bool operator==(const BlockState&) const = default;
};

/// One GPU at a moment.
struct GpuState {
    std::vector<TileState> tiles;                                     ///< by tile, raster order, of the shown GPU
    std::vector<TileCopies> copies;                                   ///< by tile, likewise
    std::vector<std::array<std::uint32_t, kTileStates>> chunkTiles;   ///< by chunk: tiles in each state
    std::vector<TrackerEntry> tracker;                                ///< by set, then age
    std::optional<std::uint32_t> lastTriggeredBlock, lastClosedTile;  ///< the latest up to this moment
    std::optional<std::int64_t> lastTriggerPs, lastClosePs;
    std::optional<Landing> lastLanding;                         ///< likewise, counted by the tracker or not
    std::vector<BlockState> waitingBlocks, movingBlocks;        ///< triggered; taken by an engine
    std::optional<std::uint32_t> sendingChunk, receivingChunk;  ///< on the link at this moment
    std::optional<std::uint32_t> collectiveStep;                ///< of the baseline's kernels, from 1
    bool gathering = false;                                     ///< that step is the all-gather's
    std::optional<std::uint32_t> wave;                          ///< the latest that has begun, from 0
    std::int64_t runningWorkgroups = 0, computeBacklog = 0, communicationBacklog = 0, trackerEntries = 0, dmaQueue = 0,
                 heldBytes = 0;  // of arriving updates that wait for a set of the tracker
    bool operator==(const GpuState&) const = default;
};

/// Where playback stands: a time and, because several events can share it, how many events have happened so far.
struct Position {
    std::int64_t ps = 0;
    std::uint64_t events = 0;
    bool operator==(const Position&) const = default;
};

}  // namespace data
