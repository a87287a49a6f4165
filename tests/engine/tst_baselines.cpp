#include "engine/api/baselines.h"
#include "engine/api/parameters.h"
#include "engine/run/baseline_key.h"
#include "engine/run/baseline_memory.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>

using namespace engine;

namespace {

RunOptions sharing(const std::shared_ptr<BaselineCache>& cache) {
    RunOptions options;
    options.baselineCache = cache;
    return options;
}

/// Compares two results, except for the wall time of the runs.
bool same(const RunResult& a, const RunResult& b) {
    return a.shape == b.shape && a.last == b.last && a.isolated == b.isolated &&
           a.speedupOverSequential == b.speedupOverSequential && a.sequentialTotal == b.sequentialTotal &&
           a.bounds == b.bounds && a.perGpu == b.perGpu && a.invariants == b.invariants && a.notices == b.notices &&
           a.mirrored == b.mirrored && a.events == b.events && a.threads == b.threads;
}

Experiment small(PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy);
    applyDetailLevel(experiment, DetailLevel::interactive);
    return experiment;
}

/// Returns machines whose baselines read different parameters: both DRAM models, packets with and without headers,
/// store orders, CUs that are not the limit, mirrored and full runs, GPUs that differ, topologies, an address
/// mapping.
std::vector<Experiment> machines() {
    std::vector<Experiment> machines(11, small(PolicyPreset::t3Mca));
    machines[1].memory.model = DramModel::banks;
    machines[2].link.header = 32_B;
    machines[2].memory.turnaround = 5_ns;
    machines[3].memory.storeOrder = StoreOrder::writeDrain;
    machines[3].collective.cuBandwidth.reset();
    machines[4].collective.cuCount = 20;
    machines[4].cu.startJitter = {};
    machines[5].detail.mode = DetailMode::full;
    machines[6].variation.gpu = 1;
    machines[6].variation.startSkew = 3_us;
    machines[6].variation.backgroundTraffic = 50_GBps;
    machines[7].memory.arrivingUpdateCost = 1.9;
    machines[7].memory.storeOrder = StoreOrder::readsFirst;
    machines[8].topology.kind = TopologyKind::twoNodes;
    machines[9].topology.kind = TopologyKind::torus;
    machines[10].memory.model = DramModel::banks;
    machines[10].detail.channels = 2;
    machines[10].address.mapping = kUsualMapping;
    return machines;
}

/// Returns allowed values that are as different as possible from the experiment's value.
std::vector<ParameterValue> otherValues(const Parameter& parameter, const Experiment& experiment) {
    std::vector<ParameterValue> values;
    for (const std::string& word : parameter.words)
        values.emplace_back(word);
    if (parameter.kind == ParameterKind::integer) {
        std::int64_t now = 64;
        if (const ParameterValue value = parameter.read(experiment); std::holds_alternative<std::int64_t>(value))
            now = std::get<std::int64_t>(value);
        for (const std::int64_t value : {now / 4, now * 4, now + 1, static_cast<std::int64_t>(parameter.minimum)})
            values.emplace_back(value);
    } else if (parameter.kind == ParameterKind::real) {
        for (const double value : {parameter.minimum, parameter.maximum, (parameter.minimum + parameter.maximum) / 2})
            values.emplace_back(value);
    } else if (parameter.kind == ParameterKind::text) {
        values.emplace_back(std::string("another"));
    }
    return values;
}

}  // namespace

