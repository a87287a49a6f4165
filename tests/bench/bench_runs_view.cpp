// Measures the table of runs with 100,000 runs, in milliseconds.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_runs_view
//   QT_QPA_PLATFORM=offscreen build/release/tests/bin/bench_runs_view
//
// snapshot: a new snapshot replaces the one before, while a run is selected and the list is scrolled down.
// sortBy…: a click on a column's heading. Target: at most 100 ms.
// filterBy…: the list is filtered after a pause in typing. Target: too short to be noticed.
// scroll: a frame while the page-down key is held, at 1000x800. Target: at most 16 ms. Also run it with
// QT_SCALE_FACTOR=2.

#include "tests/ui/kept_runs.h"
#include "ui/look/palette.h"
#include "ui/runs/runs_table.h"

#include <QApplication>
#include <QScrollBar>

#include <benchmark/benchmark.h>

namespace {

constexpr std::size_t kRuns = 100'000;
const std::vector<std::string> kColumns{"time_ps.total", "speedup_over_sequential", "time_ps.exposed_communication",
                                        "link.bandwidth", "policy.preset"};

data::CatalogueValue valueOf(std::size_t row, std::size_t column) {
    const auto scattered = static_cast<double>(row * 7'919 % 100'003);
    switch (column) {
    case 0: return 2e9 + scattered * 1e4;
    case 1: return 1 + scattered / 2e5;
    case 2: return 4e8 + scattered * 1e3;
    case 3: return 1e9 * static_cast<double>(50 + row % 300);
    default: return std::string(row % 2 == 0 ? "t3-mca" : "sequential");
    }
}

struct Bench {
    ui::RunsModel model;
    ui::RunsTable table{model};
    std::shared_ptr<const ui::CatalogueSnapshot> snapshot = tests::snapshotOf(kRuns, kColumns, valueOf);

    Bench() {
        table.resize(1'000, 800);
        table.show();
        table.rearrange([this](ui::RunList& list) { list.setSnapshot(snapshot); });
        QApplication::processEvents();
    }
    void filter(const char* text) {
        std::string problem;
        auto read = data::RunFilter::parse(text, problem);
        table.rearrange([&read](ui::RunList& list) { list.setFilter(std::move(read)); });
    }
};

void snapshot(benchmark::State& state) {
    Bench bench;
    bench.table.selectIds({50'000, 50'001, 60'000});
    bench.table.verticalScrollBar()->setValue(50'000);
    const auto other = std::make_shared<const ui::CatalogueSnapshot>(*bench.snapshot);
    bool first = false;
    for ([[maybe_unused]] auto iteration : state) {
        first = !first;
        bench.table.rearrange([&](ui::RunList& list) { list.setSnapshot(first ? other : bench.snapshot); });
        bench.table.viewport()->repaint();
    }
}

void sortBy(benchmark::State& state, const char* path) {
    Bench bench;
    bool descending = false;
    for ([[maybe_unused]] auto iteration : state) {
        descending = !descending;
        bench.table.rearrange([&](ui::RunList& list) { list.sortBy(path, descending); });
        bench.table.viewport()->repaint();
    }
}

void filterBy(benchmark::State& state, const char* text) {
    Bench bench;
    for ([[maybe_unused]] auto iteration : state) {
        bench.filter(text);
        bench.table.viewport()->repaint();
    }
    state.counters["left"] = static_cast<double>(bench.model.rowCount());
}

void scroll(benchmark::State& state) {
    Bench bench;
    QScrollBar* bar = bench.table.verticalScrollBar();
    int at = 0;
    for ([[maybe_unused]] auto iteration : state) {
        at = (at + 31) % (bar->maximum() - 1);
        bar->setValue(at);
        QApplication::processEvents();
        bench.table.viewport()->repaint();
    }
}

BENCHMARK(snapshot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sortBy, number, "time_ps.total")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sortBy, word, "name")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filterBy, word, "mca")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filterBy, words, "tp16 sequential nothing")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filterBy, comparisons, "link.bandwidth>=100GB/s time_ps.total<2.5ms")->Unit(benchmark::kMillisecond);
BENCHMARK(scroll)->Unit(benchmark::kMillisecond);

}  // namespace
