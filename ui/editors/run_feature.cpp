#include "ui/editors/run_feature.h"

#include "data/replay/shown_run.h"
#include "ui/look/format.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/availability.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/explore_page.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QAction>

#include <utility>

namespace ui {
namespace {

constexpr int kCommandRank = 0, kEscapeRank = 10;

bool isExploreInFront(Workbench& workbench) { return workbench.views().currentView().widget == &workbench.explore(); }

}  // namespace

RunFeature::RunFeature(Workbench& workbench, RunController& runs, ViewState& viewState)
    : m_workbench(workbench), m_runs(runs), m_viewState(viewState) {
    addCommands();
    workbench.addEscape(kEscapeRank, [this] {
        if (!m_runs.isRunning())
            return false;
        m_runs.cancel();
        return true;
    });
    connect(&runs, &RunController::pictureRequested, &workbench, &Workbench::showExplore);
    connect(&runs, &RunController::started, this, [this] {
        if (m_runs.shown())
            m_workbench.explore().waitingOverlay().start();
        setCancelling(true);
    });
    connect(&runs, &RunController::progressed, this,
            [this](double, const QString& timeLeft, bool isLong) { reportProgress(timeLeft, isLong); });
    connect(&runs, &RunController::shownChanged, this,
            [this](const std::shared_ptr<const data::ShownRun>& run) { showRun(*run); });
    connect(&runs, &RunController::stopped, this,
            [this] { m_workbench.hint(tr("Cancelled. The picture shows the previous run.")); });
    connect(&runs, &RunController::runEnded, this, &RunFeature::endRun);
    connect(&runs, &RunController::failed, this, [this](const QString& text) {
        m_failureShown = true;
        m_workbench.fail(text);
    });
    connect(&runs, &RunController::settled, this, [this] { m_workbench.session().noteChange(); });
}

void RunFeature::addCommands() {
    Commands& commands = m_workbench.commands();
    commands.add({.id = "run.start",
                  .text = tr("&Run"),
                  .group = CommandGroup::run,
                  .keys = {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter),
                           QKeySequence(Qt::CTRL | Qt::Key_R)},
                  .hint = tr("Simulates the experiment with the values in the form"),
                  .rank = kCommandRank},
                 &m_runs, &RunController::run);
    m_cancel = commands.add({.id = "run.cancel",
                             .text = tr("&Cancel"),
                             .group = CommandGroup::run,
                             .hint = tr("Stops the run in progress; Escape does the same"),
                             .rank = kCommandRank},
                            &m_runs, &RunController::cancel);
    setCancelling(false);
}

void RunFeature::setCancelling(bool possible) { setAvailable(*m_cancel, possible, tr("No run is in progress.")); }

void RunFeature::reportProgress(const QString& timeLeft, bool isLong) {
    if (isLong)
        m_workbench.explore().waitingOverlay().setText(timeLeft.isEmpty() ? tr("Simulating…")
                                                                          : tr("Simulating: %1").arg(timeLeft));
}

void RunFeature::showRun(const data::ShownRun& run) {
    if (m_runs.wasAskedFor())
        m_viewState.setFollowedChunk(std::nullopt);
    if (std::exchange(m_failureShown, false))
        m_workbench.messages().clear();
    m_workbench.status().showRun(run);
    const std::vector<std::string>& failed = run.run.result.invariants.failed;
    if (!failed.empty())
        m_workbench.fail(tr("An invariant does not hold in this run: %1").arg(text(failed.front())));
    // The focus moves to the view only if the user asked for the run: runs while editing leave it in the form.
    if (m_runs.wasAskedFor() && isExploreInFront(m_workbench))
        m_workbench.views().focusCurrent();
}

void RunFeature::endRun() {
    m_workbench.explore().waitingOverlay().stop();
    setCancelling(false);
    m_workbench.session().endStart(m_runs.shown() != nullptr);
}

}  // namespace ui
