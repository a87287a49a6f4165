#include "ui/main_window.h"

#include "ui/editors/experiment_form.h"
#include "ui/playback/caption_line.h"
#include "ui/playback/player.h"
#include "ui/playback/transport_bar.h"
#include "ui/runs/runs_panel.h"
#include "ui/shared/format.h"
#include "ui/shared/message_bar.h"
#include "ui/shared/tinted_icon.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/timeline_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QShortcut>
#include <QStatusBar>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>

namespace ui {
namespace {

constexpr qint64 kLongRunMs = 1'000;
constexpr double kTellingFraction = 0.02;  // before that a guess at the time left is a wild one

}  // namespace

MainWindow::MainWindow(MainWindowConfig config, QWidget* parent)
    : QMainWindow(parent), m_config(std::move(config)), m_settings(m_config.settingsFile), m_session(m_config.session) {
    setWindowTitle(tr("Ringside"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/ringside.svg")));
    m_experiment.setDraft(m_config.draft);
    buildCentre();
    buildDocks();
    buildStatusBar();
    buildMenus();
    connectSession();
    setTheme(m_config.theme.value_or(m_settings.theme()));
    resetLayout();
    // What cannot be understood is refused by Qt and leaves the layout as it was just set.
    restoreGeometry(m_settings.geometry());
    restoreState(m_settings.docks());
    m_timeline->setFocus();
    runExperiment();
}

MainWindow::~MainWindow() {
    // The panels look at members of this object; Qt would delete them only after those are gone.
    delete m_formDock;
    delete m_runsDock;
    delete takeCentralWidget();
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    m_messages = new MessageBar(centre);
    m_player = new Player(m_viewState, this);
    m_transport = new TransportBar(*m_player, m_viewState, centre);
    m_caption = new CaptionLine(m_viewState, centre);
    m_timeline = new TimelineView(m_viewState, centre);
    m_headlines = new HeadlineStrip(centre);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    column->addWidget(m_transport);
    column->addWidget(m_caption);
    column->addWidget(m_timeline, 1);
    column->addWidget(m_headlines);
    setCentralWidget(centre);
    connect(m_timeline, &TimelineView::cursorRequested, m_player, &Player::seek);
    connect(m_caption, &CaptionLine::runRequested, this, &MainWindow::runExperiment);
}

void MainWindow::buildDocks() {
    const auto addDock = [this](const QString& title, const QString& name, QWidget* panel) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        // No floating: re-docking is broken in Qt 6.4 (QTBUG-87332 and its kin).
        dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
        dock->setWidget(panel);
        return dock;
    };
    m_form = new ExperimentForm(m_experiment);
    m_runs = new RunsPanel;
    if (!m_session.keepsRuns())
        m_runs->showReason(tr("Runs are not kept in this session."));
    m_formDock = addDock(tr("Experiment"), QStringLiteral("experimentDock"), m_form);
    m_runsDock = addDock(tr("Kept runs"), QStringLiteral("runsDock"), m_runs);
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
    connect(m_runs, &RunsPanel::removeRequested, &m_session, &RunSession::removeRun);
}

void MainWindow::resetLayout() {
    for (QDockWidget* dock : {m_formDock, m_runsDock}) {
        addDockWidget(Qt::LeftDockWidgetArea, dock);
        dock->show();
    }
    splitDockWidget(m_formDock, m_runsDock, Qt::Vertical);
    const QScreen* screen = QGuiApplication::primaryScreen();
    const QSize room = screen != nullptr ? screen->availableSize() : QSize(1600, 900);
    if (!isVisible())
        resize(QSize(1600, 900).boundedTo(room));
    resizeDocks({m_formDock}, {336}, Qt::Horizontal);
    resizeDocks({m_formDock, m_runsDock}, {620, 200}, Qt::Vertical);
}

void MainWindow::buildStatusBar() {
    m_status = new QLabel(tr("starting…"), this);
    m_invariants = new QLabel(this);
    m_notices = new QToolButton(this);
    m_notices->setAutoRaise(true);
    m_notices->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_notices->hide();
    connect(m_notices, &QToolButton::clicked, this, &MainWindow::showNotices);
    m_status->setContentsMargins(8, 0, 0, 0);
    m_invariants->setContentsMargins(0, 0, 8, 0);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_status);
    statusBar()->addPermanentWidget(m_notices);
    statusBar()->addPermanentWidget(m_invariants);
}

void MainWindow::buildMenus() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    QAction* open = file->addAction(tr("&Open Experiment…"), QKeySequence::Open, this, &MainWindow::openExperimentFile);
    open->setStatusTip(tr("Reads an experiment document and runs it"));
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

    buildEditMenu();
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    QAction* start = run->addAction(tr("&Run"), this, &MainWindow::runExperiment);
    start->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter),
                         QKeySequence(Qt::CTRL | Qt::Key_R), QKeySequence(Qt::Key_F5)});
    m_cancel = run->addAction(tr("&Cancel"), &m_session, &RunSession::cancel);
    m_cancel->setEnabled(false);
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(escape, &QShortcut::activated, this, &MainWindow::stepOut);

    // Keys of the picture hold while the picture has the focus, so that a form keeps its letters.
    QMenu* playback = menuBar()->addMenu(tr("&Playback"));
    for (QAction* action : m_transport->playbackActions()) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        centralWidget()->addAction(action);
        playback->addAction(action);
    }
    buildViewMenu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&About Ringside"), this, &MainWindow::showAbout);
}

