#include "ui/compare/compare_feature.h"

#include "data/presets/presets.h"
#include "data/questions/pair.h"
#include "engine/api/parameters.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/comparison.h"
#include "ui/compare/pair_dialog.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/availability.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr auto kCompare = "compare";

}  // namespace

CompareFeature::CompareFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment,
                               RunController& runs, RunReach& reach, Player& player, QWidget& transport, Config config)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_reach(reach),
      m_view(new CompareView(config.session, viewState, std::move(config.pictures), &workbench.views())) {
    workbench.views().addView({.name = QString::fromLatin1(kCompare),
                               .title = tr("Compare"),
                               .widget = m_view,
                               .key = Qt::Key_F3,
                               .hint = tr("Two to four runs beneath each other: where they differ, and why"),
                               .figure = [this] { return m_view->figure(); },
                               .stepOut = [this] { return m_view->stepOut(); }});
    new ControlKeyFilter(*m_view);
    connectRuns(player);
    addCommands();
    connect(&workbench.views(), &WindowViews::currentChanged, this, [this, &transport] {
        if (isInFront()) {
            m_view->holdTransport(&transport);
            transport.show();
        }
        showReach();
    });
    workbench.session().add({QString::fromLatin1(kCompare), SessionScope::window,
                             [this] { return m_view->comparison().save(); },
                             [this](const QJsonValue& kept) { return m_view->comparison().restore(kept); }});
    m_view->commands().adoptInto(workbench.commands(), 70);
}

void CompareFeature::connectRuns(Player& player) {
    Comparison& comparison = m_view->comparison();
    connect(&m_runs, &RunController::shownChanged, &comparison, &Comparison::setShown);
    connect(&m_runs, &RunController::pinnedChanged, &comparison, &Comparison::setPinned);
    connect(m_view, &CompareView::momentRequested, &player, &Player::seek);
    connect(m_view, &CompareView::pinRequested, &m_runs, &RunController::pin);
    connect(m_view, &CompareView::openRequested, this, [this](const RunController::Run& run) {
        m_experiment.replaceDraft(run->run.draft, tr("Open Compared Run"));
        m_runs.run();
    });
    connect(m_view, &CompareView::reachChanged, this, &CompareFeature::showReach);
    connect(&m_runs.catalogue(), &CatalogueSession::newestListed, m_view,
            [this](const std::shared_ptr<const std::vector<data::StoredRun>>& runs) { m_view->setKept(*runs); });
}

void CompareFeature::addCommands() {
    m_rules = m_workbench.commands().add(
        {.id = "compare.dispatch-rules",
         .text = tr("Compare &Dispatch Rules"),
         .group = CommandGroup::run,
         .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)},
         .hint = tr("Compares runs of this experiment and its companion under every dispatch rule"),
         .rank = 12},
        this, &CompareFeature::compareRules);
    m_share = m_workbench.commands().add(
        {.id = "compare.share-gpu",
         .text = tr("Compare Ways to Share the &GPU…"),
         .group = CommandGroup::run,
         .hint =
             tr("Runs this experiment and its companion under every rule, by copies and in the switch, or copies of "
                "a GEMM at once"),
         .rank = 12},
        this, &CompareFeature::shareGpu);
    m_inSwitch = m_workbench.commands().add(
        {.id = "compare.in-switch",
         .text = tr("Compare with &Adding in the Switch"),
         .group = CommandGroup::run,
         .hint = tr("Compares sequential, T3-MCA and a collective in the switch, for GPUs joined by one switch"),
         .rank = 13},
        this, &CompareFeature::compareInSwitch);
    const auto follow = [this](const RunController::Run& run) {
        setAvailable(
            *m_rules, run && data::hasWaysToShare(run->run.experiment),
            run ? tr("The shown run has no companion on its CUs. Choose one in the form, under Companion, and run it.")
                : tr("No run is shown yet."));
        setAvailable(
            *m_share, run && PairDialog::canAnswer(run->run.experiment),
            run ? tr("The shown run has no companion on its CUs and is no GEMM alone. Choose one in the form, and run it.")
                : tr("No run is shown yet."));
        // T3 cannot run in the switch, so that the shown run must have another algorithm.
        const bool switched = run && run->run.experiment.topology.kind == engine::TopologyKind::switched;
        setAvailable(*m_inSwitch, switched && !engine::addsInSwitch(run->run.experiment),
                     !run ? tr("No run is shown yet.")
                     : !switched
                         ? tr("No switch joins the GPUs of the shown run: its topology.kind is not switch.")
                         : tr("The shown run adds in the switch already. Choose another algorithm in the form, and "
                              "run it."));
    };
    follow(m_runs.shown());
    connect(&m_runs, &RunController::shownChanged, this, follow);
}

