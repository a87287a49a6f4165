#include "tests/golden/combinations.h"

#include "engine/api/parameter_field.h"

#include <initializer_list>

namespace tests {

namespace {

using namespace engine;
using namespace engine::literals;

constexpr std::initializer_list<PolicyPreset> kSimulatingPolicies{PolicyPreset::sequential, PolicyPreset::t3,
                                                                  PolicyPreset::t3Mca, PolicyPreset::cuSplit};
/// The operations that every algorithm supports: an all-to-all has no hierarchical form.
constexpr std::initializer_list<CollectiveOperation> kOperationsOfEveryAlgorithm{
    CollectiveOperation::allReduce, CollectiveOperation::reduceScatter, CollectiveOperation::allGather};
constexpr std::initializer_list<SubLayer> kAlone{SubLayer::reduceScatter, SubLayer::allGather, SubLayer::allReduce,
                                                 SubLayer::allToAll};

template <typename Enum>
std::vector<Enum> every() {
    std::vector<Enum> values;
    for (std::size_t i = 0; i < kWords<Enum>.size(); ++i)
        values.push_back(static_cast<Enum>(i));
    return values;
}

template <typename Enum>
std::string word(Enum value) {
    return std::string(wordOf(value));
}

/// An operation after, beside or before a GEMM, or alone.
struct Operation {
    std::string name;
    SubLayer sublayer{};
    CollectiveOperation operation{};
};

std::vector<Operation> withGemm(const std::vector<CollectiveOperation>& operations) {
    std::vector<Operation> all;
    all.reserve(operations.size());
    for (const CollectiveOperation operation : operations)
        all.push_back({word(operation), SubLayer::fc2, operation});
    return all;
}

std::vector<Operation> everyOperation() {
    std::vector<Operation> all = withGemm(every<CollectiveOperation>());
    for (const SubLayer sublayer : kAlone)
        all.push_back({word(sublayer) + "-alone", sublayer, CollectiveOperation::allReduce});
    return all;
}

/// Collects the combinations that the engine accepts.
class Collection {
public:
    void add(TopologyKind topology, const Operation& operation, CollectiveAlgorithm algorithm, PolicyPreset policy,
             std::int64_t gpus, const UnusualMachine* machine = nullptr) {
        Experiment experiment = smallInteractive(policy, gpus);
        experiment.workload.sublayer = operation.sublayer;
        experiment.collective.operation = operation.operation;
        experiment.collective.algorithm = algorithm;
        experiment.topology.kind = topology;
        if (topology == TopologyKind::custom)
            experiment.topology.links = unlikeLinks(gpus);
        if (machine)
            machine->change(experiment);
        dropWhatIsNotRead(experiment);
        if (!validate(experiment).empty())
            return;
        std::string name = word(topology) + "/" + operation.name + "/" + word(algorithm) + "/" + word(policy) + "/tp" +
                           std::to_string(gpus);
        if (machine)
            name += "/" + machine->name;
        m_combinations.push_back({std::move(name), std::move(experiment)});
    }

