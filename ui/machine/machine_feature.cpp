#include "ui/machine/machine_feature.h"

#include "ui/machine/address_map.h"
#include "ui/machine/machine_view.h"
#include "ui/workbench/moment_table.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/workbench.h"

namespace ui {

MachineFeature::MachineFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment) {
    Pictures& pictures = workbench.pictures();
    m_view = new MachineView(viewState, moment, &pictures);
    pictures.addView(QStringLiteral("machine"), tr("Machine"), m_view,
                     [&viewState, &moment] { return figureOf<MachineView>(viewState, moment); });
    workbench.panels().add({.name = QStringLiteral("addressMapDock"),
                            .title = tr("Address map"),
                            .widget = newAddressMap(viewState, moment),
                            .side = SidePanel::Side::right,
                            .rank = 40});
}

}  // namespace ui
