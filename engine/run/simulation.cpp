#include "engine/run/simulation.h"

#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "engine/kernel/crew.h"
#include "engine/record/recorder.h"
#include "engine/run/network_facts.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace engine {

namespace {

constexpr std::int64_t kEventsBetweenPolls = 1024;

std::optional<TileGrid> gridOf(const Experiment& experiment) {
    if (isCollectiveAlone(experiment.workload.sublayer))
        return std::nullopt;
    const GemmSize shape = gemmShapeOf(experiment);
    return TileGrid(shape.m, shape.n, experiment.gemm.tileM, experiment.gemm.tileN, consumesAllGather(experiment));
}

OutputLayout outputOf(const Experiment& experiment, const std::optional<TileGrid>& grid) {
    const std::int64_t gpus = experiment.parallel.tp;
    if (grid)
        return {*grid, gpus, experiment.detail.granule};
    const Bytes slab{experiment.gemm.tileM * experiment.gemm.tileN * kElementBytes};
    return {experiment.workload.bytes, slab, gpus, experiment.detail.granule};
}

OutputLayout layoutOf(const Experiment& experiment, const GemmSize& gemm, const OutputLayout& output) {
    if (!consumesAllGather(experiment))
        return output;
    return {Bytes{gemm.m * gemm.k * kElementBytes}, output, experiment.detail.granule};
}

// Each hop of the ring is one link that no other hop takes, and all are the same.
bool hopsAreAlike(const Topology& topology) {
    if (topology.ring.empty() || !topology.sharedByRing.empty())
        return false;
    const TopologyLink& first = topology.links[topology.ring.front().front()];
    return std::all_of(topology.ring.begin(), topology.ring.end(), [&](const std::vector<std::uint32_t>& hop) {
        const TopologyLink& link = topology.links[hop.front()];
        return hop.size() == 1 && link.bandwidth == first.bandwidth && link.latency == first.latency;
    });
}

// What a trace will hold: every granule of the output crosses the link twice, lands up to three times and is read and
// written as often; operands are read about four times.
Recorder::Expected expectedSpans(const Experiment& experiment, const Plan& plan) {
    constexpr std::int64_t kReadsOfOperands = 4, kOutputAccesses = 6, kLandings = 3;
    Recorder::Expected expected;
    std::int64_t accesses = plan.layout.granules() * kOutputAccesses;
    expected.link = std::size_t{plan.layout.granules()} * 2;
    if (plan.grid) {
        const GemmSize& shape = plan.gemm;
        const std::int64_t slots = experiment.cu.count * experiment.cu.slots;
        const std::int64_t steps = shape.k / experiment.gemm.kStep + 1;
        expected.loads = static_cast<std::size_t>((plan.grid->tiles() / slots + 1) * steps);
        accesses += (shape.m + shape.n) * shape.k * kElementBytes / experiment.detail.granule.count * kReadsOfOperands;
    }
    expected.dram = static_cast<std::size_t>(accesses / experiment.detail.channels);
    expected.landings = static_cast<std::size_t>(plan.layout.granules() * kLandings / experiment.detail.channels + 1);
    return expected;
}

// Carried by tracker and DMA a collective has no steps: what the timeline shows is when each chunk was on its way.
// Of packets that left from `from` on and before `to`.
void addChunkSpans(Trace& trace, std::uint32_t gpu, LaneKind kind, TimePoint from, TimePoint to) {
    std::vector<Span> chunks(trace.chunks);
    Lane steps;
    steps.kind = kind;
    steps.gpu = gpu;
    steps.exclusive = false;
    const bool scatter = kind == LaneKind::reduceScatter;
    const std::uint32_t first = scatter ? gpu : (gpu + trace.chunks - 1) % trace.chunks;
    for (const Lane& lane : trace.lanes) {
        if (lane.gpu != gpu || lane.kind != LaneKind::linkOut)
            continue;
        for (const Span& packet : lane.spans) {
            if (packet.start < from || packet.start >= to)
                continue;
            Span& chunk = chunks[packet.second];
            if (chunk.bytes == 0) {
                const std::uint32_t place = (packet.second + trace.chunks - first) % trace.chunks;
                chunk = {packet.start,  packet.end, place,
                         packet.second, 0,          scatter ? SpanKind::reduceScatterStep : SpanKind::allGatherStep};
            }
            chunk.start = std::min(chunk.start, packet.start);
            chunk.end = std::max(chunk.end, packet.end);
            chunk.bytes += packet.bytes;
        }
    }
    std::copy_if(chunks.begin(), chunks.end(), std::back_inserter(steps.spans),
                 [](const Span& chunk) { return chunk.bytes != 0; });
    std::stable_sort(steps.spans.begin(), steps.spans.end(),
                     [](const Span& a, const Span& b) { return a.start < b.start; });
    trace.lanes.push_back(std::move(steps));
}

TiledOutput tiledOutputOf(const Plan& plan) {
    TiledOutput output;
    if (plan.grid) {
        output.rows = static_cast<std::uint32_t>(plan.grid->rows());
        output.columns = static_cast<std::uint32_t>(plan.grid->columns());
        output.rowsAreOuter = plan.grid->rowsAreOuter();
    }
    output.granule = plan.layout.granuleSize();
    for (std::uint32_t chunk = 0; chunk < plan.layout.chunks(); ++chunk)
        output.chunkTile.push_back(plan.layout.chunkFirstTile(chunk));
    output.chunkTile.push_back(plan.layout.tiles());
    for (std::uint32_t tile = 0; tile < plan.layout.tiles(); ++tile)
        output.tileBytes.push_back(plan.layout.tileBytes(tile));
    return output;
}

}  // namespace

