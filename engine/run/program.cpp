#include "engine/run/program.h"

namespace engine {

Program programOf(const Experiment& experiment, bool gemm, bool collectives) {
    Program program;
    const SubLayer sublayer = experiment.workload.sublayer;
    program.gemm = gemm && !isCollectiveAlone(sublayer);
    if (!collectives)
        return program;
    if (isCollectiveAlone(sublayer)) {
        if (sublayer == SubLayer::allToAll)
            program.scatter = CollectiveKind::allToAll;
        else if (sublayer != SubLayer::allGather)
            program.scatter = CollectiveKind::reduceScatter;
        program.gather = sublayer == SubLayer::allGather || sublayer == SubLayer::allReduce;
        return program;
    }
    switch (experiment.collective.operation) {
    case CollectiveOperation::allReduce:
        program.scatter = CollectiveKind::reduceScatter;
        program.gather = true;
        break;
    case CollectiveOperation::reduceScatter: program.scatter = CollectiveKind::reduceScatter; break;
    case CollectiveOperation::allToAll: program.scatter = CollectiveKind::allToAll; break;
    case CollectiveOperation::allGather:
        program.gather = true;
        program.consumes = program.gemm;
        break;
    }
    return program;
}

bool sendsAroundRing(const Experiment& experiment) {
    return experiment.collective.algorithm == CollectiveAlgorithm::ring && !programOf(experiment).exchanges();
}

std::optional<AddressMap> scatterMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring) {
    if (!program.scatter || experiment.policy.mapping != OutputMapping::remoteDma)
        return std::nullopt;
    const CollectiveAlgorithm algorithm = experiment.collective.algorithm;
    return program.gemm ? fusedMap(*program.scatter, algorithm, ring) : byDmaMap(*program.scatter, algorithm, ring);
}

std::optional<AddressMap> gatherMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring) {
    const bool ownPhase = program.gemm && !program.consumes;  // a kernel's, after the fused reduce-scatter
    if (!program.gather || ownPhase || experiment.policy.mapping != OutputMapping::remoteDma)
        return std::nullopt;
    return byDmaMap(CollectiveKind::allGather, experiment.collective.algorithm, ring);
}

AddressMap outputMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring,
                       std::uint32_t chunks) {
    if (program.gemm)
        if (auto fused = scatterMapOf(experiment, program, ring))
            return *std::move(fused);
    const bool staggered = experiment.policy.order == ProducerOrder::staggered && chunks == ring.gpus;
    return localOutputMap(chunks, !staggered ? 0 : program.consumes ? ring.ownChunk() : ring.gpu);
}

std::vector<ChunkRoute> routesOf(const Experiment& experiment, std::uint32_t gpu) {
    const Program program = programOf(experiment);
    const RingSchedule ring{static_cast<std::uint32_t>(experiment.parallel.tp), gpu};
    if (auto scatter = scatterMapOf(experiment, program, ring))
        return std::move(scatter->routes);
    if (auto gather = gatherMapOf(experiment, program, ring))
        return std::move(gather->routes);
    std::vector<ChunkRoute> routes = outputMapOf(experiment, program, ring, ring.gpus).routes;
    if (!program.gemm || program.consumes)
        for (ChunkRoute& route : routes)
            route.stores = StoreTarget::none;
    return routes;
}

}  // namespace engine
