#include "ui/main_window.h"

#include "data/laboratory/work_progress.h"
#include "engine/api/parameters.h"
#include "ui/editors/experiment_form.h"
#include "ui/look/text.h"
#include "ui/playback/caption_line.h"
#include "ui/playback/player.h"
#include "ui/playback/transport_bar.h"
#include "ui/runs/runs_panel.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/run_log_builder.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/veil.h"
#include "ui/workbench/window_views.h"

#include <QAction>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr qint64 kLongRunMs = 1'000;

/// Returns the name of the field that keeps the experiment from being run.
QString nameOfProblem(const ExperimentModel& experiment) {
    const std::string path = experiment.problemPath();
    const engine::Parameter* parameter = engine::findParameter(path);
    return text(parameter != nullptr ? parameter->label : path);
}

/// Returns rich text, since a tool tip of plain text is one line, however long.
QString adviceTip(const QString& words) { return QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped()); }

}  // namespace

void MainWindow::connectSession() {
    connect(this, &MainWindow::runChanged, m_caption, &CaptionLine::showRun);
    connect(this, &MainWindow::runChanged, m_logBuilder, &RunLogBuilder::showRun);
    connect(m_logBuilder, &RunLogBuilder::built, this, &MainWindow::showLog);
    connect(this, &MainWindow::runChanged, m_moment, &RingMoment::showRun);
    connect(this, &MainWindow::logChanged, m_moment, &RingMoment::showLog);
    connect(m_player, &Player::stoppedAtBreakpoint, m_caption, &CaptionLine::showStop);
    connect(m_player, &Player::noBreakpointFound, this, [this](bool forward) {
        m_status->showMessage(forward ? tr("No breakpoint is met after this moment.")
                                      : tr("No breakpoint was met before this moment."),
                              4000);
    });

    connect(&m_session, &RunSession::runStarted, this, [this] {
        m_runTime.start();
        if (m_shown)
            m_veil->drop();
        // What answers an edit is mostly there before a button could be read: it says so only if it takes long.
        if (m_asked)
            showRunning(true);
        m_cancel->setEnabled(true);
    });
    connect(&m_session, &RunSession::progressChanged, this, &MainWindow::showProgress);
    connect(&m_session, &RunSession::runFinished, this, &MainWindow::showRun);
    connect(&m_session, &RunSession::runStopped, this, [this] {
        showRunning(false);
        showStaleness();
        m_status->showMessage(tr("Cancelled. The picture shows the run before."), 4000);
        finishStart();
    });
    connect(&m_session, &RunSession::runFailed, this, [this](const RunFailure& failure) {
        showRunning(false);
        showStaleness();
        m_failureShown = true;
        finishStart();
        m_messages->showMessage(MessageBar::Kind::error, failure.text);
    });
    connect(&m_session, &RunSession::runOpened, this,
            [this](const std::shared_ptr<const OpenedRun>& run) { showOpened(*run); });
    connect(&m_session, &RunSession::runsListed, this,
            [this](const std::shared_ptr<const std::vector<data::StoredRun>>& runs, qint64 all) {
                m_runs->showRuns(*runs, all);
            });
    connect(&m_session, &RunSession::storeFailed, this, [this](const QString& text) {
        m_messages->showMessage(MessageBar::Kind::error, text);
        m_runs->showReason(tr("Runs are not kept for now: the store cannot be used."));
    });
}

void MainWindow::runExperiment() {
    if (m_windowViews->current() != QLatin1String("explore"))
        m_windowViews->showView(QStringLiteral("explore"));
    startExperiment();
}

void MainWindow::startExperiment() {
    m_form->commit();
    if (!m_experiment.isRunnable()) {
        m_messages->showMessage(MessageBar::Kind::error, m_experiment.firstProblem());
        m_form->focusParameter(m_experiment.problemPath());
        return;
    }
    m_messages->clear();
    m_asked = true;
    m_sceneToCome.reset();
    m_requested = m_experiment.expansion().experiment;
    m_session.start(m_experiment.draft());
    showStaleness();
}

void MainWindow::answerEdit() {
    if (m_form->runsWhileEditing() && m_experiment.isRunnable()) {
        if (m_form->isDragged()) {
            m_asked = false;
            m_requested.reset();
            m_session.preview(m_experiment.draft());
        } else if (m_requested != m_experiment.expansion().experiment) {
            m_asked = false;
            m_requested = m_experiment.expansion().experiment;
            m_session.answer(m_experiment.draft());
        }
    }
    showStaleness();
}

