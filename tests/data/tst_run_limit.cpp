#include "data/experiment/experiment_document.h"
#include "data/presets/presets.h"
#include "data/results/result_json.h"
#include "data/results/run_limit.h"
#include "engine/api/runner.h"
#include "tests/test_program.h"

#include <QtTest>

#include <random>
#include <string>
#include <vector>

// Tests what a run is bound by, on every machine.

using engine::Cause;
using engine::Duration;

namespace {

engine::Experiment gemmOn(const std::string& machine, const std::string& size,
                          const std::vector<std::string>& settings = {}) {
    data::ExperimentDraft draft = data::draftNamed("gemm/" + size).draft;
    engine::Problems problems;
    for (const std::string& setting :
         {std::string("policy=sequential"), std::string("detail.level=interactive"), "machine=" + machine})
        data::applySetting(setting, draft, problems);
    for (const std::string& setting : settings)
        data::applySetting(setting, draft, problems);
    return data::runnableExperiment(draft);
}

engine::RunResult attributed(const engine::Experiment& experiment) {
    engine::RunOptions options;
    options.baselines = false;
    options.attribution = true;
    return engine::run(experiment, options);
}

double share(const engine::RunResult& result, Cause cause) {
    return static_cast<double>(result.attribution->causes[cause].ps) / static_cast<double>(result.last.time.total.ps);
}

/// Returns a result whose critical path has these times, on a GPU whose DRAM moved `dramBytes` in 1 ms.
engine::RunResult resultOf(const std::vector<std::pair<Cause, std::int64_t>>& times, std::int64_t dramBytes) {
    engine::RunResult result;
    result.last.time.total = {1'000'000'000};
    result.last.dram.emplace();
    result.last.dram->gemmRead = {dramBytes};
    result.attribution.emplace();
    for (const auto& [cause, ps] : times)
        result.attribution->causes[cause] = {ps};
    return result;
}

}  // namespace

class TestRunLimit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void attributedComputeIsNeverLessThanTheBoundOfPureCompute() {
        std::vector<std::string> machines;
        for (const data::Preset& machine : data::machines())
            machines.push_back(machine.name);
        std::mt19937 random(39);
        const auto side = [&](int most) { return std::to_string(64 * (1 + static_cast<int>(random() % most))); };
        for (std::size_t shape = 0; shape < 100; ++shape) {
            const std::string size = side(48) + "x" + side(48) + "x" + side(64);
            const std::string& machine = machines[shape % machines.size()];
            const engine::RunResult result = attributed(gemmOn(machine, size));
            const Duration compute = result.attribution->causes[Cause::compute];
            QVERIFY2(compute >= result.bounds.compute,
                     (machine + " " + size + ": " + std::to_string(compute.ps) + " ps of compute, the bound is " +
                      std::to_string(result.bounds.compute.ps))
                         .c_str());
            QCOMPARE(result.attribution->causes.total(), result.last.time.total);
        }
    }

    void largeGemmsAreComputeOnEveryRealMachine() {
        for (const char* machine :
             {"amd-mi100", "amd-mi300x", "nvidia-a100", "nvidia-h100", "nvidia-h200", "nvidia-b200"}) {
            const engine::Experiment experiment = gemmOn(machine, "8192x8192x8192");
            const engine::RunResult result = attributed(experiment);
            QVERIFY2(share(result, Cause::compute) >= 0.9,
                     (std::string(machine) + " " + std::to_string(share(result, Cause::compute))).c_str());
            QCOMPARE(data::limitOf(experiment, result)->text(), std::string("bound by compute"));
        }
    }