Plan::Plan(const Experiment& experiment)
    : gemm(isCollectiveAlone(experiment.workload.sublayer) ? GemmSize{} : gemmShapeOf(experiment)),
      grid(gridOf(experiment)), output(outputOf(experiment, grid)), layout(layoutOf(experiment, gemm, output)),
      topology(topologyOf(experiment)) {
    alike = layout.chunksAreAlike() && output.chunksAreAlike() && hopsAreAlike(topology) && sendsAroundRing(experiment);
    // A plain order begins with chunk 0 on every GPU, so that where the fused map puts the direct chunk differs.
    const bool sameOrder =
        experiment.policy.order == ProducerOrder::staggered || experiment.policy.mapping == OutputMapping::local;
    const bool wholeRows = !grid || output.chunkTiles(0) % grid->rasterRow() == 0;
    // Chunks begin at different banks, so that GPUs open different rows at the same moment.
    const bool sameBanks = experiment.memory.model != DramModel::banks;
    exact = alike && wholeRows && sameBanks && (!grid || sameOrder);
}

Plan::Plan(const Experiment& experiment, const GemmSize& shape)
    : gemm(shape),
      grid(TileGrid(shape.m, shape.n, experiment.gemm.tileM, experiment.gemm.tileN, false, shape.partsOfK)),
      output(*grid, 1, experiment.detail.granule), layout(output), topology(topologyOf(experiment)), alike(true),
      exact(true) {}

bool mirrors(const Experiment& experiment, const Plan& plan) {
    if (experiment.variation.any() || !plan.alike)
        return false;
    switch (experiment.detail.mode) {
    case DetailMode::full: return false;
    case DetailMode::mirrored: return true;
    case DetailMode::automatic: break;
    }
    return plan.exact ||
           (experiment.detail.level == DetailLevel::interactive && experiment.memory.model != DramModel::banks);
}

/// What the mirrored GPU sends arrives at itself: the same place in the chunk that its neighbour sends next.
class Simulation::Loopback final : public PacketSink {
public:
    explicit Loopback(const OutputLayout& layout) : m_shift(layout.chunkEndGranule(0)), m_granules(layout.granules()) {}
    void connect(PacketSink& inbox) { m_inbox = &inbox; }

