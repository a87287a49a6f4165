#include "engine/memory/background_traffic.h"

#include "engine/memory/address_space.h"

namespace engine {

BackgroundTraffic::BackgroundTraffic(Bandwidth rate, Bytes granule, EventPort issue, MemoryController& memory)
    : m_issue(issue), m_memory(memory), m_rate(rate.bytesPerSecond),
      m_granule(static_cast<std::uint32_t>(granule.count)),
      m_flow(memory.addFlow({Stream::compute, MemoryOp::read, this, false, true})),
      m_region(memory.region(kBackgroundAddress)) {}

void BackgroundTraffic::onIssue() {
    if (m_stopped)
        return;
    const std::uint32_t number = m_next++ & 0xffffff;
    m_memory.enqueue(m_region.channel(number), m_flow, number, m_granule);
    m_issue.schedule(m_issue.now() + m_rate.take(m_granule));
}

}  // namespace engine
