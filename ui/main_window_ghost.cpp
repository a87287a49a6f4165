#include "ui/main_window.h"

#include "ui/compare/compare_view.h"
#include "ui/timeline/ghost_bar.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/commands.h"

// One run stays in sight while others come and go.

namespace ui {

void MainWindow::addGhostCommands() {
    m_pin = m_commands->add({.id = "run.pin",
                             .text = tr("&Pin This Run"),
                             .group = CommandGroup::run,
                             .keys = {QKeySequence(Qt::Key_G)},
                             .scope = CommandScope::picture,
                             .hint = tr("Its outlines and what differs from it stay beside every run that follows"),
                             .startsSection = true},
                            this, [this] { setPinned(m_pinned ? nullptr : m_shown); });
    m_pinOther = m_commands->add({.id = "run.pin-instead",
                                  .text = tr("Pin This Run &Instead"),
                                  .group = CommandGroup::run,
                                  .keys = {QKeySequence(Qt::SHIFT | Qt::Key_G)},
                                  .scope = CommandScope::picture},
                                 this, [this] { setPinned(m_shown); });
    m_pin->setEnabled(false);
    m_pinOther->setEnabled(false);
}

void MainWindow::connectGhost() {
    m_timeline->addOverlay(*m_ghost);
    connect(m_ghostBar, &GhostBar::unpinRequested, this, [this] { setPinned(nullptr); });
    connect(m_ghostBar, &GhostBar::restoreRequested, this, &MainWindow::restorePinned);
}

void MainWindow::setPinned(std::shared_ptr<const data::ShownRun> run) {
    if (run && run != m_pinned && !run->preview)
        m_session.keepForGood(run);
    outline(std::move(run));
}

void MainWindow::outline(std::shared_ptr<const data::ShownRun> run) {
    if (m_pinned == run)
        return;
    m_pinned = std::move(run);
    m_ghost->setPinned(m_pinned);
    m_headlines->compareWith(m_pinned ? headlinesOf(m_pinned->run.result) : std::vector<Headline>{});
    m_compare->comparison().setPinned(m_pinned);
    showReach();
    showGhost();
}

void MainWindow::restorePinned() {
    if (!m_pinned)
        return;
    m_experiment.replaceDraft(m_pinned->run.draft, tr("return to the pinned run"));
    runExperiment();
}

void MainWindow::showGhost() {
    m_ghostBar->showPinned(m_pinned, m_shown ? m_shown->run.experiment : engine::Experiment{});
    m_pin->setEnabled(m_shown != nullptr);
    m_pin->setText(m_pinned ? tr("Un&pin") : tr("&Pin This Run"));
    m_pinOther->setEnabled(m_pinned != nullptr && m_pinned != m_shown);
    m_timeline->repaintOverlays();
}

}  // namespace ui
