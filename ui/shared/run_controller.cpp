#include "ui/shared/run_controller.h"

#include "data/laboratory/work_progress.h"
#include "ui/shared/experiment_model.h"

#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr qint64 kLongRunMs = 1'000;

}  // namespace

RunController::RunController(ExperimentModel& experiment, const RunSessionConfig& config, QObject* parent)
    : QObject(parent), m_experiment(experiment), m_catalogue(config.storePath), m_session(config) {
    connect(&m_session, &RunSession::runStarted, this, [this] {
        m_runTime.start();
        if (m_asked)
            setShowsRunning(true);
        Q_EMIT started();
        Q_EMIT stateChanged();
    });
    connect(&m_session, &RunSession::progressChanged, this, &RunController::reportProgress);
    connect(&m_session, &RunSession::runFinished, this, &RunController::show);
    connect(&m_session, &RunSession::runStopped, this, [this] {
        dropAwaited();
        setShowsRunning(false);
        Q_EMIT stateChanged();
        Q_EMIT stopped();
        Q_EMIT runEnded();
    });
    connect(&m_session, &RunSession::runFailed, this, [this](const RunFailure& failure) {
        dropAwaited();
        setShowsRunning(false);
        Q_EMIT stateChanged();
        Q_EMIT runEnded();
        Q_EMIT failed(failure.text);
    });
    connect(&m_session, &RunSession::runToKeep, &m_catalogue, &CatalogueSession::keep);
    m_catalogue.prepare();
}

void RunController::setShowsRunning(bool shows) {
    if (std::exchange(m_showsRunning, shows) != shows)
        Q_EMIT showsRunningChanged(shows);
}

void RunController::reportProgress(double fraction) {
    const qint64 elapsed = m_runTime.elapsed();
    const bool isLong = elapsed >= kLongRunMs;
    if (isLong)
        setShowsRunning(true);
    QString left;
    if (const auto seconds = data::secondsLeft(static_cast<double>(elapsed) / 1000, fraction))
        left = tr("%1 s left").arg(static_cast<int>(std::ceil(*seconds)));
    Q_EMIT progressed(fraction, left, isLong);
}

bool RunController::differs() const {
    return m_shown && !(m_experiment.isRunnable() && isShown(m_experiment.expansion().experiment));
}

bool RunController::isShown(const engine::Experiment& experiment) const {
    return m_shown && m_shown->run.experiment == experiment;
}

bool RunController::isStale() const {
    const bool answered =
        m_followsEdits && m_experiment.isRunnable() && (isRunning() || (m_shown && m_shown->preview && m_dragging));
    return differs() && !answered;
}

bool RunController::isAnswering() const {
    return m_experiment.isRunnable() && isRunning() && m_requested == m_experiment.expansion().experiment;
}

void RunController::request(const engine::Experiment& experiment, bool asked) {
    m_asked = asked;
    m_requested = experiment;
}

void RunController::run() {
    Q_EMIT pictureRequested();
    runInPlace();
}

void RunController::runInPlace() {
    Q_EMIT commitRequested();
    if (!m_experiment.isRunnable()) {
        Q_EMIT refused(m_experiment.firstProblem());
        return;
    }
    Q_EMIT accepted();
    m_awaited.reset();
    request(m_experiment.expansion().experiment, true);
    m_session.start(m_experiment.draft());
    Q_EMIT stateChanged();
}

void RunController::setFollowsEdits(bool follows) {
    m_followsEdits = follows;
    Q_EMIT stateChanged();
}

void RunController::answerEdit(bool dragging) {
    m_dragging = dragging;
    if (m_followsEdits && m_experiment.isRunnable()) {
        if (dragging) {
            m_awaited.reset();
            m_asked = false;
            m_requested.reset();
            m_session.preview(m_experiment.draft());
        } else if (m_requested != m_experiment.expansion().experiment) {
            m_awaited.reset();
            request(m_experiment.expansion().experiment, false);
            m_session.answer(m_experiment.draft());
        }
    }
    Q_EMIT stateChanged();
}

void RunController::cancel() { m_session.cancel(); }

void RunController::openKept(std::int64_t id, Then then) {
    m_catalogue.open(id, [this, then = std::move(then)](const KeptRun& run) {
        // The kept numbers are shown at once. The trace is not kept, so the experiment is run again.
        Q_EMIT keptOpened(run);
        m_experiment.replaceDraft(run.draft, tr("Open Kept Run"));
        RunController::run();
        if (then && m_experiment.isRunnable())
            whenShown(run.draft, then);
    });
}

void RunController::openAsExperiment(std::int64_t id) {
    m_catalogue.open(id, [this](const KeptRun& run) {
        m_experiment.replaceDraft(run.draft, tr("Open Kept Run"));
        Q_EMIT pictureRequested();
    });
}

void RunController::whenShown(const data::ExperimentDraft& draft, Then then) {
    const engine::Experiment experiment = data::expand(draft).experiment;
    if (isShown(experiment) && !m_shown->preview) {
        m_awaited.reset();
        then();
        return;
    }
    m_awaited = Awaited{experiment, std::move(then)};
    if (isRunning() && m_requested == experiment)
        return;
    request(experiment, false);
    m_session.answer(draft);
}

void RunController::whenShown(Then then) { m_awaited = Awaited{std::nullopt, std::move(then)}; }

void RunController::callAwaited() {
    if (!m_awaited || m_shown->preview || (m_awaited->experiment && !isShown(*m_awaited->experiment)))
        return;
    const Awaited awaited = *std::exchange(m_awaited, std::nullopt);
    awaited.then();
}

void RunController::show(Run run) {
    m_shown = std::move(run);
    Q_EMIT shownChanged(m_shown);
    setShowsRunning(false);
    Q_EMIT stateChanged();
    Q_EMIT runEnded();
    callAwaited();
    Q_EMIT settled();
}

void RunController::pin(Run run) {
    if (run && run != m_pinned && !run->preview)
        m_catalogue.keep(run, KeptFor::pinned);
    outline(std::move(run));
}

void RunController::outline(Run run) {
    if (m_pinned == run)
        return;
    m_pinned = std::move(run);
    Q_EMIT pinnedChanged(m_pinned);
}

}  // namespace ui
