// Measures timetables: a large pipeline, a large loop, and the step of a divided model whose operators are timed already.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_timetable
//   build/release/tests/bin/bench_timetable
//
// Targets: 65,536 passes (64 stages, 512 micro-batches) in 100 ms, 1,000,000 tasks in 2 s.

#include "data/experiment/experiment_document.h"
#include "data/model/model_step.h"
#include "engine/api/pipeline.h"
#include "engine/api/timetable.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace {

constexpr std::int64_t kStages = 64, kMicrobatches = 512;

void pipeline(benchmark::State& state) {
    const engine::TaskGraph graph = engine::pipelineTasks({kStages, kMicrobatches, 1}, {10, 20, 0, 1});
    for (auto _ : state)
        benchmark::DoNotOptimize(engine::timetableOf(graph));
    state.counters["tasks"] = static_cast<double>(graph.tasks.size());
}
BENCHMARK(pipeline)->Unit(benchmark::kMillisecond);

/// A million tasks on 16 cores, half of which wait for their predecessor on another core.
void loop(benchmark::State& state) {
    constexpr std::int64_t kIterations = 500'000, kCores = 16;
    const engine::TaskGraph graph = engine::loopTasks({"cores", kCores, kIterations, {{false, 100}, {true, 5}}, 10});
    for (auto _ : state)
        benchmark::DoNotOptimize(engine::timetableOf(graph));
    state.counters["tasks"] = static_cast<double>(graph.tasks.size());
}
BENCHMARK(loop)->Unit(benchmark::kMillisecond);

/// From the times of the operators to the timetable with all its parts, without a simulation.
void step(benchmark::State& state, std::int64_t stages, std::int64_t microbatches, std::int64_t replicas) {
    data::ExperimentDraft draft;
    draft.explicitValues = {{"workload.model", std::string("gpt-3")},
                            {"parallel.tp", std::int64_t{8}},
                            {"division.pp", stages},
                            {"division.microbatches", microbatches},
                            {"division.dp", replicas},
                            {"detail.level", std::string("interactive")}};
    const data::ModelRun run =
        data::modelRun(data::expand(draft).experiment, {.policies = {engine::PolicyPreset::t3Mca}});
    for (auto _ : state)
        benchmark::DoNotOptimize(data::stepOf(run, run.policies.front()));
}
BENCHMARK_CAPTURE(step, 8x64, 8, 64, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, 64x512, 64, 512, 8)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
