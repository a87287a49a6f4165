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
    : QObject(parent), m_experiment(experiment), m_session(config) {
    connect(&m_session, &RunSession::runStarted, this, [this] {
        m_runTime.start();
        if (m_asked)
            setShowsRunning(true);
        Q_EMIT started();
        Q_EMIT stateChanged();
    });
    connect(&m_session, &RunSession::progressChanged, this, &RunController::tellProgress);
    connect(&m_session, &RunSession::runFinished, this, &RunController::show);
    connect(&m_session, &RunSession::runStopped, this, [this] {
        dropRequests();
        setShowsRunning(false);
        Q_EMIT stateChanged();
        Q_EMIT stopped();
        Q_EMIT runEnded();
    });
    connect(&m_session, &RunSession::runFailed, this, [this](const RunFailure& failure) {
        dropRequests();
        setShowsRunning(false);
        Q_EMIT stateChanged();
        Q_EMIT runEnded();
        Q_EMIT failed(failure.text);
    });
    connect(&m_session, &RunSession::runOpened, this,
            [this](const std::shared_ptr<const OpenedRun>& run) { takeOpened(*run); });
}

void RunController::setShowsRunning(bool shows) {
    if (std::exchange(m_showsRunning, shows) != shows)
        Q_EMIT showsRunningChanged(shows);
}

void RunController::tellProgress(double fraction) {
    const qint64 elapsed = m_runTime.elapsed();
    const bool isLong = elapsed >= kLongRunMs;
    if (isLong)
        setShowsRunning(true);
    QString left;
    if (const auto seconds = data::secondsLeft(static_cast<double>(elapsed) / 1000, fraction))
        left = tr("%1 s left").arg(static_cast<int>(std::ceil(*seconds)));
    Q_EMIT progressed(fraction, left, isLong);
}

void RunController::dropRequests() {
    m_awaited.reset();
    m_opening.reset();
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
    m_opening = Opening{id, false, std::move(then)};
    m_session.openRun(id);
}

void RunController::openAsExperiment(std::int64_t id) {
    m_opening = Opening{id, true, {}};
    m_session.openRun(id);
}

void RunController::takeOpened(const OpenedRun& run) {
    Opening opening;
    if (m_opening && m_opening->id == run.stored.id)
        opening = *std::exchange(m_opening, std::nullopt);
    if (opening.toEdit) {
        m_experiment.replaceDraft(run.draft, tr("opening of a kept run"));
        Q_EMIT pictureRequested();
        return;
    }
    // The kept numbers are there at once; the trace is not kept and comes from running the document again.
    Q_EMIT keptOpened(run);
    m_experiment.replaceDraft(run.draft, tr("opening of a kept run"));
    RunController::run();
    if (opening.then && m_experiment.isRunnable())
        whenShown(run.draft, std::move(opening.then));
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
        m_session.keepForGood(run);
    outline(std::move(run));
}

void RunController::outline(Run run) {
    if (m_pinned == run)
        return;
    m_pinned = std::move(run);
    Q_EMIT pinnedChanged(m_pinned);
}

}  // namespace ui
