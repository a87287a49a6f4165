#include "ui/main_window.h"

#include "data/sweep/sweep_document.h"
#include "ui/editors/experiment_form.h"
#include "ui/figure/figure_view.h"
#include "ui/find/find_bar.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_view.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QApplication>
#include <QFileDialog>
#include <QUndoStack>

// Kept runs and sweeps are looked through, changed and opened.

namespace ui {

QWidget* MainWindow::buildBrowser() {
    m_browser = new RunsView(m_catalogue, m_windowViews);
    if (!m_session.keepsRuns())
        m_browser->showReason(tr("Runs are not kept in this session."));
    return m_browser;
}

void MainWindow::connectBrowser() {
    connect(&m_session, &RunSession::runsListed, &m_catalogue, &CatalogueSession::refresh);
    connect(&m_session, &RunSession::storeFailed, m_browser, &RunsView::showProblem);
    connect(&m_catalogue, &CatalogueSession::changed, &m_session, &RunSession::listAgain);
    connect(m_browser, &RunsView::touched, &m_session,
            qOverload<const std::vector<std::int64_t>&>(&RunSession::keepForGood));
    connect(m_browser, &RunsView::openRequested, this, [this](qint64 id) {
        m_pinAndShow.reset();
        m_session.openRun(id);
    });
    connect(m_browser, &RunsView::experimentRequested, this, [this](qint64 id) {
        m_openedToEdit = id;
        m_session.openRun(id);
    });
    connect(m_browser, &RunsView::pinAndShowRequested, this, &MainWindow::pinAndShow);
    connect(m_browser, &RunsView::compareRequested, this, &MainWindow::compareKept);
    connect(m_browser, &RunsView::runRequested, this, &MainWindow::runExperiment);
    connect(m_browser, &RunsView::failed, this,
            [this](const QString& text) { m_messages->showMessage(MessageBar::Kind::error, text); });
    connect(m_browser, &RunsView::sweepOpenRequested, this, [this](const data::StoredSweep& sweep) {
        const data::SweepReading reading = data::readSweep(sweep.document, "the kept sweep");
        if (reading.problems.empty())
            adoptSweep(reading.sweep, tr("opening of a kept sweep"), {});
        else
            showUnreadable(tr("The kept sweep"), reading.problems);
    });
    connect(m_browser, &RunsView::exportRequested, this, [this] {
        const QString file =
            QFileDialog::getSaveFileName(this, tr("Export Runs"), documentFolder() + QStringLiteral("/runs.csv"),
                                         tr("Comma-separated values (*.csv);;JSON (*.json)"));
        if (!file.isEmpty())
            m_browser->exportTo(file);
    });
    connect(m_browser, &RunsView::exported, this,
            [this](const QString& text) { m_messages->showMessage(MessageBar::Kind::done, text); });
    connect(m_browser, &RunsView::removed, this, [this](const QString& text) {
        m_messages->showMessage(MessageBar::Kind::done, text, tr("Undo"), [this] { m_browser->undoStack().undo(); });
        // "Undo" means this removal, and nothing that comes after it.
        connect(
            &m_browser->undoStack(), &QUndoStack::indexChanged, m_messages,
            [this, text] {
                if (m_messages->text() == text)
                    m_messages->clear();
            },
            Qt::SingleShotConnection);
    });
    connect(m_runs, &RunsPanel::removeRequested, m_browser, [this](qint64 id) { m_browser->remove({id}); });
    connect(m_runs, &RunsPanel::allRequested, this, [this] { m_windowViews->showView(QStringLiteral("runs")); });
    connect(this, &MainWindow::runShown, this, &MainWindow::pinWhatWasAskedFor);
    connect(&m_session, &RunSession::runFailed, this, [this] { m_pinAndShow.reset(); });
    connect(&m_session, &RunSession::runStopped, this, [this] { m_pinAndShow.reset(); });
}

void MainWindow::addBrowserCommands() {
    for (const auto& [command, action] : m_browser->commands())
        m_commands->adopt(command, action);
}

void MainWindow::pinAndShow(std::int64_t pinned, std::int64_t shown) {
    m_pinAndShow = PinAndShow{pinned, shown, {}};
    m_session.openRun(pinned);
}

void MainWindow::pinWhatWasAskedFor() {
    if (!m_pinAndShow || m_pinAndShow->hash.empty())
        return;
    const PinAndShow asked = *std::exchange(m_pinAndShow, std::nullopt);
    if (m_shown->preview || m_shown->run.hash != asked.hash)
        return;  // somebody has asked for something else meanwhile
    setPinned(m_shown);
    m_session.openRun(asked.shown);
}

void MainWindow::openFind() {
    if (m_windowViews->current() == QLatin1String("runs"))
        m_browser->openFilter();
    else
        m_find->open();
}

// Of the part of the window that somebody works in.
QUndoStack& MainWindow::undoStackInUse() {
    const QWidget* focused = QApplication::focusWidget();
    const bool inForm = focused != nullptr && m_form->isAncestorOf(focused);
    if (m_windowViews->current() == QLatin1String("figure") && !inForm)
        return m_figures->undoStack();
    const bool inBrowser = m_windowViews->current() == QLatin1String("runs") && !inForm;
    return inBrowser ? m_browser->undoStack() : m_experiment.undoStack();
}

}  // namespace ui