void MainWindow::buildEditMenu() {
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QUndoStack& stack = m_experiment.undoStack();
    QAction* undo = edit->addAction(tr("&Undo"), QKeySequence::Undo, m_form, &ExperimentForm::undo);
    QAction* redo = edit->addAction(tr("&Redo"), m_form, &ExperimentForm::redo);
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    const auto follow = [&stack, undo, redo] {
        undo->setEnabled(stack.canUndo());
        undo->setText(stack.canUndo() ? tr("&Undo: %1").arg(stack.undoText()) : tr("&Undo"));
        redo->setEnabled(stack.canRedo());
        redo->setText(stack.canRedo() ? tr("&Redo: %1").arg(stack.redoText()) : tr("&Redo"));
    };
    connect(&stack, &QUndoStack::indexChanged, undo, follow);
    follow();
}

void MainWindow::buildViewMenu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    const auto add = [&](const QString& text, const QList<QKeySequence>& keys, auto order) {
        QAction* action = view->addAction(text, m_timeline, order);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        centralWidget()->addAction(action);
    };
    add(tr("Show the &Whole Run"), {QKeySequence(Qt::Key_0), QKeySequence(Qt::Key_F)},
        [this] { m_viewState.showAll(); });
    add(tr("Zoom &In"), {QKeySequence(Qt::Key_W), QKeySequence(Qt::Key_Plus)}, [this] { m_timeline->zoomBy(1.5); });
    add(tr("Zoom &Out"), {QKeySequence(Qt::Key_S), QKeySequence(Qt::Key_Minus)},
        [this] { m_timeline->zoomBy(1 / 1.5); });
    add(tr("Pan &Left"), {QKeySequence(Qt::Key_A), QKeySequence(Qt::Key_Left)}, [this] { m_timeline->panBy(-0.1); });
    add(tr("Pan &Right"), {QKeySequence(Qt::Key_D), QKeySequence(Qt::Key_Right)}, [this] { m_timeline->panBy(0.1); });
    view->addSeparator();
    view->addAction(m_formDock->toggleViewAction());
    view->addAction(m_runsDock->toggleViewAction());
    view->addAction(tr("Reset La&yout"), this, &MainWindow::resetLayout);
    view->addSeparator();
    auto* themes = new QActionGroup(this);
    m_lightTheme = view->addAction(tr("Li&ght Theme"), this, [this] { chooseTheme(Theme::light); });
    m_darkTheme = view->addAction(tr("&Dark Theme"), this, [this] { chooseTheme(Theme::dark); });
    for (QAction* action : {m_lightTheme, m_darkTheme}) {
        action->setCheckable(true);
        themes->addAction(action);
    }
}

void MainWindow::connectSession() {
    connect(&m_session, &RunSession::runStarted, this, [this] {
        m_runTime.start();
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
        statusBar()->showMessage(tr("Cancelled. The picture shows the run before."), 4000);
    });
    connect(&m_session, &RunSession::runFailed, this, [this](const RunFailure& failure) {
        showRunning(false);
        showStaleness();
        m_failureShown = true;
        m_messages->showMessage(MessageBar::Kind::error, failure.text);
    });
    connect(&m_session, &RunSession::runOpened, this,
            [this](const std::shared_ptr<const OpenedRun>& run) { showOpened(*run); });
    connect(&m_session, &RunSession::runsListed, this,
            [this](const std::shared_ptr<const std::vector<data::StoredRun>>& runs) { m_runs->showRuns(*runs); });
    connect(&m_session, &RunSession::storeFailed, this, [this](const QString& text) {
        m_messages->showMessage(MessageBar::Kind::error, text);
        m_runs->showReason(tr("Runs are not kept for now: the store cannot be used."));
    });
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

void MainWindow::runExperiment() {
    m_form->commit();
    if (!m_experiment.isRunnable()) {
        m_messages->showMessage(MessageBar::Kind::error, m_experiment.firstProblem());
        return;
    }
    m_messages->clear();
    m_asked = true;
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
            m_session.start(m_experiment.draft());
        }
    }
    showStaleness();
}

void MainWindow::showProgress(double fraction) {
    const qint64 elapsed = m_runTime.elapsed();
    if (elapsed >= kLongRunMs && !m_showsRunning)
        showRunning(true);
    QString left;
    if (elapsed >= kLongRunMs && fraction > kTellingFraction) {
        const double seconds = static_cast<double>(elapsed) * (1 - fraction) / fraction / 1000;
        left = tr("%1 s left").arg(static_cast<int>(std::ceil(seconds)));
    }
    m_form->showProgress(fraction, left);
}

