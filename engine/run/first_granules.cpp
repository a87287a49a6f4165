#include "engine/api/dram_place.h"
#include "engine/memory/access_pattern.h"
#include "engine/memory/address_space.h"
#include "engine/run/plan.h"

#include <algorithm>

namespace engine {
namespace {

FirstGranules firstRequests(const Experiment& experiment, std::size_t most) {
    FirstGranules first{.of = FirstGranules::Of::requests};
    const DramPlaces places(experiment);
    const AccessOrder order(experiment, nullptr);
    for (std::uint32_t number = 0; number < order.count(); ++number) {
        const AccessOrder::Request request = order[number];
        if (request.stream != 0)
            continue;
        if (first.granules.size() == most) {
            first.more = true;
            break;
        }
        first.granules.push_back({request.granule, places.of(request.granule)});
    }
    return first;
}

FirstGranules firstGranulesOfMemory(const Experiment& experiment, std::size_t most) {
    FirstGranules first{.of = FirstGranules::Of::memory, .more = true};
    const DramPlaces places(experiment);
    for (std::uint32_t granule = 0; granule < most; ++granule)
        first.granules.push_back({granule, places.of(granule)});
    return first;
}

FirstGranules firstTile(const Experiment& experiment, std::size_t most) {
    const Plan plan(experiment);
    const Program program = programOf(experiment);
    const bool isCached =
        experiment.policy.outputCaching == OutputCaching::allocate &&
        std::ranges::any_of(program.stages, [](const Stage& stage) { return stage.isGemm() && !stage.companion; });
    // A cached output is the last of the matrices; all other data of a GPU begin at 0.
    const std::uint32_t begin = isCached ? matrixAddress(kMatrices - 1) : 0;
    const OutputLayout& layout = isCached ? plan.output : plan.layout;
    const DramMapping mapping = hasAddressMapping(experiment)
                                    ? DramMapping(experiment, addressRoomsOf(experiment, plan, program))
                                    : DramMapping(experiment);
    FirstGranules first;
    const std::size_t granules = layout.tileEndGranule(0) - layout.tileFirstGranule(0);
    first.more = granules > most;
    for (std::uint32_t index = 0; index < std::min(granules, most); ++index)
        first.granules.push_back({mapping.granuleAt(begin + index), mapping.place(begin + index)});
    return first;
}

}  // namespace

FirstGranules firstGranules(const Experiment& experiment, std::size_t most) {
    if (experiment.workload.sublayer != SubLayer::access)
        return firstTile(experiment, most);
    return experiment.access.pattern == AccessPatternKind::trace ? firstGranulesOfMemory(experiment, most)
                                                                 : firstRequests(experiment, most);
}

}  // namespace engine
