// Measures one run of the engine: T-NLG FC-2 on 8 GPUs under each policy, mirrored, one thread, without the isolated
// and sequential runs that a ratio needs.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_engine
//   build/release/tests/bin/bench_engine
//
// Targets on two cores: a full ring of 8 GPUs (T-NLG) in at most 150 ms and of 32 (MT-NLG) in at most 1 s; two threads
// at least 1.4 times one for the ring of 8 and 1.8 times for many runs; fitted exponents of cost in GPUs and in tiles
// of at most 1.1; a trace for at most 30 % more.
//
// "events/s" counts the events of the policy's own run. Target: T3-MCA in at most 15 ms at standard and 5 ms at
// interactive detail, 20 million events a second.
//
// "times sequential" compares the events of a run whose collective takes the output of the GEMM part by part with those
// of `sequential`. Target: at most 1.3 for `chunked` and `signals` (measured at standard detail: 1.04 and 0.99), and at
// most 2 for 1,024 pieces (0.97).

#include "engine/api/trace.h"
#include "engine/record/critical_path.h"
#include "tests/engine/experiments.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace {

using engine::DetailLevel;
using engine::PolicyPreset;

/// Reports the events of all iterations.
void countEvents(benchmark::State& state, std::int64_t events) {
    state.counters["events"] = static_cast<double>(events) / static_cast<double>(state.iterations());
    state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

void engineRun(benchmark::State& state, PolicyPreset policy, DetailLevel level) {
    engine::Experiment experiment = tests::tNlgFc2(policy, level);
    experiment.detail.mode = engine::DetailMode::mirrored;
    std::int64_t events = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const engine::RunResult result = tests::runAlone(experiment);
        benchmark::DoNotOptimize(result.last.time.total);
        events += result.events;
    }
    countEvents(state, events);
}

