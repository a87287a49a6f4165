#pragma once

#include <QObject>

namespace ui {

class FindBar;
class RunSelection;
class ViewState;
class Workbench;

/// Search in the current view, and the find bar for spans below the pictures of a run.
class FindFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    FindFeature(Workbench& workbench, ViewState& viewState, RunSelection& selection);

    FindBar& bar() { return *m_bar; }

private:
    void addCommands();
    void openFind();

    Workbench& m_workbench;
    FindBar* m_bar;  ///< the page Explore deletes it
};

}  // namespace ui
