#include "engine/collective/collective_kernel.h"

#include "engine/memory/address_space.h"
#include "engine/record/recorder.h"

#include <algorithm>
#include <string>
#include <utility>

namespace engine {

namespace {

// Returns value * numerator / denominator, at least 1.
std::int64_t scaled(std::int64_t value, Frequency numerator, Frequency denominator) {
    return std::max<std::int64_t>(1, scaledBy(value, numerator.hertz, denominator.hertz));
}

// Returns the time at clock `now` of work that takes `time` at clock `before`.
Duration atClock(Duration time, Frequency before, Frequency now) { return {scaled(time.ps, before, now)}; }

}  // namespace

bool receivesBesideOutput(const Experiment& experiment, CollectiveKind kind, bool byCopies) {
    if (kind == CollectiveKind::reduceScatter)
        return experiment.collective.reduction == Reduction::cu;
    return kind == CollectiveKind::allToAll || (copiesThroughBuffers(experiment) && !byCopies);
}

CollectiveKernel::CollectiveKernel(const Experiment& experiment, CollectiveKind kind, std::uint8_t stage,
                                   const CollectiveWork& work, RingSchedule ring, const Ports& ports,
                                   MemoryController& memory, NetworkPort& network, Observer& observer,
                                   Recorder* recorder)
    : m_schedule(scheduleOf(kind, experiment.collective.algorithm, ring)), m_stage(stage), m_layout(work.layout),
      m_kernel(work.kernel), m_ring(ring), m_ports(ports), m_memory(memory), m_region(memory.region(work.firstAddress)),
      m_network(network), m_observer(observer), m_recorder(recorder),
      m_reducesOnCus(kind == CollectiveKind::reduceScatter && experiment.collective.reduction == Reduction::cu),
      m_readsForEach(work.byCopies || copiesThroughBuffers(experiment)),
      m_copies(m_readsForEach && !work.byCopies && kind != CollectiveKind::reduceScatter),
      m_startLatency(experiment.collective.startLatency), m_cuBandwidth(experiment.collective.cuBandwidth),
      m_workgroups(work.workgroups), m_usualClock(experiment.cu.clock), m_clock(experiment.cu.clock),
      m_window(work.window, network, ports.issue, kWindowHasRoom) {
    const bool updates = kind == CollectiveKind::reduceScatter && !m_reducesOnCus;
    const auto flow = [&](MemoryOp op, bool returnsData) {
        return memory.addFlow({Stream::communication, op, this, returnsData, false, m_kernel});
    };
    m_readFlow = flow(MemoryOp::read, true);
    m_otherRead = flow(MemoryOp::read, true);
    m_writeFlow = flow(updates ? MemoryOp::arrivingUpdate : MemoryOp::write, false);
    m_resultFlow = flow(MemoryOp::write, false);
    if (m_copies) {
        m_bufferWrite = flow(MemoryOp::write, false);
        m_bufferRead = flow(MemoryOp::read, true);
    }
    if (m_reducesOnCus)
        m_operandsBack.resize(m_layout.granules());
    setPace();
    if (m_reducesOnCus)
        addSums(m_schedule, m_layout.chunks());
    if (experiment.collective.piece && !updates && !work.byCopies && ports.incoming != nullptr) {
        m_pieces.emplace(*experiment.collective.piece, *ports.incoming, m_schedule.steps.size() + 1, ring.gpus + 1);
        m_portOf.resize(ring.gpus + 1);
        m_handledCopies.resize(m_reducesOnCus ? m_layout.granules() : 0);
        m_added.resize(m_handledCopies.size());
    }
    readSchedule();
    placeCopies();
    numberReads();
    if (work.byCopies) {
        CopyQueue::Reader& reader = *this;
        m_queue.emplace(experiment, m_layout, *ports.copy, reader, recorder);
    }
}

void CollectiveKernel::readSchedule() {
    m_outgoing.resize(m_schedule.steps.size() * m_layout.chunks());
    m_sumStep.resize(m_layout.chunks());
    m_stepOfCopy.resize(m_layout.chunks());
    m_sourceOfCopy.resize(m_layout.chunks());
    m_copyFrom.resize(std::size_t{m_ring.gpus} * m_layout.chunks());
    m_received.resize(m_schedule.steps.size() + 1);
    for (std::uint32_t step = 1; step <= lastStep(); ++step) {
        const CollectiveStep& plan = m_schedule.steps[step - 1];
        for (const Transfer& transfer : plan.sends) {
            const auto copies = static_cast<std::uint32_t>(m_stepOfCopy[transfer.chunk].size());
            Outgoing& out = m_outgoing[std::size_t{step - 1} * m_layout.chunks() + transfer.chunk];
            out = {&transfer, m_reducesOnCus ? copies : 0};
            if (out.copies != 0)
                m_sumStep[transfer.chunk] = step;
            m_toSend += m_layout.chunkBytes(transfer.chunk) * static_cast<std::int64_t>(transfer.packets().size());
            if (transfer.to.empty())
                m_sumsLeft += m_layout.chunkEndGranule(transfer.chunk) - m_layout.chunkFirstGranule(transfer.chunk);
        }
        for (const Receipt& receipt : plan.receives)
            addReceipt(step, receipt);
    }
    for (Received& received : m_received)
        received.complete = received.expected == 0;
}

void CollectiveKernel::addReceipt(std::uint32_t step, const Receipt& receipt) {
    const bool sum = receipt.from == kFromSwitch;
    const std::uint32_t source = sum ? m_ring.gpus : receipt.from;
    m_stepOfCopy[receipt.chunk].push_back(step);
    m_sourceOfCopy[receipt.chunk].push_back(source);
    // A sum comes in the name of any of the GPUs whose contributions it has.
    for (std::uint32_t gpu = sum ? 0 : source; gpu < (sum ? m_ring.gpus : source + 1); ++gpu)
        m_copyFrom[std::size_t{gpu} * m_layout.chunks() + receipt.chunk] =
            static_cast<std::uint8_t>(m_stepOfCopy[receipt.chunk].size());
    const std::int64_t bytes = m_layout.chunkBytes(receipt.chunk).count;
    m_received[step].expected += bytes;
    if (m_pieces)
        m_pieces->expect(step, source, bytes);
}

// Makes the regions of received copies. The buffers beside the output are shifted by half of the channels, so that the
// two operands of an addition come from different channels. With several copies each buffer is shifted by one channel
// more. Exchanged data stay where they are.
void CollectiveKernel::placeCopies() {
    std::size_t copies = 0;
    for (const std::vector<std::uint32_t>& steps : m_stepOfCopy)
        copies = std::max(copies, steps.size());
    for (std::uint32_t copy = 1; copy <= copies; ++copy) {
        const std::uint32_t first = m_kernel == kOwnKernel ? receivedCopyAddress(copy) : companionCopyAddress(copy);
        m_buffers.push_back(m_memory.region(first, MemoryRegion::Rule::shifted, m_memory.channels() / 2 + copy - 1));
        m_exchanged.push_back(m_memory.region(first));
    }
}

// Returns the region that a request accesses.
inline const MemoryRegion& CollectiveKernel::regionOf(FlowId flow, std::uint32_t id) const {
    if (flow == m_readFlow || flow == m_resultFlow)
        return m_region;
    if (flow != m_writeFlow || m_reducesOnCus)
        return m_buffers[numberOf(id) - 1];
    return m_schedule.kind == CollectiveKind::allToAll ? m_exchanged[numberOf(id) - 1] : m_region;
}

inline std::uint32_t CollectiveKernel::channelOf(FlowId flow, std::uint32_t id) const {
    return regionOf(flow, id).channel(granuleOf(id), m_layout.indexInChunk(granuleOf(id)));
}

inline void CollectiveKernel::enqueue(FlowId flow, std::uint32_t id, std::uint32_t bytes) {
    m_memory.enqueue(channelOf(flow, id), flow, id, bytes);
}

// Numbers the reads of this GPU's own copies. Each step has one, or as many as its chunk with most receivers.
void CollectiveKernel::numberReads() {
    m_firstRead.resize(m_schedule.steps.size() + 1);
    m_ownReads.resize(1);  // numbers begin at 1
    for (std::uint32_t step = 1; step <= lastStep(); ++step) {
        m_firstRead[step] = static_cast<std::uint32_t>(m_ownReads.size());
        std::size_t most = 1;
        for (const Transfer& transfer : m_schedule.steps[step - 1].sends)
            most = std::max(most, m_readsForEach ? transfer.packets().size() : 1);
        for (std::uint32_t receiver = 0; receiver < most; ++receiver)
            m_ownReads.push_back({step, most == 1 ? kNone : receiver});
    }
}

// Adds the copies of the step in which data are sent: for each receiver of a chunk one copy or, while a GEMM produces
// the chunk, one for each of its parts. They are offered in the order in which their data come. Gathered data go first
// to the GPU that needs them first, which is the next one down the ring.
void CollectiveKernel::addCopies() {
    for (const Transfer& transfer : m_schedule.steps.front().sends) {
        const std::uint32_t first = m_layout.chunkFirstTile(transfer.chunk);
        const std::uint32_t end = first + m_layout.chunkTiles(transfer.chunk);
        for (std::uint32_t receiver = 0; receiver < transfer.to.size(); ++receiver) {
            CopyQueue::Copy copy{transfer.chunk, receiver, static_cast<std::uint8_t>(transfer.to[receiver]), {}};
            for (std::uint32_t place = first; place < end; ++place) {
                const std::uint32_t tile = m_walk == nullptr ? place : m_walk->tileAt(place);
                if (m_source && !copy.tiles.empty() && m_source->partOf(tile) != m_source->partOf(copy.tiles.front()))
                    m_queue->add({copy.chunk, copy.receiver, copy.to, std::exchange(copy.tiles, {})});
                copy.tiles.push_back(tile);
            }
            m_queue->add(std::move(copy));
        }
    }
    for (std::uint32_t copy = 0; copy < m_queue->size(); ++copy)
        m_copiesToOffer.push_back(copy);
    if (m_schedule.kind == CollectiveKind::allGather)
        std::reverse(m_copiesToOffer.begin(), m_copiesToOffer.end());
}

// Hands over the copies whose data are there.
void CollectiveKernel::offerCopies() {
    std::erase_if(m_copiesToOffer, [&](std::uint32_t copy) {
        const bool isReady = m_source == nullptr || m_source->inputReady(m_queue->copy(copy).tiles.front());
        if (isReady)
            m_queue->ready(copy);
        return isReady;
    });
}

void CollectiveKernel::onCopy(std::uint32_t index) {
    const bool before = issued();
    m_queue->onDue(index);
    if (!before && issued())
        advance();
}

void CollectiveKernel::readForCopy(std::uint32_t granule, std::uint32_t receiver) {
    --m_left;
    enqueue(m_readFlow, granule | (m_firstRead[m_step] + receiver) << kNumberShift, m_layout.granuleBytes(granule));
}

void CollectiveKernel::begin() {
    if (m_queue) {
        addCopies();
        beginStep(1);
        offerCopies();
        if (issued())
            advance();
        return;
    }
    beginStep(1);
    m_busyUntil = m_ports.issue.now() + m_startLatency;
    m_ports.issue.schedule(m_busyUntil);
}

void CollectiveKernel::readFrom(const ProducedOutput& source, const TileWalk& walk) {
    m_source = &source;
    m_walk = &walk;
}

void CollectiveKernel::dataCame() {
    if (m_queue) {
        offerCopies();
        if (!m_ending)
            advance();
        return;
    }
    // While it starts or the CUs are at work on a granule, an event follows.
    if (m_step != 0 && !m_inHand && !issued() && m_ports.issue.now() >= m_busyUntil)
        issueOn();
}

void CollectiveKernel::roomChanged(std::int64_t workgroups) {
    if (workgroups != std::exchange(m_workgroups, workgroups))
        setPace();
    if (std::exchange(m_needsRoom, false))
        beginSums();
}

void CollectiveKernel::clockChanged(Frequency clock) {
    const Frequency before = std::exchange(m_clock, clock);
    if (before == clock || !m_cuBandwidth)
        return;
    setPace();
    const TimePoint now = m_ports.issue.now();
    if (!m_inHand || m_busyUntil <= now)
        return;
    m_clockHasChanged = true;
    m_busyUntil = now + atClock(m_busyUntil - now, before, clock);
    m_ports.issue.schedule(m_busyUntil);
}

void CollectiveKernel::setPace() {
    if (m_cuBandwidth)
        m_pace.emplace(scaled(m_cuBandwidth->bytesPerSecond * m_workgroups, m_clock, m_usualClock));
}

void CollectiveKernel::beginStep(std::uint32_t step) {
    m_step = step;
    m_stepStartedAt = m_ports.issue.now();
    m_issuing.clear();
    m_turn = 0;
    m_left = 0;
    if (m_queue && step == 1) {
        m_left = static_cast<std::uint32_t>(m_queue->granules());
        return;
    }
    for (const Transfer& transfer : m_schedule.steps[step - 1].sends) {
        const std::uint32_t first = m_layout.chunkFirstGranule(transfer.chunk);
        const std::uint32_t end = m_layout.chunkEndGranule(transfer.chunk);
        if (m_walk != nullptr) {
            const std::uint32_t place = m_layout.chunkFirstTile(transfer.chunk);
            m_issuing.push_back({0, 0, place, place + m_layout.chunkTiles(transfer.chunk)});
        } else {
            m_issuing.push_back({first, end});
        }
        m_left += end - first;
        for (std::uint32_t granule = first; addsPieces() && granule < end; ++granule)
            m_left -= m_added[granule] ? 1 : 0;
    }
}

// Returns whether a chunk has granules left, of which `next` is then the next one.
inline bool CollectiveKernel::hasNext(Cursor& cursor) const {
    for (;;) {
        while (cursor.next != cursor.end && isAdded(cursor.next))
            ++cursor.next;
        if (cursor.next != cursor.end)
            return true;
        if (cursor.place == cursor.lastPlace)
            return false;
        const std::uint32_t tile = m_walk->tileAt(cursor.place++);
        cursor.next = m_layout.tileFirstGranule(tile);
        cursor.end = m_layout.tileEndGranule(tile);
    }
}

// Returns the next granule, taking the step's chunks in turn, so that all their links are busy; empty if the links of
// all remaining granules are full, or their data are not there.
inline std::optional<std::uint32_t> CollectiveKernel::nextGranule() {
    m_linksAreFull = false;
    for (std::size_t tried = 0; tried < m_issuing.size(); ++tried) {
        Cursor& cursor = m_issuing[m_turn];
        if (hasNext(cursor) && isThere(cursor.next)) {
            if (!m_window.limits() ||
                m_window.mayRead(outgoing(m_step, cursor.next).transfer->packets(), m_layout.granuleBytes(cursor.next)))
                return cursor.next;
            m_linksAreFull = true;
        }
        m_turn = (m_turn + 1) % static_cast<std::uint32_t>(m_issuing.size());
    }
    return std::nullopt;
}

inline void CollectiveKernel::take() {
    ++m_issuing[m_turn].next;
    m_turn = (m_turn + 1) % static_cast<std::uint32_t>(m_issuing.size());
}

void CollectiveKernel::onIssue(std::uint32_t index) {
    if (index == kCopyIsDue)
        return copyDue();
    if (index == kWindowHasRoom && !m_window.hasRoom())
        return;
    if (index != kWindowHasRoom && m_clockHasChanged && (!m_inHand || m_ports.issue.now() < m_busyUntil))
        return;  // the event of a time that a clock has changed
    if (m_inHand)
        issueGranule(*std::exchange(m_inHand, std::nullopt));
    issueOn();
}

// Issues the granules that the CUs have finished by now, and gives them the next granule. If the windows are full the
// CUs wait.
void CollectiveKernel::issueOn() {
    const TimePoint now = m_ports.issue.now();
    while (!issued()) {
        const std::optional<std::uint32_t> granule = nextGranule();
        if (!granule) {
            if (m_linksAreFull)
                m_window.wait();
            return;
        }
        take();
        m_busyUntil = std::max(now, m_busyUntil) + paceOf(*granule);
        if (m_busyUntil > now) {
            m_inHand = granule;
            m_ports.issue.schedule(m_busyUntil);
            return;
        }
        issueGranule(*granule);
    }
    advance();
}

// Returns the CU time of a granule: that of each copy that they send, and one for a sum that stays.
Duration CollectiveKernel::paceOf(std::uint32_t granule) {
    if (!m_pace)
        return {};
    const std::size_t sends = std::max<std::size_t>(1, packetsOf(m_step, granule));
    return m_pace->take(std::int64_t{m_layout.granuleBytes(granule)} * static_cast<std::int64_t>(sends));
}

void CollectiveKernel::issueGranule(std::uint32_t granule) {
    --m_left;
    if (m_window.limits())
        m_window.read(outgoing(m_step, granule).transfer->packets(), m_layout.granuleBytes(granule));
    read(m_step, granule);
}

// Reads a granule for a step: this GPU's own copy and the received ones.
void CollectiveKernel::read(std::uint32_t step, std::uint32_t granule) {
    const std::uint32_t bytes = m_layout.granuleBytes(granule);
    for (std::uint32_t copy = 1; copy <= outgoing(step, granule).copies; ++copy)
        enqueue(m_otherRead, granule | copy << kNumberShift, bytes);
    const std::size_t reads = m_readsForEach ? std::max<std::size_t>(1, packetsOf(step, granule)) : 1;
    for (std::uint32_t number = 0; number < reads; ++number)
        enqueue(m_readFlow, granule | (m_firstRead[step] + number) << kNumberShift, bytes);
}

void CollectiveKernel::dataReturned(FlowId flow, std::uint32_t id, std::uint32_t bytes) {
    const std::uint32_t granule = granuleOf(id);
    if (m_copies && flow == m_bufferRead)
        return enqueue(m_writeFlow, id, bytes);
    const OwnRead read = flow == m_readFlow ? m_ownReads[numberOf(id)] : OwnRead{m_sumStep[chunkOf(granule)], kNone};
    const Outgoing& out = outgoing(read.step, granule);
    if (out.copies != 0 && m_operandsBack[granule] != out.copies) {
        ++m_operandsBack[granule];
        return;
    }
    if (out.transfer->to.empty())
        enqueue(m_resultFlow, granule, bytes);
    else
        send(granule, bytes, *out.transfer, read.receiver);
}

// Sends a granule to the receiver in that place, or to all of them (kNone).
void CollectiveKernel::send(std::uint32_t granule, std::uint32_t bytes, const Transfer& transfer,
                            std::uint32_t receiver) {
    Packet packet;
    packet.granule = granule;
    packet.bytes = bytes;
    packet.stage = m_stage;
    packet.source = static_cast<std::uint8_t>(m_ring.gpu);
    packet.companion = m_kernel != kOwnKernel;
    if (m_recorder) {
        if (m_schedule.kind == CollectiveKind::allToAll)
            m_recorder->sentDirect(granule, m_kernel);
        else
            m_recorder->sent(granule, m_kernel);
    }
    packet.summands = static_cast<std::uint8_t>(transfer.summands);
    packet.toAll = transfer.summands != 0 && transfer.to.size() > 1;
    const std::span<const std::uint32_t> all = transfer.packets();
    for (const std::uint32_t to : receiver == kNone ? all : all.subspan(receiver, 1)) {
        packet.destination = static_cast<std::uint8_t>(to);
        m_sent.count += bytes;
        const std::uint32_t tile = m_layout.tileOf(granule);
        const TimePoint departure = m_network.send(packet, tile, transfer.chunk);
        if (m_queue)
            m_queue->leaves(tile, receiver == kNone ? 0 : receiver, bytes, departure);
        m_lastDeparture = std::max(m_lastDeparture, departure);
        m_window.leaves(to, bytes, departure);
    }
    if (m_ending)
        endWhenSent();
}

void CollectiveKernel::arrive(const Packet& packet) {
    const std::uint32_t granule = packet.granule;
    const std::uint32_t copy = m_copyFrom[std::size_t{packet.source} * m_layout.chunks() + chunkOf(granule)];
    if (m_pieces)
        m_portOf[m_sourceOfCopy[chunkOf(granule)][copy - 1]] = packet.port;
    enqueue(m_copies ? m_bufferWrite : m_writeFlow, granule | copy << kNumberShift, packet.bytes);
}

std::uint32_t CollectiveKernel::address(FlowId flow, std::uint32_t id) const {
    return regionOf(flow, id).address(granuleOf(id));
}

void CollectiveKernel::served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) {
    const std::uint32_t granule = granuleOf(id);
    const TimePoint landing = finish + m_memory.latency();
    if (flow == m_resultFlow) {
        m_lastLanding = std::max(m_lastLanding, landing);
        if (m_recorder) {
            m_recorder->reduced(granule, m_kernel);
            recordLanding(SpanKind::sumLanded, channelOf(flow, id), granule, bytes, landing);
        }
        if (--m_sumsLeft == 0 && m_ending)
            endWhenSent();
        return;
    }
    if (m_copies && flow == m_bufferWrite)
        return arrivalServed(id, bytes, landing);
    if (flow != m_writeFlow)
        return;
    if (m_recorder) {
        recordArrival(granule);
        recordLanding(SpanKind::arrivalLanded, channelOf(flow, id), granule, bytes, landing);
    }
    if (m_copies)
        countReceived(id, bytes, landing);
    else
        arrivalServed(id, bytes, landing);
}

