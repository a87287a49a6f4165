#include "ui/split/split_feature.h"

#include "ui/split/split_view.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/workbench.h"

namespace ui {

SplitFeature::SplitFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment) {
    Pictures& pictures = workbench.pictures();
    auto* view = new SplitView(viewState, moment, &pictures);
    pictures.addView(
        QStringLiteral("split"), tr("Split of the GEMM"), view,
        [&viewState, &moment] { return figureOf<SplitView>(viewState, moment); }, tr("Split"));
    workbench.panels().add({.name = QStringLiteral("splitTableDock"),
                            .title = tr("Partial sums"),
                            .widget = newSplitTable(viewState, moment, *view),
                            .side = SidePanel::Side::right,
                            .rank = 45,
                            .open = false});
    connect(view, &SplitView::tableRequested, this,
            [&workbench] { workbench.panels().raise(QStringLiteral("splitTableDock")); });
}

}  // namespace ui
