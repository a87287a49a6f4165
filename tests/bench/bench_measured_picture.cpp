// Measures the picture of a measured trace of 500,000 spans at 1600x800: the first picture, from the trace that was read,
// and a step of zooming.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_measured_picture
//   QT_QPA_PLATFORM=offscreen build/release/tests/bin/bench_measured_picture
//
// Targets: 30 ms and 8 ms.

#include "tests/bench/measured_trace_sample.h"
#include "ui/measured/measured_picture.h"

#include <QApplication>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace {

ui::SharedMeasured halfAMillion() {
    constexpr std::int64_t kSpans = 500'000;
    std::vector<data::MeasuredTrace> traces;
    traces.push_back(tests::measuredTraceOf(kSpans));
    return ui::measuredSetOf(std::make_shared<const std::vector<data::MeasuredTrace>>(std::move(traces)), {});
}

void firstPicture(benchmark::State& state) {
    const ui::SharedMeasured set = halfAMillion();
    for ([[maybe_unused]] auto iteration : state) {
        ui::MeasuredPicture picture(false);
        picture.resize(1600, 800);
        picture.showSet(set);
        benchmark::DoNotOptimize(picture.grab());
    }
}
BENCHMARK(firstPicture)->Unit(benchmark::kMillisecond);

void zoomStep(benchmark::State& state) {
    ui::MeasuredPicture picture(false);
    picture.resize(1600, 800);
    picture.showSet(halfAMillion());
    picture.show();
    QApplication::processEvents();
    int step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        // In for a while, then out again, so that each step meets another width.
        constexpr int kSteps = 12;
        picture.zoomAt(800, step++ / kSteps % 2 == 0 ? 1.5 : 1 / 1.5);
        QApplication::processEvents();
    }
}
BENCHMARK(zoomStep)->Unit(benchmark::kMillisecond);

}  // namespace