    void deliver(const Packet& packet) override {
        Packet arriving = packet;
        arriving.source = 1;  // what GPU 0 receives comes from GPU 1
        arriving.destination = 0;
        arriving.granule += m_shift;
        if (arriving.granule >= m_granules)
            arriving.granule -= m_granules;
        m_inbox->deliver(arriving);
    }

private:
    std::uint32_t m_shift;
    std::uint32_t m_granules;
    PacketSink* m_inbox = nullptr;
};

/// Packets of one window, on their way from one GPU to the next. Only the sender touches it within a window.
class Simulation::Outbox final : public PacketSink {
public:
    void connect(PacketSink& inbox) { m_inbox = &inbox; }
    void deliver(const Packet& packet) override { m_packets.push_back(packet); }

    void handOver() {
        for (const Packet& packet : m_packets)
            m_inbox->deliver(packet);
        m_packets.clear();
    }

private:
    std::vector<Packet> m_packets;
    PacketSink* m_inbox = nullptr;
};

Simulation::Simulation(const Experiment& experiment, const Plan& plan, const SimulationOptions& options)
    : m_experiment(experiment), m_plan(plan), m_mirrored(!options.collectives || mirrors(experiment, plan)),
      m_gpuCount(static_cast<std::uint32_t>(experiment.parallel.tp)) {
    const TileGrid* const grid = options.gemm && plan.grid ? &*plan.grid : nullptr;
    const Program program = programOf(experiment, options.gemm, options.collectives);
    const std::uint32_t simulated = m_mirrored ? 1 : m_gpuCount;
    for (std::uint32_t gpu = 0; gpu < simulated; ++gpu)
        m_experiments.push_back(asOnGpu(experiment, gpu));
    for (const Experiment& own : m_experiments)
        m_places.push_back({own, program, plan.layout, plan.output, grid, plan.gemm, plan.topology});
    build(options);
}

void Simulation::build(const SimulationOptions& options) {
    const Recorder::Expected expected =
        options.recordTrace ? expectedSpans(m_experiment, m_plan) : Recorder::Expected{};
    const bool records = options.recordTrace || options.ledger != nullptr;
    std::vector<Attachment> attachments(m_places.size());
    if (m_mirrored) {
        m_loopback = std::make_unique<Loopback>(m_plan.layout);
        attachments[0] = {{m_loopback.get()}, true};
    } else {
        attach(attachments);
    }
    for (std::uint32_t gpu = 0; gpu < m_places.size(); ++gpu) {
        m_recorders.push_back(records ? std::make_unique<Recorder>(gpu, options.recordTrace, options.ledger, expected)
                                      : nullptr);
        m_gpus.push_back(std::make_unique<Gpu>(m_places[gpu], gpu, attachments[gpu], m_recorders.back().get()));
    }
    if (m_mirrored)
        m_loopback->connect(m_gpus[0]->inbox());
    for (std::uint32_t link = 0; link < m_outboxes.size(); ++link) {
        const std::uint32_t to = m_plan.topology.links[link].to;
        m_outboxes[link]->connect(to < m_gpuCount ? m_gpus[to]->inbox() : m_switches[to - m_gpuCount]->inbox());
    }
}

// An outbox for each link, and the switches, which have nothing but links.
void Simulation::attach(std::vector<Attachment>& attachments) {
    const Topology& topology = m_plan.topology;
    for (std::size_t link = 0; link < topology.links.size(); ++link)
        m_outboxes.push_back(std::make_unique<Outbox>());
    for (std::uint32_t node = 0; node < topology.nodes.size(); ++node) {
        std::vector<PacketSink*> sinks;
        for (const std::uint32_t link : topology.linksFrom(node))
            sinks.push_back(m_outboxes[link].get());
        if (node < m_gpuCount)
            attachments[node].sinks = std::move(sinks);
        else
            m_switches.push_back(std::make_unique<NetworkSwitch>(m_experiment, topology, node, sinks));
    }
}

Simulation::~Simulation() = default;

