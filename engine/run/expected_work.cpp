#include "engine/api/expected_work.h"

#include "engine/api/gemm.h"
#include "engine/api/run_parts.h"
#include "engine/run/baseline_key.h"
#include "engine/run/companion_run.h"
#include "engine/run/program.h"
#include "engine/run/tile_trials.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/pass_timing.h"
#include "engine/workload/tile_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace engine {

namespace {

constexpr double kOperandReads = 4;  // of each operand
constexpr double kAccessEvents = 2;  // of a request: it is picked and served
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

// Events of one GPU, and the number of GPUs that are simulated.
struct Events {
    double gemm = 0;
    double output = 0;
    double scatter = 0;  ///< the part of `output` that a reduce-scatter alone has
    double companion = 0;
    double trials = 0;  ///< of all tiles of tiles.choice=shared, on one GPU
    double gpus = 1;
    bool mirrored = false;

    double own() const { return gemm + output; }
    /// Returns the events of the run on all GPUs, and of the trials before it.
    double ofRun() const { return (own() + companion) * gpus + trials; }
};

// Returns the events of a GEMM: one for each K-step and one for each pick of memory.
double gemmEvents(const Experiment& experiment, std::int64_t sides, std::int64_t k, std::int64_t tiles) {
    return kOperandReads * ratio(elementBytes(experiment) * sides, experiment.detail.granule.count) *
               static_cast<double>(k) +
           static_cast<double>(tiles) * std::ceil(ratio(k, experiment.gemm.kStep));
}

// Returns the events of the companion: for a collective one for each packet and each pick of memory, for GEMMs as for
// the own GEMM, for a pass inside memory those of its pieces.
double companionEvents(const Experiment& experiment) {
    const CompanionConfig& companion = experiment.companion;
    const auto granules = [&](std::int64_t bytes) { return ratio(bytes, experiment.detail.granule.count); };
    switch (companion.operation) {
    case CompanionOperation::none: break;
    case CompanionOperation::reduceScatter:
    case CompanionOperation::allToAll: return kScatterEvents * granules(companion.bytes.count);
    case CompanionOperation::allGather: return kGatherEvents * granules(companion.bytes.count);
    case CompanionOperation::allReduce: return (kScatterEvents + kGatherEvents) * granules(companion.bytes.count);
    case CompanionOperation::inMemory: {
        constexpr double kPieceEvents = 2;  // its pick and its end
        const PassTiming timing(experiment);
        return kPieceEvents * std::ceil(ratio(timing.bytesOf(0), timing.piece())) *
               static_cast<double>(experiment.detail.channels);
    }
    case CompanionOperation::gemm: {
        Experiment machine = experiment;
        machine.gemm = companionTilingOf(experiment);
        return expectedEvents(machine, companionGemmOf(experiment)) * static_cast<double>(companion.copies);
    }
    }
    return 0;
}

// Returns whether one GPU stands for all: the data go around a ring of equal hops, or only a companion sends, directly.
bool standsForAll(const Experiment& experiment, const Shape& shape) {
    if (experiment.detail.mode == DetailMode::full || experiment.variation.any())
        return false;
    const bool isFelt = feelsAddresses(experiment);  // chunks begin at different addresses on each GPU
    const bool ownSends = ownWorkSends(experiment);
    if (!hasCompanion(experiment) && !ownSends)
        return true;
    const bool ownIsAlike = !ownSends || (chunksAreAlike(shape) && goesAroundAlikeHops(experiment));
    if (!hasCompanionCollective(experiment))
        return ownIsAlike && (experiment.detail.mode == DetailMode::mirrored || !isFelt);
    return ownIsAlike && !isFelt && (companionGoesAroundRing(experiment) || !ownSends);
}

// Returns the experiment with the first candidate of its tiles.choice, which has the fewest K-steps. The tile that is
// chosen is known only after simulation.
Experiment withAnyTile(const Experiment& experiment) {
    return choosesTile(experiment) ? withTile(experiment, candidateTiles(experiment).front()) : experiment;
}

// Returns the events of a run: those above and one for each packet.
Events eventsOf(const Experiment& asked) {
    const Experiment experiment = withAnyTile(asked);
    if (experiment.workload.sublayer == SubLayer::access) {
        Events events;
        events.output = kAccessEvents * static_cast<double>(experiment.access.count);
        events.mirrored = true;
        return events;
    }
    const Shape shape = shapeOf(experiment);
    const std::int64_t granule = experiment.detail.granule.count;
    const bool sends = sendsData(experiment.workload.sublayer);
    const double outputGranules = ratio(shape.outputBytes.count, granule);
    Events events;
    events.output = (sends ? kOutputEvents : kStoreEvents) * outputGranules;
    events.scatter = kScatterEvents * outputGranules;
    events.companion = companionEvents(experiment);
    if (shape.k > 0)
        events.gemm = gemmEvents(experiment, (shape.m + shape.n) * shape.batch, shape.k, shape.tiles);
    events.mirrored = standsForAll(experiment, shape);
    if (!events.mirrored)
        events.gpus = static_cast<double>(experiment.parallel.tp);
    if (asked.tiles.choice == TileChoice::shared && choosesTile(asked))
        events.trials = (events.gemm + kStoreEvents * outputGranules + events.companion) *
                        static_cast<double>(candidateTiles(asked).size());
    return events;
}

}  // namespace

