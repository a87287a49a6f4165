// How long one engine run takes: T-NLG FC-2 on 8 GPUs under each policy, mirrored, one thread, without the isolated
// and sequential runs that a ratio needs.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_engine
//   build/release/tests/bin/bench_engine
//
// "events/s" counts the events of the policy's own run. Asked for: T3-MCA in at most 40 ms at standard and 15 ms at
// interactive detail, 8 million events a second.

#include "engine/api/trace.h"
#include "tests/engine/experiments.h"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

using engine::DetailLevel;
using engine::PolicyPreset;

void engineRun(benchmark::State& state, PolicyPreset policy, DetailLevel level) {
    engine::Experiment experiment = tests::tNlgFc2(policy, level);
    experiment.detail.mode = engine::DetailMode::mirrored;
    std::int64_t events = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const engine::RunResult result = tests::runAlone(experiment);
        benchmark::DoNotOptimize(result.last.time.total);
        events += result.events;
    }
    state.counters["events"] = static_cast<double>(events) / static_cast<double>(state.iterations());
    state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

void tracedRun(benchmark::State& state) {
    const engine::Experiment experiment = tests::tNlgFc2(PolicyPreset::t3Mca);
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    for ([[maybe_unused]] auto iteration : state) {
        const engine::RunResult result = engine::run(experiment, options);
        benchmark::DoNotOptimize(result.trace->lanes.size());
    }
}

/// All 32 GPUs of the one published case whose chunks are not whole columns of tiles.
void fullRing(benchmark::State& state) {
    engine::Experiment experiment = tests::experimentOf({"palm/fc-2/tp32", engine::SubLayer::fc2, 18432, 2, 32, 4},
                                                        PolicyPreset::t3Mca, DetailLevel::interactive);
    experiment.detail.mode = engine::DetailMode::full;
    for ([[maybe_unused]] auto iteration : state) {
        const engine::RunResult result = tests::runAlone(experiment, static_cast<int>(state.range(0)));
        benchmark::DoNotOptimize(result.last.time.total);
    }
}

}  // namespace

BENCHMARK_CAPTURE(engineRun, sequential_interactive, PolicyPreset::sequential, DetailLevel::interactive)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engineRun, t3_interactive, PolicyPreset::t3, DetailLevel::interactive)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engineRun, t3_mca_interactive, PolicyPreset::t3Mca, DetailLevel::interactive)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engineRun, sequential_standard, PolicyPreset::sequential, DetailLevel::standard)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engineRun, t3_standard, PolicyPreset::t3, DetailLevel::standard)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engineRun, t3_mca_standard, PolicyPreset::t3Mca, DetailLevel::standard)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engineRun, t3_mca_fine, PolicyPreset::t3Mca, DetailLevel::fine)->Unit(benchmark::kMillisecond);
BENCHMARK(tracedRun)->Unit(benchmark::kMillisecond);
BENCHMARK(fullRing)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK_MAIN();
