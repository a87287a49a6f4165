// From a slider's movement to the painted picture: the window is idle, the slider of the link's bandwidth is held and
// moves by one position, T-NLG FC-2 on 8 GPUs under T3-MCA is simulated again with all that a ratio needs, indexed,
// handed to the window, laid out and painted at 1600x900.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_window
//   QT_QPA_PLATFORM=offscreen build/release/tests/bin/bench_window
//
// Asked for: at most 50 ms at interactive detail, which is what a held slider asks for.

#include "ui/editors/parameter_field.h"
#include "ui/main_window.h"
#include "ui/shared/application_font.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSlider>

#include <benchmark/benchmark.h>

namespace {

void waitForRun(ui::MainWindow& window) {
    QEventLoop loop;
    QObject::connect(&window, &ui::MainWindow::runShown, &loop, &QEventLoop::quit);
    loop.exec();
}

void sliderToPicture(benchmark::State& state) {
    ui::MainWindowConfig config;
    config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    config.runsWhileEditing = true;
    ui::MainWindow window(std::move(config));
    window.resize(1600, 900);
    window.show();
    waitForRun(window);
    QApplication::processEvents();
    auto* slider = window.findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"))->findChild<QSlider*>();
    auto* timeline = window.findChild<ui::TimelineView*>(QStringLiteral("timeline"));
    slider->setSliderDown(true);
    const int middle = slider->value();
    int moved = 0;
    for ([[maybe_unused]] auto iteration : state) {
        QElapsedTimer wall;
        wall.start();
        slider->setValue(middle + (moved++ % 2 == 0 ? 1 : -1));
        waitForRun(window);
        timeline->viewport()->repaint();
        QApplication::processEvents();
        state.SetIterationTime(static_cast<double>(wall.nsecsElapsed()) * 1e-9);
    }
}

}  // namespace

BENCHMARK(sliderToPicture)->UseManualTime()->Unit(benchmark::kMillisecond);

int main(int count, char** values) {
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication application(count, values);
    if (!ui::loadApplicationFont(application))
        return 1;
    benchmark::Initialize(&count, values);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
