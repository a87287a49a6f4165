// Measures the window, in milliseconds.
//
// sliderToPicture and answerParts: bench_slider.cpp.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_window
//   QT_QPA_PLATFORM=offscreen build/release/tests/bin/bench_window
//
// timelineFrame/SPANS/ZOOM: one frame while panning at ZOOM-fold zoom, 1600x900 points, GPU 0 open with all its
// details; the visible part is built and painted. Target: at most 8 ms at a million spans. Also run it with
// QT_SCALE_FACTOR=2.
// timelinePinned: the same with the outlines of a pinned run of as many spans, with the whole run visible.
// timelinePlayback: a frame in which only the time cursor moves.
// traceIndex: the index that the worker thread builds after a run.
// ribbonFrame/STEPS: one frame of the ribbon over a critical path of STEPS steps, while panning, 1264 wide. Target:
// less than 5 ms at a million steps. editToMemory, editToMessages: from an edit of the form to the painted page of the
// Model view, GPT-3 over 8 pipeline stages. Target: at most 50 ms.
// editToStep/PARAMETER: the same to the painted timetable of the page Step, 64 micro-batches. Target: at most 50 ms.
// stepFrame/ZOOM: one frame of the page Step while panning over 65,536 passes. Target: at most 16 ms.
// operatorsPage: layout and painting of the page Operators, for a training step of GPT-3 whose policy has changed.
// Target: at most 50 ms.
// reasonLinks: the links between the steps of a critical path, which the first hover or click builds.
//
// playback/PICTURE: a frame of playback in the whole window, 1920x1080, T-NLG FC-2 on 8 GPUs under T3-MCA. The cursor
// moves by 1/300 of the run, and everything that depends on it is computed and painted. `mirrored`: whether one
// simulated GPU stands for all. beside_PICTURE has the timeline beneath the picture; compare_2 and compare_3 show runs
// beneath each other. `fps` is the resulting frame rate. Target: at least 30 with QT_SCALE_FACTOR=2, which gives
// 3840x2160 pixels.

#include "data/model/model_step.h"
#include "tests/small_model.h"
#include "tests/ui/sample_path.h"
#include "tests/ui/synthetic_trace.h"
#include "tests/ui/window_parts.h"
#include "ui/model/step_canvas.h"
#include "ui/model/step_page.h"
#include "ui/ringside_window.h"
#include "ui/shared/player.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/timeline_view.h"
#include "ui/why/ribbon_view.h"

#include <QApplication>
#include <QEventLoop>

#include <benchmark/benchmark.h>

#include <memory>

