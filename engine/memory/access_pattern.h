#pragma once

#include "engine/api/access_request.h"
#include "engine/api/experiment.h"
#include "engine/memory/memory_controller.h"

#include <cstdint>
#include <vector>

namespace engine {

/// The order and the places of an access pattern's requests (AccessConfig). A value without state: the request with a
/// number is always the same.
///
/// Streams take turns: reads, writes, updates. Stream j has the region from j x (footprint, rounded up to whole rows of
/// the first bank) + j x skew on. Its turns begin a stride apart, or at random whole turns of the region, and continue at
/// the region's beginning where they reach its end.
class AccessOrder {
public:
    /// `requests` are those of the request file; null for the other patterns. It must outlive this object.
    AccessOrder(const Experiment& experiment, const AccessRequests* requests);

    struct Request {
        std::uint32_t stream = 0;   ///< number of the stream; of a request file: 0 for a read, 1 for a write
        std::uint32_t granule = 0;  ///< its number in memory
        TimePoint from;             ///< it is not issued before
    };

    std::uint32_t count() const { return m_count; }
    Request operator[](std::uint32_t number) const;

    /// The operation of each stream, in the order of their turns.
    const std::vector<MemoryOp>& streams() const { return m_streams; }
    /// Returns whether a stream is in the controller's communication stream.
    bool communicates(std::uint32_t stream) const { return stream >= m_firstOfCommunication; }

    /// Returns the granules from the beginning of the first region to the end of the last. As a double, because a wrong
    /// experiment may have too many.
    static double granulesOf(const Experiment& experiment);

private:
    const AccessRequests* m_requests;
    AccessPatternKind m_pattern;
    std::uint64_t m_seed;
    Frequency m_clock;
    std::int64_t m_granule;                                 // bytes
    std::uint64_t m_turn, m_stride, m_footprint, m_region;  // in granules; m_region: from one region to the next
    std::uint32_t m_count;
    std::uint32_t m_firstOfCommunication;
    std::vector<MemoryOp> m_streams;
};

/// Issues the requests of an access pattern to the memory of one GPU: each as soon as fewer than
/// `access.outstanding` are issued and not yet served, in their order.
class AccessPattern final : public MemoryClient {
public:
    /// `slotFreed` is in the completion phase, `due` in the dispatch phase.
    AccessPattern(const Experiment& experiment, const AccessRequests* requests, EventPort slotFreed, EventPort due,
                  MemoryController& memory);

    void begin() { issue(); }
    /// The service of a request has ended, so that the next one may be issued.
    void onSlotFreed();
    /// The cycle of the next request has come.
    void onDue();

    bool issuedAll() const { return m_next == m_order.count(); }
    /// Returns whether the service of all requests has ended.
    bool served() const { return issuedAll() && m_outstanding == 0; }
    std::uint32_t count() const { return m_order.count(); }
    std::uint32_t servedCount() const { return m_next - m_outstanding; }
    Bytes bytes() const;  ///< served

    void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) override;

private:
    void issue();

    AccessOrder m_order;
    MemoryRegion m_region;  // all of memory
    EventPort m_slotFreed;
    EventPort m_due;
    MemoryController& m_memory;
    std::uint32_t m_granule;  // bytes
    std::uint32_t m_most;     // outstanding requests
    std::uint32_t m_outstanding = 0;
    std::uint32_t m_next = 0;  // the number of the request that is issued next
    bool m_waitsForCycle = false;
    std::vector<FlowId> m_flows;  // by stream
};

}  // namespace engine
