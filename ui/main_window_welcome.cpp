#include "ui/main_window.h"

#include "engine/api/parameters.h"
#include "ui/charts/chart_view.h"
#include "ui/editors/experiment_form.h"
#include "ui/editors/parameter_field.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_state.h"
#include "ui/playback/player.h"
#include "ui/shared/sweep_session.h"
#include "ui/welcome/welcome_card.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/spot_mark.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QVBoxLayout>

// The first minute in front of the window.

namespace ui {
namespace {

constexpr auto kTuned = "link.bandwidth";

}  // namespace

void MainWindow::addWelcomeCommand() {
    m_commands->add({.id = "help.welcome",
                     .text = tr("&Welcome"),
                     .group = CommandGroup::help,
                     .hint = tr("A card with what to try first")},
                    this, [this] {
                        m_settings.rememberWelcome(true);
                        showWelcome();
                    });
}

void MainWindow::showWelcome() {
    if (m_welcome != nullptr)
        return m_welcome->show();
    m_welcome = new WelcomeCard(centralWidget());
    m_welcome->say(tr("<b>Welcome.</b> What you see is a finished run. Play it, or change something and watch the "
                      "picture answer."));
    m_welcome->setSteps(welcomeSteps());
    static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(0, m_welcome);
    m_welcome->show();
    connect(m_welcome, &WelcomeCard::dismissed, this, [this] {
        m_settings.rememberWelcome(false);
        delete m_spot;
        m_welcome->deleteLater();
        m_welcome = nullptr;
        m_windowViews->focusCurrent();
    });
    // Each is ticked when it was done, by whatever way.
    connect(m_player, &Player::playingChanged, m_welcome, [this] { m_welcome->setDone(QStringLiteral("play")); });
    connect(&m_experiment, &ExperimentModel::changed, m_welcome, [this] {
        if (m_experiment.draft().explicitValues.contains(kTuned)) {
            if (m_spot)
                m_welcome->say(tr("Outlined is the pinned run, and the foot tells the differences. G lets go of it."));
            delete m_spot;
            m_welcome->setDone(QStringLiteral("tune"));
        }
    });
    connect(this, &MainWindow::compareShown, m_welcome, [this] { m_welcome->setDone(QStringLiteral("compare")); });
    // A lesson says itself what to do next, and needs the room.
    connect(m_lesson, &LessonState::lessonChanged, m_welcome, [this] {
        m_welcome->setDone(QStringLiteral("lesson"));
        m_welcome->setVisible(!m_lesson->isOpen());
    });
    connect(m_sweepSession.get(), &SweepSession::runFinished, m_welcome,
            [this] { m_welcome->setDone(QStringLiteral("sweep")); });
    connect(this, &MainWindow::figureShown, m_welcome, [this] { m_welcome->setDone(QStringLiteral("export")); });
    connect(&m_experiment, &ExperimentModel::originChanged, m_welcome,
            [this] { m_welcome->setDone(QStringLiteral("open")); });
    connect(m_commands->find("help.palette")->action, &QAction::triggered, m_welcome,
            [this] { m_welcome->setDone(QStringLiteral("find")); });
}

std::vector<WelcomeStep> MainWindow::welcomeSteps() {
    const auto trigger = [this](const char* id) {
        return [action = m_commands->find(id)->action] { action->trigger(); };
    };
    const auto keysOf = [this](const char* id) { return m_commands->find(id)->keysText(); };
    std::vector<WelcomeStep> steps;
    steps.push_back({QStringLiteral("play"), tr("Play"), keysOf("playback.play"),
                     tr("The line above the picture tells in words what the first GPU does."),
                     trigger("playback.play")});
    steps.push_back({QStringLiteral("tune"), tr("Change link bandwidth"), QString(),
                     tr("Drag the slider in the frame: the picture answers while you do, and outlines show the run "
                        "before."),
                     [this] {
                         if (!m_pinned)
                             setPinned(m_shown);
                         // All of the picture answers, not only what lies before the moment that was played to.
                         m_player->pause();
                         m_viewState.setCursor(std::nullopt);
                         pointAtParameter(kTuned);
                     }});
    steps.push_back({QStringLiteral("compare"), tr("Compare with sequential"), QString(),
                     tr("Both under one transport, and why one of them takes longer. X swaps them, F2 leads back."),
                     [this] { compareWithSequential(); }});
    steps.push_back({QStringLiteral("sweep"), tr("Sweep"), QString(),
                     tr("Sixty runs: link bandwidth by number of GPUs. A double click on a cell opens its timeline."),
                     [this] { sweepWelcome(); }});
    steps.push_back({QStringLiteral("export"), tr("Export a figure"), keysOf("file.export-figure"),
                     tr("The picture at the size of a column, with what a checker would say. F2 leads back."),
                     [this] { exportWelcome(); }});
    if (!bundledLessons().empty())
        steps.push_back({QStringLiteral("lesson"), tr("Lesson 1"), QString(),
                         tr("Your own experiment comes back when you leave the lesson."),
                         [this] { openLesson(bundledLessons().front().file); }});
    steps.push_back({QStringLiteral("open"), tr("Open…"), keysOf("file.open"), QString(), trigger("file.open")});
    steps.push_back(
        {QStringLiteral("find"), tr("Find anything"), QStringLiteral("Ctrl+K"), QString(), trigger("help.palette")});
    return steps;
}

void MainWindow::compareWithSequential() {
    m_player->pause();
    m_viewState.setCursor(std::nullopt);
    m_viewState.clearSelection();
    m_viewState.setFollowedChunk(std::nullopt);
    const bool isSequential = m_shown && m_shown->run.experiment.policy.preset == engine::PolicyPreset::sequential;
    compareWith({isSequential ? "t3-mca" : "sequential"});
}

void MainWindow::sweepWelcome() {
    setPinned(nullptr);  // of another experiment than the cells are
    openExampleSweep(QStringLiteral(":/examples/link-by-gpus.json"));
    ChartSettings asCells = m_chart->settings();
    asCells.kind = ChartKind::heatMap;
    m_chart->setSettings(asCells);
    startSweep();
}

void MainWindow::exportWelcome() {
    if (m_windowViews->current() == QLatin1String("figure"))
        return;
    if (!figureOfView())
        m_windowViews->showView(QStringLiteral("explore"));
    exportFigure();
}

void MainWindow::pointAtParameter(const std::string& path) {
    findChild<QDockWidget*>(QStringLiteral("experimentDock"))->show();
    m_form->focusParameter(path);
    delete m_spot;
    QWidget* field = m_form->findChild<ParameterField*>(QStringLiteral("field:") + QString::fromStdString(path));
    if (field == nullptr)
        field = m_form->focusWidget();  // the choice of a preset
    if (field != nullptr)
        m_spot = new SpotMark(*field);
}

}  // namespace ui