namespace {

void waitForRun(ui::RingsideWindow& window) {
    QEventLoop loop;
    QObject::connect(&window.runs(), &ui::RunController::settled, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Returns a window with GPT-3 on 8 stages and 64 micro-batches. Runs of the sub-layer do not start.
std::unique_ptr<ui::RingsideWindow> windowOfPipeline() {
    ui::RingsideWindowConfig config;
    config.draft.explicitValues = {{"workload.model", std::string("gpt-3")},
                                   {"machine", std::string("nvidia-h100")},
                                   {"parallel.tp", std::int64_t{8}},
                                   {"division.pp", std::int64_t{8}},
                                   {"division.microbatches", std::int64_t{64}},
                                   {"detail.level", std::string("interactive")}};
    config.runsWhileEditing = false;
    auto window = std::make_unique<ui::RingsideWindow>(std::move(config));
    window->resize(1600, 900);
    window->show();
    waitForRun(*window);
    return window;
}

/// Measures from an edit of the division to the painted page of the Model view.
void editToPage(benchmark::State& state, const QString& page) {
    const auto shownWindow = windowOfPipeline();
    ui::RingsideWindow& window = *shownWindow;
    window.workbench().views().showView(QStringLiteral("model/") + page);
    QApplication::processEvents();
    ui::ModelPage& shown = window.model().view().currentPage();
    const engine::Parameter& replicas = *engine::findParameter("division.dp");
    int edits = 0;
    for ([[maybe_unused]] auto iteration : state) {
        window.experiment().setText(replicas, QString::number(2 + edits++ % 8));
        shown.repaint();
        QApplication::processEvents();
    }
}

/// An edit of the step: a parameter and the values that it takes in turn.
struct StepEdit {
    const char* path;
    std::vector<const char*> values;
};

/// Measures from an edit of the step to its painted timetable, GPT-3 over 8 stages with 64 micro-batches. Each value is
/// shown once before, so that nothing is simulated; the pause after an edit is part of the time.
void editToStep(benchmark::State& state, const StepEdit& edit) {
    const auto shownWindow = windowOfPipeline();
    ui::RingsideWindow& window = *shownWindow;
    window.workbench().views().showView(QStringLiteral("model/step"));
    ui::ModelView& view = window.model().view();
    QEventLoop shown;
    QObject::connect(&view, &ui::ModelView::modelShown, &shown, &QEventLoop::quit);
    if (!view.step().isAnswered())
        shown.exec();
    const engine::Parameter& parameter = *engine::findParameter(edit.path);
    std::size_t edits = 0;
    const auto change = [&] {
        window.experiment().setText(parameter, QString::fromLatin1(edit.values[edits++ % edit.values.size()]));
        shown.exec();
        view.step().canvas().repaint();
        QApplication::processEvents();
    };
    for (std::size_t i = 0; i < edit.values.size(); ++i)
        change();
    for ([[maybe_unused]] auto iteration : state)
        change();
}

/// Measures a frame of the page Step while panning: 64 stages and 512 micro-batches, 65,536 passes.
void stepFrame(benchmark::State& state) {
    engine::Experiment base = tests::smallModel();
    base.workload.layers = 64;
    base.division.pp = 64;
    base.division.microbatches = 512;
    const auto run = std::make_shared<const data::ModelRun>(
        data::modelRun(base, {.policies = {engine::PolicyPreset::sequential}, .threads = 2}));
    const auto step = std::make_shared<const data::ModelStep>(data::stepOf(*run, run->policies.front()));
    ui::StepCanvas canvas;
    canvas.resize(1600, 900);
    canvas.showSteps({{QStringLiteral("1F1B"), step}}, run, nullptr, std::nullopt);
    canvas.show();
    QApplication::processEvents();
    const std::int64_t span = step->timetable.makespan / state.range(0);
    std::int64_t moves = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const std::int64_t shift = span / 200 * (moves++ % 40 + 1);
        canvas.setRange({shift, shift + span - span / 4});
        canvas.repaint();
    }
    state.counters["passes"] = static_cast<double>(step->plan.passes.size());
}

/// Measures the page Operators of a training step: layout and painting of its roofline plot, bars, texts and table.
void operatorsPage(benchmark::State& state) {
    ui::RingsideWindowConfig config;
    config.draft.explicitValues = {{"workload.model", std::string("gpt-3")},
                                   {"parallel.tp", std::int64_t{8}},
                                   {"operators.attention", std::string("separate")},
                                   {"detail.level", std::string("interactive")}};
    config.runsWhileEditing = false;
    ui::RingsideWindow window(std::move(config));
    window.resize(1600, 900);
    window.show();
    waitForRun(window);
    ui::ModelView& view = window.model().view();
    QEventLoop timed;
    QObject::connect(&view, &ui::ModelView::modelShown, &timed, &QEventLoop::quit);
    window.workbench().views().showView(QStringLiteral("model/operators"));
    if (!view.shown())
        timed.exec();
    QApplication::processEvents();
    int changes = 0;
    for ([[maybe_unused]] auto iteration : state) {
        view.setPolicy(changes++ % 2 == 0 ? engine::PolicyPreset::sequential : engine::PolicyPreset::t3Mca);
        view.currentPage().repaint();
        QApplication::processEvents();
    }
    state.counters["operators"] = static_cast<double>(view.shown()->graph.operators.size());
}

void editToMemory(benchmark::State& state) { editToPage(state, QStringLiteral("memory")); }
void editToMessages(benchmark::State& state) { editToPage(state, QStringLiteral("messages")); }

// A timeline without a window, with every lane of GPU 0 open, so that all kinds of rows are drawn.
class LoneTimeline {
public:
    explicit LoneTimeline(std::size_t spans) : m_view(m_viewState) {
        ui::TimelineModel model(tests::syntheticRun(spans));
        m_viewState.setRunEnd(model.end());
        m_view.resize(1600, 900);
        m_view.show();
        m_view.showModel(std::move(model));
        ui::LaneArrangement open;
        open.opened = {{0, ui::RowKind::waves}, {0, ui::RowKind::link}, {0, ui::RowKind::dram}};
        m_view.lanes().setArrangement(open);
        QApplication::processEvents();
    }
    ~LoneTimeline() { m_view.removeOverlay(m_ghost); }
    LoneTimeline(const LoneTimeline&) = delete;
    LoneTimeline& operator=(const LoneTimeline&) = delete;

    void pin(std::size_t spans) {
        m_ghost.setPinned(tests::syntheticRun(spans));
        m_view.addOverlay(m_ghost);
    }
    ui::ViewState& viewState() { return m_viewState; }
    void paint() { m_view.viewport()->repaint(); }

private:
    ui::ViewState m_viewState;
    ui::GhostOverlay m_ghost;
    ui::TimelineView m_view;
};

void timelineFrame(benchmark::State& state) {
    LoneTimeline timeline(static_cast<std::size_t>(state.range(0)));
    const std::int64_t span = timeline.viewState().runEnd() / state.range(1);
    const std::int64_t first = (timeline.viewState().runEnd() - span) / 3;
    std::int64_t step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        // With the whole run visible there is no room to pan, so a little less than the whole run is shown.
        const std::int64_t shift = span / 200 * (step++ % 40 + 1);
        timeline.viewState().setRange({first + shift, first + shift + span - span / 4});
        timeline.paint();
    }
}

void timelinePinned(benchmark::State& state) {
    LoneTimeline timeline(static_cast<std::size_t>(state.range(0)));
    timeline.pin(static_cast<std::size_t>(state.range(0)));
    const std::int64_t end = timeline.viewState().runEnd();
    std::int64_t step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        timeline.viewState().setRange({end / 200 * (step++ % 40 + 1), end});
        timeline.paint();
    }
}