// Handles a granule that lands where it arrives: with its piece, or by itself.
void CollectiveKernel::arrivalServed(std::uint32_t id, std::uint32_t bytes, TimePoint landing) {
    if (!m_pieces)
        return handle(id, bytes, landing);
    const std::uint32_t chunk = chunkOf(granuleOf(id)), copy = numberOf(id) - 1;
    const std::uint32_t source = m_sourceOfCopy[chunk][copy];
    for (const auto& each : m_pieces->landed(m_stepOfCopy[chunk][copy], source, m_portOf[source], {id, bytes, landing}))
        handle(each.id, each.bytes, each.when);
}

// Copies a granule out of its buffer from `when` on, or counts it as received then. A contribution of a piece to a sum
// that stays is added then, too.
void CollectiveKernel::handle(std::uint32_t id, std::uint32_t bytes, TimePoint when) {
    if (!m_copies)
        countReceived(id, bytes, when);
    if (!m_copies && !(addsPieces() && keepsSum(chunkOf(granuleOf(id)))))
        return;
    m_dueCopies.push_back({when, m_copyOrder++, id, bytes});
    std::push_heap(m_dueCopies.begin(), m_dueCopies.end(), later);
    m_ports.issue.schedule(when, kCopyIsDue);
}

void CollectiveKernel::copyDue() {
    while (!m_dueCopies.empty() && m_dueCopies.front().when <= m_ports.issue.now()) {
        const Copy copy = m_dueCopies.front();
        std::pop_heap(m_dueCopies.begin(), m_dueCopies.end(), later);
        m_dueCopies.pop_back();
        if (m_copies)
            enqueue(m_bufferRead, copy.id, copy.bytes);
        else
            addPiece(granuleOf(copy.id));
    }
}

