// Measures the computations about divisions of a model: footprint with messages, the search for divisions, advice on
// sizes, and the evaluations that use them.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_division
//   build/release/tests/bin/bench_division
//
// Target: at most 5 ms for a footprint with messages, graph included; at most 1 s for 10,000 divisions. The counter
// `s_per_10000` is the second of these: the time of the search, scaled to 10,000 divisions. At most 1 s for each
// evaluation that is computed without simulation. At most 3 s for the advice on a model, on two threads.

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/experiment/experiment_document.h"
#include "data/questions/divisions.h"
#include "data/questions/model_advice.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

namespace {

/// Returns an experiment of a whole model with its published sizes and these values.
engine::Experiment wholeModel(const std::string& model, data::Settings settings) {
    settings.emplace("workload.model", model);
    settings.emplace("machine", std::string("nvidia-h100"));
    return data::expand({settings}).experiment;
}

void footprintWithMessages(benchmark::State& state, const std::string& model) {
    const engine::Experiment experiment = wholeModel(model, {{"parallel.tp", std::int64_t{8}},
                                                             {"division.pp", state.range(0)},
                                                             {"division.dp", std::int64_t{8}},
                                                             {"division.interleave", state.range(1)},
                                                             {"division.microbatches", std::int64_t{960}},
                                                             {"operators.recompute", std::string("layer")}});
    for (auto _ : state) {
        benchmark::DoNotOptimize(engine::footprintOf(experiment, engine::ModelPhase::training));
        benchmark::DoNotOptimize(engine::messagesOf(experiment, engine::ModelPhase::training));
    }
}

void searchDivisions(benchmark::State& state, const std::string& model, std::int64_t gpus, std::int64_t sequences) {
    data::DivisionsQuestion question;
    question.base = wholeModel(model, {{"node.gpus", std::int64_t{64}},
                                       {"collective.operation", std::string("reduce-scatter")},
                                       {"operators.attention", std::string("separate")}});
    question.gpus = gpus;
    question.sequences = sequences;
    std::size_t rows = 0, rounds = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (auto _ : state) {
        rows = data::divisionsOf(question).rows.size();
        ++rounds;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    constexpr double kAsked = 10'000;
    state.counters["divisions"] = static_cast<double>(rows);
    state.counters["s_per_10000"] = taken.count() / static_cast<double>(rounds) * kAsked / static_cast<double>(rows);
}

/// Measures the advice on GPT-2 XL's sizes with as many rules broken as possible.
void adviseOnSizes(benchmark::State& state) {
    const data::AdviceQuestion question{wholeModel("gpt-3", {{"workload.hidden", std::int64_t{1600}},
                                                             {"workload.heads", std::int64_t{25}},
                                                             {"workload.layers", std::int64_t{48}},
                                                             {"workload.batch", std::int64_t{4}},
                                                             {"workload.sequence", std::int64_t{1000}},
                                                             {"parallel.tp", std::int64_t{8}},
                                                             {"policy.preset", std::string("sequential")},
                                                             {"detail.level", std::string("interactive")}})};
    data::AdviceOptions options;
    options.threads = static_cast<int>(state.range(0));
    std::size_t broken = 0;
    for (auto _ : state)
        broken = data::modelAdviceOf(question, options).brokenRules();
    state.counters["broken_rules"] = static_cast<double>(broken);
}

void reproduceEvaluation(benchmark::State& state, const data::Evaluation& evaluation) {
    for (auto _ : state)
        benchmark::DoNotOptimize(data::reproduce(evaluation, data::ReproduceOptions{}));
}

}  // namespace

int main(int argc, char** argv) {
    for (const std::string model : {"gpt-3", "mt-nlg"}) {
        benchmark::RegisterBenchmark(("footprint-with-messages/" + model).c_str(),
                                     [model](benchmark::State& state) { footprintWithMessages(state, model); })
            ->Args({1, 1})
            ->Args({8, 1})
            ->Args({8, 3})
            ->Unit(benchmark::kMillisecond);
    }
    struct Search {
        const char* model;
        std::int64_t gpus, sequences;
    };
    for (const Search& search :
         {Search{"gpt-3", 512, 1536}, Search{"gpt-3", 9216, 18432}, Search{"mt-nlg", 6720, 40320}}) {
        benchmark::RegisterBenchmark(
            ("divisions/" + std::string(search.model) + "/" + std::to_string(search.gpus)).c_str(),
            [search](benchmark::State& state) { searchDivisions(state, search.model, search.gpus, search.sequences); })
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("advise/gpt-2-xl", adviseOnSizes)
        ->Arg(1)
        ->Arg(2)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    for (const char* name : {"zero", "messages", "activations"}) {
        benchmark::RegisterBenchmark(("reproduce/" + std::string(name)).c_str(), reproduceEvaluation,
                                     *data::findEvaluation(name))
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
