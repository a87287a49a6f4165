#include "engine/api/run_parts.h"

#include "engine/api/experiment.h"

namespace engine {

RunParts runPartsOf(const Experiment& experiment) {
    const SubLayer sublayer = experiment.workload.sublayer;
    const CollectiveOperation operation = experiment.collective.operation;
    const bool byDma = experiment.policy.mapping == OutputMapping::remoteDma;
    RunParts parts;
    parts.gemm = hasOwnGemm(sublayer);
    if (!sendsData(sublayer))
        return parts;
    if (parts.gemm) {
        parts.allToAll = operation == CollectiveOperation::allToAll;
        parts.consumes = operation == CollectiveOperation::allGather;
        parts.allGather = parts.consumes || operation == CollectiveOperation::allReduce;
        parts.sideBySide = experiment.policy.start == CommunicationStart::concurrent;
        parts.asProduced = overlapsInSoftware(experiment);
        parts.byCopies = copiesByDma(experiment);
    } else {
        parts.allToAll = sublayer == SubLayer::allToAll;
        parts.allGather = sublayer == SubLayer::allGather || sublayer == SubLayer::allReduce;
    }
    const bool gathersOnly = parts.gemm ? parts.consumes : sublayer == SubLayer::allGather;
    parts.reduceScatter = !parts.allToAll && !gathersOnly;
    parts.reducesAtOnce = parts.reduceScatter && parts.allGather && addsInSwitch(experiment);
    if (parts.reducesAtOnce)
        parts.allGather = false;
    parts.scatterByDma = byDma && parts.scatters();
    // The all-gather that follows a fused reduce-scatter is a phase of its own, done by a kernel.
    parts.gatherByDma = byDma && parts.allGather && (!parts.gemm || parts.consumes);
    return parts;
}

}  // namespace engine
