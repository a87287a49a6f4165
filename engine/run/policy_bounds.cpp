#include "engine/api/policy_bounds.h"

#include "engine/api/topology.h"
#include "engine/record/bounds.h"
#include "engine/run/baseline_key.h"
#include "engine/run/network_facts.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace engine {

namespace {

// Returns the experiment itself, because parts of its policy may be set by hand, and the same experiment under policies
// whose kernels or DMA move the data.
std::vector<Experiment> familyOf(const Experiment& experiment) {
    if (experiment.policy.start == CommunicationStart::concurrent)
        return {experiment};
    std::vector<Experiment> family{experiment, underPolicy(experiment, PolicyPreset::sequential),
                                   underPolicy(experiment, PolicyPreset::t3)};
    std::erase_if(family, [](const Experiment& one) { return !validate(one).empty(); });
    return family;
}

Duration smaller(Duration a, Duration b) { return std::min(a, b); }

}  // namespace

BoundsResult boundsOfAnyPolicy(const Experiment& experiment) {
    if (!validate(experiment).empty())
        return {};
    const Shape shape = shapeOf(experiment);
    const Topology topology = topologyOf(experiment);
    std::optional<BoundsResult> least;
    for (const Experiment& one : familyOf(experiment)) {
        const BoundsResult bounds = leastBounds(one, shape, networkFactsOf(one, topology));
        if (!least) {
            least = bounds;
            continue;
        }
        least->compute = smaller(least->compute, bounds.compute);
        least->memory = smaller(least->memory, bounds.memory);
        least->link = smaller(least->link, bounds.link);
        least->total = smaller(least->total, bounds.total);
    }
    return *least;
}

}  // namespace engine
