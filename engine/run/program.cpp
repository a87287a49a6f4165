#include "engine/run/program.h"

#include "engine/api/chunk_route.h"
#include "engine/collective/algorithm.h"
#include "engine/memory/address_space.h"

#include <algorithm>

namespace engine {

namespace {

bool begins(const Stage& stage, StageId after) {
    return stage.beside == after || std::find(stage.after.begin(), stage.after.end(), after) != stage.after.end();
}

std::vector<ChunkMoves> movesOfStage(const Experiment& experiment, std::optional<StageId> id, const Program& program,
                                     std::uint32_t gpu) {
    if (!id)
        return {};
    const auto gpus = static_cast<std::uint32_t>(experiment.parallel.tp);
    return movesOf(scheduleOf(*program.stages[*id].collective, experiment.collective.algorithm, {gpus, gpu}), gpus);
}

}  // namespace

bool Program::feedsAnother(StageId id) const {
    return std::any_of(stages.begin(), stages.end(), [&](const Stage& stage) { return begins(stage, id); });
}

bool Program::consumes() const {
    const auto producer = gemm(), gathered = gather();
    return producer && gathered && begins(stages[*producer], *gathered);
}

namespace {

std::vector<CollectiveKind> companionKinds(const Experiment& experiment) {
    switch (experiment.companion.operation) {
    case CompanionOperation::allGather: return {CollectiveKind::allGather};
    case CompanionOperation::reduceScatter: return {CollectiveKind::reduceScatter};
    case CompanionOperation::allReduce:
        if (addsInSwitch(experiment))
            return {CollectiveKind::allReduce};
        return {CollectiveKind::reduceScatter, CollectiveKind::allGather};
    case CompanionOperation::allToAll: return {CollectiveKind::allToAll};
    case CompanionOperation::none:
    case CompanionOperation::gemm:
    case CompanionOperation::inMemory: break;
    }
    return {};
}

// Adds the companion's stages. They have no edge to the own stages and so begin with them.
void addCompanion(const Experiment& experiment, Program& program) {
    Stage stage;
    stage.companion = true;
    stage.inMemory = hasInMemoryPass(experiment);
    if (!hasCompanionCollective(experiment)) {
        program.stages.push_back(stage);
        return;
    }
    stage.byDma = experiment.companion.by == CollectiveCarrier::dma;
    for (const CollectiveKind kind : companionKinds(experiment)) {
        stage.collective = kind;
        program.stages.push_back(stage);
        stage.after = {static_cast<StageId>(program.stages.size() - 1)};
    }
}

}  // namespace

Program programOf(const Experiment& experiment, const ProgramParts& of) {
    const RunParts parts = runPartsOf(experiment);
    Program program;
    if (experiment.workload.sublayer == SubLayer::access) {
        Stage stage;
        stage.access = true;
        program.stages.push_back(stage);
        return program;
    }
    const auto add = [&](Stage stage) {
        program.stages.push_back(std::move(stage));
        return static_cast<StageId>(program.stages.size() - 1);
    };
    const bool hasGemm = of.gemm && parts.gemm;
    const bool consumes = hasGemm && of.collectives && parts.consumes;
    std::optional<StageId> producer, scatter, gather;
    if (hasGemm && !consumes)
        producer = add({});
    if (of.collectives && parts.scatters()) {
        Stage stage{parts.allToAll        ? CollectiveKind::allToAll
                    : parts.reducesAtOnce ? CollectiveKind::allReduce
                                          : CollectiveKind::reduceScatter,
                    parts.scatterByDma,
                    {},
                    {},
                    parts.byCopies};
        if (producer && (stage.byDma || parts.asProduced))
            stage.beside = producer;
        else if (producer && !parts.sideBySide)
            stage.after = {*producer};
        scatter = add(stage);
    }
    if (of.collectives && parts.allGather) {
        // After a fused reduce-scatter the all-gather is a phase of its own, carried out by a kernel.
        Stage stage{
            CollectiveKind::allGather, parts.gatherByDma || (!hasGemm && parts.scatterByDma), {}, {}, parts.byCopies};
        if (scatter)
            stage.after.push_back(*scatter);
        if (producer && !parts.sideBySide)
            stage.after.push_back(*producer);
        gather = add(stage);
    }
    if (consumes) {
        Stage stage;
        if (program.stages[*gather].byDma || parts.byCopies)
            stage.beside = gather;
        else
            stage.after = {*gather};
        add(stage);
    }
    if (of.companion && hasCompanion(experiment))
        addCompanion(experiment, program);
    return program;
}

bool sendsAroundRing(const Experiment& experiment) {
    return algorithmOf(experiment.collective.algorithm).aroundRing && !runPartsOf(experiment).allToAll;
}

bool ownWorkSends(const Experiment& experiment, const ProgramParts& of) {
    const RunParts parts = runPartsOf(experiment);
    return of.collectives && (parts.scatters() || parts.allGather);
}

bool companionGoesAroundRing(const Experiment& experiment) {
    return algorithmOf(experiment.collective.algorithm).aroundRing &&
           experiment.companion.operation != CompanionOperation::allToAll;
}

CollectiveWork collectiveWorkOf(const Experiment& experiment, const Stage& stage, const OutputLayout& layout) {
    if (!stage.companion)
        return {.layout = layout, .workgroups = collectiveCus(experiment), .byCopies = stage.byCopies};
    const CompanionConfig& companion = experiment.companion;
    return {layout, companion.workgroups, companion.window, companion.issue, kOwnKernel + 1, kCompanionAddress};
}

AddressMap mapOf(const Experiment& experiment, const Stage& stage, const RingSchedule& ring) {
    const CollectiveAlgorithm algorithm = experiment.collective.algorithm;
    const bool fused = stage.beside && stage.scatters();
    return fused ? fusedMap(*stage.collective, algorithm, ring) : byDmaMap(*stage.collective, algorithm, ring);
}

AddressMap outputMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring,
                       std::uint32_t chunks) {
    const auto gemm = program.gemm(), scatter = program.scatter();
    if (gemm && scatter && program.stages[*scatter].beside == gemm) {
        if (program.stages[*scatter].byDma)
            return mapOf(experiment, program.stages[*scatter], ring);
        // The chunks come in the order in which the collective takes them.
        const Stage& stage = program.stages[*scatter];
        return localOutputMap(chunks,
                              fusedMap(*stage.collective, experiment.collective.algorithm, ring).routes.front().chunk);
    }
    const bool staggered = experiment.policy.order == ProducerOrder::staggered && chunks == ring.gpus;
    return localOutputMap(chunks, !staggered ? 0 : program.consumes() ? ring.ownChunk() : ring.gpu);
}

GpuRoutes routesOf(const Experiment& experiment, std::uint32_t gpu) {
    const Program program = programOf(experiment);
    const RingSchedule ring{static_cast<std::uint32_t>(experiment.parallel.tp), gpu};
    GpuRoutes routes;
    for (const Stage& stage : program.stages)
        if (stage.byDma && !stage.companion)
            (stage.gathers() ? routes.gather : routes.scatter) = mapOf(experiment, stage, ring).routes;
    routes.output = outputMapOf(experiment, program, ring, ring.gpus).routes;
    if (!program.gemm() || program.consumes())
        for (ChunkRoute& route : routes.output)
            route.stores = StoreTarget::none;
    return routes;
}

std::vector<ChunkMoves> scatterMovesOf(const Experiment& experiment, std::uint32_t gpu) {
    const Program program = programOf(experiment);
    return movesOfStage(experiment, program.scatter(), program, gpu);
}

std::vector<ChunkMoves> gatherMovesOf(const Experiment& experiment, std::uint32_t gpu) {
    const Program program = programOf(experiment);
    return movesOfStage(experiment, program.gather(), program, gpu);
}

}  // namespace engine
