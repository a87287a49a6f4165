#include "engine/api/experiment.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/text_lines.h"
#include "engine/workload/tile_choice.h"

namespace engine {
namespace {

/// Returns whether both experiments have the same workgroups on a CU, and the same K-steps in flight.
bool haveOneTiling(const Experiment& a, const Experiment& b) {
    if (!hasOwnGemm(a.workload.sublayer) && !hasCompanionGemm(a))
        return true;
    if (residentWorkgroups(a) != residentWorkgroups(b))
        return false;
    return !hasCompanionGemm(a) || companionTilingOf(a) == companionTilingOf(b);
}

}  // namespace

Experiment withAutomaticValues(const Experiment& experiment) {
    Experiment values = experiment;
    if (isNetwork(experiment))
        values.workload.network = plainTextLines(experiment.workload.network);
    if (experiment.collective.table != CollectiveConfig{}.table)
        values.collective.table = plainTextLines(experiment.collective.table);
    const bool searches = choosesTile(experiment);
    if (values.tiles.choice == TileChoice::automatic)
        values.tiles.choice = searches ? TileChoice::best : TileChoice::fixed;
    if (values.gemm.prefetch || searches)
        return values;
    values.gemm.prefetch = hasOwnGemm(experiment.workload.sublayer)
                               ? tilingOf(experiment).prefetch
                               : prefetchOf(experiment, experiment.gemm, residentWorkgroups(experiment));
    if (!haveOneTiling(experiment, values))
        values.gemm.prefetch.reset();
    return values;
}

}  // namespace engine
