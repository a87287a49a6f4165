#pragma once

#include <QObject>

namespace ui {

class RingMoment;
class ViewState;
class Workbench;

/// Adds the view Tracker to the window.
class TrackerFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    TrackerFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment);
};

}  // namespace ui
