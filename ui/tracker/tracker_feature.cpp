#include "ui/tracker/tracker_feature.h"

#include "ui/tracker/tracker_view.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/workbench.h"

namespace ui {

TrackerFeature::TrackerFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment) {
    Pictures& pictures = workbench.pictures();
    pictures.addView(QStringLiteral("tracker"), tr("Tracker"), new TrackerView(viewState, moment, &pictures));
}

}  // namespace ui
