#include "ui/inside/inside_feature.h"

#include "data/replay/shown_run.h"
#include "engine/api/parameters.h"
#include "ui/inside/inside_view.h"
#include "ui/inside/inside_words.h"
#include "ui/look/format.h"
#include "ui/look/glossary.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/moment_table.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/workbench.h"

namespace ui {
namespace {

constexpr int kPanelRank = 45;

}  // namespace

InsideFeature::InsideFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment, Hooks hooks)
    : m_workbench(workbench), m_viewState(viewState), m_moment(moment), m_hooks(std::move(hooks)),
      m_view(new InsideView(viewState, moment, &workbench.pictures())) {
    workbench.pictures().addView(
        QStringLiteral("inside"), tr("Inside One GPU"), m_view,
        [&viewState, &moment] { return figureOf<InsideView>(viewState, moment); }, tr("Inside"));
    workbench.panels().add({.name = QStringLiteral("partsDock"),
                            .title = tr("Parts of one GPU"),
                            .widget = newPartTable(viewState, moment),
                            .side = SidePanel::Side::right,
                            .rank = kPanelRank,
                            .open = false});
    workbench.spotlight().add(
        QStringLiteral("part"), [this](const QString& text) { return showPart(text); },
        [this] {
            if (m_viewState.selectedPart())
                m_viewState.clearSelection();
        });
    connect(&viewState, &ViewState::selectionChanged, this, &InsideFeature::followSelection);
    connect(m_view, &InsideView::banksRequested, this, [this](quint32 channel) { m_hooks.openBanks(channel); });
}

PartDescription InsideFeature::describe(data::GpuPartRef ref) const {
    PartDescription description{titleOf(ref), glossaryText(text(data::wordOf(ref.part))), {}, {}};
    if (!m_moment.hasStates())
        return description;
    const std::uint32_t gpu = m_moment.focusedGpu();
    for (const PartFact& fact : partFacts(m_moment, gpu, ref))
        description.facts.push_back({fact.name, fact.value});
    if (description.facts.empty())
        description.facts.push_back({tr("Not in this run"), absentParts(m_moment, gpu).join(tr("; "))});
    for (const std::string& path : parametersOf(ref.part)) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        description.parameters.push_back(
            {text(path), text(engine::formatValue(parameter, parameter.read(m_moment.run()->run.experiment)))});
    }
    return description;
}

InsideView* InsideFeature::newView(QWidget* parent) { return new InsideView(m_viewState, m_moment, parent); }

// Selects the part, which the view marks itself, and shows the view Inside One GPU unless it is shown already.
QWidget* InsideFeature::showPart(const QString& text) {
    const auto ref = data::gpuPartOf(text.toStdString());
    if (!ref)
        return nullptr;
    if (m_workbench.pictures().current() != QLatin1String("inside")) {
        m_workbench.showExplore();
        m_workbench.pictures().showView(QStringLiteral("inside"));
    }
    m_viewState.selectPart(*ref);
    return nullptr;
}

void InsideFeature::followSelection() {
    const auto part = m_viewState.selectedPart();
    if (part || m_marked) {
        m_hooks.markFields(part ? parametersOf(part->part) : std::vector<std::string>());
        m_hooks.markLane(part ? laneOf(part->part) : QString());
    }
    m_marked = part.has_value();
}

}  // namespace ui
