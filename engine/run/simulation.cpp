#include "engine/run/simulation.h"

#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "engine/record/recorder.h"
#include "engine/run/network_facts.h"

#include <algorithm>
#include <iterator>

namespace engine {

namespace {

// Carried by tracker and DMA a collective has no steps: what the timeline shows is when each chunk was on its way.
// Of packets that left from `from` on and before `to`.
void addChunkSpans(Trace& trace, std::uint32_t gpu, LaneKind kind, const AddressMap& map, TimePoint from,
                   TimePoint to) {
    std::vector<Span> chunks(trace.chunks);
    Lane steps;
    steps.kind = kind;
    steps.gpu = gpu;
    steps.exclusive = false;
    const bool scatter = kind == LaneKind::reduceScatter;
    const std::uint32_t first = map.routes.front().chunk;
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

// A part that the run does not have begins and ends when the GPU does; an all-gather, when all else is done.
PhaseTimes phasesOf(const GpuTimes& times, const Program& program) {
    const auto of = [&](std::optional<StageId> stage, TimePoint otherwise) {
        return stage ? times.stages[*stage] : StageTimes{otherwise, otherwise};
    };
    const StageTimes gemm = of(program.gemm(), {}), scatter = of(program.scatter(), {});
    const StageTimes gather = of(program.gather(), times.done);
    return {gemm.start, gemm.end, scatter.start, scatter.end, gather.start, gather.end};
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

// Puts what all GPUs have recorded together. Empties the recorders.
std::shared_ptr<const Trace> assembleTrace(const Plan& plan, const Program& program, bool mirrored,
                                           const std::vector<std::unique_ptr<Gpu>>& gpus,
                                           const std::vector<std::unique_ptr<Recorder>>& recorders) {
    auto trace = std::make_shared<Trace>();
    trace->gpus = plan.topology.gpus;
    trace->mirrored = mirrored;
    trace->chunks = plan.layout.chunks();
    trace->output = tiledOutputOf(plan);
    for (std::uint32_t gpu = 0; gpu < recorders.size(); ++gpu) {
        recorders[gpu]->finish(*trace);
        const GpuTimes& own = gpus[gpu]->times();
        trace->end = std::max(trace->end, own.end);
        const PhaseTimes& phases = trace->phases.emplace_back(phasesOf(own, program));
        for (StageId id = 0; id < program.stages.size(); ++id) {
            const Stage& stage = program.stages[id];
            if (stage.byDma && stage.scatters())
                addChunkSpans(*trace, gpu, LaneKind::reduceScatter, gpus[gpu]->map(id), {}, phases.allGatherStart);
            else if (stage.byDma)
                addChunkSpans(*trace, gpu, LaneKind::allGather, gpus[gpu]->map(id), phases.allGatherStart, kNever);
        }
    }
    const PhaseTimes& first = trace->phases.front();
    trace->gemmEnd = first.gemmEnd;
    trace->reduceScatterStart = first.reduceScatterStart;
    trace->reduceScatterEnd = first.reduceScatterEnd;
    trace->allGatherStart = first.allGatherStart;
    trace->allGatherEnd = first.allGatherEnd;
    return trace;
}

}  // namespace

Simulation::Simulation(const Experiment& experiment, const Plan& plan, const SimulationOptions& options)
    : m_experiment(experiment), m_plan(plan), m_mirrored(!options.collectives || mirrors(experiment, plan)),
      m_program(programOf(experiment, options.gemm, options.collectives)),
      m_synchronisation(m_experiment, plan, m_mirrored) {
    const TileGrid* const grid = options.gemm && plan.grid ? &*plan.grid : nullptr;
    const std::uint32_t simulated = m_mirrored ? 1 : static_cast<std::uint32_t>(experiment.parallel.tp);
    for (std::uint32_t gpu = 0; gpu < simulated; ++gpu)
        m_experiments.push_back(asOnGpu(experiment, gpu));
    for (const Experiment& own : m_experiments)
        m_places.push_back({own, m_program, plan.layout, plan.output, grid, plan.gemm, plan.topology});
    const Recorder::Expected expected = options.recordTrace ? expectedSpans(experiment, plan) : Recorder::Expected{};
    const bool records = options.recordTrace || options.ledger != nullptr;
    for (std::uint32_t gpu = 0; gpu < simulated; ++gpu) {
        m_recorders.push_back(records ? std::make_unique<Recorder>(gpu, options.recordTrace, options.ledger, expected)
                                      : nullptr);
        m_gpus.push_back(
            std::make_unique<Gpu>(m_places[gpu], gpu, m_synchronisation.attachment(gpu), m_recorders.back().get()));
    }
    m_synchronisation.connect(m_gpus);
}

Simulation::~Simulation() = default;

void Simulation::run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress) {
    try {
        for (const auto& gpu : m_gpus)
            gpu->begin();
        m_synchronisation.run(threads, stop, progress);
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
    std::int64_t events = m_synchronisation.switchEvents();
    for (const auto& gpu : m_gpus)
        events += gpu->queue().processed();
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
        own.promise = gpu->memory().arbiter(0).promise();
        facts.eventsInThePast += gpu->queue().scheduledInThePast();
        for (std::uint32_t channel = 0; channel < gpu->memory().channels(); ++channel) {
            const ChannelStats stats = gpu->memory().channelStats(channel);
            own.busiestChannel = std::max(own.busiestChannel, stats.busy - stats.backgroundBusy);
            own.picksAgainstRule += gpu->memory().arbiter(channel).picksAgainstRule();
        }
        facts.gpus.push_back(own);
    }
    facts.eventsInThePast += m_synchronisation.switchEventsInThePast();
    facts.whole = wholeRun(facts.gpus);
    return facts;
}

std::optional<WholeRun> Simulation::wholeRun(const std::vector<GpuFacts>& gpus) const {
    std::vector<GpuTimes> each;
    each.reserve(m_gpus.size());
    for (const auto& gpu : m_gpus)
        each.push_back(gpu->times());
    const GpuTimes all = joined(each);
    const auto begins = [&](std::optional<StageId> stage) {
        return stage ? all.stages[*stage].start - TimePoint{} : Duration{};
    };
    const WholeRun whole{timesOf(all, m_program), begins(m_program.gemm()), begins(m_program.scatter()),
                         begins(m_program.gather())};
    const bool alike =
        std::all_of(gpus.begin(), gpus.end(), [&](const GpuFacts& gpu) { return gpu.result.time == whole.time; });
    return alike ? std::nullopt : std::optional(whole);
}

std::shared_ptr<const Trace> Simulation::takeTrace() {
    return assembleTrace(m_plan, m_program, m_mirrored, m_gpus, m_recorders);
}

}  // namespace engine
