#include "ui/memory/memory_feature.h"

#include "data/replay/shown_run.h"
#include "engine/api/parameters.h"
#include "ui/look/widget_parts.h"
#include "ui/memory/address_bar.h"
#include "ui/memory/memory_figure.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/memory_words.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/player.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/workbench.h"

#include <QJsonObject>

#include <algorithm>

namespace ui {
namespace {

constexpr int kPanelRank = 46;

}  // namespace

MemoryFeature::MemoryFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment, Player& player,
                             ExperimentModel& experiment, RunController& runs)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs),
      m_view(new MemoryView(viewState, moment, &workbench.pictures())), m_bar(new AddressBar(m_view)) {
    m_view->setBar(*m_bar, AddressBar::heightInLines(), [this](double left) { m_bar->setLeft(left); });
    connectBar();
    connect(m_view, &MemoryView::cursorRequested, &player, &Player::seek);
    workbench.pictures().addView(QStringLiteral("memory"), tr("Memory"), m_view,
                                 [this, &viewState, &moment] { return memoryFigure(*m_view, viewState, moment); });
    MomentTable* table = newMemoryTable(viewState, moment, *m_view);
    workbench.panels().add({.name = QStringLiteral("memoryTableDock"),
                            .title = tr("Memory over time"),
                            .widget = table,
                            .side = SidePanel::Side::right,
                            .rank = kPanelRank,
                            .open = false});
    connect(m_view, &MemoryView::tableChanged, table, &MomentTable::refresh);
    WindowSession& session = workbench.session();
    session.add({QStringLiteral("memory"), SessionScope::window,
                 [this] {
                     return QJsonObject{{QStringLiteral("page"), nameOf(m_view->page())},
                                        {QStringLiteral("heat"), static_cast<int>(m_view->heat())}};
                 },
                 [this](const QJsonValue& kept) {
                     const auto page = dramPageOf(kept[QStringLiteral("page")].toString());
                     const int heat = kept[QStringLiteral("heat")].toInt(-1);
                     if (!page || heat < 0 || heat >= static_cast<int>(kHeats))
                         return false;
                     m_view->setHeat(static_cast<Heat>(heat));
                     return m_view->showPage(*page);
                 }});
    connect(m_view, &MemoryView::pageChanged, this, [&session] { session.noteChange(); });
}

void MemoryFeature::connectBar() {
    connect(m_bar, &AddressBar::edited, this, [this](const AddressEdit& edit) {
        m_experiment.setValue(*engine::findParameter(edit.path), edit.value, edit.step);
        if (!m_experiment.isDragged())
            m_experiment.finishEdit();
    });
    connect(m_bar, &AddressBar::dragBegan, &m_experiment, &ExperimentModel::beginDrag);
    connect(m_bar, &AddressBar::dragEnded, &m_experiment, &ExperimentModel::endDrag);
    connect(&m_experiment, &ExperimentModel::changed, this, &MemoryFeature::showMapping);
    connect(&m_runs, &RunController::shownChanged, this, &MemoryFeature::showMapping);
    onEvents(*m_bar, {QEvent::Show}, [this] { showMapping(); });
}

// The bar shows the experiment as it is edited, and keeps the last one that can be run.
void MemoryFeature::showMapping() {
    if (!m_experiment.isRunnable() || !m_bar->isVisible())
        return;
    m_bar->showExperiment(m_experiment.expansion().experiment,
                          m_runs.shown() ? std::optional(m_runs.shown()->run.experiment.address) : std::nullopt);
}

void MemoryFeature::showBanks(std::uint32_t channel) {
    m_workbench.showExplore();
    m_workbench.pictures().showView(QStringLiteral("memory"));
    if (!m_view->showPage(DramPage::banks(channel)))
        m_view->showPage({});
}

}  // namespace ui
