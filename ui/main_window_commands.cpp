#include "ui/main_window.h"

#include "ui/editors/experiment_form.h"
#include "ui/figure/figure_view.h"
#include "ui/playback/player.h"
#include "ui/playback/transport_bar.h"
#include "ui/runs/runs_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/centre_views.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/key_bindings.h"
#include "ui/workbench/window_views.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QShortcut>

#include <map>

namespace ui {

void MainWindow::buildCommands() {
    m_commands = new Commands(*this, *m_windowViews->all().front().widget, this);
    addFileCommands();
    addEditCommands();
    addRunCommands();
    addGhostCommands();
    addSweepCommands();
    addBrowserCommands();
    addPlaybackCommands();
    addSelectCommands();
    addRibbonCommands();
    addViewCommands();
    addWindowCommands();
    addCompareCommands();
    addHelpCommands();
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(escape, &QShortcut::activated, this, &MainWindow::stepOut);
    m_keys = std::make_unique<KeyBindings>(*m_commands, m_settings);
    buildMenus();
}

void MainWindow::addEditCommands() {
    const auto inForm = [this] { return &undoStackInUse() == &m_experiment.undoStack(); };
    QAction* undo = m_commands->add(
        {.id = "edit.undo", .text = tr("&Undo"), .group = CommandGroup::edit, .keys = {QKeySequence::Undo}}, this,
        [this, inForm] { inForm() ? m_form->undo() : undoStackInUse().undo(); });
    QAction* redo =
        m_commands->add({.id = "edit.redo",
                         .text = tr("&Redo"),
                         .group = CommandGroup::edit,
                         .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)}},
                        this, [this, inForm] { inForm() ? m_form->redo() : undoStackInUse().redo(); });
    const auto follow = [this, undo, redo] {
        const QUndoStack& stack = undoStackInUse();
        undo->setEnabled(stack.canUndo());
        undo->setText(stack.canUndo() ? tr("&Undo: %1").arg(stack.undoText()) : tr("&Undo"));
        redo->setEnabled(stack.canRedo());
        redo->setText(stack.canRedo() ? tr("&Redo: %1").arg(stack.redoText()) : tr("&Redo"));
    };
    connect(&m_experiment.undoStack(), &QUndoStack::indexChanged, undo, follow);
    connect(&m_browser->undoStack(), &QUndoStack::indexChanged, undo, follow);
    connect(&m_figures->undoStack(), &QUndoStack::indexChanged, undo, follow);
    connect(m_windowViews, &WindowViews::currentChanged, undo, follow);
    connect(qApp, &QApplication::focusChanged, undo, follow);
    follow();
}

void MainWindow::addRunCommands() {
    m_commands->add({.id = "run.start",
                     .text = tr("&Run"),
                     .group = CommandGroup::run,
                     .keys = {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter),
                              QKeySequence(Qt::CTRL | Qt::Key_R)},
                     .hint = tr("Simulates the experiment as it stands in the form")},
                    this, &MainWindow::runExperiment);
    m_cancel = m_commands->add({.id = "run.cancel",
                                .text = tr("&Cancel"),
                                .group = CommandGroup::run,
                                .hint = tr("Stops the run under way; Escape does the same")},
                               &m_session, &RunSession::cancel);
    m_cancel->setEnabled(false);
}

void MainWindow::addPlaybackCommands() {
    for (QAction* action : m_transport->playbackActions()) {
        m_commands->adopt({.id = QStringLiteral("playback.") + action->objectName(),
                           .group = CommandGroup::playback,
                           .scope = CommandScope::picture},
                          action);
    }
}

