// Measures the time from the start of the process to the finished example. The program opens its window, simulates
// T-NLG FC-2 on 8 GPUs under T3-MCA at standard detail and draws it. Then it waits a quarter of a second for the panels
// beside the picture, writes the window to a file and ends. A user does not wait for these last parts, so the result is
// an upper limit.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_start
//   build/release/tests/bin/bench_start
//
// Target: at most 1 s.

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

namespace {

void startToPicture(benchmark::State& state) {
    const QTemporaryDir folder;
    const QStringList arguments{QStringLiteral("--screenshot"), folder.filePath(QStringLiteral("picture.png")),
                                QStringLiteral("t-nlg/fc-2/tp8")};
    for ([[maybe_unused]] auto iteration : state) {
        QElapsedTimer wall;
        wall.start();
        QProcess process;
        process.start(QStringLiteral(RINGSIDE_PROGRAM), arguments);
        if (!process.waitForFinished() || process.exitCode() != 0)
            state.SkipWithError("the program did not write its picture");
        state.SetIterationTime(static_cast<double>(wall.nsecsElapsed()) * 1e-9);
    }
}

}  // namespace

BENCHMARK(startToPicture)->UseManualTime()->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