    void twoStepsInFlightOnAnH100AreBoundByLatencyAndThreeWouldHideIt() {
        const engine::Experiment experiment = gemmOn(
            "nvidia-h100", "8192x8192x14784", {"gemm.prefetch=64", "tiles.choice=fixed", "llc.bandwidth=unlimited"});
        const engine::RunResult result = attributed(experiment);
        // The pipe computes for 0.35 of each 0.48 us; the rest is a wait.
        QVERIFY(result.attribution->causes[Cause::compute] >= result.bounds.compute);
        QVERIFY2(share(result, Cause::latency) > 0.15, std::to_string(share(result, Cause::latency)).c_str());
        const auto limit = data::limitOf(experiment, result);
        QCOMPARE(limit->text(), std::string("bound by memory latency"));
        QVERIFY2(limit->advice.starts_with("K-steps wait for loads of ") &&
                     limit->advice.ends_with(": 2 steps are in flight where 3 would hide them"),
                 limit->advice.c_str());
        // With as many steps as it names the run is bound by compute.
        engine::Experiment deeper = experiment;
        deeper.gemm.prefetch = 96;
        QCOMPARE(data::limitOf(deeper, attributed(deeper))->text(), std::string("bound by compute"));
    }

    void latencyBandwidthAndSlicesCountTogether() {
        const engine::Experiment experiment;  // DRAM sustains 750 MB in a millisecond
        const auto textOf = [&](const std::vector<std::pair<Cause, std::int64_t>>& times, std::int64_t bytes) {
            return data::limitOf(experiment, resultOf(times, bytes))->text();
        };
        const std::int64_t busy = 376'000'000, idle = 374'000'000;  // of 750 MB: more and less than half
        QCOMPARE(textOf({{Cause::compute, 40}, {Cause::latency, 21}, {Cause::memory, 20}}, idle),
                 std::string("bound by memory latency"));
        QCOMPARE(textOf({{Cause::compute, 90}, {Cause::latency, 6}, {Cause::memory, 4}}, idle),
                 std::string("bound by compute"));
        QCOMPARE(textOf({{Cause::compute, 90}, {Cause::latency, 6}, {Cause::memory, 5}}, idle),
                 std::string("bound by memory latency"));
        QCOMPARE(textOf({{Cause::compute, 90}, {Cause::latency, 5}, {Cause::cacheSlices, 6}}, idle),
                 std::string("bound by cache slices"));
        QCOMPARE(textOf({{Cause::compute, 90}, {Cause::memory, 60}}, busy), std::string("bound by compute"));
        QCOMPARE(textOf({{Cause::latency, 20}, {Cause::memory, 21}}, busy), std::string("bound by memory bandwidth"));
        QCOMPARE(textOf({{Cause::latency, 20}, {Cause::memory, 21}}, idle), std::string("bound by memory latency"));
        QCOMPARE(textOf({{Cause::latency, 21}, {Cause::memory, 20}, {Cause::cacheSlices, 22}}, busy),
                 std::string("bound by cache slices"));
        QCOMPARE(textOf({{Cause::link, 30}, {Cause::compute, 29}}, idle), std::string("bound by link"));
        QVERIFY(!data::limitOf(experiment, engine::RunResult{}));
    }

    void theDocumentDividesMemoryAndTheSixSumsStay() {
        const engine::RunResult result = attributed(gemmOn("nvidia-h100", "2048x2048x2048"));
        const data::ResultJson document = data::outcomeJson(result);
        const auto ps = [&](const char* group, const char* key) {
            return document[group].contains(key) ? document[group][key].get<std::int64_t>() : 0;
        };
        const char* detail = "attribution_detail_ps";
        QCOMPARE(ps("attribution_ps", "memory"), ps(detail, "memory_own") + ps(detail, "memory_contention"));
        QCOMPARE(ps(detail, "memory_own"), ps(detail, "memory_latency") + ps(detail, "memory_bandwidth") +
                                               ps(detail, "cache_slices") + ps(detail, "collective_kernel"));
        QVERIFY(ps(detail, "memory_latency") > 0 && ps(detail, "cache_slices") > 0);
    }
};

RINGSIDE_TEST(TestRunLimit)
#include "tst_run_limit.moc"
