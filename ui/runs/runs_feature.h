#pragma once

#include <QObject>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace data {
struct StoredSweep;
}

namespace ui {

class RunController;
class RunsPanel;
class RunsView;
class SweepState;
class Workbench;

/// Kept runs and sweeps: adds the view Runs, which finds, changes and opens them, and the panel of the newest runs.
class RunsFeature final : public QObject {
    Q_OBJECT

public:
    /// Functions of other features that this one calls.
    struct Hooks {
        std::function<void(const std::vector<std::int64_t>& ids)> compare;  ///< shows kept runs beside each other
    };

    /// `workbench`, `runs` and `sweepState` must outlive the feature.
    RunsFeature(Workbench& workbench, RunController& runs, SweepState& sweepState, Hooks hooks);

    RunsView& view() { return *m_view; }
    RunsPanel& panel() { return *m_panel; }

private:
    void addView();
    void addPanel();
    void connectStore();
    void connectView();
    void open(std::int64_t id);
    void pinAndShow(std::int64_t pinned, std::int64_t shown);
    void openSweep(const data::StoredSweep& sweep);
    void askWhereToExport();
    void offerUndo(const QString& text);

    Workbench& m_workbench;
    RunController& m_runs;
    SweepState& m_sweepState;
    Hooks m_hooks;
    std::string m_openedHash;  ///< hash of the experiment of the kept run that was opened last
    // The workbench deletes the view and the panel.
    RunsView* m_view;
    RunsPanel* m_panel;
};

}  // namespace ui