// Adds up a granule of a sum that stays once all its contributions have been handled, while others still arrive. The
// step of the sums adds up the rest.
void CollectiveKernel::addPiece(std::uint32_t granule) {
    const std::uint32_t step = m_sumStep[chunkOf(granule)];
    if (m_step == 0 || m_step >= step)
        return;
    if (++m_handledCopies[granule] != outgoing(step, granule).copies || !isThere(granule))
        return;
    m_added[granule] = true;
    read(step, granule);
}

void CollectiveKernel::countReceived(std::uint32_t id, std::uint32_t bytes, TimePoint when) {
    // The number of the copy identifies the step, however far ahead its sender is.
    const std::uint32_t step = m_stepOfCopy[chunkOf(granuleOf(id))][numberOf(id) - 1];
    Received& received = m_received[step];
    received.bytes += bytes;
    received.last = std::max(received.last, when);
    if (received.bytes == received.expected)
        m_ports.received.schedule(received.last, step);
    if (!m_landedOfChunk.empty())
        noteChunk(chunkOf(granuleOf(id)), bytes, when);
}

void CollectiveKernel::noteChunk(std::uint32_t chunk, std::uint32_t bytes, TimePoint when) {
    Landed& landed = m_landedOfChunk[chunk];
    landed.bytes += bytes;
    landed.last = std::max(landed.last, when);
    if (landed.bytes == m_layout.chunkBytes(chunk).count)
        m_ports.received.schedule(landed.last, lastStep() + 2 + chunk);
}

