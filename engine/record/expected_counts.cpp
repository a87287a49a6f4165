#include "engine/record/expected_counts.h"

namespace engine {

namespace {

// Chunk sizes as GPU `gpu` sees them: GPU i owns chunk i-1.
struct Chunks {
    const Shape& shape;
    std::int64_t gpu;

    std::int64_t gpus() const { return static_cast<std::int64_t>(shape.chunkBytes.size()); }
    std::int64_t total() const { return shape.outputBytes.count; }
    std::int64_t at(std::int64_t chunk) const {
        return shape.chunkBytes[static_cast<std::size_t>((chunk % gpus() + gpus()) % gpus())].count;
    }
    std::int64_t own() const { return at(gpu - 1); }
    std::int64_t counterparts() const { return at(gpus() - 1 - gpu - 1); }  // of GPU N-1-i on the other node
};

ExpectedCounts ringScatter(const Chunks& c, const ExpectedParts& parts) {
    const std::int64_t s = c.total(), first = c.at(c.gpu), own = c.own();
    ExpectedCounts counts;
    counts.stores = parts.fused ? s - first : s;
    counts.sent = s - own;
    counts.received = s - first;
    counts.writes = counts.received + (parts.reducesOnCus ? own : 0);
    counts.reads = parts.fused ? s - first - own : parts.reducesOnCus ? 2 * s - first : s - own;
    return counts;
}

ExpectedCounts directScatter(const Chunks& c, const ExpectedParts& parts) {
    const std::int64_t s = c.total(), own = c.own();
    ExpectedCounts counts;
    counts.stores = parts.fused ? own : s;
    counts.sent = s - own;
    counts.received = (c.gpus() - 1) * own;
    counts.writes = counts.received + (parts.reducesOnCus ? own : 0);
    counts.reads = parts.fused ? 0 : s - own + (parts.reducesOnCus ? c.gpus() * own : 0);
    return counts;
}

ExpectedCounts hierarchicalScatter(const Chunks& c, const ExpectedParts& parts) {
    const std::int64_t s = c.total(), own = c.own(), counterparts = c.counterparts(), node = c.gpus() / 2;
    ExpectedCounts counts;
    counts.stores = parts.fused ? own + counterparts : s;
    counts.sent = s - own;
    counts.received = (node - 1) * (own + counterparts) + own;
    counts.writes = counts.received + (parts.reducesOnCus ? own : 0);
    if (parts.fused)
        counts.reads = counterparts;
    else if (parts
                 .reducesOnCus)  // what stays in the node once, the counterpart's sum with its copies, the own with its
        counts.reads = s - own - counterparts + node * counterparts + (node + 1) * own;
    else
        counts.reads = s - own;
    return counts;
}

}  // namespace

ExpectedParts::ExpectedParts(const Experiment& experiment) {
    const SubLayer sublayer = experiment.workload.sublayer;
    const CollectiveOperation operation = experiment.collective.operation;
    const bool byDma = experiment.policy.mapping == OutputMapping::remoteDma;
    gemm = !isCollectiveAlone(sublayer);
    if (gemm) {
        scatter = operation == CollectiveOperation::allReduce || operation == CollectiveOperation::reduceScatter;
        exchange = operation == CollectiveOperation::allToAll;
        gather = operation == CollectiveOperation::allReduce || operation == CollectiveOperation::allGather;
        consumes = operation == CollectiveOperation::allGather;
    } else {
        scatter = sublayer == SubLayer::reduceScatter || sublayer == SubLayer::allReduce;
        exchange = sublayer == SubLayer::allToAll;
        gather = sublayer == SubLayer::allGather || sublayer == SubLayer::allReduce;
    }
    fused = gemm && byDma && !consumes;
    gatherByDma = gather && byDma && (!gemm || consumes);
    reducesOnCus = experiment.collective.reduction == Reduction::cu;
}

ExpectedCounts expectedScatter(const Experiment& experiment, const Shape& shape, std::int64_t gpu) {
    const Chunks chunks{shape, gpu};
    const ExpectedParts parts(experiment);
    switch (experiment.collective.algorithm) {
    case CollectiveAlgorithm::direct: return directScatter(chunks, parts);
    case CollectiveAlgorithm::hierarchical: return hierarchicalScatter(chunks, parts);
    case CollectiveAlgorithm::ring: break;
    }
    return ringScatter(chunks, parts);
}

ExpectedCounts expectedExchange(const Experiment& experiment, const Shape& shape, std::int64_t gpu) {
    const Chunks c{shape, gpu};
    const ExpectedParts parts(experiment);
    ExpectedCounts counts;
    counts.stores = parts.fused ? c.own() : c.total();
    counts.reads = parts.fused ? 0 : c.total() - c.own();
    counts.sent = c.total() - c.own();
    counts.received = (c.gpus() - 1) * c.own();
    counts.writes = counts.received;
    return counts;
}

ExpectedCounts expectedGather(const Experiment& experiment, const Shape& shape, std::int64_t gpu) {
    const Chunks c{shape, gpu};
    ExpectedCounts counts;
    counts.received = c.total() - c.own();
    counts.writes = counts.received;
    switch (experiment.collective.algorithm) {
    case CollectiveAlgorithm::ring:  // every chunk but the one that is never forwarded
        counts.reads = c.total() - c.at(gpu - 2);
        counts.sent = counts.reads;
        break;
    case CollectiveAlgorithm::direct:
        counts.reads = c.own();
        counts.sent = (c.gpus() - 1) * c.own();
        break;
    case CollectiveAlgorithm::hierarchical: {
        const std::int64_t node = c.gpus() / 2;
        counts.reads = c.own() + (node > 1 ? c.counterparts() : 0);
        counts.sent = node * c.own() + (node - 1) * c.counterparts();
        break;
    }
    }
    return counts;
}

}  // namespace engine
