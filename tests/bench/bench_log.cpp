// Measures the log of a run: building it, finding the state of every GPU at a moment, and stepping through it.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_log
//   build/release/tests/bin/bench_log
//
// Target: the state at any instant within 5 ms, of all GPUs of the ring at once.

#include "data/replay/run_log.h"
#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "ui/shared/breakpoint_search.h"

#include <benchmark/benchmark.h>

#include <ctime>
#include <map>
#include <random>
#include <string>

namespace {

using engine::DetailLevel;
using engine::DetailMode;
using engine::PolicyPreset;

const tests::PublishedCase kTNlg{"t-nlg/fc-2/tp8", engine::SubLayer::fc2, 4256, 8, 8, 4};
const tests::PublishedCase kMtNlg{"mt-nlg/fc-2/tp32", engine::SubLayer::fc2, 20480, 2, 32, 4};

struct Case {
    tests::PublishedCase published;
    PolicyPreset policy;
    DetailMode mode;
};

struct Run {
    engine::Experiment experiment;
    std::shared_ptr<const engine::Trace> trace;
    std::unique_ptr<data::RunLog> log;
};

// Returns a run. Each run is simulated once, however many benchmarks use it.
const Run& runOf(const Case& wanted) {
    static std::map<std::string, Run> runs;
    const std::string key = wanted.published.name + std::to_string(static_cast<int>(wanted.policy)) +
                            std::to_string(static_cast<int>(wanted.mode));
    const auto found = runs.find(key);
    if (found != runs.end())
        return found->second;
    Run run;
    run.experiment = tests::experimentOf(wanted.published, wanted.policy, DetailLevel::standard);
    run.experiment.detail.mode = wanted.mode;
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    run.trace = engine::run(run.experiment, options).trace;
    run.log = std::make_unique<data::RunLog>(run.trace, run.experiment);
    return runs.emplace(key, std::move(run)).first->second;
}

void build(benchmark::State& state, const Case& wanted) {
    const Run& run = runOf(wanted);
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(data::RunLog(run.trace, run.experiment).eventCount());
    state.counters["events"] = static_cast<double>(run.log->eventCount());
}

// Returns the processor time of this thread. With wall time, the slowest of thousands of steps would only show when the
// machine was busy with something else.
double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Measures jumps to random moments: the mean, and the slowest of them.
void seek(benchmark::State& state, const Case& wanted) {
    const data::RunLog& log = *runOf(wanted).log;
    std::mt19937 random(1);
    std::uniform_int_distribution<std::int64_t> moment(0, log.end().ps);
    double worst = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const double begin = processorSeconds();
        benchmark::DoNotOptimize(log.statesAt(log.positionAt(moment(random))));
        const double took = processorSeconds() - begin;
        state.SetIterationTime(took);
        worst = std::max(worst, took);
    }
    state.counters["worst_ms"] = worst * 1e3;
}

void stepBack(benchmark::State& state, const Case& wanted) {
    const data::RunLog& log = *runOf(wanted).log;
    data::Position at = log.end();
    for ([[maybe_unused]] auto iteration : state) {
        at = log.previous(at, data::StepKind::event).value_or(log.end());
        benchmark::DoNotOptimize(log.stateOf(0, at));
    }
}

void findBreakpoint(benchmark::State& state, const Case& wanted) {
    const data::RunLog& log = *runOf(wanted).log;
    const ui::Breakpoint anyEntry{ui::BreakCondition::entryFull, std::nullopt, std::nullopt, true};
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(ui::hitsOf(log, anyEntry).size());
}

const Case kMirrored{kTNlg, PolicyPreset::t3Mca, DetailMode::automatic};
const Case kSequential{kTNlg, PolicyPreset::sequential, DetailMode::automatic};
const Case kMirrored32{kMtNlg, PolicyPreset::t3Mca, DetailMode::automatic};
const Case kFull{kTNlg, PolicyPreset::t3Mca, DetailMode::full};
const Case kFull32{kMtNlg, PolicyPreset::t3Mca, DetailMode::full};

}  // namespace

#define RINGSIDE_LOG_BENCHMARKS(name, wanted)                                                                          \
    BENCHMARK_CAPTURE(build, name, wanted)->Unit(benchmark::kMillisecond);                                             \
    BENCHMARK_CAPTURE(seek, name, wanted)->Unit(benchmark::kMillisecond)->UseManualTime();                             \
    BENCHMARK_CAPTURE(stepBack, name, wanted)->Unit(benchmark::kMillisecond);                                          \
    BENCHMARK_CAPTURE(findBreakpoint, name, wanted)->Unit(benchmark::kMillisecond)

RINGSIDE_LOG_BENCHMARKS(t_nlg_8_gpus, kMirrored);
RINGSIDE_LOG_BENCHMARKS(t_nlg_8_gpus_sequential, kSequential);
RINGSIDE_LOG_BENCHMARKS(mt_nlg_32_gpus, kMirrored32);
RINGSIDE_LOG_BENCHMARKS(t_nlg_8_gpus_all_simulated, kFull);
RINGSIDE_LOG_BENCHMARKS(mt_nlg_32_gpus_all_simulated, kFull32);

BENCHMARK_MAIN();
