#include "engine/run/gpu.h"

#include "engine/api/expected_work.h"
#include "engine/record/recorder.h"
#include "engine/run/program.h"
#include "engine/workload/gemm_pieces.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace engine {

enum class Gpu::What : std::uint8_t {
    arbitrate,
    returnData,
    arrival,
    skewedBegin,
    background,
    workgroupStarted,
    computed,
    storing,
    gemmEnded,
    tileClosed,
    triggered,
    dmaStarted,
    issue,
    received,
    launched,
    handedOver,
    cacheArrival,
    pieceLaunched,
    partLanded,
    signalled,
    copyDue,
    accessServed,
    accessDue,
    accessEnded,
    pieceOfPassEnded,
};

Gpu::Gpu(const Workplace& place, std::uint32_t index, const Attachment& attachment, Recorder* recorder)
    : m_place(place), m_index(index), m_ring{place.topology.gpus, index}, m_recorder(recorder),
      m_memory(place.experiment, port(Phase::arbitration, What::arbitrate), port(Phase::completion, What::returnData),
               recorder, place.mapping),
      m_network(makePort(attachment, recorder)),
      m_sender(place.experiment, place.topology, index, place.program.stages.size(), m_network),
      m_inbox(port(Phase::arrival, What::arrival), attachment.isOneLink() ? 1 : place.topology.linksTo(index).size()),
      m_credits(port(Phase::arrival, What::arrival),
                place.experiment.tracker.heldBytes ? std::size_t{place.topology.gpus} : 0),
      m_held(place.experiment.tracker.heldBytes, m_queue, recorder),
      m_units(place.experiment,
              {port(Phase::completion, What::computed), port(Phase::dispatch, What::workgroupStarted),
               port(Phase::completion, What::storing)},
              *this, recorder, place.program.companion().has_value() || overlapsInSoftware(place.experiment)),
      m_stages(place.program.stages.size()) {
    const Experiment& experiment = place.experiment;
    const Program& program = place.program;
    assert(program.stages.size() <= 1u << (8 - kWhatBits));
    if (experiment.tracker.heldBytes)
        m_receiver = std::make_unique<UpdateReceiver>(place.topology, index, m_queue, *attachment.credits);
    for (const std::uint32_t link : place.topology.linksTo(index))
        m_incoming.push_back(place.topology.links[link].bandwidth);
    m_outputMap = outputMapOf(experiment, program, m_ring, place.output.chunks());
    for (StageId id = 0; id < m_stages.size(); ++id)
        if (program.stages[id].byDma)
            makeCarrier(id);
    if (const auto gemm = program.gemm())
        makeProducer(*gemm);
    for (StageId id = 0; id < m_stages.size(); ++id) {
        if (program.stages[id].collective && !program.stages[id].byDma)
            makeKernel(id);
        if (program.stages[id].isGemm() && program.stages[id].companion)
            makeCompanionGemms(id);
        if (program.stages[id].access)
            makeAccess(id);
        if (program.stages[id].inMemory)
            m_stages[id].pass = std::make_unique<InMemoryPass>(
                experiment, port(Phase::completion, What::pieceOfPassEnded, id), m_memory);
    }
    if (m_units.gemms() != 0)
        makeCache();
    if (const auto gemm = program.gemm(); gemm && (runPartsOf(experiment).asProduced || !m_pieceTimes.empty()))
        followOutput(*gemm);
    if (experiment.variation.gpu == index && experiment.variation.backgroundTraffic.bytesPerSecond > 0)
        m_background =
            std::make_unique<BackgroundTraffic>(experiment.variation.backgroundTraffic, experiment.detail.granule,
                                                port(Phase::dispatch, What::background), m_memory);
    m_times.stages.resize(m_stages.size());
}

Gpu::~Gpu() = default;

NetworkPort Gpu::makePort(const Attachment& attachment, Recorder* recorder) const {
    const Experiment& experiment = m_place.experiment;
    if (!attachment.isOneLink() || m_place.topology.ring.empty())
        return {experiment, m_place.topology, m_index, m_queue, attachment.sinks, recorder};
    const TopologyLink& link = m_place.topology.links[m_place.topology.ring[m_index].front()];
    LinkConfig config = experiment.link;
    config.bandwidth = link.bandwidth;
    config.latency = link.latency;
    return {config, experiment.detail.granule, m_queue, *attachment.sinks.front(), recorder};
}

// Returns the order of a stage's tiles: that of the GEMM's workgroups if the GEMM stores them, otherwise that of the
// map.
TileOrder Gpu::orderOf(StageId id) {
    const OutputLayout& layout = layoutOf(id);
    StageState& state = m_stages[id];
    if (stage(id).scatters() && stage(id).beside)
        return {layout.chunkFirstTile(state.map.routes.front().chunk), layout.tiles(), &m_place.walk};
    std::vector<std::uint32_t> chunks;
    for (const ChunkRoute& route : state.map.routes)
        chunks.push_back(route.chunk);
    state.walk = TileWalk(layout, chunks);
    return {0, layout.tiles(), &state.walk};
}

