#pragma once

#include "engine/api/topology.h"
#include "engine/memory/near_memory_update.h"
#include "engine/network/credit.h"
#include "engine/overlap/tracker.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace engine {

/// Takes the updates that come to a GPU whose room for held ones is bounded (tracker.held_bytes), source by source in the
/// order in which they arrive, and gives a credit back for each. A source whose first update neither the tracker admits
/// nor the buffer has room for is stalled: all that it sends waits in the link's receive queue, for which it had credits,
/// until a tile closes.
/// Promise: updates of the oldest open tile of each collective are taken at once, whatever stands before them, and a
/// stalled source is told which tile that is. So the tile closes, and with it the next, as long as tiles can be completed in
/// the tracker's order, which a tracker of few entries presumes as well.
class UpdateReceiver {
public:
    /// Of GPU `gpu`. Credits travel against the links.
    UpdateReceiver(const Topology& topology, std::uint32_t gpu, const EventQueue& clock, CreditSink& credits);

    /// A stage that tracker and DMA carry, and how what it moves is laid out. All must outlive the receiver.
    void addStage(std::uint8_t stage, const OutputLayout& layout, const Tracker& tracker, NearMemoryUpdate& updates);

    void arrive(const Packet& packet);

    /// A tile has closed, of whichever stage, and what was held for the next is in its stream.
    void tileClosed();

    /// Updates in receive queues.
    std::int64_t waiting() const;
    /// How often a source began to be stalled.
    std::int64_t stalls() const { return m_stalls; }

private:
    struct Stage {
        std::uint8_t id = 0;
        const OutputLayout* layout = nullptr;
        const Tracker* tracker = nullptr;
        NearMemoryUpdate* updates = nullptr;
    };
    struct Source {
        Duration latency;                 // of a credit
        std::deque<Packet> waiting;       // stalled while there is something
        std::vector<std::uint32_t> told;  // by place in m_stages: the oldest open tile
    };

    const Stage& stageOf(const Packet& packet) const;
    bool isAwaitedFirst(const Packet& packet) const;
    bool take(const Packet& packet);
    void retry(Source& source);
    void tellOldest(std::uint32_t from);
    bool knowsOldest(const Source& source) const;

    std::uint8_t m_gpu;
    const EventQueue& m_clock;
    CreditSink& m_credits;
    std::vector<Stage> m_stages;
    std::vector<Source> m_sources;  // by GPU
    std::int64_t m_stalls = 0;
};

}  // namespace engine