void MainWindow::addViewCommands() {
    const auto add = [this](const char* id, const QString& text, const QList<QKeySequence>& keys, auto order) {
        m_commands->add({.id = QString::fromLatin1(id),
                         .text = text,
                         .group = CommandGroup::view,
                         .keys = keys,
                         .scope = CommandScope::picture,
                         .submenu = tr("&Zoom and Pan")},
                        m_timeline, order);
    };
    add("view.whole-run", tr("Show the &Whole Run"), {QKeySequence(Qt::Key_0)}, [this] { m_viewState.showAll(); });
    add("view.zoom-in", tr("Zoom &In"), {QKeySequence(Qt::Key_W), QKeySequence(Qt::Key_Plus)},
        [this] { m_timeline->zoomBy(1.5); });
    add("view.zoom-out", tr("Zoom &Out"), {QKeySequence(Qt::Key_S), QKeySequence(Qt::Key_Minus)},
        [this] { m_timeline->zoomBy(1 / 1.5); });
    add("view.pan-left", tr("Pan &Left"), {QKeySequence(Qt::Key_A), QKeySequence(Qt::Key_Left)},
        [this] { m_timeline->panBy(-0.1); });
    add("view.pan-right", tr("Pan &Right"), {QKeySequence(Qt::Key_D), QKeySequence(Qt::Key_Right)},
        [this] { m_timeline->panBy(0.1); });
    add("view.pan-left-fast", tr("Pan Left by Half"),
        {QKeySequence(Qt::SHIFT | Qt::Key_A), QKeySequence(Qt::SHIFT | Qt::Key_Left)},
        [this] { m_timeline->panBy(-0.5); });
    add("view.pan-right-fast", tr("Pan Right by Half"),
        {QKeySequence(Qt::SHIFT | Qt::Key_D), QKeySequence(Qt::SHIFT | Qt::Key_Right)},
        [this] { m_timeline->panBy(0.5); });
    add("view.zoom-back", tr("&Back to What Was in Sight"),
        {QKeySequence(Qt::Key_Backspace), QKeySequence(Qt::ALT | Qt::Key_Left)}, &TimelineView::goBack);
    add("view.zoom-forward", tr("&Forward Again"), {QKeySequence(Qt::ALT | Qt::Key_Right)}, &TimelineView::goForward);
    add("view.show-selection", tr("Bring the &Selection into Sight"), {QKeySequence(Qt::Key_F)},
        &TimelineView::showSelection);
    add("view.zoom-to-selection", tr("&Zoom to the Selection"), {QKeySequence(Qt::Key_Z)},
        &TimelineView::zoomToSelection);
    addLaneCommands();
    for (const auto& [how, what] : {std::pair{tr("Wheel"), tr("zoom at the pointer")},
                                    {tr("Shift+wheel"), tr("pan")},
                                    {tr("Ctrl+wheel"), tr("scroll the lanes")},
                                    {tr("Drag"), tr("select a stretch of time on some GPUs")},
                                    {tr("Shift+drag"), tr("pan")},
                                    {tr("Middle drag"), tr("zoom into a box")},
                                    {tr("Drag along the axis"), tr("move through time")},
                                    {tr("Drag a lane's name"), tr("move the lane")}})
        m_commands->addGesture({CommandGroup::view, how, what});
}

void MainWindow::addLaneCommands() {
    const auto add = [this](const char* id, const QString& text, const QString& hint, const QList<QKeySequence>& keys,
                            auto order, bool startsSection = false) {
        m_commands->add({.id = QString::fromLatin1(id),
                         .text = text,
                         .group = CommandGroup::view,
                         .keys = keys,
                         .scope = CommandScope::picture,
                         .hint = hint,
                         .startsSection = startsSection,
                         .submenu = tr("&Lanes")},
                        m_timeline, order);
    };
    add(
        "lane.previous", tr("Previous Lane"), tr("Keys act on the lane in focus"), {QKeySequence(Qt::Key_Up)},
        [this] { m_timeline->moveFocus(-1); }, true);
    add("lane.next", tr("Next Lane"), tr("Keys act on the lane in focus"), {QKeySequence(Qt::Key_Down)},
        [this] { m_timeline->moveFocus(1); });
    add("lane.next-span", tr("&Next Span on the Lane"), tr("Selects it; while a span is selected . does the same"),
        {QKeySequence(Qt::CTRL | Qt::Key_Period)}, [this] { m_timeline->selectNeighbour(1); });
    add("lane.previous-span", tr("Pre&vious Span on the Lane"),
        tr("Selects it; while a span is selected , does the same"), {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
        [this] { m_timeline->selectNeighbour(-1); });
    add("lane.open", tr("&Open or Close the Lane"), tr("Shows the lanes of a GPU, or the details of a lane"),
        {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)}, &TimelineView::openFocused);
    add("lane.pin", tr("&Pin the Lane"), tr("Keeps the lane above the others while they scroll; again lets go of it"),
        {QKeySequence(Qt::Key_P)}, &TimelineView::pinFocused);
    add("lane.hide", tr("&Hide the Lane"), tr("The foot of the picture says how many lanes are hidden"),
        {QKeySequence(Qt::Key_H)}, &TimelineView::hideFocused);
    add("lane.show-all", tr("Show &All Lanes"), tr("Brings hidden lanes back"), {QKeySequence(Qt::SHIFT | Qt::Key_H)},
        &TimelineView::showAllLanes);
    add("lane.up", tr("Move the Lane Up"), tr("In all GPUs alike; a closed GPU moves as a whole"),
        {QKeySequence(Qt::ALT | Qt::Key_Up)}, [this] { m_timeline->shiftFocused(-1); });
    add("lane.down", tr("Move the Lane Down"), tr("In all GPUs alike; a closed GPU moves as a whole"),
        {QKeySequence(Qt::ALT | Qt::Key_Down)}, [this] { m_timeline->shiftFocused(1); });
}

