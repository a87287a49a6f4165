#pragma once

#include "ui/shared/run_picture.h"
#include "ui/shared/run_session.h"

#include <QAction>
#include <QObject>

#include <cstdint>
#include <string>
#include <vector>

namespace ui {

class CompareView;
class ExperimentModel;
class Player;
class RunController;
class RunReach;
class ViewState;
class Workbench;

/// The view Compare: several runs below each other, played by one transport bar.
class CompareFeature final : public QObject {
    Q_OBJECT

public:
    struct Config {
        RunSessionConfig session;    ///< how compared runs are run
        RunPictureFactory pictures;  ///< makes the picture of a run
    };

    /// All but the configuration must outlive the feature. The view holds `transport` while it is in front.
    CompareFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                   RunReach& reach, Player& player, QWidget& transport, Config config);

    CompareView& view() { return *m_view; }
    /// Shows the view with the runs compared before, or else the shown run and its sequential counterpart.
    void show();
    /// Compares runs of the shown experiment under these policies, in this order. The shown run is in its policy's
    /// place, or last.
    void compareWith(const std::vector<std::string>& policies);
    /// Compares runs of the shown experiment under every dispatch rule for its companion.
    void compareRules();
    void compareInSwitch();
    /// Opens a dialog that runs the shown experiment and its companion in every way.
    void shareGpu();
    void compareKept(const std::vector<std::int64_t>& ids);
    /// Lets the shortcuts of playback and zoom work in this view too. Call this once all commands exist.
    void finish();

private:
    void connectRuns(Player& player);
    void addCommands();
    bool isInFront() const;
    void showReach();

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    RunReach& m_reach;
    CompareView* m_view;
    QAction* m_rules = nullptr;
    QAction* m_inSwitch = nullptr;
    QAction* m_share = nullptr;
};

}  // namespace ui