void Gpu::makeCarrier(StageId id) {
    const Experiment& experiment = m_place.experiment;
    const CollectiveWork work = workOf(id);
    StageState& state = m_stages[id];
    const auto target = [&](What what) { return port(Phase::trigger, what, id); };
    state.map = mapOf(experiment, stage(id), m_ring);
    state.tracker = std::make_unique<Tracker>(experiment, work, state.map, orderOf(id), target(What::tileClosed),
                                              target(What::triggered), m_recorder);
    state.updates = std::make_unique<NearMemoryUpdate>(work.layout, m_memory, *state.tracker, m_held,
                                                       state.map.arrivals, work.kernel, work.firstAddress);
    state.dma = std::make_unique<DmaEngine>(experiment, work, state.map,
                                            DmaEngine::Ports{target(What::dmaStarted), target(What::handedOver)},
                                            m_memory, m_sender, m_index, id, m_recorder);
    state.tracker->connect(*state.updates, *state.dma);
    if (m_receiver)
        m_receiver->addStage(id, work.layout, *state.tracker, *state.updates);
}

void Gpu::makeKernel(StageId id) {
    const CollectiveWork work = workOf(id);
    m_stages[id].kernel = std::make_unique<CollectiveKernel>(
        m_place.experiment, *stage(id).collective, id, work, m_ring,
        CollectiveKernel::Ports{port(Phase::dispatch, What::issue, id), port(Phase::completion, What::received, id),
                                &m_incoming, port(Phase::trigger, What::copyDue, id)},
        m_memory, m_network, *this, m_recorder);
    if (stage(id).needsCus())
        m_stages[id].kernels = {
            m_units.addCollective(static_cast<std::uint32_t>(work.workgroups), stage(id).companion)};
    if (stage(id).gathers() && !stage(id).companion && piecesWait())
        m_stages[id].kernel->announceChunks();
}

void Gpu::makeAccess(StageId id) {
    m_stages[id].access = std::make_unique<AccessPattern>(m_place.experiment, m_place.accesses,
                                                          port(Phase::completion, What::accessServed, id),
                                                          port(Phase::dispatch, What::accessDue, id), m_memory);
}

// Pieces that wait for chunks are launched one by one.
void Gpu::addGemm(StageId id, const GemmSetting& setting, std::vector<std::uint32_t> pieceEnds) {
    StageState& state = m_stages[id];
    if (state.kernels.empty())
        state.gemm = m_units.gemms();
    const std::uint32_t launched = !pieceEnds.empty() && piecesWait() ? 0 : queues();
    state.kernels.push_back(
        m_units.addGemm({m_place.experiment, setting, m_index}, stage(id).companion, std::move(pieceEnds), launched));
    ++state.gemmsLeft;
}

TileOrder Gpu::producerOrder() const {
    return {m_place.output.chunkFirstTile(m_outputMap.routes.front().chunk), m_place.output.tiles(), &m_place.walk};
}

// Returns the ends of the own GEMM's pieces; none if it is not launched in pieces.
std::vector<std::uint32_t> Gpu::producerPieces() const {
    const Experiment& experiment = m_place.experiment;
    if (!launchesPieces(experiment))
        return {};
    std::vector<std::uint32_t> chunkTiles;
    for (const ChunkRoute& route : m_outputMap.routes)
        chunkTiles.push_back(m_place.output.chunkTiles(route.chunk));
    return pieceEnds(static_cast<std::uint32_t>(piecesOf(experiment)), chunkTiles);
}

void Gpu::makeProducer(StageId id) {
    const Experiment& experiment = m_place.experiment;
    const OutputLayout& output = m_place.output;
    GemmSetting setting;
    setting.shape = m_place.gemm;
    setting.grid = m_place.grid;
    setting.order = producerOrder();
    setting.order.tiles = std::min(output.tiles(), m_place.workgroups);
    setting.tiling = tilingOf(experiment);
    setting.slots = residentWorkgroups(experiment);
    setting.cus = m_units.cusForGemms();
    std::vector<std::uint32_t> ends = producerPieces();
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends) {
        m_pieceTimes.push_back({.workgroups = end - begin});
        begin = end;
    }
    m_pieceOffered.resize(m_pieceTimes.size());
    addGemm(id, setting, std::move(ends));
    if (piecesWait()) {
        m_tilesToGather.assign(m_ring.gpus, 1);
        m_tilesToGather[m_ring.ownChunk()] = 0;
    } else if (const auto input = stage(id).beside) {
        m_tilesToGather.resize(m_ring.gpus);
        for (const ChunkRoute& route : m_stages[*input].map.routes)
            m_tilesToGather[route.chunk] = route.updatesPerElement == 0 ? 0 : m_place.layout.chunkTiles(route.chunk);
        m_units.waitFor(*this);
    }
}

// Follows which parts of the output are in memory: pieces of the GEMM, or single tiles. The collective that takes the
// output is told.
void Gpu::followOutput(StageId gemm) {
    const OutputLayout& output = m_place.output;
    std::vector<std::uint32_t> partOf(output.tiles());
    std::uint32_t parts = output.tiles();
    if (m_pieceTimes.empty()) {
        std::iota(partOf.begin(), partOf.end(), 0u);
    } else {
        const TileOrder order = producerOrder();
        parts = static_cast<std::uint32_t>(m_pieceTimes.size());
        std::uint32_t position = 0;
        for (std::uint32_t piece = 0; piece < parts; ++piece)
            for (const std::uint32_t end = position + m_pieceTimes[piece].workgroups; position < end; ++position)
                partOf[order.tileAt(position)] = piece;
    }
    m_routers[m_stages[gemm].gemm]->follow(partOf, parts);
    if (!m_place.program.scatter())
        return;
    m_produced.emplace(std::move(partOf), parts);
    m_stages[*m_place.program.scatter()].kernel->readFrom(*m_produced, m_place.walk);
}

