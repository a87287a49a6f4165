#include "engine/memory/access_pattern.h"

#include "engine/kernel/rate.h"
#include "engine/kernel/split_mix.h"

#include <algorithm>

namespace engine {

namespace {

constexpr std::int64_t kOutstandingOfChannel = 64;

std::int64_t turnBytes(const Experiment& experiment) {
    return experiment.access.turn.value_or(experiment.detail.granule).count;
}

// Returns the bytes from a row of the first bank to the next row of that bank, over all channels.
std::int64_t rowOfAllBanks(const Experiment& experiment) {
    const DramConfig& dram = experiment.dram;
    return dram.row.count * dram.pseudoChannels * dram.bankGroups * dram.banksPerGroup;
}

// Returns the bytes from the beginning of a region to that of the next.
std::int64_t regionBytes(const Experiment& experiment) {
    const std::int64_t row = rowOfAllBanks(experiment);
    return (experiment.access.footprint.count + row - 1) / row * row + experiment.access.skew.count;
}

std::vector<MemoryOp> streamsOf(const AccessConfig& access) {
    if (access.pattern == AccessPatternKind::trace)
        return {MemoryOp::read, MemoryOp::write};
    std::vector<MemoryOp> streams(static_cast<std::size_t>(access.reads), MemoryOp::read);
    streams.insert(streams.end(), static_cast<std::size_t>(access.writes), MemoryOp::write);
    streams.insert(streams.end(), static_cast<std::size_t>(access.updates), MemoryOp::update);
    return streams;
}

std::uint32_t firstOfCommunication(const AccessConfig& access, std::size_t streams) {
    const bool isTrace = access.pattern == AccessPatternKind::trace;
    return static_cast<std::uint32_t>(isTrace ? streams : streams - static_cast<std::size_t>(access.communication));
}

// Returns how many requests may be issued and not yet served.
std::int64_t outstandingAccesses(const Experiment& experiment) {
    return experiment.access.outstanding.value_or(kOutstandingOfChannel * experiment.detail.channels);
}

}  // namespace

AccessOrder::AccessOrder(const Experiment& experiment, const AccessRequests* requests)
    : m_requests(requests), m_pattern(experiment.access.pattern), m_seed(static_cast<std::uint64_t>(experiment.seed)),
      m_clock(experiment.access.clock), m_granule(experiment.detail.granule.count),
      m_turn(static_cast<std::uint64_t>(turnBytes(experiment) / m_granule)),
      m_stride(static_cast<std::uint64_t>(experiment.access.stride.value_or(Bytes{turnBytes(experiment)}).count /
                                          m_granule)),
      m_footprint(static_cast<std::uint64_t>(experiment.access.footprint.count / m_granule)),
      m_region(static_cast<std::uint64_t>(regionBytes(experiment) / m_granule)),
      m_count(static_cast<std::uint32_t>(requests ? std::ssize(requests->requests) : experiment.access.count)),
      m_streams(streamsOf(experiment.access)) {
    m_firstOfCommunication = firstOfCommunication(experiment.access, m_streams.size());
}

AccessOrder::Request AccessOrder::operator[](std::uint32_t number) const {
    if (m_pattern == AccessPatternKind::trace) {
        const AccessRequest& request = m_requests->requests[number];
        return {request.write ? 1u : 0u,
                static_cast<std::uint32_t>(request.address / static_cast<std::uint64_t>(m_granule)),
                TimePoint{} + timeAtRate(static_cast<std::int64_t>(request.cycle), m_clock.hertz)};
    }
    const std::uint64_t round = number / (m_turn * m_streams.size());
    const std::uint64_t inRound = number % (m_turn * m_streams.size());
    const std::uint64_t stream = inRound / m_turn;
    const std::uint64_t begin = m_pattern == AccessPatternKind::stride
                                    ? round * m_stride % m_footprint
                                    : splitMix(splitMix(m_seed, stream), round) % (m_footprint / m_turn) * m_turn;
    const std::uint64_t granule = stream * m_region + (begin + inRound % m_turn) % m_footprint;
    return {static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(granule), {}};
}

double AccessOrder::granulesOf(const Experiment& experiment) {
    const AccessConfig& access = experiment.access;
    const double regions = static_cast<double>(access.reads + access.writes + access.updates - 1) *
                               static_cast<double>(regionBytes(experiment)) +
                           static_cast<double>(access.footprint.count);
    return regions / static_cast<double>(experiment.detail.granule.count);
}

AccessPattern::AccessPattern(const Experiment& experiment, const AccessRequests* requests, EventPort slotFreed,
                             EventPort due, MemoryController& memory)
    : m_order(experiment, requests), m_region(memory.region(0)), m_slotFreed(slotFreed), m_due(due), m_memory(memory),
      m_granule(static_cast<std::uint32_t>(experiment.detail.granule.count)),
      m_most(static_cast<std::uint32_t>(outstandingAccesses(experiment))) {
    for (std::uint32_t stream = 0; stream < m_order.streams().size(); ++stream) {
        FlowConfig flow{Stream::compute, m_order.streams()[stream], this};
        if (m_order.communicates(stream)) {
            flow.stream = Stream::communication;
            flow.op = isUpdate(flow.op) ? MemoryOp::arrivingUpdate : flow.op;
        }
        m_flows.push_back(memory.addFlow(flow));
    }
}

void AccessPattern::issue() {
    while (!issuedAll() && m_outstanding < m_most) {
        const AccessOrder::Request request = m_order[m_next];
        if (request.from > m_due.now()) {
            if (!m_waitsForCycle)
                m_due.schedule(request.from);
            m_waitsForCycle = true;
            return;
        }
        m_memory.enqueue(m_region.channel(request.granule), m_flows[request.stream], request.granule, m_granule);
        ++m_outstanding;
        ++m_next;
    }
}

void AccessPattern::served(FlowId, std::uint32_t, std::uint32_t, TimePoint finish) { m_slotFreed.schedule(finish); }

void AccessPattern::onSlotFreed() {
    --m_outstanding;
    issue();
}

void AccessPattern::onDue() {
    m_waitsForCycle = false;
    issue();
}

Bytes AccessPattern::bytes() const {
    Bytes bytes;
    for (const FlowId flow : m_flows)
        bytes += m_memory.flow(flow).bytes;
    return bytes;
}

}  // namespace engine
