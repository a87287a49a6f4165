#include "ui/welcome/welcome_feature.h"

#include "ui/shared/experiment_model.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/view_state.h"
#include "ui/welcome/welcome_card.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QMainWindow>

#include <utility>

namespace ui {
namespace {

constexpr auto kTuned = "link.bandwidth";
constexpr int kMenuRank = 10;

}  // namespace

WelcomeFeature::WelcomeFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs,
                               ViewState& viewState, Player& player, Hooks hooks)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_viewState(viewState), m_player(player),
      m_hooks(std::move(hooks)) {
    workbench.commands().add({.id = "help.welcome",
                              .text = tr("&Welcome"),
                              .group = CommandGroup::help,
                              .hint = tr("Shows the card with first steps"),
                              .rank = kMenuRank},
                             this, [this] {
                                 m_workbench.settings().rememberWelcome(true);
                                 show();
                             });
    connect(&player, &Player::playingChanged, this, [this] { setDone(QStringLiteral("play")); });
    connect(&experiment, &ExperimentModel::changed, this, &WelcomeFeature::noticeEdit);
    connect(&experiment, &ExperimentModel::originChanged, this, [this] { setDone(QStringLiteral("open")); });
    connect(&workbench.presenter(), &Presenter::changed, this, [this](bool on) {
        if (m_card)
            m_card->setVisible(!on);
    });
}

void WelcomeFeature::show() {
    if (m_card)
        return m_card->show();
    m_card = new WelcomeCard(m_workbench.window().centralWidget());
    m_card->say(tr("<b>Welcome.</b> The picture shows a finished run. Play it, or change something and watch the "
                   "picture change."));
    m_card->setSteps(steps());
    if (m_hooks.hasFinishedLesson && m_hooks.hasFinishedLesson())
        m_card->setDone(QStringLiteral("lesson"));
    m_workbench.addAboveViews(m_card);
    m_card->show();
    connect(m_card, &WelcomeCard::dismissed, this, &WelcomeFeature::dismiss);
    connect(m_workbench.commands().find("help.palette")->action, &QAction::triggered, m_card,
            [this] { setDone(QStringLiteral("find")); });
}

void WelcomeFeature::dismiss() {
    m_workbench.settings().rememberWelcome(false);
    if (m_workbench.spotlight().isOn())
        m_workbench.spotlight().clear();
    m_card->deleteLater();
    m_card = nullptr;
    m_workbench.views().focusCurrent();
}

void WelcomeFeature::setDone(const QString& step) {
    if (m_card)
        m_card->setDone(step);
}

void WelcomeFeature::lessonChanged(bool open) {
    setDone(QStringLiteral("lesson"));
    if (m_card)
        m_card->setVisible(!open);
}

std::vector<WelcomeStep> WelcomeFeature::steps() {
    Commands& commands = m_workbench.commands();
    const auto trigger = [&commands](const char* id) {
        return [action = commands.find(id)->action] { action->trigger(); };
    };
    const auto keysOf = [&commands](const char* id) { return commands.find(id)->keysText(); };
    std::vector<WelcomeStep> steps;
    steps.push_back({QStringLiteral("play"), tr("Play"), keysOf("playback.play"),
                     tr("The line above the picture describes what the first GPU is doing."),
                     trigger("playback.play")});
    steps.push_back(
        {QStringLiteral("tune"), tr("Change link bandwidth"), QString(),
         tr("Drag the framed slider: the simulation runs while you drag, and outlines show the earlier run."),
         [this] { startTuning(); }});
    steps.push_back({QStringLiteral("compare"), tr("Compare with sequential"), QString(),
                     tr("Shows two runs in one playback, and why one takes longer. X swaps them, F2 returns here."),
                     [this] { compareWithSequential(); }});
    steps.push_back({QStringLiteral("sweep"), tr("Sweep"), QString(),
                     tr("Sixty runs: link bandwidth by number of GPUs. Double-click a cell to open its timeline."),
                     [this] {
                         m_runs.pin(nullptr);  // the pinned run belongs to another experiment than the cells
                         m_hooks.sweep();
                     }});
    steps.push_back({QStringLiteral("export"), tr("Export a figure"), keysOf("file.export-figure"),
                     tr("Shows the picture at column width, with a reviewer's possible objections. F2 returns here."),
                     m_hooks.exportFigure});
    if (m_hooks.openLesson)
        steps.push_back({QStringLiteral("lesson"), tr("Lesson 1"), QString(),
                         tr("Your own experiment is restored when you leave the lesson."), m_hooks.openLesson});
    steps.push_back({QStringLiteral("open"), tr("Open…"), keysOf("file.open"), QString(), trigger("file.open")});
    steps.push_back(
        {QStringLiteral("find"), tr("Find anything"), QStringLiteral("Ctrl+K"), QString(), trigger("help.palette")});
    return steps;
}

void WelcomeFeature::noticeEdit() {
    if (!m_card || !m_experiment.draft().explicitValues.contains(kTuned))
        return;
    if (m_workbench.spotlight().isOn()) {
        m_card->say(tr("Outlines show the pinned run; numbers beneath the picture show the differences. G unpins it."));
        m_workbench.spotlight().clear();
    }
    setDone(QStringLiteral("tune"));
}

void WelcomeFeature::startTuning() {
    if (!m_runs.pinned())
        m_runs.pin(m_runs.shown());
    // The whole picture should follow the edit, not only the part before the cursor.
    m_player.pause();
    m_viewState.setCursor(std::nullopt);
    m_workbench.spotlight().pointAt(QStringLiteral("field:") + QString::fromLatin1(kTuned));
}

void WelcomeFeature::compareWithSequential() {
    m_player.pause();
    m_viewState.setCursor(std::nullopt);
    m_viewState.clearSelection();
    m_viewState.setFollowedChunk(std::nullopt);
    const RunController::Run& shown = m_runs.shown();
    const bool isSequential = shown && shown->run.experiment.policy.preset == engine::PolicyPreset::sequential;
    m_hooks.compareWith({isSequential ? "t3-mca" : "sequential"});
}

}  // namespace ui