double expectedEvents(const Experiment& experiment) {
    if (isIdeal(experiment.policy.preset) || !validate(experiment).empty())
        return 0;
    return eventsOf(experiment).ofRun();
}

double expectedEvents(const Experiment& asked, const GemmSize& size) {
    if (size.m < 1 || size.n < 1 || size.k < 1 || size.partsOfK < 1)
        return 0;
    Experiment machine = asked;
    if (choosesTile(machine, size))
        if (const std::vector<Tile> tiles = fittingTiles(size); !tiles.empty())
            machine = withTile(machine, tiles.front());
    const std::int64_t n = size.n * size.partsOfK;  // partial outputs beside each other
    const double tiles = std::ceil(ratio(size.m, machine.gemm.tileM)) * std::ceil(ratio(n, machine.gemm.tileN));
    const double granules = static_cast<double>(elementBytes(machine)) * static_cast<double>(size.m) *
                            ratio(n, machine.detail.granule.count);
    return gemmEvents(machine, size.m + n, size.sliceOfK(), static_cast<std::int64_t>(tiles)) + kStoreEvents * granules;
}

double isolatedScatterShare(const Experiment& experiment) {
    if (!runPartsOf(experiment).reduceScatter)
        return 0;
    const Events events = eventsOf(experiment);
    return events.scatter / events.own();
}

void ExpectedWork::add(const Experiment& experiment) {
    if (!validate(experiment).empty())
        return;
    const Events events = eventsOf(experiment);
    const auto once = [&](const std::string& key, double amount) {
        if (m_keys.insert(std::hash<std::string>()(key)).second)
            m_events += amount * events.gpus;
    };
    if (hasCompanion(experiment)) {
        m_events += events.ofRun();
        once(ownAloneKey(experiment, events.mirrored), events.own());
        const CompanionConfig& companion = experiment.companion;
        once(companionAloneKey(companionAlone(experiment, companion.by, companion.copies), events.mirrored),
             events.companion);
        return;
    }
    const bool hasParts = isPartOfModel(experiment.workload.sublayer);
    const bool isShared = hasParts && experiment.policy.preset == PolicyPreset::sequential;
    if (!isIdeal(experiment.policy.preset) && !isShared)
        m_events += events.own() * events.gpus;
    if (!hasParts)
        return;
    once(sequentialKey(experiment, events.mirrored), events.own());
    once(isolatedScatterKey(experiment, events.mirrored), events.scatter);
}

}  // namespace engine
