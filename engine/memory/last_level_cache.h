#pragma once

#include "engine/api/results.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/rate.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/memory/memory_controller.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

class Recorder;

/// A slab of memory that is always used as a whole: one K-step's part of A or B, or one tile of C.
struct SlabShape {
    std::uint32_t granules = 0;
    std::uint32_t lastBytes = 0;  ///< of the last granule; the others are whole
};

/// Is notified when data arrive for which a load had to wait.
class LoadClient {
public:
    virtual ~LoadClient() = default;
    /// All data for which the waiter was registered in one line are at the CU from `ready` on, which may be in the
    /// future.
    virtual void lineReady(std::uint32_t waiter, TimePoint ready) = 0;
    /// With llc.bandwidth, before lineReady: these data came to the LLC at `cached`. Without it that is one llc.latency
    /// before they are at the CU.
    virtual void lineCached(std::uint32_t /*waiter*/, TimePoint /*cached*/) {}
};

/// The last-level cache. It replaces the least recently used granule, and merges outstanding misses to one granule.
///
/// Modelled: which granules are resident, in least-recently-used order over all of them; write-allocate without
/// fetching for cached stores; dirty evictions; a fixed latency; slices that take requests first in, first out: while
/// the compute streams hold more than `cache.queue`, a hit waits until the misses and stores before it in its channel
/// have left their streams (head-of-line blocking); with `llc.bandwidth`, one server that all loads pass first in,
/// first out, on their way to the CUs: a hit at once, other loads when their data have come from memory. Left out: sets
/// (the cache is fully associative). A granule is allocated when it is requested; one that is evicted before its data
/// arrive is still delivered.
///
/// Granules are kept in lines of up to 64 granules of one slab. A slab is always used as a whole, so its granules are
/// neighbours in the order of use and only a line's oldest granules can be missing. The order is exactly that by
/// granule, at a sixteenth of the work.
///
/// With eager write-back an idle channel writes the granules that became dirty first; they stay resident and are then
/// clean. At the end of the kernel `flush` writes the remaining ones.
class LastLevelCache final : public MemoryClient, public IdleWriter {
public:
    static constexpr std::uint32_t kGranulesPerLine = 64;

    /// A region of memory: slabs with equal room. Each access states how much of a slab is used.
    struct Region {
        std::uint32_t firstLine = 0;
        std::uint32_t linesPerSlab = 0;
        std::uint32_t granulesPerSlab = 0;  ///< of a whole slab: the index that picks the channel counts these
        MemoryRegion memory;
        std::uint8_t number = 0;  ///< number of the region
    };

    LastLevelCache(const Experiment& experiment, const EventQueue& clock, MemoryController& memory, LoadClient& client,
                   Recorder* recorder = nullptr);

    /// Limits the bandwidth with which loads pass to the CUs. `arrived`: the port of `onArrived`, in the completion
    /// phase. Call before any load.
    void limitPassage(Bandwidth bandwidth, EventPort arrived);

    /// Adds room for `slabs` slabs of at most `granulesPerSlab` granules, of the GEMM `kernel` (Span::peer). The index of
    /// a granule, from which its channel follows, counts the granules of an output's chunk, or of a whole matrix.
    Region addRegion(std::uint32_t slabs, std::uint32_t granulesPerSlab, bool output, std::uint8_t kernel = kOwnKernel);

    /// Loads slab `slab` of `region` now. Returns how many calls of LoadClient::lineReady(waiter) will follow, for data
    /// that are not there yet, and raises `ready` to the time at which the other data are at the CU. `sharers`: the
    /// number of workgroups for which the data pass from the cache once; this load takes its part of that passage.
    std::uint32_t load(const Region& region, std::uint32_t slab, SlabShape shape, std::uint32_t waiter,
                       TimePoint& ready, std::uint32_t sharers = 1) {
        // A fast path: three of four loads find all their data in the cache.
        if (region.linesPerSlab == 1 && !m_passage) {
            const std::uint32_t index = region.firstLine + slab;
            const Line& line = m_lines[index];
            if (line.resident == line.all && line.pending == 0 && !blocked()) {
                touch(index);
                m_hit.count += line.bytes;
                ready = std::max(ready, std::max(m_clock.now(), line.dataAt) + m_latency);
                return 0;
            }
        }
        return loadLines(region, slab, shape, waiter, ready, sharers);
    }