    std::vector<Combination> take() { return std::move(m_combinations); }

private:
    std::vector<Combination> m_combinations;
};

void addOrdinaryMachines(Collection& collection) {
    for (const std::int64_t gpus : {4, 8})
        for (const TopologyKind topology : every<TopologyKind>())
            for (const Operation& operation : everyOperation())
                for (const CollectiveAlgorithm algorithm : every<CollectiveAlgorithm>())
                    for (const PolicyPreset policy : every<PolicyPreset>())
                        collection.add(topology, operation, algorithm, policy, gpus);
}

void addUnusualMachines(Collection& collection) {
    for (const UnusualMachine& machine : unusualMachines())
        for (const Operation& operation : withGemm(kOperationsOfEveryAlgorithm))
            for (const CollectiveAlgorithm algorithm : every<CollectiveAlgorithm>())
                for (const PolicyPreset policy : kSimulatingPolicies)
                    collection.add(TopologyKind::twoNodes, operation, algorithm, policy, 4, &machine);
}

void withoutLatencies(Experiment& e) {
    e.gemm.epilogue = {};
    e.cu.startJitter = {};
    e.llc.latency = {};
    e.memory.latency = {};
    e.link.latency = {};
    e.topology.nodeLatency = {};
    e.tracker.triggerLatency = {};
    e.dma.startupLatency = {};
}

}  // namespace

void dropWhatIsNotRead(Experiment& experiment) {
    const WorkloadConfig kept = experiment.workload;
    if (isPartOfModel(kept.sublayer)) {
        experiment.workload.bytes = WorkloadConfig{}.bytes;
        return;
    }
    experiment.workload = {};
    experiment.workload.sublayer = kept.sublayer;
    if (isCollectiveAlone(kept.sublayer))
        experiment.workload.bytes = kept.bytes;
}

Experiment smallInteractive(PolicyPreset policy, std::int64_t gpus) {
    Experiment experiment;
    experiment.workload.hidden = 512;
    experiment.workload.sequence = 2048;
    experiment.workload.batch = 1;
    experiment.workload.bytes = 2_MiB;
    experiment.parallel.tp = gpus;
    applyPolicyPreset(experiment, policy);
    applyDetailLevel(experiment, DetailLevel::interactive);
    return experiment;
}

std::string unlikeLinks(std::int64_t gpus) {
    std::string links;
    for (std::int64_t gpu = 0; gpu < gpus; ++gpu) {
        static constexpr const char* kOwn[] = {"", "@75GB/s", "@90GB/s,2us"};
        links += std::to_string(gpu) + "-" + std::to_string((gpu + 1) % gpus) + kOwn[gpu % 3] + " ";
    }
    for (std::int64_t gpu = 0; gpu < gpus; gpu += 2)
        links += "s0-" + std::to_string(gpu) + "@20GB/s,1us ";
    return links + "1>" + std::to_string(gpus - 1);
}

std::vector<UnusualMachine> unusualMachines() {
    return {
        {"banks", [](Experiment& e) { e.memory.model = DramModel::banks; }},
        {"reads-first", [](Experiment& e) { e.memory.storeOrder = StoreOrder::readsFirst; }},
        {"write-drain-with-turnaround",
         [](Experiment& e) {
             e.memory.storeOrder = StoreOrder::writeDrain;
             e.memory.turnaround = 20_ns;
         }},
        {"costly-arrivals", [](Experiment& e) { e.memory.arrivingUpdateCost = 4.0; }},
        {"small-cache", [](Experiment& e) { e.llc.size = 256_KiB; }},
        {"queue-of-one-granule", [](Experiment& e) { e.memory.queue = e.detail.granule; }},
        {"long-turns",
         [](Experiment& e) {
             e.arbitration.share = 1;
             e.arbitration.turn = 64_KiB;
             e.arbitration.threshold = {ArbitrationThreshold::Kind::bytes, 16_KiB};
         }},
        {"tracker-of-one-entry", [](Experiment& e) { e.tracker.entries = 1; }},
        {"four-dma-engines",
         [](Experiment& e) {
             e.dma.engines = 4;
             e.dma.blockTiles = 1;
         }},
        {"dma-window-of-one-granule", [](Experiment& e) { e.dma.window = e.detail.granule; }},
        {"shared-egress", [](Experiment& e) { e.topology.egress = TopologyEgress::shared; }},
        {"small-packets",
         [](Experiment& e) {
             e.link.packet = 1_KiB;
             e.link.header = 64_B;
         }},
        {"links-faster-than-memory", [](Experiment& e) { e.link.bandwidth = 2000_GBps; }},
        {"slow-kernels",
         [](Experiment& e) {
             e.collective.cuCount = 2;
             e.collective.cuBandwidth = 5_GBps;
             e.collective.startLatency = 3_us;
         }},
        {"buffers-and-pieces",
         [](Experiment& e) {
             e.link.efficiency = 0.8;
             e.collective.staging = 3;
             e.collective.piece = 64_KiB;
         }},
        {"cache-and-clocks",
         [](Experiment& e) {
             e.llc.bandwidth = 800_GBps;
             e.tiles.choice = TileChoice::fixed;
             e.gemm.multicast = 2;
             e.gemm.accumulators = 2;
             e.cu.matrixClock = Frequency{1'100'000'000};
             e.collective.cuBandwidth = 5_GBps;
         }},
        {"unlike-chunks",
         [](Experiment& e) {
             e.gemm.tileM = 96;
             e.gemm.tileN = 80;
             e.gemm.prefetch = 64;  // with auto, local memory would limit the workgroups of a CU
         }},
        {"one-slow-link",
         [](Experiment& e) {
             e.variation.gpu = 1;
             e.variation.linkFactor = 0.4;
         }},
        {"one-late-and-slow-gpu",
         [](Experiment& e) {
             e.variation.gpu = 2;
             e.variation.clockFactor = 0.7;
             e.variation.startSkew = 20_us;
         }},
        {"background-traffic-and-jitter",
         [](Experiment& e) {
             e.variation.gpu = 3;
             e.variation.backgroundTraffic = 200_GBps;
             e.variation.jitter = 2_us;
         }},
        {"no-latencies", &withoutLatencies},
    };
}

std::vector<Combination> allCombinations() {
    Collection collection;
    addOrdinaryMachines(collection);
    addUnusualMachines(collection);
    return collection.take();
}

}  // namespace tests