void CompareFeature::compareInSwitch() {
    using Kind = ComparePick::Kind;
    m_view->comparison().setPicks(
        {{Kind::policy, "sequential"}, {Kind::policy, "t3-mca"}, {Kind::algorithm, "in-switch"}});
    show();
}

bool CompareFeature::isInFront() const { return m_workbench.views().currentView().widget == m_view; }

// While this view is in front, playback extends to the end of the longest compared run.
void CompareFeature::showReach() {
    m_reach.setCompared(isInFront() ? std::optional(m_view->comparison().reach()) : std::nullopt);
}

void CompareFeature::finish() {
    for (const Command& command : m_workbench.commands().all()) {
        const bool zooms = command.id.startsWith(QLatin1String("view.whole-run")) ||
                           command.id.startsWith(QLatin1String("view.pan-")) ||
                           (command.id.startsWith(QLatin1String("view.zoom-")) &&
                            command.id != QLatin1String("view.zoom-to-selection"));
        if (command.group == CommandGroup::playback || zooms)
            m_view->addAction(command.action);
    }
}

void CompareFeature::show() { m_workbench.views().showView(QString::fromLatin1(kCompare)); }

void CompareFeature::compareWith(const std::vector<std::string>& policies) {
    using Kind = ComparePick::Kind;
    std::vector<ComparePick> picks;
    const std::string own(engine::name(m_experiment.expansion().experiment.policy.preset));
    for (const std::string& policy : policies) {
        const ComparePick pick = policy == own ? ComparePick{Kind::shown} : ComparePick{Kind::policy, policy};
        if (data::findPolicy(policy) != nullptr && std::find(picks.begin(), picks.end(), pick) == picks.end())
            picks.push_back(pick);
    }
    if (std::find(picks.begin(), picks.end(), ComparePick{Kind::shown}) == picks.end())
        picks.push_back({Kind::shown});
    m_view->comparison().setPicks(std::move(picks));
    show();
}

void CompareFeature::compareRules() {
    const RunController::Run& shown = m_runs.shown();
    if (!shown)
        return;
    std::vector<ComparePick> picks;
    for (const data::DispatchRow& row : data::dispatchRows(shown->run.draft))
        picks.push_back({ComparePick::Kind::rule, std::string(engine::name(row.rule))});
    m_view->comparison().setPicks(std::move(picks));
    show();
}

void CompareFeature::shareGpu() {
    const RunController::Run& shown = m_runs.shown();
    if (!shown || !PairDialog::canAnswer(shown->run.experiment))
        return;
    const auto open = [this](const data::ExperimentDraft& draft, const QString& name) {
        m_experiment.replaceDraft(draft, name);
        m_runs.run();
    };
    auto* dialog = new PairDialog(shown->run.draft, open, &m_workbench.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void CompareFeature::compareKept(const std::vector<std::int64_t>& ids) {
    std::vector<ComparePick> picks;
    picks.reserve(ids.size());
    for (const std::int64_t id : ids)
        picks.push_back({ComparePick::Kind::kept, {}, id});
    m_view->comparison().setPicks(std::move(picks));
    show();
}

}  // namespace ui