void Gpu::makeCompanionGemms(StageId id) {
    const Experiment& experiment = m_place.experiment;
    const CompanionPlan& plan = *m_place.companion;
    GemmSetting setting;
    setting.shape = plan.gemm;
    setting.grid = &*plan.grid;
    setting.order = {0, plan.layout.tiles(), &plan.walk};
    setting.tiling = companionTilingOf(experiment);
    setting.slots = companionSlots(experiment);
    setting.cus = m_units.cusForGemms();
    for (std::int64_t copy = 1; copy <= experiment.companion.copies; ++copy) {
        setting.kernel = static_cast<std::uint8_t>(copy);
        addGemm(id, setting);
    }
}

// Makes the cache and its routers. A companion's output is sent nowhere, so that it is cached like that of any GEMM.
void Gpu::makeCache() {
    m_cache = std::make_unique<LastLevelCache>(m_place.experiment, m_queue, m_memory, m_units, m_recorder);
    if (m_place.experiment.llc.bandwidth)
        m_cache->limitPassage(*m_place.experiment.llc.bandwidth, port(Phase::completion, What::cacheArrival));
    m_units.connect(*m_cache);
    for (StageId id = 0; id < m_stages.size(); ++id) {
        if (!stage(id).isGemm())
            continue;
        if (!stage(id).companion) {
            makeRouter(id, m_place.output, m_outputMap, kOwnKernel);
            continue;
        }
        m_companionMap = localOutputMap(1, 0);
        for (std::size_t copy = 0; copy < m_stages[id].kernels.size(); ++copy)
            makeRouter(id, m_place.companion->layout, m_companionMap, static_cast<std::uint8_t>(copy + 1));
    }
}

void Gpu::makeRouter(StageId id, const OutputLayout& layout, const AddressMap& map, std::uint8_t kernel) {
    const auto fed = m_place.program.find([&](const Stage& other) { return other.beside == id; });
    OutputOf of;
    of.gemm = static_cast<std::uint32_t>(m_routers.size());
    of.kernel = kernel;
    of.firstTiles = std::max(1u, layout.tiles() / m_place.topology.gpus);
    of.cached = kernel != kOwnKernel || m_place.experiment.policy.outputCaching == OutputCaching::allocate;
    m_routers.push_back(std::make_unique<OutputRouter>(of, layout, map, m_queue, m_memory, *m_cache,
                                                       fed ? m_stages[*fed].updates.get() : nullptr, m_sender, m_index,
                                                       fed.value_or(id), *this, m_recorder));
}

void Gpu::begin() {
    if (m_background)
        m_background->begin();
    if (m_place.experiment.variation.gpu == m_index && m_place.experiment.variation.startSkew.ps > 0) {
        m_times.start = TimePoint{} + m_place.experiment.variation.startSkew;
        port(Phase::dispatch, What::skewedBegin).schedule(m_times.start);
    } else {
        beginWork();
    }
}

void Gpu::beginWork() {
    m_begun = true;
    advanceProgram();
}

// Begins the stages that may begin, until there are no more; ends with the last stage.
void Gpu::advanceProgram() {
    for (bool begun = true; begun;) {
        begun = false;
        for (StageId id = 0; id < m_stages.size(); ++id) {
            if (m_stages[id].begun || !mayBegin(id))
                continue;
            beginStage(id);
            begun = true;
        }
    }
    m_units.dispatchLaunched();
    const bool done =
        std::all_of(m_stages.begin(), m_stages.end(), [](const StageState& state) { return state.ended; });
    if (m_finished || !done)
        return;
    m_times.done = m_times.end = m_queue.now();
    m_finished = true;
    if (m_background)
        m_background->stop();
}

bool Gpu::mayBegin(StageId id) const {
    const Stage& stage = this->stage(id);
    return (!stage.beside || m_stages[*stage.beside].begun) &&
           std::all_of(stage.after.begin(), stage.after.end(), [&](StageId before) { return m_stages[before].ended; });
}

void Gpu::beginStage(StageId id) {
    StageState& state = m_stages[id];
    state.begun = true;
    m_times.stages[id].start = m_queue.now();
    if (state.access) {
        state.access->begin();
    } else if (state.pass) {
        state.pass->begin();
    } else if (stage(id).byCopies) {
        state.hasRoom = true;
        if (!m_produced || m_place.program.scatter() != id)
            beginKernel(id);
    } else if (stage(id).ownGemm() && piecesWait()) {
        for (std::uint32_t piece = 0; piece < m_pieceTimes.size(); ++piece)
            offerPiece(piece);
    } else if (!state.kernels.empty()) {
        const Duration delay = m_place.experiment.launch.kernel;
        state.launchAt = m_queue.now() + delay;
        if (delay.ps == 0)
            launch(id);
        else
            port(Phase::dispatch, What::launched, id).schedule(state.launchAt);
    } else {
        state.dma->begin();
        if (state.tracker->unclosed() == 0)  // after a late start: all data for this GPU had arrived before it began
            stageEnded(id);
    }
}

