#pragma once

#include <QObject>

namespace ui {

class MachineView;
class RingMoment;
class ViewState;
class Workbench;

/// Adds the view Machine and the panel Address map to the window.
class MachineFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    MachineFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment);

    MachineView& view() { return *m_view; }

private:
    MachineView* m_view;
};

}  // namespace ui