void MainWindow::showProgress(double fraction) {
    const qint64 elapsed = m_runTime.elapsed();
    if (elapsed >= kLongRunMs && !m_showsRunning)
        showRunning(true);
    QString left;
    if (const auto seconds = data::secondsLeft(static_cast<double>(elapsed) / 1000, fraction))
        left = tr("%1 s left").arg(static_cast<int>(std::ceil(*seconds)));
    m_form->showProgress(fraction, left);
    if (elapsed >= kLongRunMs)
        m_veil->say(left.isEmpty() ? tr("Simulating…") : tr("Simulating: %1").arg(left));
}

void MainWindow::showRun(std::shared_ptr<const data::ShownRun> run) {
    m_shown = std::move(run);
    TimelineModel model(m_shown);
    m_player->setRun(model.end());
    if (m_asked)
        m_viewState.setFollowedChunk(std::nullopt);
    if (m_failureShown)
        m_messages->clear();
    m_failureShown = false;
    m_timeline->showModel(std::move(model));
    showReach();
    m_headlines->showHeadlines(headlinesOf(m_shown->run));
    showTitle();
    showGhost();
    m_status->showRun(*m_shown);
    Q_EMIT runChanged(m_shown);
    showRunning(false);
    showStaleness();
    const std::vector<std::string>& failed = m_shown->run.result.invariants.failed;
    if (!failed.empty()) {
        m_messages->showMessage(
            MessageBar::Kind::error,
            tr("An invariant does not hold in this run: %1").arg(QString::fromStdString(failed.front())));
    }
    // Who turns a knob keeps it in the hand.
    if (m_asked && m_windowViews->current() == QLatin1String("explore"))
        m_windowViews->focusCurrent();
    finishStart();
    showAwaitedScene();
    Q_EMIT runShown();
}

void MainWindow::showLog(const std::shared_ptr<const data::RunLog>& log) {
    m_player->setLog(log);
    m_transport->setGpus(log ? log->gpus() : 1);
    m_caption->setLog(log);
    Q_EMIT logChanged(log);
    Q_EMIT logShown();
}

void MainWindow::showOpened(const OpenedRun& run) {
    // The kept numbers are there at once; the trace is not kept and comes from running the document again.
    const bool toEdit = std::exchange(m_openedToEdit, std::nullopt) == run.stored.id;
    if (toEdit) {
        m_experiment.replaceDraft(run.draft, tr("opening of a kept run"));
        m_windowViews->showView(QStringLiteral("explore"));
        return;
    }
    if (m_pinAndShow && m_pinAndShow->pinned == run.stored.id)
        m_pinAndShow->hash = run.stored.experimentHash;
    m_headlines->showHeadlines(headlinesOf(run.result));
    m_experiment.replaceDraft(run.draft, tr("opening of a kept run"));
    runExperiment();
}

void MainWindow::showRunning(bool running) {
    if (!running)
        m_veil->lift();
    if (running != m_showsRunning)
        m_form->showRunning(running);
    m_showsRunning = running;
    m_cancel->setEnabled(running);
}

void MainWindow::showStaleness() {
    const bool differs =
        m_shown && !(m_experiment.isRunnable() && m_experiment.expansion().experiment == m_shown->run.experiment);
    const bool answered = m_form->runsWhileEditing() && m_experiment.isRunnable() &&
                          (m_session.isRunning() || (m_shown && m_shown->preview && m_form->isDragged()));
    const bool underWay = m_session.isRunning() && m_requested == m_experiment.expansion().experiment;
    m_headlines->setStale(differs && !answered);
    if (!differs || answered || (m_experiment.isRunnable() && underWay))
        m_caption->showStale({});
    else if (!m_experiment.isRunnable())
        m_caption->showStale(tr("Cannot run: correct %1").arg(nameOfProblem(m_experiment)),
                             adviceTip(m_experiment.firstProblem()));
    else
        m_caption->showStale(
            m_session.isRunning() ? tr("Settings changed: Ctrl+Return runs them") : tr("Settings changed: press Run"),
            adviceTip(tr("The picture shows the settings as they were. Run shows them as they are (Ctrl+Return).")));
}

}  // namespace ui
