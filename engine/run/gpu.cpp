#include "engine/run/gpu.h"

#include "engine/record/recorder.h"

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

Gpu::Gpu(const Workplace& place, std::uint32_t index, PacketSink& outgoing, Recorder* recorder)
    : m_place(place), m_index(index), m_ring{place.gpus, index}, m_recorder(recorder),
      m_memory(place.experiment, port(Phase::arbitration, Target::arbitrate),
               port(Phase::completion, Target::returnData), recorder),
      m_link(place.experiment.link, place.experiment.detail.granule, m_queue, outgoing, recorder),
      m_inbox(port(Phase::arrival, Target::arrival)) {
    const Experiment& experiment = place.experiment;
    const SubLayer sublayer = experiment.workload.sublayer;
    const bool byDma = experiment.policy.mapping == OutputMapping::remoteDma;
    const bool scatters = sublayer != SubLayer::allGather;
    const bool gathers = sublayer != SubLayer::reduceScatter;

    if (place.grid != nullptr) {
        const bool staggered = experiment.policy.order == ProducerOrder::staggered;
        m_outputMap = byDma ? fusedReduceScatterMap(m_ring, staggered) : localOutputMap(m_ring, staggered, false);
        if (byDma)
            m_scatter = makeCarrier(m_outputMap, Target::scatterTileClosed, PacketKind::update,
                                    m_outputMap.routes.front().chunk);
        makeProducer(m_outputMap);
    } else if (byDma) {
        if (scatters)
            m_scatter =
                makeCarrier(reduceScatterByDmaMap(m_ring), Target::scatterTileClosed, PacketKind::update, m_ring.gpu);
        if (gathers)
            m_gather =
                makeCarrier(allGatherByDmaMap(m_ring), Target::gatherTileClosed, PacketKind::copy, m_ring.ownChunk());
    }
    if (scatters && !m_scatter)
        m_scatterKernel =
            std::make_unique<RingKernel>(experiment, RingOperation::reduceScatter, place.layout, m_ring,
                                         RingKernel::Ports{port(Phase::dispatch, Target::scatterIssue),
                                                           port(Phase::completion, Target::scatterReceived)},
                                         m_memory, m_link, *this, recorder);
    if (gathers && !m_gather)
        m_gatherKernel =
            std::make_unique<RingKernel>(experiment, RingOperation::allGather, place.layout, m_ring,
                                         RingKernel::Ports{port(Phase::dispatch, Target::gatherIssue),
                                                           port(Phase::completion, Target::gatherReceived)},
                                         m_memory, m_link, *this, recorder);
    if (experiment.variation.gpu == index && experiment.variation.backgroundTraffic.bytesPerSecond > 0)
        m_background =
            std::make_unique<BackgroundTraffic>(experiment.variation.backgroundTraffic, experiment.detail.granule,
                                                port(Phase::dispatch, Target::background), m_memory);
    m_gemmDone = m_gemm == nullptr;
    m_scatterDone = !scatters;
}

Gpu::~Gpu() = default;

std::unique_ptr<Gpu::Carrier> Gpu::makeCarrier(AddressMap map, Target first, PacketKind packets,
                                               std::uint32_t firstChunk) {
    const Experiment& experiment = m_place.experiment;
    const auto target = [&](int offset) {
        return port(Phase::trigger, static_cast<Target>(static_cast<int>(first) + offset));
    };
    auto carrier = std::make_unique<Carrier>();
    carrier->map = std::move(map);
    const TileOrder order{m_place.layout.chunkFirstTile(firstChunk), m_place.layout.tiles()};
    carrier->tracker =
        std::make_unique<Tracker>(experiment, m_place.layout, carrier->map, order, target(0), target(1), m_recorder);
    carrier->updates =
        std::make_unique<NearMemoryUpdate>(m_place.layout, m_memory, *carrier->tracker, carrier->map.arrivals);
    carrier->dma = std::make_unique<DmaEngine>(experiment, m_place.layout, carrier->map, target(2), m_memory, m_link,
                                               packets, m_recorder);
    carrier->tracker->connect(*carrier->updates, *carrier->dma);
    return carrier;
}