void CollectiveKernel::recordArrival(std::uint32_t granule) const {
    if (m_schedule.kind == CollectiveKind::allGather || m_schedule.kind == CollectiveKind::allReduce)
        m_recorder->arrivedCopy(granule, m_kernel);
    else if (m_reducesOnCus)
        m_recorder->arrivedBeside(granule, m_kernel);
    else
        m_recorder->arrivedUpdate(granule, m_kernel);
}

void CollectiveKernel::recordLanding(SpanKind kind, std::uint32_t channel, std::uint32_t granule, std::uint32_t bytes,
                                     TimePoint when) const {
    if (m_kernel != kOwnKernel)
        return;
    const std::uint32_t tile = m_layout.tileOf(granule);
    m_recorder->landing(kind, channel, tile, granule - m_layout.tileFirstGranule(tile), bytes, when);
}

void CollectiveKernel::onReceived(std::uint32_t step) {
    if (step > lastStep() + 1)  // scheduled by noteChunk
        return m_observer.chunkCame(m_stage, step - lastStep() - 2);
    if (step > lastStep()) {  // scheduled by endWhenSent
        end();
        return;
    }
    m_received[step].complete = true;
    advance();
}

// Begins the next step, or the end, behind the barrier: the step's granules have all been issued, and its data have all
// been received. A neighbour that is ahead may have delivered a step before this GPU has begun it.
void CollectiveKernel::advance() {
    if (m_step == 0 || !issued() || !m_received[m_step].complete)
        return;
    if (m_step == lastStep()) {
        endWhenSent();
        return;
    }
    if (m_queue) {
        // A kernel takes CUs from the GEMM, and so it comes when it has all that it adds.
        if (m_needsRoom || (m_source && !m_source->all()))
            return;
        recordStep(m_ports.issue.now());
        m_needsRoom = true;
        return m_observer.needsRoom(m_stage);
    }
    recordStep(m_ports.issue.now());
    beginStep(m_step + 1);
    issueOn();
}