void timelinePlayback(benchmark::State& state) {
    LoneTimeline timeline(static_cast<std::size_t>(state.range(0)));
    std::int64_t step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        timeline.viewState().setCursor(timeline.viewState().runEnd() / 1'000 * (++step % 1'000));
        timeline.paint();
    }
}

void traceIndex(benchmark::State& state) {
    const auto trace = tests::syntheticTrace(static_cast<std::size_t>(state.range(0)));
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(data::TraceIndex(trace));
}

/// The picture that the window shows during playback.
struct PlayedPicture {
    const char* name = "timeline";  ///< the name of a picture of the run; empty: the view Compare
    bool beside = false;            ///< with the timeline beneath the picture
    int compared = 0;               ///< number of compared runs
    bool presented = false;         ///< in presenter mode, which has larger type and no panels
};

void showPlayed(ui::RingsideWindow& window, const PlayedPicture& played) {
    if (played.presented) {
        window.workbench().presenter().set(true);
        window.setWindowState(Qt::WindowNoState);  // no screen of this size is needed
        window.resize(1920, 1080);
    }
    if (played.compared == 0) {
        window.workbench().pictures().showView(QString::fromLatin1(played.name));
        window.workbench().pictures().setBeside(played.beside);
        return;
    }
    std::vector<std::string> policies{"t3-mca", "t3"};
    if (played.compared > 2)
        policies.emplace_back("sequential");
    QEventLoop shown;
    QObject::connect(&window.compare().view(), &ui::CompareView::compareShown, &shown, &QEventLoop::quit);
    window.compare().compareWith(policies);
    while (window.compare().view().rowCount() != policies.size() || !window.compare().view().comparison().isComplete())
        shown.exec();
}

/// Counts how often a window has painted its changes.
class PaintedFrames final : public QObject {
public:
    explicit PaintedFrames(QWidget& window) { window.installEventFilter(this); }
    int count() const { return m_count; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        m_count += event->type() == QEvent::UpdateRequest ? 1 : 0;
        return false;
    }

private:
    int m_count = 0;
};

