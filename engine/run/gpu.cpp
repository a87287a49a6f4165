#include "engine/run/gpu.h"

#include "engine/api/expected_work.h"
#include "engine/record/recorder.h"
#include "engine/run/event_costs.h"

#include <algorithm>

namespace engine {

enum class Gpu::Target : std::uint8_t {
    arbitrate,
    returnData,
    arrival,
    workgroupStarted,
    computed,
    storing,
    gemmEnded,
    scatterTileClosed,
    scatterTriggered,
    scatterDmaStarted,
    gatherTileClosed,
    gatherTriggered,
    gatherDmaStarted,
    scatterIssue,
    scatterReceived,
    gatherIssue,
    gatherReceived,
    skewedBegin,
    background,
};

struct Gpu::Carrier {
    AddressMap map;
    std::unique_ptr<Tracker> tracker;
    std::unique_ptr<NearMemoryUpdate> updates;
    std::unique_ptr<DmaEngine> dma;
};

Gpu::Gpu(const Workplace& place, std::uint32_t index, const Attachment& attachment, Recorder* recorder)
    : m_place(place), m_index(index), m_ring{place.topology.gpus, index}, m_program(place.program),
      m_recorder(recorder), m_memory(place.experiment, port(Phase::arbitration, Target::arbitrate),
                                     port(Phase::completion, Target::returnData), recorder),
      m_network(makePort(attachment, recorder)),
      m_inbox(port(Phase::arrival, Target::arrival), attachment.loop ? 1 : place.topology.linksTo(index).size()) {
    const Experiment& experiment = place.experiment;
    m_outputMap = outputMapOf(experiment, m_program, m_ring, place.output.chunks());
    if (const auto map = scatterMapOf(experiment, m_program, m_ring))
        m_scatter = makeCarrier(*map, Target::scatterTileClosed, PacketKind::update);
    if (const auto map = gatherMapOf(experiment, m_program, m_ring))
        m_gather = makeCarrier(*map, Target::gatherTileClosed, PacketKind::copy);
    if (m_program.gemm)
        makeProducer();
    if (m_program.scatter && !m_scatter)
        m_scatterKernel = makeKernel(*m_program.scatter, Target::scatterIssue);
    if (m_program.gather && !m_gather)
        m_gatherKernel = makeKernel(CollectiveKind::allGather, Target::gatherIssue);
    if (experiment.variation.gpu == index && experiment.variation.backgroundTraffic.bytesPerSecond > 0)
        m_background =
            std::make_unique<BackgroundTraffic>(experiment.variation.backgroundTraffic, experiment.detail.granule,
                                                port(Phase::dispatch, Target::background), m_memory);
    for (const std::uint32_t link : place.topology.linksTo(index))
        m_incoming.push_back(place.topology.links[link].bandwidth);
    m_gemmDone = m_gemm == nullptr;
    m_scatterDone = !m_program.scatter;
    m_gatherDone = !m_program.gather;
}

Gpu::~Gpu() = default;

NetworkPort Gpu::makePort(const Attachment& attachment, Recorder* recorder) const {
    const Experiment& experiment = m_place.experiment;
    if (!attachment.loop)
        return {experiment, m_place.topology, m_index, m_queue, attachment.sinks, recorder};
    const TopologyLink& link = m_place.topology.links[m_place.topology.ring[m_index].front()];
    LinkConfig config = experiment.link;
    config.bandwidth = link.bandwidth;
    config.latency = link.latency;
    return {config, experiment.detail.granule, m_queue, *attachment.sinks.front(), recorder};
}

// Tiles are worked on from the first chunk of the map on.
TileOrder Gpu::orderOf(const AddressMap& map) const {
    return {m_place.layout.chunkFirstTile(map.routes.front().chunk), m_place.layout.tiles()};
}

std::unique_ptr<Gpu::Carrier> Gpu::makeCarrier(AddressMap map, Target first, PacketKind packets) {
    const Experiment& experiment = m_place.experiment;
    const auto target = [&](int offset) {
        return port(Phase::trigger, static_cast<Target>(static_cast<int>(first) + offset));
    };
    auto carrier = std::make_unique<Carrier>();
    carrier->map = std::move(map);
    carrier->tracker = std::make_unique<Tracker>(experiment, m_place.layout, carrier->map, orderOf(carrier->map),
                                                 target(0), target(1), m_recorder);
    carrier->updates =
        std::make_unique<NearMemoryUpdate>(m_place.layout, m_memory, *carrier->tracker, carrier->map.arrivals);
    carrier->dma = std::make_unique<DmaEngine>(experiment, m_place.layout, carrier->map, target(2), m_memory, m_network,
                                               m_index, packets, m_recorder);
    carrier->tracker->connect(*carrier->updates, *carrier->dma);
    return carrier;
}

std::unique_ptr<CollectiveKernel> Gpu::makeKernel(CollectiveKind kind, Target issue) {
    const auto received = static_cast<Target>(static_cast<int>(issue) + 1);
    return std::make_unique<CollectiveKernel>(
        m_place.experiment, kind, m_place.layout, m_ring,
        CollectiveKernel::Ports{port(Phase::dispatch, issue), port(Phase::completion, received)}, m_memory, m_network,
        *this, m_recorder);
}

void Gpu::makeProducer() {
    const Experiment& experiment = m_place.experiment;
    const OutputLayout& output = m_place.output;
    const TileOrder order{output.chunkFirstTile(m_outputMap.routes.front().chunk), output.tiles()};
    m_gemm = std::make_unique<GemmKernel>(experiment, m_place.gemm, *m_place.grid, order,
                                          GemmKernel::Ports{port(Phase::completion, Target::computed),
                                                            port(Phase::dispatch, Target::workgroupStarted),
                                                            port(Phase::completion, Target::storing)},
                                          *this, m_recorder, m_index);
    m_cache = std::make_unique<LastLevelCache>(experiment, m_queue, m_memory, *m_gemm);
    m_gemm->connect(*m_cache);
    if (m_program.consumes && m_gather) {
        for (std::uint32_t chunk = 0; chunk < m_ring.gpus; ++chunk)
            m_tilesToGather.push_back(chunk == m_ring.ownChunk() ? 0 : m_place.layout.chunkTiles(chunk));
        m_gemm->waitFor(*this);
    }
    m_router = std::make_unique<OutputRouter>(experiment, output, m_outputMap, m_queue, m_memory, *m_cache,
                                              m_scatter ? m_scatter->updates.get() : nullptr, m_network, m_index, *this,
                                              m_recorder);
}

bool Gpu::sideBySide() const { return m_place.experiment.policy.start == CommunicationStart::concurrent; }

void Gpu::begin() {
    if (m_background)
        m_background->begin();
    if (m_place.experiment.variation.gpu == m_index && m_place.experiment.variation.startSkew.ps > 0) {
        m_times.start = TimePoint{} + m_place.experiment.variation.startSkew;
        port(Phase::dispatch, Target::skewedBegin).schedule(m_times.start);
    } else {
        beginWork();
    }
}

void Gpu::beginWork() {
    m_begun = true;
    if (m_program.consumes) {
        beginGather();
        if (m_gather)
            beginGemm();
    } else if (m_gemm) {
        beginGemm();
        if (sideBySide())
            beginScatter();
    } else if (m_program.scatter) {
        beginScatter();
        if (m_scatterDone)  // a late start: all that this GPU receives was there before it began
            scatterEnded();
    } else {
        beginGather();
    }
}

void Gpu::beginGemm() {
    m_times.gemmStart = m_queue.now();
    m_gemm->begin();
}

// Inline, because it runs for every event and has one caller.
inline void Gpu::handle(const EventQueue::Event& event) {
    const std::uint32_t index = event.index;
    switch (static_cast<Target>(event.target)) {
    case Target::arbitrate: m_memory.arbitrate(index); break;
    case Target::returnData: m_memory.returnData(index); break;
    case Target::arrival: onArrivals(); break;
    case Target::workgroupStarted: m_gemm->onStarted(index); break;
    case Target::computed: m_gemm->onComputed(index); break;
    case Target::storing: m_gemm->onStoring(index); break;
    case Target::gemmEnded: gemmEnded(); break;
    case Target::scatterTileClosed:
        m_scatter->tracker->onClosed(index);
        if (m_scatter->tracker->unclosed() == 0)
            scatterEnded();
        break;
    case Target::scatterTriggered: m_scatter->tracker->onTriggered(index); break;
    case Target::scatterDmaStarted: m_scatter->dma->onStarted(index); break;
    case Target::gatherTileClosed: gatherTileClosed(index); break;
    case Target::gatherTriggered: m_gather->tracker->onTriggered(index); break;
    case Target::gatherDmaStarted: m_gather->dma->onStarted(index); break;
    case Target::scatterIssue: m_scatterKernel->onIssue(); break;
    case Target::scatterReceived: m_scatterKernel->onReceived(index); break;
    case Target::gatherIssue: m_gatherKernel->onIssue(); break;
    case Target::gatherReceived: m_gatherKernel->onReceived(index); break;
    case Target::skewedBegin: beginWork(); break;
    case Target::background: m_background->onIssue(); break;
    }
}

std::int64_t Gpu::advance(TimePoint limit, std::int64_t count) {
    std::int64_t handled = 0;
    EventQueue::Event event;
    while (handled < count && m_queue.popBefore(limit, event)) {
        handle(event);
        ++handled;
    }
    return handled;
}

void Gpu::onArrivals() {
    const TimePoint now = m_queue.now();
    while (m_inbox.arrivedBy(now)) {
        const Packet packet = m_inbox.take();
        const std::uint32_t tile = m_place.layout.tileOf(packet.granule);
        if (m_recorder)
            recordArrival(packet, tile);
        if (packet.destination != m_index) {
            m_network.passOn(packet, tile, m_place.layout.chunkOf(tile));
            continue;
        }
        m_received.count += packet.bytes;
        if (m_recorder)
            m_recorder->arrived(packet.source, packet.granule);
        switch (packet.kind) {
        case PacketKind::update: m_scatter->updates->arrive(packet.granule); break;
        case PacketKind::copy: m_gather->updates->arrive(packet.granule); break;
        case PacketKind::reduceScatter: m_scatterKernel->arrive(packet); break;
        case PacketKind::allGather: m_gatherKernel->arrive(packet); break;
        }
    }
    m_inbox.rearm(now);
}

void Gpu::recordArrival(const Packet& packet, std::uint32_t tile) {
    const TimePoint now = m_queue.now();
    const Duration wire = timeAtRate(packet.bytes, m_incoming[packet.lane].bytesPerSecond);
    m_recorder->span(LaneKind::linkIn, packet.lane,
                     {{now.ps - wire.ps},
                      now,
                      tile,
                      m_place.layout.chunkOf(tile),
                      packet.bytes,
                      SpanKind::linkPacket,
                      packet.source,
                      static_cast<std::uint16_t>(packet.granule)});
}

void Gpu::gatherTileClosed(std::uint32_t tile) {
    m_gather->tracker->onClosed(tile);
    if (!m_tilesToGather.empty() && --m_tilesToGather[m_place.layout.chunkOf(tile)] == 0)
        m_gemm->inputArrived();
    if (m_gather->tracker->unclosed() == 0)
        gatherEnded();
}

// A tile reads whole rows of A, which lie in a chunk each, or in two where a boundary is between them.
bool Gpu::inputReady(std::uint32_t tile) const {
    const std::int64_t row = m_place.grid->tile(tile).row;
    const std::int64_t rows = m_place.gemm.m, gpus = m_ring.gpus;
    const std::int64_t from = row * m_place.experiment.gemm.tileM;
    const std::int64_t to = from + m_place.grid->rowElements(row);
    for (std::int64_t chunk = from * gpus / rows; chunk * rows < to * gpus && chunk < gpus; ++chunk)
        if (m_tilesToGather[static_cast<std::size_t>(chunk)] != 0)
            return false;
    return true;
}

bool Gpu::storeTile(std::uint32_t tile) { return m_router->storeTile(tile); }

void Gpu::allTilesStored() { m_router->allTilesStored(); }

void Gpu::firstChunkStored() { m_memory.fixThreshold(); }

void Gpu::tileReleased(std::uint32_t tile) { m_gemm->storeReleased(tile); }

void Gpu::outputLandsAt(TimePoint end) { port(Phase::completion, Target::gemmEnded).schedule(end); }

void Gpu::gemmEnded() {
    m_times.gemmEnd = m_queue.now();
    m_gemmDone = true;
    if (sideBySide() || m_program.consumes) {
        if (m_gatherDone)
            finish();
    } else if (!m_scatter && !m_scatterDone) {
        beginScatter();
    } else if (m_scatterDone) {
        beginGather();
    }
}

void Gpu::beginScatter() {
    m_times.scatterStart = m_queue.now();
    if (m_scatterKernel)
        m_scatterKernel->begin();
    else
        m_scatter->dma->begin();
}

void Gpu::scatterEnded() {
    m_scatterDone = true;
    if (!m_begun)
        return;
    m_times.scatterEnd = m_queue.now();
    if (m_router && m_scatter) {  // fused: from the first store or block that left for the neighbour
        const std::optional<TimePoint> direct = m_router->firstSend();
        const std::optional<TimePoint> byDma = m_scatter->dma->firstSend();
        m_times.scatterStart = std::min(direct.value_or(kNever), byDma.value_or(kNever));
    }
    if (m_gemmDone || sideBySide())
        beginGather();
}

void Gpu::beginGather() {
    m_times.gatherStart = m_queue.now();
    m_times.gatherEnd = m_times.gatherStart;
    if (m_gather)
        m_gather->dma->begin();
    else if (m_gatherKernel)
        m_gatherKernel->begin();
    else
        gatherEnded();
}

void Gpu::gatherEnded() {
    m_times.gatherEnd = m_queue.now();
    m_gatherDone = true;
    if (m_gemmDone)
        finish();
    else if (m_program.consumes && !m_gather)
        beginGemm();
}

void Gpu::finish() {
    m_times.end = m_queue.now();
    m_finished = true;
    if (m_background)
        m_background->stop();
}

void Gpu::settle() {
    // With unlike chunks or GPUs another may still be waiting for this GPU's last chunk.
    const TimePoint end = std::max({m_times.end, m_network.lastDeparture(), m_memory.lastLanding()});
    m_times.end = end;
    if (sideBySide() || m_program.consumes)
        return;
    if (m_program.gather)
        m_times.gatherEnd = end;
    else if (m_program.scatter)
        m_times.scatterEnd = end;
}

void Gpu::collectiveEnded(CollectiveKind kind) {
    if (kind == CollectiveKind::allGather)
        gatherEnded();
    else
        scatterEnded();
}

double Gpu::progress() const {
    if (m_finished)
        return 1;
    // By tiles for the GEMM, then by received bytes: both rise steadily and cost nothing to know. Each counts by the
    // events that it takes.
    const auto output = static_cast<double>(m_place.layout.outputBytes().count);
    const double granules = output / static_cast<double>(m_place.experiment.detail.granule.count);
    const double gemm = m_gemm ? expectedEvents(m_place.experiment, m_place.gemm) : 0;
    const double stored = m_gemm ? static_cast<double>(m_gemm->tilesStored()) / m_gemm->tiles() : 0;
    const int collectives = (m_program.scatter ? 1 : 0) + (m_program.gather ? 1 : 0);
    const double moves = granules * ((m_program.scatter ? kScatterEvents : 0) + (m_program.gather ? kGatherEvents : 0));
    const double moved = collectives > 0 ? static_cast<double>(m_received.count) / (output * collectives) : 0;
    const double all = gemm + moves;
    return all > 0 ? std::min(1.0, (gemm * stored + moves * std::min(1.0, moved)) / all) : 0;
}

TimeResult timesOf(const GpuTimes& times, const Program& program) {
    TimeResult time;
    time.total = times.end - TimePoint{};
    time.gemm = times.gemmEnd - times.gemmStart;
    (program.exchanges() ? time.allToAll : time.reduceScatter) = times.scatterEnd - times.scatterStart;
    time.allGather = times.gatherEnd - times.gatherStart;
    const TimePoint besideStart = program.consumes ? times.gatherStart : times.scatterStart;
    const TimePoint besideEnd = program.consumes ? times.gatherEnd : times.scatterEnd;
    if (program.gemm)
        time.overlapped =
            std::max(Duration{}, std::min(times.gemmEnd, besideEnd) - std::max(times.gemmStart, besideStart));
    time.exposedCommunication = time.total - time.gemm;
    return time;
}

GpuTimes joined(const std::vector<GpuTimes>& gpus) {
    GpuTimes all;
    const auto join = [&](TimePoint GpuTimes::*start, TimePoint GpuTimes::*end) {
        for (const GpuTimes& gpu : gpus) {
            if (gpu.*end <= gpu.*start)  // a GPU without that part, such as one with an empty chunk
                continue;
            const bool first = all.*end <= all.*start;
            all.*start = first ? gpu.*start : std::min(all.*start, gpu.*start);
            all.*end = std::max(all.*end, gpu.*end);
        }
    };
    join(&GpuTimes::gemmStart, &GpuTimes::gemmEnd);
    join(&GpuTimes::scatterStart, &GpuTimes::scatterEnd);
    join(&GpuTimes::gatherStart, &GpuTimes::gatherEnd);
    for (const GpuTimes& gpu : gpus)
        all.end = std::max(all.end, gpu.end);
    return all;
}

GpuResult Gpu::result() const {
    GpuResult result;
    result.time = timesOf(m_times, m_program);

    DramResult dram;
    if (m_cache) {
        dram.gemmRead = m_memory.flow(m_cache->loadFlow()).bytes;
        dram.gemmWrite = m_memory.flow(m_router->storeFlow()).bytes;
        result.llc = m_cache->stats();
    } else {
        result.llc = LlcResult{};
    }
    TrackerResult tracker;
    DmaResult dma;
    LinkResult link;
    for (const Carrier* carrier : {m_scatter.get(), m_gather.get()}) {
        if (carrier == nullptr)
            continue;
        const bool scatter = carrier == m_scatter.get();
        if (scatter)
            dram.gemmWrite += m_memory.flow(carrier->updates->localFlow()).bytes;
        (scatter ? dram.rsRead : dram.agRead) += m_memory.flow(carrier->dma->readFlow()).bytes;
        (scatter ? dram.rsWrite : dram.agWrite) += m_memory.flow(carrier->updates->arrivingFlow()).bytes;
        const TrackerResult own = carrier->tracker->stats();
        tracker.peakEntries = std::max(tracker.peakEntries, own.peakEntries);
        tracker.capacityStalls += own.capacityStalls;
        tracker.triggers += own.triggers;
        tracker.updates += own.updates;
        tracker.heldPeak = std::max(tracker.heldPeak, carrier->updates->heldPeak());
        const DmaResult moved = carrier->dma->stats();
        dma.commands += moved.commands;
        dma.bytes += moved.bytes;
        dma.peakQueue = std::max(dma.peakQueue, moved.peakQueue);
        (scatter ? link.reduceScatter : link.allGather) += carrier->dma->sentBytes();
    }
    if (m_router)
        link.reduceScatter += m_router->sentBytes();
    if (m_scatterKernel) {
        dram.rsRead += m_scatterKernel->readBytes();
        dram.rsWrite += m_scatterKernel->writtenBytes();
        link.reduceScatter += m_scatterKernel->sentBytes();
    }
    if (m_gatherKernel) {
        dram.agRead += m_gatherKernel->readBytes();
        dram.agWrite += m_gatherKernel->writtenBytes();
        link.allGather += m_gatherKernel->sentBytes();
    }
    dram.total = dram.gemmRead + dram.gemmWrite + dram.rsRead + dram.rsWrite + dram.agRead + dram.agWrite;
    if (m_program.exchanges()) {
        std::swap(dram.a2aRead, dram.rsRead);
        std::swap(dram.a2aWrite, dram.rsWrite);
        std::swap(link.allToAll, link.reduceScatter);
    }
    result.dram = dram;
    result.dramOutcome = m_memory.dramOutcome();
    result.link = link;
    result.tracker = tracker;
    result.dma = dma;
    return result;
}

std::int64_t Gpu::surplusUpdates() const {
    std::int64_t surplus = 0;
    for (const Carrier* carrier : {m_scatter.get(), m_gather.get()})
        surplus += carrier == nullptr ? 0 : carrier->tracker->surplusUpdates();
    return surplus;
}

bool Gpu::drained() const {
    for (const Carrier* carrier : {m_scatter.get(), m_gather.get()})
        if (carrier != nullptr &&
            (!carrier->updates->holdsNothing() || carrier->tracker->unclosed() != 0 || !carrier->dma->finished()))
            return false;
    return m_memory.idle() && m_inbox.empty() && m_queue.empty();
}

std::string Gpu::describeWaiting() const {
    std::string text = "GPU " + std::to_string(m_index) + ": ";
    if (!m_gemmDone)
        text += "the GEMM has stored " + std::to_string(m_gemm->tilesStored()) + " of " +
                std::to_string(m_gemm->tiles()) + " tiles and waits for its stores to be taken";
    else if (!m_scatterDone)
        text += "the " + (m_scatterKernel ? m_scatterKernel->describeWaiting()
                                          : std::string("reduce-scatter waits for the tracker"));
    else
        text += "the " +
                (m_gatherKernel ? m_gatherKernel->describeWaiting() : std::string("all-gather waits for the tracker"));
    for (const Carrier* carrier : {m_scatter.get(), m_gather.get()}) {
        if (carrier == nullptr || carrier->tracker->unclosed() == 0)
            continue;
        text += "; " + carrier->tracker->describeWaiting();
        if (!carrier->dma->finished())
            text += "; the DMA engine waits for the tracker to trigger " +
                    std::to_string(carrier->dma->commandsLeft()) +
                    " more commands, and the next GPU for what they send";
    }
    return text;
}

}  // namespace engine