// Begins the sums of what copies have brought, on CUs that have room for the kernel.
void CollectiveKernel::beginSums() {
    beginStep(m_step + 1);
    m_busyUntil = m_ports.issue.now() + m_startLatency;
    m_ports.issue.schedule(m_busyUntil);
}

// Ends the kernel when its last data are in memory and its last packet has left. With equal links the last packet
// leaves before the last one arrives, so that this waits for nothing.
void CollectiveKernel::endWhenSent() {
    m_ending = true;
    if (m_sent != m_toSend || m_sumsLeft != 0)
        return;
    const TimePoint done = std::max(m_lastLanding, m_lastDeparture);
    if (done <= m_ports.received.now())
        end();
    else
        m_ports.received.schedule(done, lastStep() + 1);
}

void CollectiveKernel::end() {
    recordStep(m_ports.issue.now());
    m_observer.collectiveEnded(m_stage);
}

void CollectiveKernel::recordStep(TimePoint end) {
    if (!m_recorder)
        return;
    const CollectiveStep& step = m_schedule.steps[m_step - 1];
    if (step.sends.empty() && step.receives.empty())
        return;
    const bool gathers = m_schedule.kind == CollectiveKind::allGather;
    const std::uint32_t chunk = step.sends.empty() ? step.receives.front().chunk : step.sends.front().chunk;
    std::int64_t bytes = step.sends.empty() ? 0 : m_layout.chunkBytes(chunk).count;
    for (const Transfer& transfer : step.sends)
        if (transfer.chunk != chunk)
            bytes += m_layout.chunkBytes(transfer.chunk).count;
    Span span{m_stepStartedAt,
              end,
              m_step,
              chunk,
              static_cast<std::uint32_t>(bytes),
              gathers ? SpanKind::allGatherStep : SpanKind::reduceScatterStep,
              m_kernel};
    LaneKind lane = gathers ? LaneKind::allGather : LaneKind::reduceScatter;
    if (m_kernel != kOwnKernel) {
        span.kind = SpanKind::companionStep;
        lane = LaneKind::companion;
    }
    m_recorder->span(lane, 0, span);
}

