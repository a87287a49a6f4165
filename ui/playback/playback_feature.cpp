#include "ui/playback/playback_feature.h"

#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/playback/caption_line.h"
#include "ui/playback/transport_bar.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/player.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_log_builder.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/explore_page.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

namespace ui {
namespace {

constexpr int kPlaybackEscapeRank = 60;

/// Returns the name of the field that keeps the experiment from being run.
QString nameOfProblem(const ExperimentModel& experiment) {
    const std::string path = experiment.problemPath();
    const engine::Parameter* parameter = engine::findParameter(path);
    return text(parameter != nullptr ? parameter->label : path);
}

/// Returns a tool tip as rich text, because Qt does not wrap plain text in a tool tip.
QString adviceTip(const QString& words) { return QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped()); }

}  // namespace

PlaybackFeature::PlaybackFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment,
                                 RunController& runs, RunReach& reach, Player& player, BreakpointList& breakpoints,
                                 RunLogBuilder& logs, RingMoment& moment)
    : m_workbench(workbench), m_viewState(viewState), m_experiment(experiment), m_runs(runs), m_reach(reach),
      m_player(player), m_breakpoints(breakpoints), m_logs(logs) {
    ExplorePage& explore = workbench.explore();
    m_transport = new TransportBar(player, breakpoints, viewState, &explore);
    m_caption = new CaptionLine(viewState, &explore);
    explore.setRow(ExplorePage::Row::transport, m_transport);
    explore.setRow(ExplorePage::Row::caption, m_caption);
    connect(&workbench.views(), &WindowViews::currentChanged, this, [this, &explore] {
        if (m_workbench.views().currentView().widget != &explore)
            return;
        explore.setRow(ExplorePage::Row::transport, m_transport);
        m_transport->show();
    });
    connect(m_caption, &CaptionLine::runRequested, &runs, &RunController::run);
    for (QAction* action : m_transport->playbackActions())
        workbench.commands().adopt({.id = QStringLiteral("playback.") + action->objectName(),
                                    .group = CommandGroup::playback,
                                    .scope = CommandScope::picture},
                                   action);
    connectRun(moment);
    workbench.addEscape(kPlaybackEscapeRank, [this] {
        m_player.pause();
        m_viewState.setCursor(std::nullopt);
        return true;
    });
    workbench.session().add(
        {QStringLiteral("breakpoints"), SessionScope::experiment,
         [this] { return m_breakpoints.all().empty() ? QJsonValue() : m_breakpoints.toJson(); },
         [this](const QJsonValue& kept) { return kept.isArray() && m_breakpoints.restore(kept.toArray()); }});
    connect(&workbench.presenter(), &Presenter::changed, this, &PlaybackFeature::placeCaption);
    connect(&workbench.views(), &WindowViews::currentChanged, this, &PlaybackFeature::placeCaption);
}

void PlaybackFeature::connectRun(RingMoment& moment) {
    connect(&m_runs, &RunController::shownChanged, this, [this, &moment](const RunController::Run& run) {
        const std::int64_t end = data::endOf(*run);
        m_player.setRun(end);
        m_reach.setShown(end);
        m_caption->showRun(run);
        moment.showRun(run);
        m_logs.showRun(run);
    });
    connect(&m_logs, &RunLogBuilder::built, this,
            [this, &moment](const std::shared_ptr<const data::RunLog>& log,
                            const std::shared_ptr<const data::InsideIndex>& inside) {
                m_player.setLog(log);
                m_transport->setGpus(log ? log->gpus() : 1);
                m_caption->setLog(log);
                moment.showLog(log, inside);
            });
    connect(&m_reach, &RunReach::changed, this, [this] {
        if (!m_runs.shown())
            return;
        m_player.setEnd(m_reach.playEnd());
        m_viewState.setRunEnd(m_reach.axisEnd());
    });
    connect(&m_player, &Player::stoppedAtBreakpoint, m_caption, &CaptionLine::showStop);
    connect(&m_player, &Player::noBreakpointFound, this, [this](bool forward) {
        m_workbench.hint(forward ? tr("No breakpoint is met after this time.")
                                 : tr("No breakpoint is met before this time."));
    });
    connect(&m_runs, &RunController::stateChanged, this, &PlaybackFeature::showStaleness);
}

void PlaybackFeature::showStaleness() {
    if (!m_runs.isStale() || m_runs.isAnswering())
        m_caption->showStale({});
    else if (!m_experiment.isRunnable())
        m_caption->showStale(tr("Cannot run: correct %1").arg(nameOfProblem(m_experiment)),
                             adviceTip(m_experiment.firstProblem()));
    else
        m_caption->showStale(
            m_runs.isRunning() ? tr("Settings changed: Ctrl+Return runs them") : tr("Settings changed: press Run"),
            adviceTip(tr("The picture shows the run before your changes. Press Run (Ctrl+Return) to simulate them.")));
}

// In presenter mode, a caption below the picture replaces the line above it.
void PlaybackFeature::placeCaption() {
    const bool presents = m_workbench.presenter().isOn();
    const bool captioned = presents && m_workbench.views().currentView().widget == &m_workbench.explore();
    if (presents && m_presenterCaption == nullptr) {
        m_presenterCaption = new PresenterCaption(m_workbench.window().centralWidget());
        m_workbench.addBelowViews(m_presenterCaption);
        connect(m_caption, &CaptionLine::said, m_presenterCaption, &PresenterCaption::showParts);
        m_presenterCaption->showParts(m_caption->parts());
    }
    m_caption->setTextVisible(!captioned);
    if (m_presenterCaption != nullptr)
        m_presenterCaption->setVisible(captioned);
}

}  // namespace ui
