// Measures the tools for a run of a million spans: the route of a tile, statistics of an area, a search, and a frame of
// the timeline with these drawn, at 1600x900.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_selection
//   QT_QPA_PLATFORM=offscreen build/release/tests/bin/bench_selection
//
// Target: no stutter. Work on the window's thread takes less than a frame (16 ms). The index for statistics is built on
// another thread.

#include "tests/ui/sample_run.h"

#include "data/replay/span_matches.h"
#include "ui/find/span_query_text.h"
#include "ui/inspector/area_statistics.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>

#include <benchmark/benchmark.h>

namespace {

using data::Flow;
using data::SpanRef;

/// Returns a run in which each of the four GPUs is simulated.
const std::shared_ptr<const data::ShownRun>& millionSpans() {
    static const auto kRun =
        tests::simulated("t-nlg/fc-2/tp4", {"policy=t3-mca", "detail.level=standard", "detail.mode=full"});
    return kRun;
}

data::SpanRef someTransfer(const data::Flow& flow, std::uint32_t gpu) {
    const auto& lanes = flow.run().index->trace().lanes;
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
        if (lanes[lane].kind == engine::LaneKind::dma && lanes[lane].gpu == gpu)
            return {gpu, lane, static_cast<std::uint32_t>(lanes[lane].spans.size() / 2)};
    }
    return {};
}

void count(benchmark::State& state) {
    state.counters["spans"] = static_cast<double>(millionSpans()->index->trace().spanCount());
}

void firstWayOfATile(benchmark::State& state) {
    for ([[maybe_unused]] auto iteration : state) {
        const data::Flow flow(millionSpans());
        benchmark::DoNotOptimize(flow.chain(someTransfer(flow, 1)));
    }
    count(state);
}

void nextWayOfATile(benchmark::State& state) {
    const data::Flow flow(millionSpans());
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(flow.chain(someTransfer(flow, 1)));
    count(state);
}

void statisticsMade(benchmark::State& state) {
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(ui::StatisticsIndex(millionSpans()));
    count(state);
}

void statisticsOfAnArea(benchmark::State& state) {
    const ui::StatisticsIndex index(millionSpans());
    const std::int64_t end = millionSpans()->index->trace().end.ps;
    std::int64_t from = 0;
    for ([[maybe_unused]] auto iteration : state) {
        from = (from + 7'919'000) % (end / 2);
        benchmark::DoNotOptimize(index.of({{from, from + end / 2}, 0, 3}));
    }
    count(state);
}

void searched(benchmark::State& state, const char* words) {
    const auto flow = std::make_shared<const data::Flow>(millionSpans());
    const data::SpanQuery query = *ui::readSpanQuery(QString::fromLatin1(words)).query;
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(data::SpanMatches(flow, query).count());
    count(state);
}

void frame(benchmark::State& state, bool selects, const char* words) {
    ui::ViewState viewState;
    ui::Bookmarks bookmarks;
    ui::Measures measures;
    ui::TimelineView view(viewState);
    view.resize(1600, 900);
    ui::TimelineTools tools(viewState, bookmarks, measures, view);
    const auto flow = std::make_shared<const data::Flow>(millionSpans());
    viewState.setRunEnd(millionSpans()->index->trace().end.ps);
    view.showModel(ui::TimelineModel(millionSpans()));
    tools.showRun(flow);
    view.show();
    QApplication::processEvents();
    if (selects)
        viewState.selectSpan(someTransfer(*flow, 1));
    if (words != nullptr)
        tools.showMatches(
            std::make_shared<const data::SpanMatches>(flow, *ui::readSpanQuery(QString::fromLatin1(words)).query));
    for ([[maybe_unused]] auto iteration : state)
        view.viewport()->repaint();
    count(state);
}

}  // namespace

BENCHMARK(firstWayOfATile)->Unit(benchmark::kMillisecond);
BENCHMARK(nextWayOfATile)->Unit(benchmark::kMillisecond);
BENCHMARK(statisticsMade)->Unit(benchmark::kMillisecond);
BENCHMARK(statisticsOfAnArea)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searched, tile, "tile 312")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searched, loads, "load")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, nothing, false, nullptr)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, selection, true, nullptr)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame, matches, false, "packet")->Unit(benchmark::kMillisecond);
