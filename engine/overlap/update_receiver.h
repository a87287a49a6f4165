#pragma once

#include "engine/api/topology.h"
#include "engine/memory/near_memory_update.h"
#include "engine/network/credit.h"
#include "engine/overlap/tracker.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace engine {

/// Takes the updates that arrive at a GPU whose buffer for held updates is bounded (tracker.held_bytes). It takes them
/// source by source in the order of their arrival, and returns a credit for each. A source is stalled if the tracker
/// does not admit its first update and the buffer has no room for it: then all its updates wait in the link's receive
/// queue, for which the source had credits, until a tile closes.
///
/// Promise: updates of the oldest open tile of each collective are taken at once, whatever waits before them, and a
/// stalled source is informed which tile that is. So that tile closes, and then the next, as long as tiles can be
/// completed in the tracker's order, which a tracker of few entries requires as well.
class UpdateReceiver {
public:
    /// Makes the receiver of GPU `gpu`. Credits travel against the direction of the links.
    UpdateReceiver(const Topology& topology, std::uint32_t gpu, const EventQueue& clock, CreditSink& credits);

    /// Adds a stage that tracker and DMA carry out, with the layout of its data. All arguments must outlive the
    /// receiver.
    void addStage(std::uint8_t stage, const OutputLayout& layout, const Tracker& tracker, NearMemoryUpdate& updates);

    void arrive(const Packet& packet);

    /// Retries stalled sources after a tile of any stage has closed and the held updates of the next are in their
    /// stream.
    void tileClosed();

    /// Returns the number of updates in receive queues.
    std::int64_t waiting() const;
    /// Returns how often a source became stalled.
    std::int64_t stalls() const { return m_stalls; }

private:
    struct Stage {
        std::uint8_t id = 0;
        const OutputLayout* layout = nullptr;
        const Tracker* tracker = nullptr;
        NearMemoryUpdate* updates = nullptr;
    };
    struct Source {
        Duration latency;            // latency of a credit
        std::deque<Packet> waiting;  // the source is stalled while this is not empty
        std::vector<std::uint32_t>
            announced;  // by index in m_stages: the oldest open tile of which the source was informed
    };

    const Stage& stageOf(const Packet& packet) const;
    bool isAwaitedFirst(const Packet& packet) const;
    bool take(const Packet& packet);
    void retry(Source& source);
    void announceOldest(std::uint32_t from);
    bool knowsOldest(const Source& source) const;

    std::uint8_t m_gpu;
    const EventQueue& m_clock;
    CreditSink& m_credits;
    std::vector<Stage> m_stages;
    std::vector<Source> m_sources;  // by GPU
    std::int64_t m_stalls = 0;
};

}  // namespace engine