void playback(benchmark::State& state, const PlayedPicture& played) {
    constexpr int kFrames = 300;
    ui::RingsideWindowConfig config;
    config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    config.draft.explicitValues["detail.mode"] = std::string(state.range(0) != 0 ? "mirrored" : "full");
    config.size = QSize(1920, 1080);
    ui::RingsideWindow window(std::move(config));
    window.resize(1920, 1080);
    window.show();
    QEventLoop log;
    QObject::connect(&window.logs(), &ui::RunLogBuilder::settled, &log, &QEventLoop::quit);
    log.exec();
    showPlayed(window, played);
    QApplication::processEvents();
    const std::int64_t end = window.player().end();
    const PaintedFrames painted(window);
    std::int64_t frame = 0;
    for ([[maybe_unused]] auto iteration : state) {
        window.player().seek(end * (frame++ % kFrames + 1) / kFrames);
        QApplication::processEvents();
    }
    state.counters["painted"] = static_cast<double>(painted.count()) / static_cast<double>(frame);
    state.counters["fps"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}

void mirroredAndNot(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgName("mirrored")->Arg(1)->Arg(0)->Iterations(300)->UseRealTime()->Unit(benchmark::kMillisecond);
}

std::shared_ptr<const data::Flow> pathOf(std::size_t steps) {
    return tests::flowOf(tests::runOf(tests::chainTrace(), tests::randomPath(steps, 4)));
}

void ribbonFrame(benchmark::State& state) {
    const auto chain = std::make_shared<const ui::ReasonChain>(pathOf(static_cast<std::size_t>(state.range(0))));
    ui::ViewState viewState;
    ui::RibbonView ribbon(viewState);
    ribbon.resize(1264, ribbon.sizeHint().height());
    ribbon.setExtent(150, 1100);
    ribbon.showRun(chain);
    viewState.setRunEnd(chain->causes().end());
    ribbon.show();
    QApplication::processEvents();
    std::int64_t step = 0;
    for ([[maybe_unused]] auto iteration : state) {
        viewState.setRange({viewState.runEnd() / 200 * (step++ % 40 + 1), viewState.runEnd()});
        ribbon.repaint();
    }
}

void reasonLinks(benchmark::State& state) {
    const auto flow = pathOf(static_cast<std::size_t>(state.range(0)));
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(ui::ReasonChain(flow).links().size());
}

}  // namespace

BENCHMARK(ribbonFrame)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(reasonLinks)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(timelineFrame)
    ->ArgsProduct({{10'000, 100'000, 1'000'000}, {1, 10, 100, 10'000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(timelinePinned)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(timelinePlayback)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(traceIndex)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(editToMemory)->Unit(benchmark::kMillisecond);
BENCHMARK(editToMessages)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(editToStep, dp, StepEdit{"division.dp", {"2", "4", "8"}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(editToStep, schedule, StepEdit{"division.schedule", {"all-forward", "zb-h1", "1f1b"}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(editToStep, bucket, StepEdit{"division.bucket", {"1e7", "4e7", "1e12"}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(editToStep, lookahead, StepEdit{"step.lookahead", {"2", "unlimited", "1"}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(stepFrame)->Arg(1)->Arg(10)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(operatorsPage)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(playback, timeline, PlayedPicture{})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, machine, PlayedPicture{"machine"})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, chunks, PlayedPicture{"chunks"})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, tracker, PlayedPicture{"tracker"})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, inside, PlayedPicture{"inside"})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, split, PlayedPicture{"split"})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, beside_inside, PlayedPicture{"inside", true})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, beside_machine, PlayedPicture{"machine", true})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, beside_chunks, PlayedPicture{"chunks", true})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, beside_tracker, PlayedPicture{"tracker", true})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, compare_2, PlayedPicture{"", false, 2})->Apply(mirroredAndNot);
BENCHMARK_CAPTURE(playback, compare_3, PlayedPicture{"", false, 3})->Apply(mirroredAndNot);