    /// With llc.bandwidth: data of a line have come from memory, and pass to those that wait for them. `index` is the
    /// one with which the event was scheduled.
    void onArrived(std::uint32_t index);

    /// Call before loads at `now`: records earlier hits and misses, at most once per resolution of the counters.
    void recordUntil(TimePoint now) {
        if (now >= m_recordedUntil)
            recordAsked(now);
    }
    /// Records all hits and misses so far. Call at the end of a kernel.
    void recordAsked(TimePoint now);

    /// Stores slab `slab` of `region` now: allocated without fetching, dirty.
    /// `firstIndex` is the index of its first granule within its chunk.
    void store(const Region& region, std::uint32_t slab, SlabShape shape, std::uint32_t firstIndex);

    /// Writes back all dirty granules of a region, oldest first.
    void flush(const Region& region);

    /// Returns the bytes of a region that were handed to DRAM as write-backs so far.
    Bytes writtenBack(const Region& region) const { return m_traffic[region.number].writtenBack; }

    LlcResult stats() const;

    /// Returns the flow of the loads of the own GEMM, or of the companion's copies.
    FlowId loadFlow(bool companion = false) const { return m_loadFlows[companion]; }
    /// Sets the flow by which a region's granules are written back.
    void setStoreFlow(const Region& region, FlowId flow) { m_traffic[region.number].store = flow; }

    std::uint32_t address(FlowId flow, std::uint32_t id) const override;
    /// Returns the address of a request of the store flow, whose client is the component that stores.
    std::uint32_t addressOf(std::uint32_t id) const;
    /// Returns the slab of a request of the region's store flow.
    static std::uint32_t slabOf(const Region& region, std::uint32_t id) {
        return (id / kGranulesPerLine - region.firstLine) / region.linesPerSlab;
    }
    void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) override;
    std::optional<Write> takeWrite(std::uint32_t channel) override;
    bool hasWrite(std::uint32_t channel) override;

