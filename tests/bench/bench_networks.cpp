// Times what a network and a log of measured collectives cost before anything is simulated: reading the text, the
// operators and messages of a grid, and a long log. Targets: 10 ms for the longest text, 5 ms for AlexNet's messages, 5 s
// for 1,000 grids, 200 ms for a log of 100,000 lines.

#include "data/collectives/collective_log.h"
#include "data/experiment/experiment_document.h"
#include "data/model/model_point.h"
#include "engine/api/messages.h"
#include "engine/api/operator_graph.h"
#include "engine/workload/network_text.h"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>

namespace {

constexpr std::size_t kLongestNetwork = 65'536;

/// Returns AlexNet on 512 GPUs as a grid of `rows`.
engine::Experiment gridOf(std::int64_t rows) {
    data::ExperimentDraft draft;
    draft.explicitValues = {{"workload.model", std::string("alexnet")},
                            {"workload.symbols", std::string("conv=samples")},
                            {"parallel.tp", rows},
                            {"division.dp", 512 / rows},
                            {"workload.batch", 4 * rows}};
    return data::wholeModelOf(draft);
}

std::string longest() {
    std::string text;
    for (int i = 0; text.size() + 32 < kLongestNetwork; ++i)
        text += "a" + std::to_string(i) + ": gemm b 64 (8+8)*4\n";
    return text;
}

void longestText(benchmark::State& state) {
    const std::string text = longest();
    for (auto _ : state)
        benchmark::DoNotOptimize(engine::readNetwork(text));
}

/// The same with the sizes of all operators.
void longestTextChecked(benchmark::State& state) {
    engine::Experiment experiment = gridOf(1);
    experiment.workload.network = longest();
    experiment.workload.symbols = "none";
    for (auto _ : state)
        benchmark::DoNotOptimize(engine::operatorGraphProblems(experiment, engine::ModelPhase::training));
}

void messagesOfAlexNet(benchmark::State& state) {
    const engine::Experiment experiment = gridOf(32);
    for (auto _ : state)
        benchmark::DoNotOptimize(engine::messagesOf(experiment, engine::ModelPhase::training));
}

void thousandGrids(benchmark::State& state) {
    for (auto _ : state) {
        for (int i = 0; i < 1000; ++i)
            benchmark::DoNotOptimize(
                data::divisionPointOf(gridOf(std::int64_t{1} << (i % 7)), engine::ModelPhase::training));
    }
}

void logOfHundredThousandLines(benchmark::State& state) {
    constexpr int kLines = 100'000;
    std::string log =
        "#  Rank  0\n#  Rank  1\n# all_reduce_perf\n#       size count type redop root time algbw busbw\n";
    for (int i = 1; i <= kLines; ++i)
        log += std::to_string(4 * i) + " " + std::to_string(i) + " float sum -1 21.40 0.10 0.10 0 21.10 0.10 0.10 0\n";
    for (auto _ : state) {
        engine::Problems problems;
        benchmark::DoNotOptimize(data::measuredLines(data::readCollectiveLog(log, "log", {}).times, problems));
    }
}

}  // namespace

BENCHMARK(longestText)->Unit(benchmark::kMillisecond);
BENCHMARK(longestTextChecked)->Unit(benchmark::kMillisecond);
BENCHMARK(messagesOfAlexNet)->Unit(benchmark::kMillisecond);
BENCHMARK(thousandGrids)->Unit(benchmark::kMillisecond);
BENCHMARK(logOfHundredThousandLines)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