class TestBaselines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Checks every parameter that is left out of a cache key, also those that will be left out later.
    void experimentsWithOneKeyHaveTheSameBaseline() {
        std::set<std::string> leftOut;
        for (const Experiment& base : machines()) {
            QVERIFY(validate(base).empty());
            const RunResult reference = engine::run(sequentialOf(base));
            for (const Parameter& parameter : parameters()) {
                for (const ParameterValue& value : otherValues(parameter, base)) {
                    Experiment other = base;
                    if (check(parameter, value) || value == parameter.read(base))
                        continue;
                    parameter.write(other, value);
                    if (!validate(other).empty() || !isPartOfModel(other.workload.sublayer))
                        continue;
                    const Experiment sequential = sequentialOf(other);
                    if (!validate(sequential).empty())
                        continue;
                    const bool oneSequential =
                        sequentialKey(base, reference.mirrored) == sequentialKey(other, reference.mirrored);
                    const bool oneScatter =
                        isolatedScatterKey(base, reference.mirrored) == isolatedScatterKey(other, reference.mirrored);
                    if (!oneSequential && !oneScatter)
                        continue;
                    leftOut.insert(parameter.path);
                    const RunResult result = engine::run(sequential);
                    if (result.mirrored != reference.mirrored)
                        continue;  // the parameter is part of the key
                    const std::string at = parameter.path + " = " + formatValue(parameter, value);
                    QVERIFY2(!oneSequential || (result.last == reference.last && result.perGpu == reference.perGpu &&
                                                result.events == reference.events),
                             at.c_str());
                    QVERIFY2(!oneScatter || result.isolated->reduceScatterNmc == reference.isolated->reduceScatterNmc,
                             at.c_str());
                }
            }
        }
        QVERIFY2(leftOut.size() > 30, std::to_string(leftOut.size()).c_str());
    }

    void whatRunsBesideAndWhoGetsTheCusAreNoPartOfABaseline() {
        const Experiment base = small(PolicyPreset::t3Mca);
        Experiment other = base;
        other.companion.operation = CompanionOperation::gemm;
        other.companion.copies = 3;
        other.dispatch = {DispatchRule::reserved, 8};
        other.matrix.m = 64;
        QVERIFY(sequentialKey(other, true) == sequentialKey(base, true));
        QVERIFY(isolatedScatterKey(other, true) == isolatedScatterKey(base, true));
        QVERIFY(ownAloneKey(other, true) == ownAloneKey(base, true));
        other.launch.kernel = 2_us;
        QVERIFY(sequentialKey(other, true) != sequentialKey(base, true));
        QVERIFY(isolatedScatterKey(other, true) != isolatedScatterKey(base, true));
        QVERIFY(ownAloneKey(other, true) != ownAloneKey(base, true));
    }

    void aSplitIsComparedWithTheWholeGpu() {
        const Experiment base = small(PolicyPreset::sequential);
        Experiment split = base;
        split.dispatch = {DispatchRule::reserved, 8};
        QVERIFY(sequentialOf(split) == base);
        QVERIFY(isolatedScatterOf(split) == isolatedScatterOf(base));
    }

    void aGemmAloneHasItsSidesAsItsKey() {
        Experiment base = small(PolicyPreset::sequential);
        base.workload.sublayer = SubLayer::gemm;
        Experiment other = base;
        other.workload.hidden *= 2;
        QVERIFY(sequentialKey(other, true) == sequentialKey(base, true));
        for (std::int64_t MatrixConfig::*side :
             {&MatrixConfig::m, &MatrixConfig::n, &MatrixConfig::k, &MatrixConfig::batch}) {
            other = base;
            ++(other.matrix.*side);
            QVERIFY(sequentialKey(other, true) != sequentialKey(base, true));
        }
    }

    void ownWorkAloneKeepsItsPolicy() {
        Experiment e = small(PolicyPreset::sequential);
        e.companion.operation = CompanionOperation::allGather;
        QVERIFY(ownAloneKey(e, true) != ownAloneKey(e, false));
        QVERIFY(ownAloneKey(underPolicy(e, PolicyPreset::t3), true) != ownAloneKey(e, true));
        // A collective alone reads its size in bytes, which no baseline of a GEMM reads.
        e.workload.sublayer = SubLayer::allGather;
        Experiment more = e;
        more.workload.bytes = Bytes{2 * e.workload.bytes.count};
        QVERIFY(ownAloneKey(e, true) != ownAloneKey(more, true));
    }

    void aCompanionGemmAloneIsTheSameBesideAnyWork() {
        Experiment e = small(PolicyPreset::sequential);
        e.companion.operation = CompanionOperation::gemm;
        e.companion.m = e.companion.n = e.companion.k = 256;
        Experiment other = e;
        other.workload.hidden *= 2;
        other.workload.sublayer = SubLayer::gemm;
        other.matrix.m = 64;
        other.companion.bytes = 1_MiB;
        other.companion.issue = 1_us;
        other.dma.engines = 3;
        QVERIFY(companionAloneKey(other, true) == companionAloneKey(e, true));
        for (const char* path : {"companion.m", "companion.k", "companion.tile_n", "companion.copies",
                                 "companion.slots", "gemm.tile_m", "cu.count", "llc.size", "memory.bandwidth"}) {
            Experiment changed = e;
            const Parameter& parameter = *findParameter(path);
            parameter.write(changed, ParameterValue{static_cast<std::int64_t>(parameter.minimum) + 1});
            QVERIFY2(companionAloneKey(changed, true) != companionAloneKey(e, true), path);
        }
    }

    void aCompanionCollectiveAloneReadsWhatCarriesIt() {
        Experiment e = small(PolicyPreset::sequential);
        e.companion.operation = CompanionOperation::allGather;
        const auto differs = [&](auto change) {
            Experiment changed = e;
            change(changed);
            return companionAloneKey(changed, true) != companionAloneKey(e, true);
        };
        const auto moreBytes = [](Experiment& x) { x.companion.bytes = 1_MiB; };
        const auto fewerWorkgroups = [](Experiment& x) { x.companion.workgroups = 3; };
        const auto slowHost = [](Experiment& x) { x.companion.issue = 1_us; };
        const auto oneEngine = [](Experiment& x) { x.dma.engines = 3; };
        const auto wider = [](Experiment& x) { x.companion.window.reset(); };
        const auto otherWork = [](Experiment& x) { x.workload.hidden *= 2; };
        const auto otherCompanion = [](Experiment& x) { x.companion.k = 7; };
        QVERIFY(differs(moreBytes) && differs(fewerWorkgroups) && differs(wider));
        QVERIFY(!differs(slowHost) && !differs(oneEngine) && !differs(otherWork) && !differs(otherCompanion));
        e.companion.by = CollectiveCarrier::dma;
        QVERIFY(differs(moreBytes) && differs(slowHost) && differs(oneEngine) && differs(wider));
        QVERIFY(!differs(fewerWorkgroups) && !differs(otherWork));
        // With the bank model, addresses may depend on the sizes of all buffers.
        const auto otherSides = [](Experiment& x) { x.matrix.m = 7; };
        QVERIFY(!differs(otherSides));
        e.memory.model = DramModel::banks;
        QVERIFY(differs(otherSides));
    }

    void policiesTrackersAndDmaEnginesShareTheirBaselines() {
        const Experiment base = small(PolicyPreset::t3Mca);
        for (const PolicyPreset policy :
             {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::idealOverlap, PolicyPreset::idealOverlapNmc,
              PolicyPreset::cuSplit, PolicyPreset::chunked, PolicyPreset::signals})
            QVERIFY(sequentialKey(underPolicy(base, policy), true) == sequentialKey(base, true));
        for (const char* path : {"tracker.entries", "dma.block_tiles", "arbitration.share", "memory.update_cost"}) {
            Experiment other = base;
            const Parameter& parameter = *findParameter(path);
            parameter.write(other, parameter.kind == ParameterKind::real ? ParameterValue{2.0}
                                                                         : ParameterValue{std::int64_t{2}});
            QVERIFY2(sequentialKey(other, true) == sequentialKey(base, true), path);
        }
        Experiment pieces = underPolicy(base, PolicyPreset::chunked), others = pieces;
        others.policy.pieces = 2;
        others.policy.queues = 1;
        others.policy.signalLatency = Duration{1000};
        QVERIFY(sequentialKey(pieces, true) == sequentialKey(others, true));
        QVERIFY(isolatedScatterKey(pieces, true) == isolatedScatterKey(others, true));
        for (const char* path : {"link.bandwidth", "memory.bandwidth", "cu.clock", "seed"}) {
            Experiment other = base;
            const Parameter& parameter = *findParameter(path);
            parameter.write(other, std::get<std::int64_t>(parameter.read(base)) + 1);
            QVERIFY2(sequentialKey(other, true) != sequentialKey(base, true), path);
        }
    }

    void aCacheChangesNoResultOnAnyNumberOfThreads() {
        std::vector<Experiment> experiments;
        for (const std::int64_t blockTiles : {1, 2, 4})
            for (const std::int64_t bandwidth : {100, 150})
                for (const PolicyPreset policy : {PolicyPreset::t3, PolicyPreset::sequential, PolicyPreset::t3Mca,
                                                  PolicyPreset::idealOverlap, PolicyPreset::cuSplit}) {
                    experiments.push_back(small(policy));
                    experiments.back().dma.blockTiles = blockTiles;
                    experiments.back().link.bandwidth = {bandwidth * 1'000'000'000};
                }
        Experiment full = small(PolicyPreset::sequential);
        full.detail.mode = DetailMode::full;
        experiments.push_back(full);
        std::vector<RunResult> alone;
        for (const Experiment& experiment : experiments)
            alone.push_back(engine::run(experiment));
        for (const int threads : {1, 2, 8}) {
            RunManyOptions options;
            options.threads = threads;
            options.each.baselineCache = std::make_shared<BaselineCache>();
            const std::vector<RunOutcome> outcomes = runMany(experiments, options);
            for (std::size_t i = 0; i < experiments.size(); ++i)
                QVERIFY2(same(*outcomes[i].result, alone[i]), std::to_string(i).c_str());
            // For two bandwidths and the full ring: the sequential run and the reduce-scatter alone.
            QCOMPARE(options.each.baselineCache->counts().simulated, std::size_t{6});
        }
    }

    void whatIsIdealCostsNothingWhenTheBaselinesAreKnown() {
        const auto cache = std::make_shared<BaselineCache>();
        engine::run(small(PolicyPreset::t3), sharing(cache));
        QCOMPARE(cache->counts().simulated, std::size_t{2});
        QCOMPARE(cache->counts().reused, std::size_t{0});
        engine::run(small(PolicyPreset::idealOverlap), sharing(cache));
        engine::run(small(PolicyPreset::idealOverlapNmc), sharing(cache));
        engine::run(small(PolicyPreset::sequential), sharing(cache));
        QCOMPARE(cache->counts().simulated, std::size_t{2});
        QCOMPARE(cache->counts().reused, std::size_t{6});
    }

    void aCollectiveAloneAndARunWithATraceShareNothing() {
        const auto cache = std::make_shared<BaselineCache>();
        Experiment alone = small(PolicyPreset::sequential);
        alone.workload.sublayer = SubLayer::reduceScatter;
        engine::run(alone, sharing(cache));
        RunOptions traced = sharing(cache);
        traced.recordTrace = true;
        traced.baselines = false;
        QVERIFY(engine::run(small(PolicyPreset::sequential), traced).trace != nullptr);
        QCOMPARE(cache->counts().simulated, std::size_t{0});
    }

    void whatManyThreadsAskForIsSimulatedOnce() {
        BaselineMemory memory(100);
        std::atomic<int> simulated = 0;
        std::vector<std::jthread> threads;
        std::atomic<int> right = 0;
        for (int thread = 0; thread < 8; ++thread)
            threads.emplace_back([&] {
                const auto part = memory.of("key", {}, [&] {
                    ++simulated;
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    SimulatedRun simulatedPart;
                    simulatedPart.events = 7;
                    return simulatedPart;
                });
                right += part->events == 7;
            });
        threads.clear();
        QCOMPARE(simulated.load(), 1);
        QCOMPARE(right.load(), 8);
        QCOMPARE(memory.counts().reused, std::size_t{7});
    }

    void aFailureIsNotRememberedAndAStopEndsTheWaiting() {
        BaselineMemory memory(100);
        const auto fail = []() -> SimulatedRun { throw std::runtime_error("cannot"); };
        QVERIFY_EXCEPTION_THROWN(memory.of("key", {}, fail), std::runtime_error);
        QVERIFY(!memory.underWay("key"));
        std::atomic<bool> begun = false;
        std::stop_source release, stop;
        std::jthread slow([&] {
            memory.of("key", {}, [&] {
                begun = true;
                while (!release.stop_requested())
                    std::this_thread::yield();
                return SimulatedRun{};
            });
        });
        while (!begun)
            std::this_thread::yield();
        QVERIFY(memory.underWay("key"));
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(memory.of("key", stop.get_token(), fail), RunStopped);
        release.request_stop();
    }

    void whatWasNotAskedForTheLongestIsForgotten() {
        BaselineMemory memory(2);
        int simulated = 0;
        const auto ask = [&](const char* key) {
            memory.of(key, {}, [&] {
                ++simulated;
                SimulatedRun part;
                part.facts.gpus.resize(1);
                return part;
            });
        };
        ask("a");
        ask("b");
        ask("a");
        ask("c");  // replaces b
        QCOMPARE(simulated, 3);
        ask("a");
        ask("c");
        QCOMPARE(simulated, 3);
        ask("b");
        QCOMPARE(simulated, 4);
    }
};

RINGSIDE_TEST(TestBaselines)
#include "tst_baselines.moc"
