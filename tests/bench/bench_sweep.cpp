// Measures a sweep of 1,000 points: T-NLG's FC-2 on 8 GPUs, interactive detail, mirrored, at 250 places, each under
// sequential, T3, T3-MCA and ideal overlap.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_sweep
//   build/release/tests/bin/bench_sweep
//
// Also measures a saw-tooth: a GEMM of 4096 x N x 4096 at 512 widths up to 65,536, with a fixed tile and with the best
// tile of the list, for which the points share their trial runs. Target: at most 5 s on two threads with a fixed tile.
//
// Target: at most 8 s on two cores with the store, which takes at most 3 % of that; two threads at least 1.8 times as
// fast as one. `shared`: the block size of the DMA engine is one of the axes, so that five places share their
// baselines; `apart`: no two places share baselines. Counters: baseline runs simulated and reused, and the processor
// time of the writing thread (opening, looking up, naming, serialising, SQLite) as a share of all processor time.

#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"
#include "engine/api/baselines.h"
#include "engine/api/runner.h"

#include <benchmark/benchmark.h>

#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

data::SweepAxis axisOf(const std::string& path, const std::vector<std::int64_t>& values) {
    data::AxisColumn column{path, {}, {}};
    column.values.assign(values.begin(), values.end());
    return {{column}};
}

std::vector<std::int64_t> spread(std::int64_t from, std::int64_t step, std::int64_t count) {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(from + i * step);
    return values;
}

data::SweepPlan planWith(const data::SweepAxis& third) {
    constexpr std::int64_t kGiga = 1'000'000'000;
    data::Sweep sweep;
    sweep.base.explicitValues = {{"workload.model", std::string("t-nlg")},
                                 {"workload.sublayer", std::string("fc-2")},
                                 {"parallel.tp", std::int64_t{8}},
                                 {"detail.level", std::string("interactive")},
                                 {"detail.mode", std::string("mirrored")}};
    sweep.axes = {axisOf("link.bandwidth", spread(60 * kGiga, 20 * kGiga, 10)),
                  axisOf("memory.bandwidth", spread(800 * kGiga, 100 * kGiga, 5)), third};
    sweep.policies = {"sequential", "t3", "t3-mca", "ideal-overlap"};
    sweep.metrics = {"speedup_over_sequential"};
    return data::planOf(sweep);
}

data::SweepPlan sawTooth(const char* choice) {
    data::Sweep sweep;
    sweep.base.explicitValues = {{"workload.sublayer", std::string("gemm")},
                                 {"matrix.m", std::int64_t{4096}},
                                 {"matrix.k", std::int64_t{4096}},
                                 {"tiles.choice", std::string(choice)},
                                 {"detail.level", std::string("interactive")}};
    sweep.axes = {axisOf("matrix.n", spread(128, 128, 512))};
    sweep.policies = {"sequential"};
    sweep.metrics = {"gemm.flops_per_second"};
    return data::planOf(sweep);
}

const data::SweepPlan& planNamed(const std::string& name) {
    if (name.starts_with("saw_tooth")) {
        static const data::SweepPlan fixed = sawTooth("fixed"), best = sawTooth("best");
        return name == "saw_tooth" ? fixed : best;
    }
    static const data::SweepPlan shared = planWith(axisOf("dma.block_tiles", {1, 2, 4, 8, 16}));
    static const data::SweepPlan apart = planWith(axisOf("cu.clock", spread(1'200'000'000, 100'000'000, 5)));
    return name == "shared" ? shared : apart;
}

double cpuSeconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void withStore(benchmark::State& state, const std::string& name) {
    const data::SweepPlan& plan = planNamed(name);
    const auto path = std::filesystem::temp_directory_path() / ("bench_sweep" + std::to_string(getpid()) + ".sqlite");
    data::SweepOptions options;
    options.threads = static_cast<int>(state.range(0));
    data::SweepSummary summary;
    double writing = 0, all = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const double writingBefore = cpuSeconds(CLOCK_THREAD_CPUTIME_ID), before = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
        summary = data::runSweep(plan, path, options);
        writing += cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - writingBefore;
        all += cpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - before;
        state.PauseTiming();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(path.string() + suffix);
        state.ResumeTiming();
    }
    if (summary.ran != plan.points.size())
        state.SkipWithError("not every point has a result");
    state.counters["points/s"] =
        benchmark::Counter(static_cast<double>(plan.points.size()), benchmark::Counter::kIsIterationInvariantRate);
    state.counters["simulated"] = static_cast<double>(summary.baselineRuns);
    state.counters["reused"] = static_cast<double>(summary.baselineHits);
    state.counters["cpu s"] = all / static_cast<double>(state.iterations());
    state.counters["writer %"] = 100 * writing / all;
}

void withoutStore(benchmark::State& state, const std::string& name) {
    const data::SweepPlan& plan = planNamed(name);
    std::vector<engine::Experiment> experiments;
    for (const data::SweepPoint& point : plan.points)
        experiments.push_back(plan.details(point).experiment);
    double all = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const double before = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
        engine::RunManyOptions options;
        options.threads = static_cast<int>(state.range(0));
        options.keepOutcomes = false;
        options.each.baselineCache = std::make_shared<engine::BaselineCache>();
        engine::runMany(experiments, options);
        all += cpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - before;
    }
    state.counters["cpu s"] = all / static_cast<double>(state.iterations());
}

/// Measures the summary that is shown before a sweep starts, for a sweep of which every point is missing.
void outlook(benchmark::State& state) {
    const data::SweepPlan& plan = planNamed("shared");
    std::chrono::nanoseconds estimate{};
    for ([[maybe_unused]] auto iteration : state)
        estimate = data::outlookOf(plan, "/nowhere.sqlite", 2).estimate;
    state.counters["estimate s"] = std::chrono::duration<double>(estimate).count();
}

/// Measures the plan of a sweep: the list of its points with their hashes.
void planning(benchmark::State& state) {
    const data::Sweep& sweep = planNamed("shared").sweep;
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(data::planOf(sweep).points.size());
}

#define RINGSIDE_SWEEP(function, name)                                                                                 \
    BENCHMARK_CAPTURE(function, name, #name)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond)

RINGSIDE_SWEEP(withStore, shared);
RINGSIDE_SWEEP(withoutStore, shared);
RINGSIDE_SWEEP(withStore, saw_tooth);
RINGSIDE_SWEEP(withStore, saw_tooth_best);
RINGSIDE_SWEEP(withStore, apart);
RINGSIDE_SWEEP(withoutStore, apart);
BENCHMARK(outlook)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(planning)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
