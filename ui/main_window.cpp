#include "ui/main_window.h"

#include "ui/chunks/chunk_view.h"
#include "ui/editors/experiment_form.h"
#include "ui/find/find_bar.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/lessons/lesson_state.h"
#include "ui/look/field_wheel.h"
#include "ui/machine/address_map_panel.h"
#include "ui/machine/machine_view.h"
#include "ui/playback/breakpoint_list.h"
#include "ui/playback/caption_line.h"
#include "ui/playback/player.h"
#include "ui/playback/transport_bar.h"
#include "ui/runs/runs_panel.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/run_log_builder.h"
#include "ui/shared/sweep_session.h"
#include "ui/sweep/sweep_model.h"
#include "ui/timeline/ghost_bar.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/lane_spot_overlay.h"
#include "ui/timeline/timeline_tools.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tracker/tracker_view.h"
#include "ui/workbench/centre_views.h"
#include "ui/workbench/command_palette.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/key_bindings.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/own_keys.h"
#include "ui/workbench/session_keeper.h"
#include "ui/workbench/shortcut_sheet.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/veil.h"
#include "ui/workbench/window_views.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QToolTip>
#include <QVBoxLayout>

namespace ui {
MainWindow::MainWindow(MainWindowConfig config, QWidget* parent)
    : QMainWindow(parent), m_config(std::move(config)), m_settings(m_config.settingsFile),
      m_sessionFile(m_config.sessionFile), m_experiment(m_config.presetFolder),
      m_ghost(std::make_unique<GhostOverlay>()), m_catalogue(m_config.session.storePath), m_session(m_config.session) {
    setWindowTitle(tr("Ringside"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/ringside.svg")));
    new FieldWheel(this);
    m_experiment.setDraft(m_config.draft);
    if (m_config.origin)
        m_experiment.setSaved(*m_config.origin, m_config.draft);
    buildCentre();
    buildPanels();
    buildSelection();
    buildRibbon();
    buildCommands();
    connectSession();
    connectDocuments();
    connectGhost();
    connectBrowser();
    setTheme(m_config.theme.value_or(m_settings.theme()));
    resetLayout();
    addSessionParts();
    connectSweep();
    m_windowViews->focusCurrent();
    startWithLastSession();
    if (m_config.welcomes && m_settings.welcomes())
        showWelcome();
}

MainWindow::~MainWindow() {
    // What can be asked for looks at panels and views, and follows the keyboard from one to the other as they go.
    delete m_commands;
    // The panels look at members of this object; Qt would delete them only after those are gone.
    for (const Panel& panel : m_panels)
        delete panel.dock;
    delete takeCentralWidget();
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    m_messages = new MessageBar(*centre);
    m_windowViews = new WindowViews(centre);
    m_windowViews->addView(
        {QStringLiteral("explore"),
         tr("Explore"),
         buildExplore(),
         Qt::Key_F2,
         tr("One run: its timeline and the other pictures of it"),
         {QStringLiteral("experimentDock"), QStringLiteral("runsDock"), QStringLiteral("inspectorDock"),
          QStringLiteral("addressMapDock"), QStringLiteral("whyDock")}});
    buildCompare();
    buildSweep();
    buildFigure();
    m_windowViews->addView({QStringLiteral("runs"), tr("Runs"), buildBrowser(), Qt::Key_F6,
                            tr("The runs and sweeps that were kept: found, compared, opened")});
    buildModel();
    m_messages->restAbove(*m_headlines);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_windowViews, 1);
    // The picture is what the window is for: panels beside it have to do with what is left. The widest of them, a lesson
    // and the form, leave that much on a screen of 1280.
    centre->setMinimumWidth(fontMetrics().averageCharWidth() * 74);
    setCentralWidget(centre);
    connect(m_windowViews, &WindowViews::currentChanged, this, &MainWindow::applyLayout);
}

QWidget* MainWindow::buildExplore() {
    auto* explore = new QWidget(m_windowViews);
    m_logBuilder = new RunLogBuilder(this);
    m_breakpoints = new BreakpointList(this);
    m_player = new Player(m_viewState, *m_breakpoints, this);
    m_transport = new TransportBar(*m_player, *m_breakpoints, m_viewState, explore);
    m_caption = new CaptionLine(m_viewState, explore);
    m_ghostBar = new GhostBar(explore);
    m_headlines = new HeadlineStrip(explore);
    m_find = new FindBar(m_viewState, explore);
    m_views = new CentreViews(explore);
    m_timeline = new TimelineView(m_viewState, m_views);
    m_veil = new Veil(*m_views);
    m_views->addView(QStringLiteral("timeline"), tr("Timeline"), m_timeline);
    m_moment = new RingMoment(m_viewState, this);
    m_views->addView(QStringLiteral("machine"), tr("Machine"), new MachineView(m_viewState, *m_moment, m_views));
    auto* chunks = new ChunkView(m_viewState, *m_moment, m_views);
    m_views->addView(QStringLiteral("chunks"), tr("Chunks"), chunks);
    m_views->addView(QStringLiteral("tracker"), tr("Tracker"), new TrackerView(m_viewState, *m_moment, m_views));

    // Beside the caption, which can be cut short: beside the transport it would set the window's least width.
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, fontMetrics().averageCharWidth() * 2, 0);
    bar->addWidget(m_caption, 1);
    bar->addWidget(m_views->switcher());
    auto* column = new QVBoxLayout(explore);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_transport);
    column->addLayout(bar);
    column->addWidget(m_views, 1);
    column->addWidget(m_find);
    column->addWidget(m_ghostBar);
    column->addWidget(m_headlines);
    new OwnKeys(*explore);
    connect(m_timeline, &TimelineView::cursorRequested, m_player, &Player::seek);
    connect(chunks, &ChunkView::cursorRequested, m_player, &Player::seek);
    connect(m_caption, &CaptionLine::runRequested, this, &MainWindow::runExperiment);
    explore->setFocusProxy(m_views);
    return explore;
}