void Gpu::launch(StageId id) {
    m_stages[id].launchAt = kNever;
    for (const KernelId kernel : m_stages[id].kernels)
        m_units.launch(kernel);
    if (stage(id).ownGemm() && !piecesWait())
        for (std::size_t piece = 0; piece < std::min<std::size_t>(m_pieceTimes.size(), queues()); ++piece)
            m_pieceTimes[piece].launched = m_queue.now();
}

// Hands a piece to its queue when the piece before it there has ended and the chunks that it reads have come.
void Gpu::offerPiece(std::uint32_t piece) {
    if (piece >= m_pieceTimes.size() || m_pieceOffered[piece] || !m_stages[*m_place.program.gemm()].begun)
        return;  // chunks may come before a GPU that starts late has begun
    if (piece >= queues() && m_pieceTimes[piece - queues()].landed == TimePoint{})
        return;
    if (piecesWait()) {
        std::uint32_t position = 0;
        for (std::uint32_t before = 0; before < piece; ++before)
            position += m_pieceTimes[before].workgroups;
        const TileOrder order = producerOrder();
        for (const std::uint32_t end = position + m_pieceTimes[piece].workgroups; position < end; ++position)
            if (!inputReady(order.tileAt(position)))
                return;
    }
    m_pieceOffered[piece] = true;
    const Duration delay = m_place.experiment.launch.kernel;
    if (delay.ps == 0)
        launchPiece(piece);
    else
        port(Phase::dispatch, What::pieceLaunched).schedule(m_queue.now() + delay, piece);
}

// The first piece to be launched launches the GEMM.
void Gpu::launchPiece(std::uint32_t piece) {
    const StageId gemm = *m_place.program.gemm();
    m_pieceTimes[piece].launched = m_queue.now();
    const KernelId kernel = m_stages[gemm].kernels.front();
    if (m_units.launchedAt(kernel) == kNever) {
        m_times.stages[gemm].start = m_queue.now() - m_place.experiment.launch.kernel;
        launch(gemm);
    }
    m_units.launchPiece(kernel, piece);
    m_units.dispatchLaunched();
}

void Gpu::partLandsAt(std::uint32_t part, TimePoint when) {
    port(Phase::completion, What::partLanded).schedule(when, part);
}

// A piece has ended: the next one of its queue is launched, and its output is signalled.
void Gpu::partLanded(std::uint32_t part) {
    const Experiment& experiment = m_place.experiment;
    if (!m_pieceTimes.empty()) {
        m_pieceTimes[part].landed = m_queue.now();
        offerPiece(part + queues());
    }
    if (!m_produced)
        return;
    if (experiment.policy.signalLatency.ps == 0)
        signalled(part);
    else
        port(Phase::completion, What::signalled).schedule(m_queue.now() + experiment.policy.signalLatency, part);
}

// The kernel begins with the first part.
void Gpu::signalled(std::uint32_t part) {
    m_produced->signal(part);
    const StageId id = *m_place.program.scatter();
    if (m_stages[id].kernelBegun)
        m_stages[id].kernel->dataCame();
    else if (m_stages[id].hasRoom)
        beginKernel(id);
}

// All kernels that are launched at one time are in the line before the first gets room.
void Gpu::onLaunched() {
    for (StageId id = 0; id < m_stages.size(); ++id)
        if (m_stages[id].launchAt == m_queue.now())
            launch(id);
    m_units.dispatchLaunched();
}

void Gpu::roomTaken(KernelId kernel, std::uint32_t workgroups) {
    for (StageState& state : m_stages) {
        if (!state.kernel || state.kernels.empty() || state.kernels.front() != kernel)
            continue;
        state.kernel->roomChanged(workgroups);
        state.hasRoom = true;
        const auto id = static_cast<StageId>(&state - m_stages.data());
        const bool waits = m_produced && m_place.program.scatter() == id && !m_produced->any();
        if (!state.kernelBegun && !waits)
            beginKernel(id);
    }
}

void Gpu::beginKernel(StageId id) {
    m_stages[id].kernelBegun = true;
    if (m_produced && m_place.program.scatter() == id)
        m_times.stages[id].start = m_queue.now();
    m_stages[id].kernel->begin();
}

void Gpu::gemmResident(bool resident) {
    const Frequency clock = m_place.experiment.cu.clock;
    for (StageState& state : m_stages)
        if (state.kernel)
            state.kernel->clockChanged(resident ? matrixClockOf(m_place.experiment) : clock);
}

void Gpu::stageEnded(StageId id) {
    m_stages[id].ended = true;
    noteFirstEnd(id);
    m_times.stages[id].end = m_queue.now();
    if (m_stages[id].dma && stage(id).scatters() && stage(id).beside)
        noteFirstSend(id);
    advanceProgram();
}

