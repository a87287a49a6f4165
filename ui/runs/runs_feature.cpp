#include "ui/runs/runs_feature.h"

#include "data/sweep/sweep_document.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/runs_view.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/sweep_state.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/session_file.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QUndoStack>

#include <utility>

namespace ui {
namespace {

constexpr int kRunsPanelRank = 10, kRunsCommandsRank = 20;

}  // namespace

RunsFeature::RunsFeature(Workbench& workbench, RunController& runs, SweepState& sweepState, Hooks hooks)
    : m_workbench(workbench), m_runs(runs), m_sweepState(sweepState), m_hooks(std::move(hooks)),
      m_view(new RunsView(runs.catalogue(), &workbench.views())), m_panel(new RunsPanel) {
    if (!m_runs.catalogue().keepsRuns()) {
        const QString reason = tr("Runs are not kept in this session.");
        m_view->showReason(reason);
        m_panel->showReason(reason);
    }
    addView();
    addPanel();
    connectStore();
    connectView();
}

void RunsFeature::addView() {
    const QString name = QStringLiteral("runs");
    m_workbench.views().addView({.name = name,
                                 .title = tr("Runs"),
                                 .widget = m_view,
                                 .key = Qt::Key_F6,
                                 .hint = tr("Finds, compares and opens kept runs and sweeps"),
                                 .undo = &m_view->undoStack(),
                                 .find = [this] { m_view->openFilter(); }});
    m_view->commands().adoptInto(m_workbench.commands(), kRunsCommandsRank);
    m_workbench.session().add({name, SessionScope::window, [this] { return m_view->saved(); },
                               [this](const QJsonValue& kept) { return m_view->restore(kept); }});
}

void RunsFeature::addPanel() {
    m_workbench.panels().add({.name = QStringLiteral("runsDock"),
                              .title = tr("Kept runs"),
                              .widget = m_panel,
                              .side = SidePanel::Side::left,
                              .rank = kRunsPanelRank});
    connect(m_panel, &RunsPanel::openRequested, this, &RunsFeature::open);
    connect(m_panel, &RunsPanel::removeRequested, m_view, [this](qint64 id) { m_view->remove({id}); });
    connect(m_panel, &RunsPanel::allRequested, this, [this] { m_workbench.views().showView(QStringLiteral("runs")); });
}

void RunsFeature::connectStore() {
    CatalogueSession& catalogue = m_runs.catalogue();
    connect(&catalogue, &CatalogueSession::newestListed, m_panel,
            [this](const std::shared_ptr<const std::vector<data::StoredRun>>& runs, qint64 all) {
                m_panel->showRuns(*runs, all);
            });
    connect(&catalogue, &CatalogueSession::openFailed, &m_workbench, &Workbench::fail);
    connect(&catalogue, &CatalogueSession::storeFailed, m_view, [this](const QString& text) {
        m_workbench.fail(text);
        m_panel->showReason(tr("Runs are not kept for now: the store cannot be used."));
        m_view->showProblem(text);
    });
    connect(&m_runs, &RunController::keptOpened, this,
            [this](const KeptRun& run) { m_openedHash = run.stored.experimentHash; });
}

void RunsFeature::connectView() {
    connect(m_view, &RunsView::openRequested, this, &RunsFeature::open);
    connect(m_view, &RunsView::experimentRequested, this, [this](qint64 id) { m_runs.openAsExperiment(id); });
    connect(m_view, &RunsView::pinAndShowRequested, this, &RunsFeature::pinAndShow);
    connect(m_view, &RunsView::compareRequested, this,
            [this](const std::vector<std::int64_t>& ids) { m_hooks.compare(ids); });
    connect(m_view, &RunsView::runRequested, &m_runs, &RunController::run);
    connect(m_view, &RunsView::failed, &m_workbench, &Workbench::fail);
    connect(m_view, &RunsView::sweepOpenRequested, this, &RunsFeature::openSweep);
    connect(m_view, &RunsView::exportRequested, this, &RunsFeature::askWhereToExport);
    connect(m_view, &RunsView::exported, &m_workbench, &Workbench::confirm);
    connect(m_view, &RunsView::removed, this, &RunsFeature::offerUndo);
}

void RunsFeature::open(std::int64_t id) {
    m_runs.dropAwaited();  // drops what waits for an earlier run, such as the second half of pinAndShow()
    m_runs.openKept(id);
}

void RunsFeature::pinAndShow(std::int64_t pinned, std::int64_t shown) {
    m_runs.openKept(pinned, [this, shown] {
        // In this version, the document of a kept run may describe another experiment.
        if (m_runs.shown()->run.hash != m_openedHash)
            return;
        m_runs.pin(m_runs.shown());
        m_runs.openKept(shown);
    });
}

void RunsFeature::openSweep(const data::StoredSweep& sweep) {
    const data::SweepReading reading = data::readSweep(sweep.document, "the kept sweep");
    if (reading.problems.empty())
        m_sweepState.requestSweep(reading.sweep, tr("Open Kept Sweep"));
    else
        m_workbench.documents().reportUnreadable(tr("The kept sweep"), reading.problems);
}

void RunsFeature::askWhereToExport() {
    const QString file = m_workbench.documents().askWhereToSave(tr("Export Runs"), QStringLiteral("runs.csv"),
                                                                tr("Comma-separated values (*.csv);;JSON (*.json)"));
    if (!file.isEmpty())
        m_view->exportTo(file);
}

void RunsFeature::offerUndo(const QString& text) {
    MessageBar& messages = m_workbench.messages();
    messages.showMessage(MessageBar::Kind::done, text, tr("Undo"), [this] { m_view->undoStack().undo(); });
    // The button "Undo" may undo only this removal, so the message is cleared at the next change of the stack.
    connect(
        &m_view->undoStack(), &QUndoStack::indexChanged, &messages,
        [&messages, text] {
            if (messages.text() == text)
                messages.clear();
        },
        Qt::SingleShotConnection);
}

}  // namespace ui