void Simulation::run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress) {
    try {
        for (const auto& gpu : m_gpus)
            gpu->begin();
        if (m_mirrored)
            runMirrored(stop, progress);
        else
            runFull(threads, stop, progress);
    } catch (const TimeOverflow& overflow) {
        // Validation keeps the sums of service times far below this; what is left are slow details of the DRAM banks.
        throw InvalidExperiment({{"detail.level", std::string(name(m_experiment.detail.level)),
                                  std::string(overflow.what()) +
                                      ": everything is too slow for the clock; raise "
                                      "memory.bandwidth, link.bandwidth or cu.clock, or choose a smaller workload"}});
    }
    if (!finished())
        reportDeadlock();
    for (const auto& gpu : m_gpus)
        gpu->settle();
}

void Simulation::runMirrored(const std::stop_token& stop, const std::function<void(double)>& progress) {
    Gpu& gpu = *m_gpus[0];
    std::int64_t polls = 0;
    while (gpu.advance(kNever, kEventsBetweenPolls) == kEventsBetweenPolls) {
        if (stop.stop_requested())
            throw RunStopped();
        if (progress && ++polls % 16 == 0)
            progress(gpu.progress());
    }
}

// No packet sent in a window can arrive within it: the fastest one takes the link's latency and its own time on the
// wire. So all GPUs advance by one window independently of each other, and then exchange what they sent.
Duration Simulation::lookahead() const {
    std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t tile = 0; tile < m_plan.layout.tiles(); ++tile)
        smallest = std::min(smallest, m_plan.layout.granuleBytes(m_plan.layout.tileEndGranule(tile) - 1));
    Duration least = kNever - TimePoint{};
    for (const TopologyLink& link : m_plan.topology.links)
        least = std::min(least, link.latency + timeAtRate(smallest, link.bandwidth.bytesPerSecond));
    return least;
}

void Simulation::runFull(int threads, const std::stop_token& stop, const std::function<void(double)>& progress) {
    const Duration window = lookahead();
    Crew crew(threads);
    std::int64_t eventsAtPoll = 0;
    for (std::int64_t windows = 1;; ++windows) {
        TimePoint next = kNever;
        for (const auto& gpu : m_gpus)
            next = std::min(next, gpu->queue().nextTime());
        for (const auto& each : m_switches)
            next = std::min(next, each->queue().nextTime());
        if (next == kNever)
            return;
        if (window.ps == 0) {
            runAtOneTime(next);
        } else {
            const TimePoint limit = next + window;
            crew.forEach(m_gpus.size() + m_switches.size(), [&](std::size_t process) {
                advance(process, limit, std::numeric_limits<std::int64_t>::max());
            });
            for (const auto& outbox : m_outboxes)
                outbox->handOver();
        }
        if (const std::int64_t now = events(); now - eventsAtPoll >= kEventsBetweenPolls) {
            eventsAtPoll = now;
            if (stop.stop_requested())
                throw RunStopped();
            if (progress && windows % 16 == 0)
                progress(m_gpus[0]->progress());
        }
    }
}

// Without lookahead a packet may arrive at the moment it is sent: everything of one picosecond is handled, GPU by
// GPU and round by round, until nothing of that moment is left.
void Simulation::runAtOneTime(TimePoint time) {
    bool something = true;
    while (something) {
        something = false;
        for (std::size_t process = 0; process < m_gpus.size() + m_switches.size(); ++process) {
            if (advance(process, time + Duration{1}, kEventsBetweenPolls) > 0)
                something = true;
            for (const std::uint32_t link : m_plan.topology.linksFrom(static_cast<std::uint32_t>(process)))
                m_outboxes[link]->handOver();
        }
    }
}

// GPUs come first, as among the nodes of the topology.
std::int64_t Simulation::advance(std::size_t process, TimePoint limit, std::int64_t count) {
    return process < m_gpus.size() ? m_gpus[process]->advance(limit, count)
                                   : m_switches[process - m_gpus.size()]->advance(limit, count);
}

