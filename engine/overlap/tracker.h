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

/// T3's tracker at the memory controller. It counts landed bytes for each wavefront's part of a workgroup's tile, and
/// marks a DMA block's command ready when all tiles of the block are complete (T3, section 4.2).
///
/// Modelled: sets and ways, the order in which sets are used, updates held back when a set is taken, the trigger
/// latency. Left out: the time of a look-up, which overlaps with the update that causes it.
///
/// The workgroup id is the position in this GPU's order; set = id mod entries. A tile holds an entry from the admission
/// of its first update until the last byte of all its updates has landed. An update is admitted only while fewer than
/// `ways` older tiles of its set are not closed. Sets are used in tile order because allocation on first come
/// deadlocks: a tile at the head that is held back blocks the tiles that would free its set. The oldest open tile is
/// always admitted, unless there are no ways: then no tile is ever admitted.
///
/// Tiles that the map expects but does not track trigger no command and take no entry: their bytes are counted as one
/// sum, so that the end is known (direct reduce-scatter).
///
/// Promise: every tracked tile closes exactly once, at its last byte, never early.
class Tracker final : public UpdateGate {
public:
    /// `closed` is scheduled per tile, `triggered` per DMA block, both in the trigger phase.
    Tracker(const Experiment& experiment, const CollectiveWork& work, const AddressMap& map, TileOrder order,
            EventPort closed, EventPort triggered, Recorder* recorder);

    void connect(NearMemoryUpdate& updates, DmaEngine& dma);

    bool admit(std::uint32_t tile, UpdateSource source) override;
    void landed(std::uint32_t granule, std::uint32_t bytes, UpdateSource source, TimePoint finish) override;

    void onClosed(std::uint32_t tile);
    void onTriggered(std::uint32_t block);

    /// Returns the number of tracked tiles that have not closed yet.
    std::uint32_t unclosed() const { return m_unclosed; }
    TimePoint lastClose() const { return m_lastClose; }
    TrackerResult stats() const { return m_stats; }
    /// Returns the first tile, in this GPU's order, that holds or needs an entry and has not closed; kNone if there is
    /// none, or without ways. Its updates are always admitted.
    std::uint32_t oldestOpen() const;
    /// Returns the number of updates with more bytes than their tile expects; must stay 0.
    std::int64_t surplusUpdates() const { return m_surplusUpdates; }

    /// Describes the oldest tile that is still open or held back, for the message of a deadlock.
    std::string describeWaiting() const;

private:
    struct Tile {
        std::uint32_t openWfs = 0;   // 0: not tracked or closed
        std::uint32_t setIndex = 0;  // rank among the tiles of its set
        TimePoint closesAt;
        TimePoint firstAdmitted;
        TimePoint storedAt;            // for the recorder
        std::uint32_t localBytes = 0;  // local bytes that have landed; for the recorder
        bool admitted = false;
        bool inTable = false;  // holds an entry
        bool closed = false;
        std::uint8_t stalledSources = 0;

        bool waitsInTable() const { return inTable && openWfs != 0; }
    };
    struct Set {
        std::uint32_t frontier = 0;  // ranks up to this one are admitted: the ways-th unclosed one
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
    bool m_arrivalsReplace;  // for the recorder
    std::vector<Tile> m_tiles;
    // Bytes left, by tile and wavefront; 64 bits because a large tile may get an update from each GPU.
    std::vector<std::uint64_t> m_wfBytes;
    std::vector<Set> m_sets;
    std::uint32_t m_unclosed = 0;
    std::uint32_t m_oldest = 0;  // a position: all tiles before it have closed or need no entry
    std::int64_t m_entriesHeld = 0;
    std::int64_t m_surplusUpdates = 0;
    TimePoint m_lastClose;
    TrackerResult m_stats;
};

}  // namespace engine
