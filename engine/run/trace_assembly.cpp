#include "engine/run/trace_assembly.h"

#include <algorithm>
#include <iterator>

namespace engine {

namespace {

// Adds spans for a collective that tracker and DMA carry out. It has no steps, so the timeline shows when each chunk
// was being sent, from the packets that left from `from` on and before `to`.
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
            if (packet.kind != SpanKind::linkPacket || packet.start < from || packet.start >= to)
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

TiledOutput tiledOutputOf(const std::optional<TileGrid>& grid, const OutputLayout& layout, const TileWalk& walk) {
    TiledOutput output;
    if (grid) {
        output.rows = static_cast<std::uint32_t>(grid->rows());
        output.columns = static_cast<std::uint32_t>(grid->columns());
        output.rowsAreOuter = grid->rowsAreOuter();
    }
    output.granule = layout.granuleSize();
    for (std::uint32_t chunk = 0; chunk < layout.chunks(); ++chunk)
        output.chunkTile.push_back(layout.chunkFirstTile(chunk));
    output.chunkTile.push_back(layout.tiles());
    for (std::uint32_t tile = 0; tile < layout.tiles(); ++tile)
        output.tileBytes.push_back(layout.tileBytes(tile));
    output.walkPlace = walk.places();
    return output;
}

void describeCompanion(const Experiment& experiment, const std::optional<CompanionPlan>& plan, Trace& trace) {
    trace.companionCopies = static_cast<std::uint32_t>(plan && plan->grid ? experiment.companion.copies : 1);
    if (plan)
        trace.companionOutput = tiledOutputOf(plan->grid, plan->layout, plan->walk);
}

// Returns when the parts of a GPU's work began and ended. A part that the run does not have begins and ends at time 0;
// an all-gather that it does not have, when the own work has ended.
PhaseTimes phasesOf(const GpuTimes& times, const Program& program) {
    const auto of = [&](std::optional<StageId> stage, TimePoint otherwise) {
        return stage ? times.stages[*stage] : StageTimes{otherwise, otherwise};
    };
    const StageTimes gemm = of(program.gemm(), {}), scatter = of(program.scatter(), {});
    const StageTimes gather = of(program.gather(), program.companion() ? times.ownEnd : times.done);
    return {gemm.start,   gemm.end,   scatter.start, scatter.end,
            gather.start, gather.end, times.ownEnd,  program.companion() ? times.companionEnd : gemm.start};
}

constexpr std::int64_t kReadsOfOperands = 4, kOutputAccesses = 6;

std::int64_t operandAccesses(const Experiment& experiment, const GemmSize& shape) {
    return compulsoryBytes(shape, elementBytes(experiment)).count / experiment.detail.granule.count * kReadsOfOperands;
}

void expectCompanion(const Experiment& experiment, const CompanionPlan& plan, Recorder::Expected& expected,
                     std::int64_t& accesses) {
    accesses += plan.layout.granules() * kOutputAccesses;
    if (!plan.grid) {
        expected.link += std::size_t{plan.layout.granules()} * 2;
        return;
    }
    const std::int64_t copies = experiment.companion.copies;
    const std::int64_t steps = plan.gemm.sliceOfK() / companionTilingOf(experiment).kStep + 1;
    const std::int64_t slots = experiment.cu.count * slotsOfCu(experiment);
    expected.loads += static_cast<std::size_t>((plan.grid->tiles() * copies / slots + 1) * steps);
    accesses += operandAccesses(experiment, plan.gemm) * copies;
}

}  // namespace

// Estimates the number of spans of a trace: every granule of the output crosses the link twice, lands up to three times
// and is read and written as often; operands are read about four times.
Recorder::Expected expectedSpans(const Experiment& experiment, const Plan& plan) {
    constexpr std::int64_t kLandings = 3;
    Recorder::Expected expected;
    std::int64_t accesses = plan.layout.granules() * kOutputAccesses;
    expected.link = std::size_t{plan.layout.granules()} * 2;
    if (plan.grid) {
        const GemmSize& shape = plan.gemm;
        const std::int64_t slots = experiment.cu.count * slotsOfCu(experiment);
        const std::int64_t steps = shape.sliceOfK() / experiment.gemm.kStep + 1;
        expected.loads = static_cast<std::size_t>((plan.grid->tiles() / slots + 1) * steps);
        accesses += operandAccesses(experiment, shape);
    }
    if (plan.companion)
        expectCompanion(experiment, *plan.companion, expected, accesses);
    expected.dram = static_cast<std::size_t>(accesses / experiment.detail.channels);
    expected.places = experiment.memory.model == DramModel::banks;
    expected.landings = static_cast<std::size_t>(plan.layout.granules() * kLandings / experiment.detail.channels + 1);
    return expected;
}

std::shared_ptr<const Trace> assembleTrace(const Experiment& experiment, const Plan& plan, const Program& program,
                                           bool mirrored, const std::vector<std::unique_ptr<Gpu>>& gpus,
                                           const std::vector<std::unique_ptr<Recorder>>& recorders) {
    auto trace = std::make_shared<Trace>();
    trace->gpus = plan.topology.gpus;
    trace->mirrored = mirrored;
    trace->chunks = plan.layout.chunks();
    trace->output = tiledOutputOf(plan.grid, plan.layout, plan.walk);
    if (program.companion())
        describeCompanion(experiment, plan.companion, *trace);
    for (std::uint32_t gpu = 0; gpu < recorders.size(); ++gpu) {
        recorders[gpu]->finish(*trace);
        const GpuTimes& own = gpus[gpu]->times();
        trace->end = std::max(trace->end, own.end);
        if (!gpus[gpu]->pieces().empty())
            trace->pieces.push_back(gpus[gpu]->pieces());
        const PhaseTimes& phases = trace->phases.emplace_back(phasesOf(own, program));
        for (StageId id = 0; id < program.stages.size(); ++id) {
            const Stage& stage = program.stages[id];
            if (stage.companion)
                continue;
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

}  // namespace engine
