#include "ui/editors/parameter_use.h"

#include "engine/api/experiment.h"

namespace ui {

bool isUsed(const engine::Experiment& experiment, std::string_view path) {
    using engine::TopologyKind;
    const TopologyKind kind = experiment.topology.kind;
    if (path == "topology.torus_columns")
        return kind == TopologyKind::torus;
    if (path == "topology.node_bandwidth" || path == "topology.node_latency")
        return kind == TopologyKind::twoNodes;
    if (path == "topology.links")
        return kind == TopologyKind::custom;
    if (path == "workload.experts_per_token")
        return experiment.workload.experts > 1;
    if (path == "workload.bytes")
        return engine::isCollectiveAlone(experiment.workload.sublayer);
    if (path == "collective.operation")
        return !engine::isCollectiveAlone(experiment.workload.sublayer);
    if (path.starts_with("dram."))
        return experiment.memory.model == engine::DramModel::banks;
    return true;
}

}  // namespace ui
