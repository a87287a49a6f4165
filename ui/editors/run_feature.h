#pragma once

#include <QObject>

#include <memory>

class QAction;

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

class RunController;
class ViewState;
class Workbench;

/// Starts and cancels runs of the experiment, and shows the state of a run in progress and the outcome of one that has
/// ended.
class RunFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    RunFeature(Workbench& workbench, RunController& runs, ViewState& viewState);

private:
    void addCommands();
    void setCancelling(bool possible);
    void reportProgress(const QString& timeLeft, bool isLong);
    void showRun(const data::ShownRun& run);
    void endRun();

    Workbench& m_workbench;
    RunController& m_runs;
    ViewState& m_viewState;
    QAction* m_cancel = nullptr;
    bool m_failureShown = false;  ///< the message of a failed run is shown until the next run has ended
};

}  // namespace ui
