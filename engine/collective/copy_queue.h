#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/kernel/event_queue.h"
#include "engine/workload/output_layout.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace engine {

class Recorder;

/// The copies by which DMA engines carry one step of a collective (collective.by=dma). A copy sends tiles of one chunk
/// to one GPU.
///
/// The host hands over copies that are ready one after the other, each in dma.issue. A copy then starts up while others
/// are under way, and waits for an engine; the first to be ready is the first to get one. An engine reads the copy
/// granule by granule through the communication stream, and keeps it until its last byte has left the GPU: dma.window
/// limits the bytes that the engine has read and that have not left.
///
/// Left out: the fetch of commands, and the time in which a copy tells the host that it has ended.
class CopyQueue {
public:
    struct Copy {
        std::uint32_t chunk = 0;
        std::uint32_t receiver = 0;        ///< its place in Transfer::to
        std::uint8_t to = 0;               ///< the receiver
        std::vector<std::uint32_t> tiles;  ///< in the order in which they are read
    };
    /// Reads a granule for a copy.
    class Reader {
    public:
        virtual ~Reader() = default;
        virtual void readForCopy(std::uint32_t granule, std::uint32_t receiver) = 0;
    };

    /// `due`: see onDue. `layout` and `reader` must outlive the queue.
    CopyQueue(const Experiment& experiment, const OutputLayout& layout, const EventPort& due, Reader& reader,
              Recorder* recorder);

    /// Adds a copy. Copies of the same tiles follow one another in the order of their receivers, from 0.
    void add(Copy copy);
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_copies.size()); }
    const Copy& copy(std::uint32_t index) const { return m_copies[index].what; }
    std::int64_t granules() const { return m_granules; }

    /// Hands over a copy whose data are in memory.
    void ready(std::uint32_t copy);
    /// A copy has started up, or bytes of an engine have left.
    void onDue(std::uint32_t index);
    /// Notes that a granule of a tile, read for a receiver, leaves the GPU at `departure`.
    void leaves(std::uint32_t tile, std::uint32_t receiver, std::uint32_t bytes, TimePoint departure);

    const DmaResult& stats() const { return m_stats; }

private:
    static constexpr std::uint32_t kEngine = 0x800000;  // an index of `due` is an engine's from here on
    struct Copied {
        Copy what;
        std::uint32_t granulesToSend = 0, bytes = 0;
        std::uint32_t engine = 0;
        TimePoint takenAt, readAt, sentAt;
    };
    struct Departure {
        TimePoint when;
        std::uint32_t bytes = 0;
    };
    struct Engine {
        std::optional<std::uint32_t> copy;
        std::size_t nextTile = 0;
        std::uint32_t nextGranule = 0, endGranule = 0;
        std::int64_t inFlight = 0;
        std::deque<Departure> departures;
    };

    void assign();
    bool hasNext(Engine& engine) const;
    void read(std::uint32_t engine);
    void end(std::uint32_t engine);
    void wait(int change);

    const OutputLayout& m_layout;
    EventPort m_due;
    Reader& m_reader;
    Recorder* m_recorder;
    Duration m_issue, m_startup;
    std::optional<Bytes> m_window;
    std::vector<Copied> m_copies;
    std::vector<std::uint32_t> m_firstCopyOf;  // by tile: its first copy
    std::int64_t m_granules = 0;
    TimePoint m_handedOver;             // when the last copy so far is handed over
    std::deque<std::uint32_t> m_ready;  // copies that have started up and wait for an engine
    std::vector<Engine> m_engines;
    std::int64_t m_waiting = 0;  // copies that are ready and have no engine
    DmaResult m_stats;
};

}  // namespace engine
