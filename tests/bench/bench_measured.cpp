// Measures measured traces: reading 100 MB of text, packed and not, and the report of a million spans.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_measured
//   build/release/tests/bin/bench_measured
//
// Targets on two cores: 100 MB of text in 1.5 s, 3 s at most; a report of a million spans in 0.5 s; 64 bytes for each
// kept span. The counter `MB/s` counts text, unpacked.

#include "data/measured/measured_report.h"
#include "data/measured/trace_reading.h"
#include "tests/bench/measured_trace_sample.h"
#include "tests/data/kineto_text.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

/// A trace as the profiler writes it with stacks: most events are frames of Python.
std::string traceText(std::size_t bytes) {
    constexpr std::int64_t kUs = 1'000;
    constexpr int kFrames = 12;
    tests::KinetoText trace;
    trace.shift(1'698'765'432'000'000);
    constexpr std::size_t kOfRound = 4'000;  // bytes, nearly
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(bytes / kOfRound); ++i) {
        const std::int64_t at = i * 20 * kUs;
        for (int frame = 0; frame < kFrames; ++frame)
            trace.python(at + frame, kUs);
        trace.op("aten::mm", at, 9 * kUs, i + 1,
                 {{"Input Dims", "[[4096, 1024], [1024, " + std::to_string(4096 + i % 50 * 64) + "]]"},
                  {"Input type", R"(["c10::BFloat16", "c10::BFloat16"])"}});
        trace.launch(at + kUs, i + 5, i + 1);
        trace.kernel("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize2x1x1", at + 4 * kUs,
                     15'125,
                     tests::correlated(i + 5, {{"External id", std::to_string(i + 1)},
                                               {"registers per thread", "168"},
                                               {"shared memory", "200000"},
                                               {"grid", "[132, 1, 1]"},
                                               {"block", "[384, 1, 1]"}}));
    }
    return trace.text();
}

void read(benchmark::State& state, bool isPacked) {
    constexpr std::size_t kText = 100'000'000;
    std::string text = traceText(kText);
    const auto size = static_cast<double>(text.size());
    if (isPacked)
        text = tests::packed(text);
    std::size_t spans = 0;
    for (auto _ : state)
        spans = data::readMeasuredTrace(data::bytesOfText(text), "trace.json").trace.spans.size();
    state.counters["spans"] = static_cast<double>(spans);
    state.counters["MB"] = size / 1e6;
    state.counters["MB/s"] = benchmark::Counter(size / 1e6, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(read, text, false)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read, gzip, true)->Unit(benchmark::kMillisecond)->UseRealTime();

void report(benchmark::State& state) {
    const std::vector<data::MeasuredTrace> traces{tests::measuredTraceOf(1'000'000)};
    for (auto _ : state)
        benchmark::DoNotOptimize(data::measuredReportOf(traces));
    state.counters["bytes/span"] = sizeof(data::MeasuredSpan);
}
BENCHMARK(report)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
