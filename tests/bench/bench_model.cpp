// Measures whole models: each bundled model at its largest published degree, a training step, a prompt (prefill) and a
// token (decode), under sequential, T3, T3-MCA and ideal overlap at interactive detail.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_model
//   build/release/tests/bin/bench_model
//
// Target: at most 1 s on two threads. Counters: how many sub-layers and GEMMs were simulated, and how many operators
// got their times from them.

#include "data/experiment/experiment_document.h"
#include "data/model/model_run.h"
#include "data/presets/presets.h"

#include <benchmark/benchmark.h>

#include <string>

namespace {

void wholeModel(benchmark::State& state, const data::Preset& preset, engine::ModelPhase phase, int threads) {
    data::ExperimentDraft draft;
    draft.explicitValues = {{"workload.model", preset.name},
                            {"parallel.tp", preset.tps.empty() ? std::int64_t{8} : preset.tps.back()},
                            {"detail.level", std::string("interactive")}};
    const engine::Experiment experiment = data::expand(draft).experiment;
    data::ModelRunOptions options;
    options.phase = phase;
    options.threads = threads;
    data::ModelRun run;
    for (auto _ : state)
        benchmark::DoNotOptimize(run = data::modelRun(experiment, options));
    state.counters["sub-layers"] = static_cast<double>(run.simulatedRuns);
    state.counters["GEMMs"] = static_cast<double>(run.simulatedGemms);
    state.counters["operators"] = static_cast<double>(run.operatorsTimed);
}

}  // namespace

int main(int argc, char** argv) {
    using enum engine::ModelPhase;
    for (const data::Preset& preset : data::models()) {
        for (const engine::ModelPhase phase : {training, prompt, generation}) {
            if (phase == generation && preset.settings.contains("workload.network"))
                continue;  // a network generates no tokens
            for (const int threads : {1, 2}) {
                const std::string name =
                    preset.name + "/" + std::string(engine::name(phase)) + "/threads:" + std::to_string(threads);
                benchmark::RegisterBenchmark(
                    name.c_str(),
                    [&preset, phase, threads](benchmark::State& state) { wholeModel(state, preset, phase, threads); })
                    ->Unit(benchmark::kMillisecond)
                    ->UseRealTime();
            }
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
