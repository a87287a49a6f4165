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

}  // namespace engine