void MainWindow::buildPanels() {
    m_form = new ExperimentForm(m_experiment);
    m_runs = new RunsPanel;
    if (!m_session.keepsRuns())
        m_runs->showReason(tr("Runs are not kept in this session."));
    addPanel({QStringLiteral("experimentDock"), tr("Experiment"), m_form, Side::left});
    addPanel({QStringLiteral("runsDock"), tr("Kept runs"), m_runs, Side::left});
    buildLessons();
    m_inspector = new InspectorPanel(m_viewState);
    addPanel({QStringLiteral("inspectorDock"), tr("Inspector"), m_inspector, Side::right});
    addPanel({QStringLiteral("addressMapDock"), tr("Address map"), new AddressMapPanel(m_viewState, *m_moment),
              Side::right});
    connect(m_form, &ExperimentForm::runRequested, this, &MainWindow::runExperiment);
    connect(m_form, &ExperimentForm::cancelRequested, &m_session, &RunSession::cancel);
    m_form->setRunsWhileEditing(m_config.runsWhileEditing.value_or(m_settings.runsWhileEditing()));
    connect(&m_experiment, &ExperimentModel::changed, this, &MainWindow::answerEdit);
    connect(m_form, &ExperimentForm::editFinished, this, &MainWindow::answerEdit);
    connect(m_form, &ExperimentForm::runsWhileEditingChanged, this, [this](bool runs) {
        m_settings.rememberRunsWhileEditing(runs);
        answerEdit();
    });
    connect(m_runs, &RunsPanel::openRequested, &m_session, &RunSession::openRun);

    m_status = new StatusLine(this);
    setStatusBar(m_status);
    connect(m_timeline, &TimelineView::hiddenReminderChanged, m_status, &StatusLine::showHidden);
    connect(m_status, &StatusLine::hiddenRequested, m_timeline, &TimelineView::showAllLanes);
    connect(m_status, &StatusLine::noticesRequested, this,
            [this](const QString& text) { m_messages->showMessage(MessageBar::Kind::notice, text); });
}

QDockWidget* MainWindow::addPanel(Panel panel) {
    auto* dock = new QDockWidget(panel.title, this);
    dock->setObjectName(panel.name);
    // No floating: re-docking is broken in Qt 6.4 (QTBUG-87332 and its kin).
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(panel.widget);
    panel.dock = dock;
    m_panels.push_back(std::move(panel));
    return dock;
}

void MainWindow::setTheme(Theme theme) {
    QApplication::setPalette(widgetPalette(theme));
    QToolTip::setPalette(widgetPalette(theme));
    (theme == Theme::dark ? m_darkTheme : m_lightTheme)->setChecked(true);
}

void MainWindow::chooseTheme(Theme theme) {
    setTheme(theme);
    m_settings.rememberTheme(theme);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_player->pause();
    setPresenting(false);
    endLessonForGood();
    m_sessionKeeper.reset();
    m_sessionWritten.reset();  // whatever became of the file meanwhile
    saveSession();
    m_session.cancel();
    m_sweepSession->cancel();
    m_sessionFile.endStart();
    event->accept();
}

}  // namespace ui