// Sets the start of a collective that is fused with its producer: its first store or block that left for another GPU.
void Gpu::noteFirstSend(StageId id) {
    const std::optional<TimePoint> direct = m_routers.front()->firstSend();
    const std::optional<TimePoint> byDma = m_stages[id].dma->firstSend();
    m_times.stages[id].start = std::min(direct.value_or(kNever), byDma.value_or(kNever));
}

// Notes how much the other kernel has done when the first of two ends, if each is the whole of its part.
void Gpu::noteFirstEnd(StageId id) {
    const Program& program = m_place.program;
    if (m_stages.size() != 2 || !program.companion() || m_otherDone ||
        m_stages[*program.companion()].kernels.size() > 1)
        return;
    m_otherDone = doneShare(1 - id);
}

// Returns the share of a stage that is done: K-steps of a GEMM, received bytes of a collective, bytes of a pass.
double Gpu::doneShare(StageId id) const {
    if (stage(id).isGemm())
        return m_units.computedShare(m_stages[id].gemm);
    if (m_stages[id].pass)
        return m_stages[id].pass->doneShare();
    std::int64_t expected = 0;
    const OutputLayout& layout = layoutOf(id);
    for (const CollectiveStep& step :
         scheduleOf(*stage(id).collective, m_place.experiment.collective.algorithm, m_ring).steps)
        for (const Receipt& receipt : step.receives)
            expected += layout.chunkBytes(receipt.chunk).count;
    return expected == 0 ? 1 : static_cast<double>(m_stages[id].received.count) / static_cast<double>(expected);
}

void Gpu::tileClosed(StageId id, std::uint32_t tile) {
    const StageState& state = m_stages[id];
    state.tracker->onClosed(tile);
    if (m_receiver)
        m_receiver->tileClosed();
    if (stage(id).gathers() && !stage(id).companion && !m_tilesToGather.empty() &&
        --m_tilesToGather[m_place.layout.chunkOf(tile)] == 0)
        m_units.inputArrived();
    if (state.begun && state.tracker->unclosed() == 0)
        stageEnded(id);
}

// An access pattern ends when the data of its last request are back or in memory.
void Gpu::accessServed(StageId id) {
    AccessPattern& access = *m_stages[id].access;
    access.onSlotFreed();
    if (access.served())
        port(Phase::completion, What::accessEnded, id).schedule(m_queue.now() + m_memory.latency());
}

// Inline, because it runs for every event and has one caller. The most frequent events belong to no stage, so that
// their target is equal to what happens.
inline void Gpu::handle(const EventQueue::Event& event) {
    const std::uint32_t index = event.index;
    switch (static_cast<What>(event.target)) {
    case What::arbitrate: m_memory.arbitrate(index); break;
    case What::returnData: m_memory.returnData(index); break;
    case What::arrival: onArrivals(); break;
    case What::skewedBegin: beginWork(); break;
    case What::background: m_background->onIssue(); break;
    case What::workgroupStarted: m_units.onStarted(index); break;
    case What::computed: m_units.onComputed(index); break;
    case What::storing: m_units.onStoring(index); break;
    case What::cacheArrival: m_cache->onArrived(index); break;
    default:
        handleOfStage(static_cast<What>(event.target & ((1u << kWhatBits) - 1)),
                      static_cast<StageId>(event.target >> kWhatBits), index);
    }
}

