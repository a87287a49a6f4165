#include "data/replay/collective_traits.h"

#include "engine/api/experiment.h"

namespace data {

bool exchangesOutput(const engine::Experiment& experiment) {
    if (engine::isCollectiveAlone(experiment.workload.sublayer))
        return experiment.workload.sublayer == engine::SubLayer::allToAll;
    return experiment.collective.operation == engine::CollectiveOperation::allToAll;
}

bool scattersOutput(const engine::Experiment& experiment) {
    return engine::isCollectiveAlone(experiment.workload.sublayer)
               ? experiment.workload.sublayer != engine::SubLayer::allGather
               : !engine::consumesAllGather(experiment);
}

bool startsWithData(const engine::Experiment& experiment) {
    return engine::isCollectiveAlone(experiment.workload.sublayer) || engine::consumesAllGather(experiment) ||
           experiment.policy.start == engine::CommunicationStart::concurrent;
}

}  // namespace data