/// Measures a run in which a collective kernel takes the output of the GEMM part by part. `pieces`: the kernels as which
/// the GEMM is launched; 0: one for each chunk.
void runInPieces(benchmark::State& state, PolicyPreset policy, DetailLevel level, std::int64_t pieces) {
    engine::Experiment experiment = tests::tNlgFc2(policy, level);
    if (pieces > 0)
        experiment.policy.pieces = pieces;
    if (policy == PolicyPreset::chunkedDma) {
        experiment.collective.algorithm = engine::CollectiveAlgorithm::direct;
        experiment.topology.kind = engine::TopologyKind::fullyConnected;
    }
    engine::Experiment before = experiment;
    engine::applyPolicyPreset(before, PolicyPreset::sequential);
    const std::int64_t sequential = tests::runAlone(before).events;
    std::int64_t events = 0;
    for ([[maybe_unused]] auto iteration : state)
        events += tests::runAlone(experiment).events;
    countEvents(state, events);
    state.counters["times sequential"] = state.counters["events"].value / static_cast<double>(sequential);
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

/// Measures a run with attribution and without a trace.
void attributedRun(benchmark::State& state, DetailLevel level) {
    const engine::Experiment experiment = tests::tNlgFc2(PolicyPreset::t3Mca, level);
    engine::RunOptions options;
    options.baselines = false;
    options.attribution = true;
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(engine::run(experiment, options).attribution->causes.total());
}

/// Measures critical path and attribution of a finished run. Target: a full ring at standard detail in at most 100 ms.
void criticalPath(benchmark::State& state, PolicyPreset policy, DetailLevel level, engine::DetailMode mode) {
    engine::Experiment experiment = tests::tNlgFc2(policy, level);
    experiment.detail.mode = mode;
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    const auto trace = engine::run(experiment, options).trace;
    for ([[maybe_unused]] auto iteration : state) {
        const engine::CriticalPath path = engine::criticalPathOf(*trace, experiment);
        benchmark::DoNotOptimize(engine::attributionOf(path, trace->gpus).causes.total());
    }
    state.counters["spans"] = static_cast<double>(trace->spanCount());
}

engine::Experiment fullRingOf(const tests::PublishedCase& published, DetailLevel level) {
    engine::Experiment experiment = tests::experimentOf(published, PolicyPreset::t3Mca, level);
    experiment.detail.mode = engine::DetailMode::full;
    return experiment;
}

/// Measures a run that simulates every GPU of a ring. The argument is the number of threads.
void fullRing(benchmark::State& state, const tests::PublishedCase& published, DetailLevel level) {
    const engine::Experiment experiment = fullRingOf(published, level);
    for ([[maybe_unused]] auto iteration : state) {
        const engine::RunResult result = tests::runAlone(experiment, static_cast<int>(state.range(0)));
        benchmark::DoNotOptimize(result.last.time.total);
    }
}

/// Measures sixty runs at interactive detail side by side. The argument is the number of threads.
void manyRuns(benchmark::State& state) {
    constexpr int kRuns = 60;
    std::vector<engine::Experiment> experiments(kRuns, tests::tNlgFc2(PolicyPreset::t3Mca, DetailLevel::interactive));
    for (int i = 0; i < kRuns; ++i)
        experiments[static_cast<std::size_t>(i)].link.bandwidth.bytesPerSecond += 1'000'000'000L * i;
    engine::RunManyOptions options;
    options.threads = static_cast<int>(state.range(0));
    options.each.baselines = false;
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(engine::runMany(experiments, options).size());
    state.counters["runs/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * kRuns, benchmark::Counter::kIsRate);
}

/// Measures the time from a stop request to the return of runMany, in the middle of sixty standard runs. Target: 200
/// ms.
void cancelManyRuns(benchmark::State& state) {
    const std::vector<engine::Experiment> experiments(60, tests::tNlgFc2(PolicyPreset::t3Mca));
    for ([[maybe_unused]] auto iteration : state) {
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::jthread hand([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        engine::RunManyOptions options;
        options.threads = static_cast<int>(state.range(0));
        options.stop = stop.get_token();
        const auto outcomes = engine::runMany(experiments, options);
        const auto returned = std::chrono::steady_clock::now();
        hand.join();
        state.SetIterationTime(std::chrono::duration<double>(returned - asked).count());
        benchmark::DoNotOptimize(outcomes.size());
    }
}

/// Returns the slope of log(seconds) over log(size) by least squares: 1 is linear cost.
double exponent(const std::vector<std::pair<double, double>>& sizesAndSeconds) {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(sizesAndSeconds.size());
    for (const auto& [size, seconds] : sizesAndSeconds) {
        x += std::log(size);
        y += std::log(seconds);
        xx += std::log(size) * std::log(size);
        xy += std::log(size) * std::log(seconds);
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

double secondsOf(const engine::Experiment& experiment) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i)
        best = std::min(best, static_cast<double>(tests::runAlone(experiment).wallNs) * 1e-9);
    return best;
}

/// Measures how the cost grows with the number of GPUs: full rings of 2 to 64 GPUs, with the same work for each GPU.
void costInGpus(benchmark::State& state) {
    for ([[maybe_unused]] auto iteration : state) {
        std::vector<std::pair<double, double>> points;
        for (const std::int64_t gpus : {2, 4, 8, 16, 32, 64}) {
            engine::Experiment ring =
                fullRingOf({"ring", engine::SubLayer::op, 4096, 4, gpus, 1}, DetailLevel::interactive);
            points.emplace_back(static_cast<double>(gpus), secondsOf(ring));
        }
        state.counters["exponent"] = exponent(points);
    }
}

/// Measures how the cost grows with the number of tiles: outputs of 4096 to 65536 rows.
void costInTiles(benchmark::State& state) {
    for ([[maybe_unused]] auto iteration : state) {
        std::vector<std::pair<double, double>> points;
        for (const std::int64_t batch : {4, 8, 16, 32, 64}) {
            const engine::Experiment experiment = tests::experimentOf(
                {"tiles", engine::SubLayer::fc2, 4096, batch, 8, 4}, PolicyPreset::t3Mca, DetailLevel::interactive);
            points.emplace_back(static_cast<double>(batch), secondsOf(experiment));
        }
        state.counters["exponent"] = exponent(points);
    }
}

const tests::PublishedCase kTNlg{"t-nlg/fc-2/tp8", engine::SubLayer::fc2, 4256, 8, 8, 4};
const tests::PublishedCase kMtNlg{"mt-nlg/fc-2/tp32", engine::SubLayer::fc2, 20480, 2, 32, 4};
const tests::PublishedCase kPalm{"palm/fc-2/tp32", engine::SubLayer::fc2, 18432, 2, 32, 4};

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
BENCHMARK_CAPTURE(runInPieces, chunked_interactive, PolicyPreset::chunked, DetailLevel::interactive, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runInPieces, chunked_standard, PolicyPreset::chunked, DetailLevel::standard, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runInPieces, chunked_1024_pieces_standard, PolicyPreset::chunked, DetailLevel::standard, 1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runInPieces, chunked_dma_interactive, PolicyPreset::chunkedDma, DetailLevel::interactive, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runInPieces, signals_interactive, PolicyPreset::signals, DetailLevel::interactive, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runInPieces, signals_standard, PolicyPreset::signals, DetailLevel::standard, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(tracedRun)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attributedRun, interactive, DetailLevel::interactive)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(attributedRun, standard, DetailLevel::standard)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(criticalPath, t3_mca_interactive, PolicyPreset::t3Mca, DetailLevel::interactive,
                  engine::DetailMode::mirrored)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(criticalPath, t3_mca_standard, PolicyPreset::t3Mca, DetailLevel::standard,
                  engine::DetailMode::mirrored)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(criticalPath, t3_mca_8_gpus_standard, PolicyPreset::t3Mca, DetailLevel::standard,
                  engine::DetailMode::full)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(criticalPath, sequential_8_gpus_standard, PolicyPreset::sequential, DetailLevel::standard,
                  engine::DetailMode::full)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(criticalPath, t3_mca_fine, PolicyPreset::t3Mca, DetailLevel::fine, engine::DetailMode::mirrored)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fullRing, t_nlg_8_gpus_standard, kTNlg, DetailLevel::standard)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(fullRing, mt_nlg_32_gpus_standard, kMtNlg, DetailLevel::standard)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(fullRing, palm_32_gpus_interactive, kPalm, DetailLevel::interactive)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(manyRuns)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(cancelManyRuns)->Arg(1)->Arg(2)->UseManualTime()->Iterations(10)->Unit(benchmark::kMillisecond);
BENCHMARK(costInGpus)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(costInTiles)->Iterations(1)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