void Gpu::makeProducer(AddressMap& map) {
    const Experiment& experiment = m_place.experiment;
    const TileOrder order{m_place.layout.chunkFirstTile(map.routes.front().chunk), m_place.layout.tiles()};
    m_gemm = std::make_unique<GemmKernel>(experiment, m_place.gemm, *m_place.grid, order,
                                          GemmKernel::Ports{port(Phase::completion, Target::computed),
                                                            port(Phase::dispatch, Target::workgroupStarted),
                                                            port(Phase::completion, Target::storing)},
                                          *this, m_recorder, m_index);
    m_cache = std::make_unique<LastLevelCache>(experiment, m_queue, m_memory, *m_gemm);
    m_gemm->connect(*m_cache);
    m_router =
        std::make_unique<OutputRouter>(experiment, m_place.layout, map, m_queue, m_memory, *m_cache,
                                       m_scatter ? m_scatter->updates.get() : nullptr, m_link, *this, m_recorder);
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
    if (m_gemm) {
        m_gemm->begin();
        if (sideBySide())
            beginScatter();
    } else if (m_scatter || m_scatterKernel) {
        beginScatter();
        if (m_scatterDone)  // a late start: all that this GPU receives was there before it began
            scatterEnded();
    } else {
        beginGather();
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

void Gpu::handle(const EventQueue::Event& event) {
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
    case Target::gatherTileClosed:
        m_gather->tracker->onClosed(index);
        if (m_gather->tracker->unclosed() == 0)
            gatherEnded();
        break;
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

void Gpu::onArrivals() {
    const TimePoint now = m_queue.now();
    while (m_inbox.arrivedBy(now)) {
        const Packet packet = m_inbox.take();
        m_received.count += packet.bytes;
        if (m_recorder) {
            const Duration wire = timeAtRate(packet.bytes, m_place.experiment.link.bandwidth.bytesPerSecond);
            const std::uint32_t tile = m_place.layout.tileOf(packet.granule);
            m_recorder->span(
                LaneKind::linkIn, 0,
                {{now.ps - wire.ps}, now, tile, m_place.layout.chunkOf(tile), packet.bytes, SpanKind::linkPacket});
        }
        switch (packet.kind) {
        case PacketKind::update: m_scatter->updates->arrive(packet.granule); break;
        case PacketKind::copy: m_gather->updates->arrive(packet.granule); break;
        case PacketKind::reduceScatter: m_scatterKernel->arrive(packet); break;
        case PacketKind::allGather: m_gatherKernel->arrive(packet); break;
        }
    }
    m_inbox.rearm();
}

bool Gpu::storeTile(std::uint32_t tile) { return m_router->storeTile(tile); }

void Gpu::allTilesStored() { m_router->allTilesStored(); }

void Gpu::firstChunkStored() { m_memory.fixThreshold(); }

void Gpu::tileReleased(std::uint32_t tile) { m_gemm->storeReleased(tile); }

void Gpu::outputLandsAt(TimePoint end) { port(Phase::completion, Target::gemmEnded).schedule(end); }

void Gpu::gemmEnded() {
    m_times.gemmEnd = m_queue.now();
    m_gemmDone = true;
    if (sideBySide()) {
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
}

void Gpu::finish() {
    m_times.end = m_queue.now();
    m_finished = true;
    if (m_background)
        m_background->stop();
}

void Gpu::settle() {
    // With unlike chunks or GPUs a neighbour may still be waiting for this GPU's last chunk.
    const TimePoint end = std::max({m_times.end, m_link.stats().lastDeparture, m_memory.lastService()});
    m_times.end = end;
    if (!sideBySide())
        (m_gather || m_gatherKernel ? m_times.gatherEnd : m_times.scatterEnd) = end;
}

void Gpu::ringKernelEnded(RingOperation operation) {
    if (operation == RingOperation::allGather)
        gatherEnded();
    else
        scatterEnded();
}

double Gpu::progress() const {
    if (m_finished)
        return 1;
    // By tiles for the GEMM, then by received bytes: both rise steadily and cost nothing to know.
    const double output = static_cast<double>(m_place.layout.outputBytes().count);
    const double phases = (m_gemm ? 1.0 : 0.0) + 2.0;
    const double gemm = m_gemm ? static_cast<double>(m_gemm->tilesStored()) / m_gemm->tiles() : 0.0;
    return std::min(1.0, (gemm + static_cast<double>(m_received.count) / output) / phases);
}

GpuResult Gpu::result() const {
    const Duration gemm = m_gemm ? m_times.gemmEnd - m_times.start : Duration{};
    GpuResult result;
    TimeResult& time = result.time;
    time.total = m_times.end - TimePoint{};
    time.gemm = gemm;
    time.reduceScatter = m_times.scatterEnd - m_times.scatterStart;
    time.allGather = m_times.gatherEnd - m_times.gatherStart;
    const TimePoint common = std::min(m_times.gemmEnd, m_times.scatterEnd);
    time.overlapped = std::max(Duration{}, common - std::max(m_times.start, m_times.scatterStart));
    time.exposedCommunication = time.total - gemm;

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
        (scatter ? link.reduceScatter : link.allGather) += moved.bytes;
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
    result.dram = dram;
    result.dramOutcome = m_memory.dramOutcome();
    result.link = link;
    result.tracker = tracker;
    result.dma = dma;
    return result;
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
