#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/kernel/event_queue.h"
#include "engine/memory/near_memory_update.h"
#include "engine/overlap/address_map.h"
#include "engine/overlap/collective_work.h"
#include "engine/workload/output_layout.h"
#include "engine/workload/tile_walk.h"

#include <cstdint>
#include <vector>

namespace engine {

class DmaEngine;
class Recorder;

/// T3's tracker at the memory controller: counts landed bytes for each wavefront's part of a workgroup's tile, and
/// marks a DMA block's command ready when all tiles of the block are complete (T3, section 4.2).
/// Modelled: sets and ways, the order in which sets are used, updates held back when a set is taken, the trigger
/// latency. Left out: the time of a look-up, which the update it accompanies hides.
/// The workgroup id is the position in this GPU's order; set = id mod entries. An entry is held from the admission
/// of the tile's first update until the last byte of all its updates has landed. An update is admitted only while
/// fewer than `ways` older tiles of its set are unclosed: sets are used in tile order, because allocation on first
/// come deadlocks (a held head blocks what would free it). The oldest open tile is always admitted, except where there
/// are no ways at all: then nothing ever is.
/// Tiles that the map awaits without tracking them trigger nothing and take no entry: their bytes are counted as one sum
/// would count them, so that the end is known (direct reduce-scatter).
/// Promise: every tracked tile closes exactly once, at its last byte, never early.
class Tracker final : public UpdateGate {
public:
    /// `closed` is scheduled per tile in the trigger phase; `triggered` per DMA block in the trigger phase.
    Tracker(const Experiment& experiment, const CollectiveWork& work, const AddressMap& map, TileOrder order,
            EventPort closed, EventPort triggered, Recorder* recorder);

    void connect(NearMemoryUpdate& updates, DmaEngine& dma);

    bool admit(std::uint32_t tile, UpdateSource source) override;
    void landed(std::uint32_t granule, std::uint32_t bytes, UpdateSource source, TimePoint finish) override;

    void onClosed(std::uint32_t tile);
    void onTriggered(std::uint32_t block);

    /// Tracked tiles that have not closed yet.
    std::uint32_t unclosed() const { return m_unclosed; }
    TimePoint lastClose() const { return m_lastClose; }
    TrackerResult stats() const { return m_stats; }
    /// The tile that holds or needs an entry, has not closed and comes first in this GPU's order; kNone where there is none, or
    /// no ways. Its updates are always admitted.
    std::uint32_t oldestOpen() const;
    /// Updates of which some bytes came after all that their tile was to get; must stay 0.
    std::int64_t surplusUpdates() const { return m_surplusUpdates; }

    /// For the message of a deadlock: the oldest tile still open or held, in words.
    std::string describeWaiting() const;

private:
    struct Tile {
        std::uint32_t openWfs = 0;   // 0: not tracked or closed
        std::uint32_t setIndex = 0;  // rank among the tiles of its set
        TimePoint closesAt;
        TimePoint firstAdmitted;
        TimePoint storedAt;            // for the recorder
        std::uint32_t localBytes = 0;  // landed; for the recorder
        bool admitted = false;
        bool inTable = false;  // holds an entry
        bool closed = false;
        std::uint8_t stalledSources = 0;

        bool waitsInTable() const { return inTable && openWfs != 0; }
    };
    struct Set {
        std::uint32_t frontier = 0;  // ranks up to here are admitted: the ways-th unclosed one
    };

    std::string bytesLeftText(std::uint32_t tile) const;
    std::uint32_t tileOfRank(std::uint32_t set, std::uint32_t rank) const;
    void advance(std::uint32_t set);
    void passClosed();

    const OutputLayout& m_layout;
    TileOrder m_order;
    EventPort m_closed;
    EventPort m_triggered;
    Recorder* m_recorder;  // null for a companion, of which only contributions are recorded
    Recorder* m_contributions;
    std::uint8_t m_kernel;
    NearMemoryUpdate* m_updates = nullptr;
    DmaEngine* m_dma = nullptr;
    TrackerConfig m_config;
    bool m_arrivalsReplace;       // for the recorder
    std::uint32_t m_channelMask;  // for the recorder
    std::vector<Tile> m_tiles;
    std::vector<std::uint64_t> m_wfBytes;  // left, by tile and wavefront: a large tile may get an update from each GPU
    std::vector<Set> m_sets;
    std::uint32_t m_unclosed = 0;
    std::uint32_t m_oldest = 0;  // position: all before it have closed or need no entry
    std::int64_t m_entriesHeld = 0;
    std::int64_t m_surplusUpdates = 0;
    TimePoint m_lastClose;
    TrackerResult m_stats;
};

}  // namespace engine