void MainWindow::addWindowCommands() {
    addWindowViewCommands();
    // One view needs no switch.
    const QStringList names = m_views->names();
    for (qsizetype i = 0; i < names.size() && names.size() > 1; ++i) {
        const QString name = names[i];
        m_commands->add(
            {.id = QStringLiteral("view.show-") + name,
             .text = m_views->titleOf(name),
             .group = CommandGroup::view,
             .keys = {QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + i))},
             .hint = tr("Fills the centre with this view; Ctrl+click on its button shows it above the timeline")},
            m_views, [this, name] { m_views->showView(name); });
    }
    if (names.size() > 1) {
        m_commands->add({.id = "view.beside",
                         .text = tr("&Beside the Timeline"),
                         .group = CommandGroup::view,
                         .keys = {QKeySequence(Qt::ALT | Qt::Key_0)},
                         .hint = tr("Keeps the timeline in sight beneath the view")},
                        m_views, [this] { m_views->setBeside(!m_views->isBeside()); });
    }
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        m_commands->adopt({.id = QStringLiteral("view.panel-") + m_panels[i].name,
                           .group = CommandGroup::view,
                           .hint = tr("Shows or hides this panel"),
                           .startsSection = i == 0},
                          m_panels[i].dock->toggleViewAction());
    }
    m_presenting = m_commands->add({.id = "view.present",
                                    .text = tr("Presenter &Mode"),
                                    .group = CommandGroup::view,
                                    .keys = {QKeySequence(Qt::Key_F11)},
                                    .hint = tr("The picture alone on the whole screen, in larger type")},
                                   this, &MainWindow::setPresenting);
    m_presenting->setCheckable(true);
    m_commands->add({.id = "view.reset-layout", .text = tr("Reset La&yout"), .group = CommandGroup::view}, this,
                    &MainWindow::resetLayout);
    auto* themes = new QActionGroup(this);
    m_lightTheme = m_commands->add(
        {.id = "view.theme-light", .text = tr("Li&ght Theme"), .group = CommandGroup::view, .startsSection = true},
        this, [this] { chooseTheme(Theme::light); });
    m_darkTheme = m_commands->add({.id = "view.theme-dark", .text = tr("&Dark Theme"), .group = CommandGroup::view},
                                  this, [this] { chooseTheme(Theme::dark); });
    for (QAction* action : {m_lightTheme, m_darkTheme}) {
        action->setCheckable(true);
        themes->addAction(action);
    }
}

void MainWindow::addHelpCommands() {
    addAskingCommands();
    m_commands->add({.id = "help.about", .text = tr("&About Ringside"), .group = CommandGroup::help}, this,
                    &MainWindow::showAbout);
}

void MainWindow::buildMenus() {
    std::map<std::pair<CommandGroup, QString>, QMenu*> menus;
    for (std::size_t group = 0; group < kCommandGroups; ++group) {
        for (const Command& command : m_commands->all()) {
            if (command.group != static_cast<CommandGroup>(group) || !command.inMenu)
                continue;
            QMenu*& top = menus[{command.group, QString()}];
            if (top == nullptr)
                top = menuBar()->addMenu(titleOf(command.group));
            QMenu*& menu = menus[{command.group, command.submenu}];
            if (menu == nullptr)
                menu = top->addMenu(command.submenu);
            if (command.startsSection && !menu->isEmpty())
                menu->addSeparator();
            menu->addAction(command.action);
        }
    }
}

void MainWindow::stepOut() {
    if (stepOutOfSweep() || stepOutOfModel() || stepOutOfFigure() || stepOutOfCompare())
        return;
    if (m_session.isRunning()) {
        m_session.cancel();
    } else if (m_presents) {
        setPresenting(false);
    } else if (m_viewState.selectedSpan() || m_viewState.selectedArea()) {
        m_viewState.clearSelection();
        m_viewState.setFollowedChunk(std::nullopt);
    } else if (!m_measures.empty()) {
        m_measures.clear();
    } else if (m_viewState.followedChunk()) {
        m_viewState.setFollowedChunk(std::nullopt);
    } else {
        m_player->pause();
        m_viewState.setCursor(std::nullopt);
    }
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

}  // namespace ui
