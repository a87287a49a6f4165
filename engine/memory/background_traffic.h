#pragma once

#include "engine/api/experiment.h"
#include "engine/memory/memory_controller.h"

#include <cstdint>

namespace engine {

/// Issues DRAM reads that are not part of the experiment: one granule at a time at a steady rate, channel after
/// channel, in the compute stream. Nothing waits for them; they only take service time from other requests.
class BackgroundTraffic final : public MemoryClient {
public:
    /// `issue` is in the dispatch phase. Precondition: the rate is not zero.
    BackgroundTraffic(Bandwidth rate, Bytes granule, EventPort issue, MemoryController& memory);

    void begin() { onIssue(); }
    void onIssue();
    /// Issues no further requests. Those already in the streams are still served.
    void stop() { m_stopped = true; }

    std::uint32_t address(FlowId, std::uint32_t id) const override { return m_region.address(id); }
    void served(FlowId, std::uint32_t, std::uint32_t, TimePoint) override {}

private:
    EventPort m_issue;
    MemoryController& m_memory;
    CarryingRate m_rate;
    std::uint32_t m_granule;
    FlowId m_flow;
    MemoryRegion m_region;
    std::uint32_t m_next = 0;
    bool m_stopped = false;
};

}  // namespace engine
