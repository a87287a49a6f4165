#include "engine/collective/ring_kernel.h"

#include "engine/record/recorder.h"

#include <algorithm>
#include <string>

namespace engine {

RingKernel::RingKernel(const Experiment& experiment, RingOperation operation, const OutputLayout& layout,
                       RingSchedule ring, const Ports& ports, MemoryController& memory, Link& link, Observer& observer,
                       Recorder* recorder)
    : m_operation(operation), m_layout(layout), m_ring(ring), m_ports(ports), m_memory(memory), m_link(link),
      m_observer(observer), m_recorder(recorder),
      m_reducesOnCus(operation == RingOperation::reduceScatter && experiment.collective.reduction == Reduction::cu),
      m_startLatency(experiment.collective.startLatency), m_channelMask(memory.channels() - 1), m_received(ring.gpus) {
    const bool updates = operation == RingOperation::reduceScatter && !m_reducesOnCus;
    m_readFlow = memory.addFlow({Stream::communication, MemoryOp::read, this, true});
    m_otherRead = memory.addFlow({Stream::communication, MemoryOp::read, this, true});
    m_writeFlow =
        memory.addFlow({Stream::communication, updates ? MemoryOp::arrivingUpdate : MemoryOp::write, this, false});
    m_resultFlow = memory.addFlow({Stream::communication, MemoryOp::write, this, false});
    if (m_reducesOnCus)
        m_operandBack.resize(layout.granules());
    if (experiment.collective.cuBandwidth) {
        const std::int64_t cus = experiment.collective.cuCount.value_or(experiment.cu.count);
        m_pace.emplace(experiment.collective.cuBandwidth->bytesPerSecond * cus);
    }
}

void RingKernel::begin() {
    m_startedAt = m_ports.issue.now();
    m_stepStartedAt = m_startedAt;
    m_step = 1;
    const std::uint32_t chunk = sentChunk(1);
    m_nextGranule = m_layout.chunkFirstGranule(chunk);
    m_endGranule = m_layout.chunkEndGranule(chunk);
    m_ports.issue.schedule(m_startedAt + m_startLatency);
}

std::uint32_t RingKernel::sentChunk(std::uint32_t step) const {
    return m_operation == RingOperation::reduceScatter ? m_ring.reduceScatterSends(step) : m_ring.allGatherSends(step);
}

std::uint32_t RingKernel::receivedChunk(std::uint32_t step) const {
    return m_operation == RingOperation::reduceScatter ? m_ring.reduceScatterReceives(step)
                                                       : m_ring.allGatherReceives(step);
}

void RingKernel::beginStep(std::uint32_t step) {
    m_step = step;
    m_stepStartedAt = m_ports.issue.now();
    const std::uint32_t chunk = isFinalReduce() ? m_ring.ownChunk() : sentChunk(step);
    m_nextGranule = m_layout.chunkFirstGranule(chunk);
    m_endGranule = m_layout.chunkEndGranule(chunk);
    m_resultsLeft = m_endGranule - m_nextGranule;
    onIssue();
}

void RingKernel::onIssue() {
    if (!m_pace) {
        while (m_nextGranule < m_endGranule)
            issueGranule();
    } else {
        const Duration interval = m_pace->take(m_layout.granuleBytes(m_nextGranule));
        issueGranule();
        if (m_nextGranule < m_endGranule) {
            m_ports.issue.schedule(m_ports.issue.now() + interval);
            return;
        }
    }
    advance();
}

void RingKernel::issueGranule() {
    const std::uint32_t granule = m_nextGranule++;
    const std::uint32_t bytes = m_layout.granuleBytes(granule);
    if (m_reducesOnCus && m_step > 1)
        m_memory.enqueue(bufferChannel(granule), m_otherRead, granule, bytes);
    m_memory.enqueue(channel(granule), m_readFlow, granule, bytes);
}

std::uint32_t RingKernel::channel(std::uint32_t granule) const {
    return m_layout.indexInChunk(granule) & m_channelMask;
}

// The buffer of what is received begins half a round of channels further on, so that the two operands of an addition
// come from different channels.
std::uint32_t RingKernel::bufferChannel(std::uint32_t granule) const {
    return (m_layout.indexInChunk(granule) + (m_channelMask + 1) / 2) & m_channelMask;
}

void RingKernel::dataReturned(FlowId, std::uint32_t granule, std::uint32_t bytes) {
    const std::uint32_t tile = m_layout.tileOf(granule);
    const std::uint32_t chunk = m_layout.chunkOf(tile);
    const bool ownChunk = chunk == m_ring.ownChunk();
    const bool hasTwoOperands = m_reducesOnCus && chunk != sentChunk(1);
    if (hasTwoOperands && !m_operandBack[granule]) {
        m_operandBack[granule] = true;
        return;
    }
    if (m_reducesOnCus && ownChunk) {
        m_memory.enqueue(channel(granule), m_resultFlow, granule, bytes);
        return;
    }
    Packet packet;
    packet.granule = granule;
    packet.bytes = bytes;
    packet.kind = m_operation == RingOperation::reduceScatter ? PacketKind::reduceScatter : PacketKind::allGather;
    m_sent.count += bytes;
    if (m_recorder)
        m_recorder->sent(granule);
    m_link.send(packet, tile, chunk);
}

void RingKernel::arrive(const Packet& packet) {
    const std::uint32_t to = m_reducesOnCus ? bufferChannel(packet.granule) : channel(packet.granule);
    m_memory.enqueue(to, m_writeFlow, packet.granule, packet.bytes);
}

std::uint32_t RingKernel::address(FlowId flow, std::uint32_t granule) const {
    // What is received for a reduction on CUs waits in a buffer of its own, beside the output.
    const bool buffer = m_reducesOnCus && (flow == m_otherRead || flow == m_writeFlow);
    return buffer ? granule + (1u << 27) : granule;
}

void RingKernel::served(FlowId flow, std::uint32_t granule, std::uint32_t bytes, TimePoint finish) {
    if (flow == m_resultFlow) {
        m_lastLanding = std::max(m_lastLanding, finish);
        if (m_recorder) {
            m_recorder->reduced(granule);
            recordLanding(SpanKind::sumLanded, channel(granule), granule, bytes, finish);
        }
        if (--m_resultsLeft == 0)
            endAt(m_lastLanding);
        return;
    }
    if (flow != m_writeFlow)
        return;
    if (m_recorder) {
        recordArrival(granule);
        recordLanding(SpanKind::arrivalLanded, m_reducesOnCus ? bufferChannel(granule) : channel(granule), granule,
                      bytes, finish);
    }
    // Each chunk is received once, so the granule tells the step, however far ahead the neighbour is.
    const std::uint32_t chunk = m_layout.chunkOf(m_layout.tileOf(granule));
    const std::uint32_t step = m_operation == RingOperation::reduceScatter
                                   ? (chunk + m_ring.gpus - m_ring.gpu) % m_ring.gpus
                                   : (chunk + m_ring.gpus - m_ring.gpu) % m_ring.gpus + 1;
    Received& received = m_received[step];
    received.bytes += bytes;
    received.last = std::max(received.last, finish);
    if (received.bytes == m_layout.chunkBytes(chunk).count)
        m_ports.received.schedule(received.last, step);
}

void RingKernel::recordArrival(std::uint32_t granule) const {
    if (m_operation == RingOperation::allGather)
        m_recorder->arrivedCopy(granule);
    else if (m_reducesOnCus)
        m_recorder->arrivedBeside(granule);
    else
        m_recorder->arrivedUpdate(granule);
}

void RingKernel::recordLanding(SpanKind kind, std::uint32_t channel, std::uint32_t granule, std::uint32_t bytes,
                               TimePoint when) const {
    const std::uint32_t tile = m_layout.tileOf(granule);
    m_recorder->landing(kind, channel, tile, granule - m_layout.tileFirstGranule(tile), bytes, when);
}

void RingKernel::onReceived(std::uint32_t step) {
    if (step == m_ring.gpus) {  // the final reduce, scheduled by endAt
        end();
        return;
    }
    m_received[step].complete = true;
    advance();
}

// The barrier: everything of the step is issued, and all of it has been received. A neighbour that is ahead may
// have delivered a step before this GPU has begun it.
void RingKernel::advance() {
    if (m_step == 0 || isFinalReduce() || m_nextGranule < m_endGranule || !m_received[m_step].complete)
        return;
    if (m_step + 1 == m_ring.gpus && !m_reducesOnCus) {
        end();
        return;
    }
    recordStep(m_ports.issue.now());
    beginStep(m_step + 1);
}

void RingKernel::end() {
    recordStep(m_ports.issue.now());
    m_ended = true;
    m_observer.ringKernelEnded(m_operation);
}

void RingKernel::endAt(TimePoint time) const { m_ports.received.schedule(time, m_ring.gpus); }

void RingKernel::recordStep(TimePoint end) {
    if (!m_recorder)
        return;
    const bool scatter = m_operation == RingOperation::reduceScatter;
    const std::uint32_t chunk = isFinalReduce() ? m_ring.ownChunk() : sentChunk(m_step);
    m_recorder->span(scatter ? LaneKind::reduceScatter : LaneKind::allGather, 0,
                     {m_stepStartedAt, end, m_step, chunk, static_cast<std::uint32_t>(m_layout.chunkBytes(chunk).count),
                      scatter ? SpanKind::reduceScatterStep : SpanKind::allGatherStep});
}

Bytes RingKernel::readBytes() const { return m_memory.flow(m_readFlow).bytes + m_memory.flow(m_otherRead).bytes; }

Bytes RingKernel::writtenBytes() const { return m_memory.flow(m_writeFlow).bytes + m_memory.flow(m_resultFlow).bytes; }

std::string RingKernel::describeWaiting() const {
    const std::string what = m_operation == RingOperation::reduceScatter ? "reduce-scatter" : "all-gather";
    if (m_step == 0)
        return what + " has not begun";
    return what + " waits in step " + std::to_string(m_step) + " for chunk " +
           (isFinalReduce() ? std::to_string(m_ring.ownChunk()) : std::to_string(receivedChunk(m_step)));
}

}  // namespace engine
