// Measures the time from a slider's movement to the painted picture; part of bench_window. The window has its default
// size and is idle. The slider of the link bandwidth moves by one position. T-NLG FC-2 on 8 GPUs under T3-MCA is
// simulated again with the baselines of its ratios, indexed, handed to the window, laid out and painted. Each of 50
// drags goes to a bandwidth that was not simulated before.
//
// sliderToPicture/standard: the slider moves by a key press, and the run has the default detail.
// sliderToPicture/interactive: the slider is held, and the run has interactive detail.
//
// Counters, in milliseconds: `median` and `p90` of all drags, and the medians of their parts: `edit` (the form takes
// the value and the run starts), `simulate` (the policy, its baselines and the attribution), `ready` (the index is
// built and the run is handed to the window's thread), `layout` (every view takes the run), `paint`. `repaints` counts
// the paint events of a drag, without the first event of each widget. `cpu` is the processor time of all threads for
// one drag and for the log that is built after it, in ms.
//
// Target: a median of at most 50 ms, on two cores.
//
// answerParts: the work of the worker thread after an edit, part by part on one thread.

#include "data/experiment/experiment_document.h"
#include "data/replay/run_log.h"
#include "data/replay/trace_index.h"
#include "engine/api/runner.h"
#include "tests/ui/window_parts.h"
#include "ui/editors/parameter_field.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPaintEvent>
#include <QSlider>
#include <QWidget>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int kDrags = 50;

double msSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double shareOf(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

double processorMs() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) * 1e-6;
}

data::ExperimentDraft draftAt(const std::string& detail) {
    data::ExperimentDraft draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    draft.explicitValues["detail.level"] = detail;
    return draft;
}

/// Counts paint events, and records when the first event reaches the window's thread after a simulation has ended.
class EventWatch final : public QObject {
public:
    EventWatch() { qApp->installEventFilter(this); }

    void begin() {
        m_paints.clear();
        simulated = 0;
        handedOver = 0;
        m_wall = std::chrono::steady_clock::now();
    }
    void noteSimulated() { simulated = msSince(m_wall); }
    double now() const { return msSince(m_wall); }
    int paints() const {
        int sum = 0;
        for (const auto& [widget, count] : m_paints)
            sum += count;
        return sum;
    }
    int repaints() const { return paints() - static_cast<int>(m_paints.size()); }
    const std::map<const QObject*, int>& byWidget() const { return m_paints; }

    std::atomic<double> simulated = 0;
    double handedOver = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && watched->isWidgetType())
            ++m_paints[watched];
        if (event->type() == QEvent::MetaCall && simulated > 0 && handedOver == 0)
            handedOver = now();
        return false;
    }

private:
    std::chrono::steady_clock::time_point m_wall;
    std::map<const QObject*, int> m_paints;
};

/// Counts the emissions of a signal, including those before wait() is called.
class Calls {
public:
    template <class Sender>
    Calls(Sender& sender, void (Sender::*signal)()) {
        QObject::connect(&sender, signal, &m_loop, [this] {
            ++m_calls;
            m_loop.quit();
        });
    }
    /// Waits until there is an emission that no earlier call of wait() has consumed.
    void wait() {
        while (m_calls <= m_waitedFor)
            m_loop.exec();
        ++m_waitedFor;
    }

private:
    QEventLoop m_loop;
    int m_calls = 0;
    int m_waitedFor = 0;
};

void sliderToPicture(benchmark::State& state, const std::string& detail, bool held) {
    EventWatch watch;
    ui::RingsideWindowConfig config;
    config.draft = draftAt(detail);
    config.runsWhileEditing = true;
    config.session.simulate = [&watch](const data::ExperimentDraft& draft, const engine::RunOptions& options) {
        engine::RunOptions o = options;
        if (getenv("ONE") && *getenv("ONE"))
            o.threads = 1;
        data::LaboratoryRun run = data::Laboratory().run(draft, o);
        watch.noteSimulated();
        return run;
    };
    ui::RingsideWindow window(std::move(config));
    window.resize(1600, 900);
    window.show();
    Calls settled(window.runs(), &ui::RunController::settled);
    Calls logged(window.logs(), &ui::RunLogBuilder::settled);
    settled.wait();
    logged.wait();
    QApplication::processEvents();
    auto* slider = window.findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"))->findChild<QSlider*>();
    slider->setSliderDown(held);
    const int middle = slider->value();
    std::map<std::string, std::vector<double>> parts;
    int moved = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const double processor = processorMs();
        watch.begin();
        slider->setValue(middle - kDrags / 2 + moved++);
        const double edited = watch.now();
        settled.wait();
        const double shown = watch.now();
        // The views have requested a repaint; the event loop now paints them.
        QApplication::processEvents();
        const double painted = watch.now();
        state.SetIterationTime(painted * 1e-3);
        if (watch.paints() == 0)
            state.SkipWithError("nothing was painted");
        parts["median"].push_back(painted);
        parts["edit"].push_back(edited);
        parts["simulate"].push_back(watch.simulated - edited);
        parts["ready"].push_back(watch.handedOver - watch.simulated);
        parts["layout"].push_back(shown - watch.handedOver);
        parts["paint"].push_back(painted - shown);
        parts["repaints"].push_back(watch.repaints());
        logged.wait();
        QApplication::processEvents();
        parts["cpu"].push_back(processorMs() - processor);
    }
    for (const auto& [name, values] : parts)
        state.counters[name] = shareOf(values, 0.5);
    state.counters["p90"] = shareOf(parts["median"], 0.9);
}

/// Measures each part of the work after an edit by itself, on one thread.
void answerParts(benchmark::State& state, const std::string& detail) {
    const engine::Experiment experiment = data::expand(draftAt(detail)).experiment;
    data::ExperimentDraft inOrder = draftAt(detail);
    inOrder.explicitValues["policy.preset"] = std::string(engine::name(engine::PolicyPreset::sequential));
    const engine::Experiment sequential = data::expand(inOrder).experiment;
    std::map<std::string, std::vector<double>> parts;
    const auto timed = [&parts](const char* name, const auto& part) {
        const auto begin = std::chrono::steady_clock::now();
        auto made = part();
        parts[name].push_back(msSince(begin));
        return made;
    };
    for ([[maybe_unused]] auto iteration : state) {
        const engine::RunResult own =
            timed("policy", [&] { return engine::run(experiment, {.recordTrace = true, .baselines = false}); });
        timed("policyCauses",
              [&] { return engine::run(experiment, {.recordTrace = true, .attribution = true, .baselines = false}); });
        timed("baselines", [&] { return engine::run(sequential, {}); });
        timed("index", [&] { return data::TraceIndex(own.trace); });
        timed("log", [&] { return std::make_unique<data::RunLog>(own.trace, experiment); });
    }
    for (const auto& [name, values] : parts)
        state.counters[name] = shareOf(values, 0.5);
}

}  // namespace

BENCHMARK_CAPTURE(sliderToPicture, standard, "standard", false)
    ->Iterations(kDrags)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderToPicture, interactive, "standard", true)
    ->Iterations(kDrags)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(answerParts, standard, "standard")->Iterations(15)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(answerParts, interactive, "interactive")->Iterations(15)->Unit(benchmark::kMillisecond);
