#include "engine/api/expected_work.h"

#include "engine/api/gemm.h"
#include "engine/api/run_parts.h"
#include "engine/run/baseline_key.h"
#include "engine/run/program.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace engine {

namespace {

constexpr double kOperandReads = 4;  // of each operand
constexpr double kOutputEvents = kStoreEvents + kScatterEvents + kGatherEvents;

bool chunksAreAlike(const Shape& shape) {
    return std::adjacent_find(shape.chunkBytes.begin(), shape.chunkBytes.end(), std::not_equal_to<>()) ==
           shape.chunkBytes.end();
}

bool goesAroundAlikeHops(const Experiment& experiment) {
    const TopologyKind kind = experiment.topology.kind;
    return sendsAroundRing(experiment) &&
           (kind == TopologyKind::ring || kind == TopologyKind::fullyConnected || kind == TopologyKind::torus);
}

double ratio(std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

struct Events {
    double gemm = 0;
    double outputGranules = 0;
    double gpus = 1;
    bool mirrored = false;
};

// An event for each K-step and for each pick of memory.
double gemmEvents(const Experiment& experiment, std::int64_t sides, std::int64_t k, std::int64_t tiles) {
    return kOperandReads * ratio(2 * sides, experiment.detail.granule.count) * static_cast<double>(k) +
           static_cast<double>(tiles) * std::ceil(ratio(k, experiment.gemm.kStep));
}

// And one for each packet.
Events eventsOf(const Experiment& experiment) {
    const Shape shape = shapeOf(experiment);
    const std::int64_t granule = experiment.detail.granule.count;
    Events events;
    events.outputGranules = ratio(shape.outputBytes.count, granule);
    if (shape.k > 0)
        events.gemm = gemmEvents(experiment, shape.m + shape.n, shape.k, shape.tiles);
    const bool mayMirror =
        experiment.detail.mode == DetailMode::mirrored ||
        (experiment.detail.mode == DetailMode::automatic && experiment.memory.model != DramModel::banks);
    events.mirrored =
        mayMirror && !experiment.variation.any() && chunksAreAlike(shape) && goesAroundAlikeHops(experiment);
    if (!events.mirrored)
        events.gpus = static_cast<double>(experiment.parallel.tp);
    return events;
}

}  // namespace

double expectedEvents(const Experiment& experiment) {
    if (isIdeal(experiment.policy.preset) || !validate(experiment).empty())
        return 0;
    const Events events = eventsOf(experiment);
    return (events.gemm + kOutputEvents * events.outputGranules) * events.gpus;
}

double expectedEvents(const Experiment& machine, const GemmSize& size) {
    if (size.m < 1 || size.n < 1 || size.k < 1 || size.partsOfK < 1)
        return 0;
    const std::int64_t n = size.n * size.partsOfK;  // partial outputs beside each other
    const double tiles = std::ceil(ratio(size.m, machine.gemm.tileM)) * std::ceil(ratio(n, machine.gemm.tileN));
    const double granules = 2 * static_cast<double>(size.m) * ratio(n, machine.detail.granule.count);
    return gemmEvents(machine, size.m + n, size.sliceOfK(), static_cast<std::int64_t>(tiles)) + kStoreEvents * granules;
}

double isolatedScatterShare(const Experiment& experiment) {
    if (!runPartsOf(experiment).reduceScatter)
        return 0;
    const Events events = eventsOf(experiment);
    return kScatterEvents * events.outputGranules / (events.gemm + kOutputEvents * events.outputGranules);
}

void ExpectedWork::add(const Experiment& experiment) {
    if (!validate(experiment).empty())
        return;
    const Events events = eventsOf(experiment);
    const double whole = (events.gemm + kOutputEvents * events.outputGranules) * events.gpus;
    const bool alone = isCollectiveAlone(experiment.workload.sublayer);
    const bool isShared = experiment.policy.preset == PolicyPreset::sequential && !alone;
    if (!isIdeal(experiment.policy.preset) && !isShared)
        m_events += whole;
    if (alone)
        return;
    if (m_keys.insert(std::hash<std::string>()(sequentialKey(experiment, events.mirrored))).second)
        m_events += whole;
    if (m_keys.insert(std::hash<std::string>()(isolatedScatterKey(experiment, events.mirrored))).second)
        m_events += kScatterEvents * events.outputGranules * events.gpus;
}

}  // namespace engine
