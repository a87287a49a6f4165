#include "ui/inspector/inspector_feature.h"

#include "ui/inspector/inspector_panel.h"
#include "ui/shared/run_selection.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/workbench.h"

namespace ui {

InspectorFeature::InspectorFeature(Workbench& workbench, ViewState& viewState, RunSelection& selection)
    : m_panel(new InspectorPanel(viewState)) {
    workbench.panels().add({.name = QStringLiteral("inspectorDock"),
                            .title = tr("Inspector"),
                            .widget = m_panel,
                            .side = SidePanel::Side::right,
                            .rank = 30});
    connect(&selection, &RunSelection::flowChanged, m_panel, &InspectorPanel::showRun);
    connect(m_panel, &InspectorPanel::spanRequested, &selection, &RunSelection::selectAndReveal);
    connect(m_panel, &InspectorPanel::fieldRequested, this,
            [&workbench](const QString& field) { workbench.spotlight().pointAt(field); });
    connect(m_panel, &InspectorPanel::whyRequested, this, [&workbench] {
        if (const Command* why = workbench.commands().find(QStringLiteral("select.why")))
            why->action->trigger();
    });
}

}  // namespace ui