private:
    struct Dirty {
        std::uint32_t id;
        TimePoint since;
    };
    struct Line {
        std::uint64_t resident = 0;  // allocated and not evicted
        std::uint64_t pending = 0;   // requested from DRAM and not yet accepted by it
        std::uint64_t dirty = 0;
        std::uint64_t all = ~std::uint64_t{0};  // its granules
        TimePoint dataAt;                       // when the latest accepted read is back at the cache
        std::uint32_t bytes = 0;                // 0 before its first use, which gives it its shape
        std::uint32_t lastBytes = 0;            // of the line's last granule
        std::uint32_t firstIndex = 0;           // channel index of the line's first granule
        std::uint32_t waiters = 0;              // head of a list in m_waiters, 0 for none
        std::uint8_t region = 0;                // its number
        bool arriving = false;                  // an event for its data is pending
    };
    // The flows by which a region's lines are read and written.
    struct Traffic {
        FlowId load = 0;
        FlowId store = 0;
        Bytes writtenBack;
    };
    // A line's neighbours in the order of use. They are stored apart from the lines, because every load moves a line to
    // the end and these entries fit into a small cache. A line that is in no order is its own neighbour. Entry 0 closes
    // the circle: its `newer` is the least, its `older` the most recently used line.
    struct Neighbours {
        std::uint32_t older;
        std::uint32_t newer;
    };
    struct Waiter {
        std::uint32_t waiter;
        std::uint32_t next;
        std::uint32_t bytes;  // that pass from the cache for it
    };
    // The server of llc.bandwidth.
    struct Passage {
        CarryingRate rate;
        EventPort arrived;
        TimePoint freeAt;
    };

    std::uint32_t granuleBytes(const Line& line, std::uint32_t granule) const {
        return line.all >> granule == 1 ? line.lastBytes : m_granule;
    }
    static std::uint32_t numberOf(const Region& region, std::uint32_t line, std::uint32_t granule);
    std::uint32_t channelOf(const Line& line, std::uint32_t granule) const;
    bool blocked() const { return m_memory.waiting(Stream::compute) > m_queue; }
    std::uint32_t waitInSlices(const Line& line, std::uint32_t waiter, std::uint32_t sharers);
    std::uint32_t shareOf(std::uint32_t bytes, std::uint32_t sharers) const;
    TimePoint passed(std::uint32_t bytes);
    void expectArrival(Line& line, std::uint32_t index);
    std::uint32_t newWaiter(const Waiter& content);
    Waiter takeWaiter(std::uint32_t entry);
    void recordWaiting(std::int64_t change);
    void shapeLine(Line& line, SlabShape shape, std::uint32_t before, std::uint32_t firstIndex) const;
    void fetch(Line& line, std::uint32_t index);
    std::uint32_t loadLines(const Region& region, std::uint32_t slab, SlabShape shape, std::uint32_t waiter,
                            TimePoint& ready, std::uint32_t sharers);
    void unlink(Neighbours& line) {
        m_order[line.older].newer = line.newer;
        m_order[line.newer].older = line.older;
    }
    void touch(std::uint32_t index) {
        const std::uint32_t last = m_order[0].older;
        if (last == index)
            return;
        Neighbours& line = m_order[index];
        unlink(line);
        line = {last, 0};
        m_order[last].newer = index;
        m_order[0].older = index;
    }
    void allocate(Line& line, std::uint64_t missing);
    void evictDownTo(std::int64_t bytes);
    void offerDirty(const Line& line, std::uint32_t index);
    std::uint32_t clean(Line& line, std::uint32_t granule);
    std::int64_t bytesOf(const Line& line, std::uint64_t granules) const;

    MemoryController& m_memory;
    LoadClient& m_client;
    const EventQueue& m_clock;
    Recorder* m_recorder;
    std::uint32_t m_granule;
    std::int64_t m_size;
    Duration m_latency;
    FlowId m_loadFlows[2] = {};  // of the own GEMM, of copies beside it
    // Hits that wait. The id of a request is its waiter or, if bandwidth is limited, its entry in m_waiters.
    FlowId m_hitFlow = 0;
    std::vector<Traffic> m_traffic;  // by region
    std::uint32_t m_ownMatrices = 0;
    std::uint32_t m_companionGranules = 0;  // of its matrices, in the order of their regions
    bool m_companionReads = false;
    std::vector<Region> m_regions;
    std::vector<Line> m_lines;
    std::vector<Neighbours> m_order;  // by line
    std::vector<Waiter> m_waiters;    // pool; entry 0 is never used
    std::uint32_t m_freeWaiter = 0;
    std::int64_t m_used = 0;
    Bytes m_hit, m_miss;
    bool m_eager;
    std::int64_t m_queue;                   // bytes in the compute streams above which hits wait
    std::optional<Passage> m_passage;       // empty: unlimited
    std::vector<std::uint32_t> m_arrivals;  // lines whose data are on their way from memory, by the index of the event
    std::vector<std::uint32_t> m_freeArrivals;
    std::vector<RingFifo<Dirty>> m_dirty;  // by channel, oldest first; evicted ones are skipped
    // For the recorder: the hits that wait in the slices, and the period whose bytes are being summed up.
    std::int64_t m_hitsWaiting = 0;
    TimePoint m_recordedFrom, m_recordedUntil;
};

}  // namespace engine