void Gpu::handleOfStage(What what, StageId id, std::uint32_t index) {
    const StageState& state = m_stages[id];
    switch (what) {
    case What::gemmEnded:
        if (--m_stages[id].gemmsLeft == 0)
            stageEnded(id);
        break;
    case What::launched: onLaunched(); break;
    case What::pieceLaunched: launchPiece(index); break;
    case What::partLanded: partLanded(index); break;
    case What::signalled: signalled(index); break;
    case What::tileClosed: tileClosed(id, index); break;
    case What::copyDue: state.kernel->onCopy(index); break;
    case What::accessServed: accessServed(id); break;
    case What::accessDue: state.access->onDue(); break;
    case What::accessEnded: stageEnded(id); break;
    case What::triggered: state.tracker->onTriggered(index); break;
    case What::dmaStarted: state.dma->onStarted(index); break;
    case What::handedOver: state.dma->onHandedOver(index); break;
    case What::pieceOfPassEnded:
        if (state.pass->onPieceEnded(index))
            stageEnded(id);
        break;
    case What::issue: state.kernel->onIssue(index); break;
    case What::received: state.kernel->onReceived(index); break;
    default: assert(false);
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

// Takes credits before packets, whichever of the two the event is for, so that their order at one time is always the
// same.
void Gpu::onArrivals() {
    const TimePoint now = m_queue.now();
    while (m_credits.arrivedBy(now))
        m_sender.credited(m_credits.take());
    m_credits.rearm(now);
    while (m_inbox.arrivedBy(now)) {
        const Packet packet = m_inbox.take();
        const OutputLayout& layout = layoutOf(packet.stage);
        const std::uint32_t tile = layout.tileOf(packet.granule);
        if (m_recorder)
            recordArrival(packet, tile);
        if (packet.destination != m_index) {
            m_network.passOn(packet, tile, layout.chunkOf(tile));
            continue;
        }
        m_received.count += packet.bytes;
        m_stages[packet.stage].received.count += packet.bytes;
        if (m_recorder)
            recordContributions(packet);
        const StageState& state = m_stages[packet.stage];
        if (state.kernel) {
            state.kernel->arrive(packet);
        } else if (m_receiver) {
            m_receiver->arrive(packet);
        } else {
            [[maybe_unused]] const bool taken = state.updates->arrive(packet.granule);
            assert(taken);  // without a receiver a GPU accepts every update
        }
    }
    m_inbox.rearm(now);
}

void Gpu::recordContributions(const Packet& packet) {
    const std::uint8_t kernel = packet.companion ? kOwnKernel + 1 : kOwnKernel;
    if (packet.summands > 1)
        m_recorder->arrivedSum(packet.granule, kernel);
    else
        m_recorder->arrived(packet.source, packet.granule, kernel);
}

void Gpu::recordArrival(const Packet& packet, std::uint32_t tile) {
    const TimePoint now = m_queue.now();
    const Duration wire = timeAtRate(packet.bytes, m_incoming[packet.port].bytesPerSecond);
    m_recorder->span(LaneKind::linkIn, packet.port,
                     {{now.ps - wire.ps},
                      now,
                      tile,
                      layoutOf(packet.stage).chunkOf(tile),
                      packet.bytes,
                      packetKind(packet),
                      packet.source,
                      static_cast<std::uint16_t>(packet.granule)});
}

// Returns whether the input of a tile is there. A tile reads whole rows of A. Each row lies in one chunk, or in two if
// a boundary crosses it.
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

bool Gpu::storeTile(std::uint32_t gemm, std::uint32_t tile) { return m_routers[gemm]->storeTile(tile); }

void Gpu::allTilesStored(std::uint32_t gemm) { m_routers[gemm]->allTilesStored(); }

// Fixes MCA's threshold at the end of the first stage of the own GEMM or, without one, of the companion's first GEMM.
void Gpu::firstChunkStored(std::uint32_t gemm) {
    if (gemm == 0)
        m_memory.fixThreshold();
}

void Gpu::tileReleased(std::uint32_t gemm, std::uint32_t tile) { m_units.storeReleased(gemm, tile); }

void Gpu::outputLandsAt(std::uint32_t gemm, TimePoint end) {
    const auto stored = m_place.program.find([&](const Stage& each) {
        const StageState& state = m_stages[static_cast<std::size_t>(&each - &stage(0))];
        return each.isGemm() && gemm >= state.gemm && gemm < state.gemm + state.kernels.size();
    });
    port(Phase::completion, What::gemmEnded, *stored).schedule(end);
}

void Gpu::collectiveEnded(StageId stage) {
    for (const KernelId kernel : m_stages[stage].kernels)
        m_units.collectiveEnded(kernel);
    stageEnded(stage);
}

// Launches the kernel that adds what copies have brought.
void Gpu::needsRoom(StageId stage) {
    const Duration delay = m_place.experiment.launch.kernel;
    m_stages[stage].launchAt = m_queue.now() + delay;
    port(Phase::dispatch, What::launched, stage).schedule(m_stages[stage].launchAt);
}

void Gpu::chunkCame(StageId, std::uint32_t chunk) {
    m_tilesToGather[chunk] = 0;
    for (std::uint32_t piece = 0; piece < m_pieceTimes.size(); ++piece)
        offerPiece(piece);
}

// With unequal chunks or GPUs, another GPU may still be waiting for this GPU's last chunk.
void Gpu::settle() {
    m_times.ownEnd = settled(false);
    if (m_place.program.companion())
        m_times.companionEnd = settled(true);
    m_times.end = std::max({m_times.end, m_times.ownEnd, m_times.companionEnd});
}

// Returns when the own work, or the companion's, has ended and all that it sends and writes has left and landed. If all
// of it leads to one collective, sets the end of that collective's stage to the same time.
TimePoint Gpu::settled(bool companion) {
    const Program& program = m_place.program;
    TimePoint end = m_memory.lastLandingOf(companion);
    std::vector<StageId> last;
    for (StageId id = 0; id < m_stages.size(); ++id) {
        if (stage(id).companion != companion)
            continue;
        end = std::max({end, m_times.stages[id].end, m_network.lastDepartureOf(id)});
        if (!program.feedsAnother(id))
            last.push_back(id);
    }
    if (last.size() == 1 && !stage(last.front()).isGemm())
        m_times.stages[last.front()].end = end;
    return end;
}

double Gpu::progress() const {
    if (m_finished)
        return 1;
    if (const AccessPattern* const access = accessPattern())
        return static_cast<double>(access->servedCount()) / std::max(1u, access->count());
    // Measures progress by tiles for the GEMM, then by received bytes: both rise steadily and are known anyway. Each is
    // weighted by the events that it takes.
    double gemm = 0, stored = 0;
    for (const Stage& stage : m_place.program.stages)
        if (stage.isGemm())
            gemm += stage.companion ? expectedEvents(m_place.experiment, m_place.companion->gemm) *
                                          static_cast<double>(m_place.experiment.companion.copies)
                                    : expectedEvents(m_place.experiment, m_place.gemm);
    for (std::uint32_t each = 0; each < m_units.gemms(); ++each)
        stored += static_cast<double>(m_units.tilesStored(each)) / m_units.tiles(each) / m_units.gemms();
    double moves = 0, bytes = 0;
    for (StageId id = 0; id < m_stages.size(); ++id) {
        if (!stage(id).collective)
            continue;
        const auto output = static_cast<double>(layoutOf(id).outputBytes().count);
        bytes += output;
        moves += output / static_cast<double>(m_place.experiment.detail.granule.count) *
                 (stage(id).gathers() ? kGatherEvents : kScatterEvents);
    }
    const double moved = bytes > 0 ? static_cast<double>(m_received.count) / bytes : 0;
    const double all = gemm + moves;
    return all > 0 ? std::min(1.0, (gemm * stored + moves * std::min(1.0, moved)) / all) : 0;
}

TimeResult timesOf(const GpuTimes& times, const Program& program) {
    TimeResult time;
    time.total = times.end - TimePoint{};
    for (StageId id = 0; id < program.stages.size(); ++id) {
        const Stage& stage = program.stages[id];
        if (stage.companion || stage.access)
            continue;
        Duration& taken = stage.isGemm()                                 ? time.gemm
                          : stage.gathers()                              ? time.allGather
                          : stage.collective == CollectiveKind::allToAll ? time.allToAll
                                                                         : time.reduceScatter;
        taken = times.stages[id].end - times.stages[id].start;
    }
    time.exposedCommunication = times.ownEnd - TimePoint{} - time.gemm;
    const auto gemm = program.gemm();
    const auto other = program.consumes() ? program.gather() : program.scatter();
    if (gemm && other) {
        const StageTimes &compute = times.stages[*gemm], &beside = times.stages[*other];
        time.overlapped =
            std::max(Duration{}, std::min(compute.end, beside.end) - std::max(compute.start, beside.start));
    }
    return time;
}

GpuTimes joined(const std::vector<GpuTimes>& gpus) {
    GpuTimes all;
    all.stages.resize(gpus.front().stages.size());
    for (const GpuTimes& gpu : gpus) {
        all.end = std::max(all.end, gpu.end);
        all.ownEnd = std::max(all.ownEnd, gpu.ownEnd);
        all.companionEnd = std::max(all.companionEnd, gpu.companionEnd);
        for (std::size_t id = 0; id < all.stages.size(); ++id) {
            const StageTimes& own = gpu.stages[id];
            if (own.end <= own.start)  // a GPU without that stage, such as one with an empty chunk
                continue;
            StageTimes& whole = all.stages[id];
            const bool first = whole.end <= whole.start;
            whole.start = first ? own.start : std::min(whole.start, own.start);
            whole.end = std::max(whole.end, own.end);
        }
    }
    return all;
}

namespace {

// The fields of a result in which a collective's traffic is counted.
struct TrafficOf {
    TrafficOf(CollectiveKind kind, DramResult& dram, LinkResult& link)
        : read(kind == CollectiveKind::allGather  ? dram.agRead
               : kind == CollectiveKind::allToAll ? dram.a2aRead
                                                  : dram.rsRead),
          write(kind == CollectiveKind::allGather  ? dram.agWrite
                : kind == CollectiveKind::allToAll ? dram.a2aWrite
                                                   : dram.rsWrite),
          sent(kind == CollectiveKind::allGather  ? link.allGather
               : kind == CollectiveKind::allToAll ? link.allToAll
                                                  : link.reduceScatter) {}
    Bytes &read, &write, &sent;
};

void addTo(DmaResult& all, const DmaResult& stage) {
    all.commands += stage.commands;
    all.bytes += stage.bytes;
    all.peakQueue = std::max(all.peakQueue, stage.peakQueue);
}

}  // namespace

GpuResult Gpu::result() const {
    GpuResult result;
    result.time = timesOf(m_times, m_place.program);
    DramResult dram;
    TrackerResult tracker;
    DmaResult dma;
    LinkResult link;
    result.llc = m_cache ? m_cache->stats() : LlcResult{};
    for (StageId id = 0; id < m_stages.size(); ++id) {
        const StageState& state = m_stages[id];
        if (stage(id).companion || state.access)
            continue;
        if (stage(id).isGemm()) {
            dram.gemmRead = m_memory.flow(m_cache->loadFlow()).bytes;
            dram.gemmWrite += m_memory.flow(m_routers.front()->storeFlow()).bytes;
            continue;
        }
        const TrafficOf traffic(*stage(id).collective, dram, link);
        if (state.kernel) {
            traffic.read += state.kernel->readBytes();
            traffic.write += state.kernel->writtenBytes();
            traffic.sent += state.kernel->sentBytes();
            addTo(dma, state.kernel->copies());
            continue;
        }
        dram.gemmWrite += m_memory.flow(state.updates->localFlow()).bytes;
        traffic.read += m_memory.flow(state.dma->readFlow()).bytes;
        traffic.write += m_memory.flow(state.updates->arrivingFlow()).bytes;
        traffic.sent += state.dma->sentBytes();
        if (stage(id).scatters() && m_place.program.gemm())
            traffic.sent += m_routers.front()->sentBytes();
        const TrackerResult own = state.tracker->stats();
        tracker.peakEntries = std::max(tracker.peakEntries, own.peakEntries);
        tracker.capacityStalls += own.capacityStalls;
        tracker.triggers += own.triggers;
        tracker.updates += own.updates;
        tracker.heldPeak = std::max(tracker.heldPeak, state.updates->heldPeak());
        addTo(dma, state.dma->stats());
    }
    if (m_place.program.companion())
        result.companion = companionPart();
    dram.total = dram.gemmRead + dram.gemmWrite + dram.rsRead + dram.rsWrite + dram.agRead + dram.agWrite +
                 dram.a2aRead + dram.a2aWrite;
    if (result.companion)
        dram.total = dram.total + result.companion->dramRead + result.companion->dramWritten;
    if (const AccessPattern* const access = accessPattern())
        dram.total = access->bytes();
    tracker.arrivalStalls = m_receiver ? m_receiver->stalls() : 0;
    result.dram = dram;
    result.dramOutcome = m_memory.dramOutcome();
    result.memory = m_memory.camping();
    result.link = link;
    result.tracker = tracker;
    result.dma = dma;
    return result;
}

// Returns how long the first kernel of the own work, or of the companion, waited for room on a CU.
Duration Gpu::waitForRoom(bool companion) const {
    TimePoint launched = kNever, begun = kNever;
    for (StageId id = 0; id < m_stages.size(); ++id) {
        if (stage(id).companion != companion)
            continue;
        for (const KernelId kernel : m_stages[id].kernels) {
            launched = std::min(launched, m_units.launchedAt(kernel));
            begun = std::min(begun, m_units.begunAt(kernel));
        }
    }
    return begun == kNever ? Duration{} : begun - launched;
}

CompanionPart Gpu::companionPart() const {
    CompanionPart part;
    part.own = m_times.ownEnd - TimePoint{};
    part.time = m_times.companionEnd - TimePoint{};
    part.ownWaits = waitForRoom(false);
    part.waits = waitForRoom(true);
    part.otherDone = m_otherDone;
    for (StageId id = 0; id < m_stages.size(); ++id) {
        const StageState& state = m_stages[id];
        if (!stage(id).companion)
            continue;
        if (stage(id).isGemm()) {
            part.dramRead += m_memory.flow(m_cache->loadFlow(true)).bytes;
            for (std::size_t copy = 0; copy < state.kernels.size(); ++copy)
                part.dramWritten += m_memory.flow(m_routers[state.gemm + copy]->storeFlow()).bytes;
        } else if (state.kernel) {
            part.dramRead += state.kernel->readBytes();
            part.dramWritten += state.kernel->writtenBytes();
            part.sent += state.kernel->sentBytes();
        } else if (state.dma) {
            part.dramRead += m_memory.flow(state.dma->readFlow()).bytes;
            part.dramWritten += m_memory.flow(state.updates->localFlow()).bytes;
            part.dramWritten += m_memory.flow(state.updates->arrivingFlow()).bytes;
            part.sent += state.dma->sentBytes();
        }
    }
    return part;
}

std::int64_t Gpu::surplusUpdates() const {
    std::int64_t surplus = 0;
    for (const StageState& state : m_stages)
        surplus += state.tracker ? state.tracker->surplusUpdates() : 0;
    return surplus;
}

bool Gpu::drained() const {
    for (const StageState& state : m_stages)
        if (state.tracker &&
            (!state.updates->holdsNothing() || state.tracker->unclosed() != 0 || !state.dma->finished()))
            return false;
    return m_memory.idle() && m_inbox.empty() && m_queue.empty() && m_sender.settled() &&
           (!m_receiver || m_receiver->waiting() == 0);
}

std::string Gpu::describeWaiting() const {
    std::string text = "GPU " + std::to_string(m_index) + ": ";
    const auto waits = m_place.program.find(
        [&](const Stage& stage) { return !m_stages[static_cast<std::size_t>(&stage - &this->stage(0))].ended; });
    if (waits && stage(*waits).isGemm())
        text += "the GEMM has stored " + std::to_string(m_units.tilesStored(m_stages[*waits].gemm)) + " of " +
                std::to_string(m_units.tiles(m_stages[*waits].gemm)) + " tiles and waits for its stores to be taken";
    else if (waits && m_stages[*waits].kernel && !m_stages[*waits].kernelBegun)
        text += "a collective kernel waits for room on a CU";
    else if (waits && m_stages[*waits].kernel)
        text += "the " + m_stages[*waits].kernel->describeWaiting();
    else if (waits)
        text += std::string("the ") + (stage(*waits).gathers() ? "all-gather" : "reduce-scatter") +
                " waits for the tracker";
    for (const StageState& state : m_stages) {
        if (!state.tracker || state.tracker->unclosed() == 0)
            continue;
        text += "; " + state.tracker->describeWaiting();
        if (!state.dma->finished())
            text += "; the DMA engine waits for the tracker to trigger " + std::to_string(state.dma->commandsLeft()) +
                    " more commands, and the next GPU waits for the data of these commands";
    }
    if (m_sender.waiting() != 0)
        text += "; " + std::to_string(m_sender.waiting()) + " updates wait for credits before they can be sent";
    if (m_receiver && m_receiver->waiting() != 0)
        text += "; " + std::to_string(m_receiver->waiting()) +
                " updates have arrived and wait for room (tracker.held_bytes)";
    return text;
}

}  // namespace engine
