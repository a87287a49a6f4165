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

/// Starting and cancelling runs of the experiment, and everything that the window says about a run under way and about
/// one that has ended.
class RunFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    RunFeature(Workbench& workbench, RunController& runs, ViewState& viewState);

private:
    void addCommands();
    void tellProgress(const QString& timeLeft, bool isLong);
    void showRun(const data::ShownRun& run);
    void endRun();

    Workbench& m_workbench;
    RunController& m_runs;
    ViewState& m_viewState;
    QAction* m_cancel = nullptr;
    bool m_failureShown = false;  ///< the message of a failed run is shown until the next run is there
};

}  // namespace ui