bool Simulation::finished() const {
    return std::all_of(m_gpus.begin(), m_gpus.end(), [](const auto& gpu) { return gpu->finished(); });
}

void Simulation::reportDeadlock() const {
    const std::string text = "nothing can happen any more, but the run has not ended: ";
    for (const auto& gpu : m_gpus)
        if (!gpu->finished())
            throw Deadlock(text + gpu->describeWaiting());
    throw Deadlock(text);
}

std::int64_t Simulation::events() const {
    std::int64_t events = 0;
    for (const auto& gpu : m_gpus)
        events += gpu->queue().processed();
    for (const auto& each : m_switches)
        events += each->queue().processed();
    return events;
}

RunFacts Simulation::facts() const {
    RunFacts facts;
    facts.mirrored = m_mirrored;
    facts.network = networkFactsOf(m_experiment, m_plan.topology);
    for (const auto& gpu : m_gpus) {
        GpuFacts own;
        own.result = gpu->result();
        own.received = gpu->receivedBytes();
        own.drained = gpu->drained();
        own.surplusUpdates = gpu->surplusUpdates();
        facts.eventsInThePast += gpu->queue().scheduledInThePast();
        for (std::uint32_t channel = 0; channel < gpu->memory().channels(); ++channel) {
            const ChannelStats stats = gpu->memory().channelStats(channel);
            own.busiestChannel = std::max(own.busiestChannel, stats.busy - stats.backgroundBusy);
            own.picksAgainstRule += stats.picksAgainstRule;
        }
        facts.gpus.push_back(own);
    }
    for (const auto& each : m_switches)
        facts.eventsInThePast += each->queue().scheduledInThePast();
    facts.whole = wholeRun(facts.gpus);
    return facts;
}

std::optional<WholeRun> Simulation::wholeRun(const std::vector<GpuFacts>& gpus) const {
    std::vector<GpuTimes> each;
    each.reserve(m_gpus.size());
    for (const auto& gpu : m_gpus)
        each.push_back(gpu->times());
    const GpuTimes all = joined(each);
    const WholeRun whole{timesOf(all, m_places.front().program), all.gemmStart - TimePoint{},
                         all.scatterStart - TimePoint{}, all.gatherStart - TimePoint{}};
    const bool alike =
        std::all_of(gpus.begin(), gpus.end(), [&](const GpuFacts& gpu) { return gpu.result.time == whole.time; });
    return alike ? std::nullopt : std::optional(whole);
}

std::shared_ptr<const Trace> Simulation::takeTrace() {
    auto trace = std::make_shared<Trace>();
    trace->gpus = m_gpuCount;
    trace->mirrored = m_mirrored;
    trace->chunks = m_plan.layout.chunks();
    trace->output = tiledOutputOf(m_plan);
    const GpuTimes& times = m_gpus[0]->times();
    trace->gemmEnd = times.gemmEnd;
    trace->reduceScatterStart = times.scatterStart;
    trace->reduceScatterEnd = times.scatterEnd;
    trace->allGatherStart = times.gatherStart;
    trace->allGatherEnd = times.gatherEnd;
    for (std::uint32_t gpu = 0; gpu < m_recorders.size(); ++gpu) {
        m_recorders[gpu]->finish(*trace);
        trace->end = std::max(trace->end, m_gpus[gpu]->times().end);
        const GpuTimes& own = m_gpus[gpu]->times();
        trace->phases.push_back(
            {own.gemmStart, own.gemmEnd, own.scatterStart, own.scatterEnd, own.gatherStart, own.gatherEnd});
        if (m_gpus[gpu]->scattersByDma())
            addChunkSpans(*trace, gpu, LaneKind::reduceScatter, TimePoint{}, own.gatherStart);
        if (m_gpus[gpu]->gathersByDma())
            addChunkSpans(*trace, gpu, LaneKind::allGather, own.gatherStart, kNever);
    }
    return trace;
}

}  // namespace engine
