// Measures a frame of playback in each view of the machine. The cursor moves by 1/600 of the run, as when the whole run
// plays in ten seconds; the states are computed and the view is painted at 1264x640. The arguments are the number of
// GPUs and the detail: 0 interactive, 1 standard, 2 fine. The counter `spans` is the number of spans in the trace, up
// to 3.7 million.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_views
//   QT_QPA_PLATFORM=offscreen build/release/tests/bin/bench_views
//
// Target: 60 frames a second with 8 GPUs, 30 with 32.

#include "ui/chunks/chunk_view.h"
#include "ui/inside/inside_view.h"
#include "ui/machine/machine_view.h"
#include "ui/memory/memory_view.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"
#include "ui/split/split_view.h"
#include "ui/tracker/tracker_view.h"

#include <QApplication>

#include <benchmark/benchmark.h>

#include <array>
#include <map>
#include <memory>

namespace {

std::shared_ptr<const data::ShownRun> runOf(std::int64_t gpus, std::int64_t detail) {
    static std::map<std::pair<std::int64_t, std::int64_t>, std::shared_ptr<const data::ShownRun>> kept;
    auto& run = kept[{gpus, detail}];
    if (run)
        return run;
    static constexpr std::array kDetails{"interactive", "standard", "fine"};
    auto draft = data::openDraft("t-nlg/fc-2/tp" + std::to_string(gpus)).draft;
    draft.explicitValues["detail.level"] = std::string(kDetails[static_cast<std::size_t>(detail)]);
    engine::RunOptions options;
    options.recordTrace = true;
    options.baselines = false;
    auto shown = std::make_shared<data::ShownRun>();
    shown->run = data::Laboratory().run(draft, options);
    shown->index.emplace(shown->run.result.trace);
    run = shown;
    return run;
}

template <class View>
void frame(benchmark::State& state) {
    const auto run = runOf(state.range(0), state.range(1));
    ui::ViewState viewState;
    ui::RingMoment moment(viewState);
    View view(viewState, moment);
    viewState.setRunEnd(run->run.result.last.time.total.ps);
    moment.showRun(run);
    moment.showLog(std::make_shared<data::RunLog>(run->run.result.trace, run->run.experiment));
    view.resize(1264, 640);
    view.show();
    QApplication::processEvents();
    std::int64_t step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        step = (step + 1) % 600;
        viewState.setCursor(viewState.runEnd() * step / 600);
        QApplication::processEvents();
    }
    state.counters["spans"] = static_cast<double>(run->run.result.trace->spanCount());
}

// Measures zooming in a picture with a time axis, which builds its strips over time again.
template <class View>
void zoom(benchmark::State& state) {
    const auto run = runOf(state.range(0), state.range(1));
    ui::ViewState viewState;
    ui::RingMoment moment(viewState);
    View view(viewState, moment);
    viewState.setRunEnd(run->run.result.last.time.total.ps);
    moment.showRun(run);
    moment.showLog(std::make_shared<data::RunLog>(run->run.result.trace, run->run.experiment));
    view.resize(1264, 640);
    view.show();
    QApplication::processEvents();
    std::int64_t step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        step = (step + 1) % 100;
        viewState.setRange({viewState.runEnd() * step / 200, viewState.runEnd() * (step + 50) / 200});
        QApplication::processEvents();
    }
}

void gpusAndDetails(benchmark::internal::Benchmark* benchmark) {
    for (const std::int64_t detail : {0, 1, 2})
        benchmark->Args({8, detail});
    benchmark->Args({32, 0})->Args({32, 1})->Unit(benchmark::kMillisecond);
}

}  // namespace

BENCHMARK(frame<ui::MachineView>)->Apply(gpusAndDetails);
BENCHMARK(frame<ui::ChunkView>)->Apply(gpusAndDetails);
BENCHMARK(frame<ui::SplitView>)->Apply(gpusAndDetails);
BENCHMARK(frame<ui::InsideView>)->Apply(gpusAndDetails);
BENCHMARK(frame<ui::TrackerView>)->Apply(gpusAndDetails);
BENCHMARK(frame<ui::MemoryView>)->Apply(gpusAndDetails);
BENCHMARK(zoom<ui::ChunkView>)->Apply(gpusAndDetails);
BENCHMARK(zoom<ui::MemoryView>)->Apply(gpusAndDetails);
