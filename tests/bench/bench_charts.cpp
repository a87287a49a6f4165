// Measures a chart of 1264x640: drawing the whole picture, as after new results, and a frame in which the mouse moves
// to another point. The argument is the number of points.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_charts
//   QT_QPA_PLATFORM=offscreen build/release/tests/bin/bench_charts
//
// Target: 30 ms a frame with 1,000 points, and 100,000 points must not freeze the window.

#include "tests/ui/sample_sweep.h"

#include "ui/charts/chart_canvas.h"
#include "ui/shared/sweep_state.h"

#include <QApplication>

#include <benchmark/benchmark.h>

namespace {

data::SweepAxis counted(const std::string& path, std::int64_t count) {
    std::vector<engine::ParameterValue> values;
    for (std::int64_t value = 1; value <= count; ++value)
        values.emplace_back(value * 1'000'000'000);
    return tests::axisOf(path, std::move(values));
}

/// Returns a table of two policies in which a tenth of the points failed or is missing.
std::shared_ptr<const data::SweepTable> tableOf(ui::ChartKind kind, std::int64_t count) {
    const std::int64_t places = count / 2;
    std::vector<data::SweepAxis> axes;
    if (kind == ui::ChartKind::lines) {
        axes = {counted("link.bandwidth", places)};
    } else {
        std::int64_t side = 1;
        while (side * side < places)
            ++side;
        axes = {counted("link.bandwidth", side), counted("memory.bandwidth", (places + side - 1) / side)};
    }
    data::SweepTable table = tests::sweepOver(std::move(axes), {"t3", "t3-mca"});
    for (std::size_t row = 0; row < table.rows.size(); row += 20) {
        tests::fail(table, row, "x");
        tests::forget(table, row + 7 < table.rows.size() ? row + 7 : row);
    }
    return tests::shared(std::move(table));
}

void picture(benchmark::State& state, ui::ChartKind kind) {
    ui::SweepState sweep;
    ui::ChartCanvas canvas(sweep);
    canvas.resize(1264, 640);
    canvas.setSettings({.kind = kind});
    const auto table = tableOf(kind, state.range(0));
    const auto same = std::make_shared<const data::SweepTable>(*table);
    canvas.show();
    QApplication::processEvents();
    bool turn = false;
    for ([[maybe_unused]] auto iteration : state) {
        sweep.setTable(turn ? table : same);
        turn = !turn;
        canvas.repaint();
    }
}

void hover(benchmark::State& state, ui::ChartKind kind) {
    ui::SweepState sweep;
    ui::ChartCanvas canvas(sweep);
    canvas.resize(1264, 640);
    canvas.setSettings({.kind = kind});
    sweep.setTable(tableOf(kind, state.range(0)));
    canvas.show();
    QApplication::processEvents();
    std::size_t row = 0;
    for ([[maybe_unused]] auto iteration : state) {
        row = (row + 37) % sweep.table()->rows.size();
        sweep.setHovered(row);
        canvas.repaint();
    }
}

}  // namespace

#define RINGSIDE_CHART_BENCH(kind)                                                                                     \
    BENCHMARK_CAPTURE(picture, kind, ui::ChartKind::kind)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);    \
    BENCHMARK_CAPTURE(hover, kind, ui::ChartKind::kind)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond)

RINGSIDE_CHART_BENCH(lines);
RINGSIDE_CHART_BENCH(groupedLines);
RINGSIDE_CHART_BENCH(heatMap);
RINGSIDE_CHART_BENCH(parallel);
RINGSIDE_CHART_BENCH(pareto);
RINGSIDE_CHART_BENCH(tornado);