Bytes CollectiveKernel::readBytes() const {
    const Bytes read = m_memory.flow(m_readFlow).bytes + m_memory.flow(m_otherRead).bytes;
    return m_copies ? read + m_memory.flow(m_bufferRead).bytes : read;
}

Bytes CollectiveKernel::writtenBytes() const {
    const Bytes written = m_memory.flow(m_writeFlow).bytes + m_memory.flow(m_resultFlow).bytes;
    return m_copies ? written + m_memory.flow(m_bufferWrite).bytes : written;
}

std::string CollectiveKernel::describeWaiting() const {
    const std::string what = m_schedule.kind == CollectiveKind::reduceScatter ? "reduce-scatter"
                             : m_schedule.kind == CollectiveKind::allGather   ? "all-gather"
                             : m_schedule.kind == CollectiveKind::allReduce   ? "all-reduce"
                                                                              : "all-to-all";
    if (m_step == 0)
        return what + " has not begun";
    if (m_ending && m_sumsLeft != 0)
        return what + " waits for the sums of the chunks that stay";
    std::string text = what + " waits in step " + std::to_string(m_step);
    for (const Receipt& receipt : m_schedule.steps[m_step - 1].receives)
        text += (&receipt == &m_schedule.steps[m_step - 1].receives.front() ? " for chunk " : ", ") +
                std::to_string(receipt.chunk);
    return text;
}

}  // namespace engine
