#include "ui/why/why_feature.h"

#include "ui/shared/experiment_model.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_selection.h"
#include "ui/why/cause_figure.h"
#include "ui/why/ribbon_view.h"
#include "ui/why/sensitivity_chips.h"
#include "ui/why/why_panel.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/session_file.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/workbench.h"

#include <QJsonObject>

#include <utility>

namespace ui {
namespace {

constexpr int kWhyHintMs = 5'000;
constexpr int kWhyPanelRank = 50;
constexpr int kRibbonCommandRank = 0, kWhyCommandRank = 30, kCauseFigureRank = 70;

}  // namespace

WhyFeature::WhyFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                       RunSelection& selection, Player& player, Hooks hooks)
    : m_workbench(workbench), m_viewState(viewState), m_experiment(experiment), m_runs(runs), m_selection(selection),
      m_player(player), m_hooks(std::move(hooks)), m_ribbon(new RibbonView(viewState)),
      m_panel(new WhyPanel(viewState)) {
    workbench.panels().add({.name = QStringLiteral("whyDock"),
                            .title = tr("Why"),
                            .widget = m_panel,
                            .side = SidePanel::Side::right,
                            .rank = kWhyPanelRank});
    connect(m_ribbon, &RibbonView::chainRequested, this, &WhyFeature::explainTime);
    connect(m_ribbon, &RibbonView::legendRequested, this, &WhyFeature::raisePanel);
    connect(m_ribbon, &RibbonView::cursorRequested, &m_player, &Player::seek);
    connectPanel();
    followRuns();
    addRibbonCommand();
    addCommands();
}

WhyFeature::~WhyFeature() {
    if (m_ribbon && m_ribbon->parent() == nullptr)
        delete m_ribbon;
}

void WhyFeature::connectPanel() {
    connect(m_panel, &WhyPanel::linkShown, m_ribbon, [this](qint64 start, qint64 end) {
        m_ribbon->setMarked(data::TimeRange{start, end});
    });
    connect(m_panel, &WhyPanel::spanRequested, &m_selection, &RunSelection::selectAndReveal);
    connect(m_panel, &WhyPanel::momentRequested, this, [this](qint64 ps) {
        m_player.seek(ps);
        m_viewState.revealCursor();
    });
    connect(m_panel, &WhyPanel::chainOfSelectionRequested, this, &WhyFeature::explainSelection);
    connect(&m_panel->chips(), &SensitivityChips::parameterChosen, this,
            [this](const QString& path) { m_workbench.spotlight().pointAt(QStringLiteral("field:") + path); });
}

void WhyFeature::followRuns() {
    // The ribbon and the panel may be deleted before this feature is.
    connect(&m_selection, &RunSelection::flowChanged, m_panel, [this](const std::shared_ptr<const data::Flow>& flow) {
        auto chain = std::make_shared<const ReasonChain>(flow);
        if (m_ribbon)
            m_ribbon->showRun(chain);
        m_panel->showRun(std::move(chain));
        m_panel->chips().showRun(flow->sharedRun());
    });
    connect(&m_runs, &RunController::started, m_panel, [this] { m_panel->chips().stop(); });
    // After an edit is undone, the settings are those of the shown run again, so its changes are shown again.
    connect(&m_experiment, &ExperimentModel::changed, m_panel, [this] {
        const bool same = m_runs.shown() && !m_runs.differs() && !m_runs.isRunning();
        if (same)
            m_panel->chips().showRun(m_runs.shown());
        else
            m_panel->chips().stop();
    });
}

void WhyFeature::addRibbonCommand() {
    QAction* shown = m_workbench.commands().add({.id = "view.ribbon",
                                                 .text = tr("Show Waiting &Ribbon"),
                                                 .group = CommandGroup::view,
                                                 .hint = tr("Shows or hides the ribbon between overview and lanes"),
                                                 .rank = kRibbonCommandRank},
                                                this, [] {});
    shown->setCheckable(true);
    shown->setChecked(true);
    connect(shown, &QAction::toggled, m_ribbon, &QWidget::setVisible);
    m_workbench.session().add({QStringLiteral("ribbon"), SessionScope::window,
                               [this] {
                                   return QJsonObject{{QStringLiteral("open"), !m_ribbon->isHidden()}};
                               },
                               [shown](const QJsonValue& kept) {
                                   const QJsonValue open = kept.toObject().value(QStringLiteral("open"));
                                   if (!open.isBool())
                                       return false;
                                   shown->setChecked(open.toBool());
                                   return true;
                               }});
}

void WhyFeature::addCommands() {
    Commands& commands = m_workbench.commands();
    commands.add(
        {.id = "select.why",
         .text = tr("Show Cause C&hain"),
         .group = CommandGroup::select,
         .keys = {QKeySequence(Qt::Key_Y)},
         .scope = CommandScope::picture,
         .hint =
             tr("Shows the cause chain of the selected span or, without a selection, from the cursor's time backwards"),
         .rank = kWhyCommandRank},
        this, &WhyFeature::explainSelection);
    for (const auto& [how, what] :
         {std::pair{tr("Click on the ribbon"), tr("show the cause chain from there backwards")},
          {tr("Left, Right on the ribbon"), tr("go to the previous or next cause")},
          {tr("Enter on the ribbon"), tr("show the cause chain")}})
        commands.addGesture({CommandGroup::select, how, what});
    commands.add({.id = "file.figure-of-causes",
                  .text = tr("Export &Waiting Breakdown"),
                  .group = CommandGroup::file,
                  .hint = tr("Exports the causes of the run as stacked bars, beside those of the pinned run"),
                  .rank = kCauseFigureRank},
                 this, &WhyFeature::exportCauses);
}

// Exports the pinned run first and then the shown run, so that the figure shows the effect of the change from left to
// right.
void WhyFeature::exportCauses() {
    const RunController::Run& shown = m_runs.shown();
    const RunController::Run& pinned = m_runs.pinned();
    auto figure = causeFigure(pinned == shown ? std::vector{shown} : std::vector{pinned, shown});
    if (!figure) {
        m_workbench.notify(tr("No run with a critical path is shown. Choose a policy such as T3-MCA and run it."));
        return;
    }
    m_hooks.takeFigure({std::move(*figure), {}});
}

void WhyFeature::raisePanel() { m_workbench.panels().raise(QStringLiteral("whyDock")); }

void WhyFeature::explainTime(qint64 ps) {
    raisePanel();
    m_player.pause();
    m_player.seek(ps);
    m_panel->showChainAt(ps);
}

void WhyFeature::explainSelection() {
    raisePanel();
    const auto span = m_viewState.selectedSpan();
    if (!span) {
        explainTime(m_viewState.cursor().value_or(m_viewState.runEnd()));
        return;
    }
    if (!m_panel->showChainThrough(*span))
        m_workbench.hint(
            tr("The end of the run did not wait for this span: if it were shorter, the run would not end sooner."),
            kWhyHintMs);
}

}  // namespace ui
