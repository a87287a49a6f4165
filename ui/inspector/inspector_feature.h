#pragma once

#include <QObject>

namespace ui {

class InspectorPanel;
class RunSelection;
class ViewState;
class Workbench;

/// The panel with all facts about the selection.
class InspectorFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    InspectorFeature(Workbench& workbench, ViewState& viewState, RunSelection& selection);

    InspectorPanel& panel() { return *m_panel; }

private:
    InspectorPanel* m_panel;  ///< the workbench deletes it
};

}  // namespace ui