void MainWindow::stepOut() {
    if (m_session.isRunning()) {
        m_session.cancel();
    } else if (m_viewState.followedChunk()) {
        m_viewState.setFollowedChunk(std::nullopt);
    } else {
        m_player->pause();
        m_viewState.setCursor(std::nullopt);
    }
}

void MainWindow::openExperimentFile() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open Experiment"), {}, tr("Experiments (*.json);;All files (*)"));
    if (file.isEmpty())
        return;
    data::DraftReading reading = data::readDraftFile(file.toStdString());
    if (!reading.problems.empty()) {
        m_messages->showMessage(MessageBar::Kind::error,
                                QString::fromStdString(engine::describe(reading.problems.front())));
        return;
    }
    m_experiment.replaceDraft(std::move(reading.draft), tr("opening of an experiment"));
    runExperiment();
}

void MainWindow::showRun(std::shared_ptr<const ShownRun> run) {
    m_shown = std::move(run);
    TimelineModel model(m_shown);
    m_player->setRun(m_shown->index ? m_shown->index->moments() : std::vector<std::int64_t>{}, model.end());
    if (m_asked)
        m_viewState.setFollowedChunk(std::nullopt);
    if (m_failureShown)
        m_messages->clear();
    m_failureShown = false;
    m_viewState.setRunEnd(model.end());
    m_timeline->showModel(std::move(model));
    m_caption->showRun(m_shown);
    m_headlines->showHeadlines(headlinesOf(m_shown->run.result));
    setWindowTitle(tr("%1 – Ringside").arg(QString::fromStdString(m_shown->run.name)));
    showStatus(m_shown->run.result);
    showRunning(false);
    showStaleness();
    // Who turns a knob keeps it in the hand.
    if (m_asked)
        m_timeline->setFocus();
    Q_EMIT runShown();
}

void MainWindow::showOpened(const OpenedRun& run) {
    // The kept numbers are there at once; the trace is not kept and comes from running the document again.
    m_headlines->showHeadlines(headlinesOf(run.result));
    m_experiment.replaceDraft(run.draft, tr("opening of a kept run"));
    runExperiment();
}

void MainWindow::showRunning(bool running) {
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
    m_caption->showStale(differs && !answered);
}

void MainWindow::showStatus(const engine::RunResult& result) {
    QStringList facts{tr("1 tick = 1 ps")};
    if (m_shown->index) {
        facts << tr("%1 events in %2").arg(formatCount(result.events), formatTime(result.wallNs * 1000, 3))
              << (result.mirrored ? tr("one GPU simulated, %1 alike").arg(m_shown->index->gpus())
                                  : tr("%1 GPUs simulated").arg(m_shown->index->gpus()))
              << tr("%1 spans").arg(formatCount(static_cast<std::int64_t>(m_shown->index->trace().spanCount())));
    } else {
        facts << tr("computed from isolated runs");
    }
    if (m_shown->preview)
        facts << tr("interactive detail while you drag");
    m_status->setText(facts.join(QStringLiteral("  ·  ")));
    const bool holds = result.invariants.failed.empty();
    m_invariants->setVisible(result.invariants.checked > 0);
    m_invariants->setText(
        holds ? tr("invariants ✓ %1 checked").arg(result.invariants.checked)
              : tr("invariants ✗ %1 of %2 failed").arg(result.invariants.failed.size()).arg(result.invariants.checked));
    QStringList failed;
    for (const std::string& text : result.invariants.failed)
        failed << QString::fromStdString(text);
    m_invariants->setToolTip(holds
                                 ? tr("Conservation, counts, bounds and exclusivity were checked in this run and hold.")
                                 : failed.join(QLatin1Char('\n')));
    if (!holds)
        m_messages->showMessage(MessageBar::Kind::error,
                                tr("An invariant does not hold in this run: %1").arg(failed.front()));
    m_notices->setVisible(!result.notices.empty());
    m_notices->setText(result.notices.size() == 1 ? tr("1 notice") : tr("%1 notices").arg(result.notices.size()));
    m_notices->setIcon(tintedIcon(QStringLiteral("warning"), paletteOf(*this).of(Role::exposed)));
}

void MainWindow::showNotices() {
    QStringList lines;
    for (const engine::Notice& notice : m_shown->run.result.notices) {
        lines << QString::fromStdString(notice.path.empty() ? notice.text : notice.path + ": " + notice.text);
    }
    m_messages->showMessage(MessageBar::Kind::notice, lines.join(QLatin1Char('\n')));
}

void MainWindow::showAbout() {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About Ringside"),
        tr("<h3>Ringside %1</h3><p>How much of a collective hides behind the GEMM that produces its data, and what "
           "stops the rest: a laboratory for T3 (Pati et al., ASPLOS 2024).</p><p>GPL-3.0-or-later. Font: Inter, "
           "OFL 1.1. Colours: Okabe and Ito.</p>")
            .arg(QStringLiteral(RINGSIDE_VERSION)),
        QMessageBox::Close, this);
    box->setIconPixmap(windowIcon().pixmap(64, 64));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_player->pause();
    m_settings.remember(saveGeometry(), saveState());
    m_session.cancel();
    event->accept();
}

}  // namespace ui
