#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// The states of a tile of the output on one GPU, in the order in which it passes through them.
enum class TileState : std::uint8_t {
    notProduced,
    stored,     ///< computed and on its way to memory, or to the neighbour if its chunk goes straight there
    oneUpdate,  ///< one contribution has landed completely: the local one or the neighbour's
    ready,      ///< all contributions have landed; the tile waits for its transfer
    inFlight,   ///< its transfer reads and sends it
    sent,       ///< has left for the neighbour
    reduced,    ///< complete and final: in the chunk that this GPU keeps, or received by the all-gather
};
inline constexpr std::size_t kTileStates = 7;

/// The change of a tile from one state to another.
struct TileChange {
    std::int64_t ps = 0;
    std::uint32_t tile = 0;
    TileState from{}, to{};
    bool operator==(const TileChange&) const = default;
};

/// The contributions of a tile that have landed on one GPU, whatever happened to the tile since.
struct TileCopies {
    bool computed = false;      ///< its workgroup has stored it; always false if the collective moves other data
    bool own = false;           ///< the own contribution has landed completely
    std::uint16_t arrived = 0;  ///< contributions of other GPUs that have landed completely; each is a partial sum
                                ///< itself
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
    std::uint32_t tag = 0;        ///< workgroup id without the bits that select the set
    std::uint32_t workgroup = 0;  ///< position in this GPU's order
    std::uint32_t tile = 0;
    std::uint32_t chunk = 0;                    ///< as numbered on the shown GPU
    std::vector<std::uint32_t> landedBytes;     ///< by wavefront
    std::vector<std::uint32_t> thresholdBytes;  ///< by wavefront: the bytes of all contributions to it
    std::int64_t firstUpdatePs = 0;
    std::optional<Landing> lastLanding;  ///< the latest update that it counted
    bool operator==(const TrackerEntry&) const = default;
};

/// A DMA block that is moving or waiting.
struct BlockState {
    std::uint32_t block = 0;
    std::uint32_t chunk = 0;  ///< as numbered on the shown GPU
    bool gathering = false;   ///< a command of the all-gather, which has its own block numbers
    std::int64_t sincePs = 0;
    double doneShare = 0;  ///< of its bytes, 0 to 1
    bool operator==(const BlockState&) const = default;
};

/// The state of one GPU at a moment.
struct GpuState {
    std::vector<TileState> tiles;                                     ///< by tile, raster order, of the shown GPU
    std::vector<TileCopies> copies;                                   ///< by tile, in the same order
    std::vector<std::array<std::uint32_t, kTileStates>> chunkTiles;   ///< by chunk: tiles in each state
    std::vector<TrackerEntry> tracker;                                ///< by set, then age
    std::optional<std::uint32_t> lastTriggeredBlock, lastClosedTile;  ///< the latest up to this moment
    std::optional<std::int64_t> lastTriggerPs, lastClosePs;
    std::optional<Landing> lastLanding;                         ///< the latest up to this moment, counted by the
                                                                ///< tracker or not
    std::vector<BlockState> waitingBlocks, movingBlocks;        ///< triggered; taken by an engine
    std::optional<std::uint32_t> sendingChunk, receivingChunk;  ///< on the link at this moment
    std::optional<std::uint32_t> collectiveStep;                ///< of the baseline's kernels, from 1
    bool gathering = false;                                     ///< `collectiveStep` belongs to the all-gather
    std::optional<std::uint32_t> wave;                          ///< the latest that has begun, from 0
    std::int64_t runningWorkgroups = 0, computeBacklog = 0, communicationBacklog = 0, trackerEntries = 0, dmaQueue = 0,
                 heldBytes = 0;  // bytes of arriving updates that wait for a set of the tracker
    bool operator==(const GpuState&) const = default;
};

/// The position of playback: a time, and, since several events can happen at that time, how many events have happened
/// so far.
struct Position {
    std::int64_t ps = 0;
    std::uint64_t events = 0;
    bool operator==(const Position&) const = default;
};

}  // namespace data
