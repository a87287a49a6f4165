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

/// The view Compare: runs beneath each other under one transport.
class CompareFeature final : public QObject {
    Q_OBJECT

public:
    struct Config {
        RunSessionConfig session;    ///< how compared runs are run
        RunPictureFactory pictures;  ///< what draws one of them
    };

    /// All but the configuration must outlive the feature. `transport` stands in this view while it is in front.
    CompareFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                   RunReach& reach, Player& player, QWidget& transport, Config config);

    CompareView& view() { return *m_view; }
    /// Shows what was compared before, else the shown run and its sequential counterpart.
    void show();
    /// Compares the shown experiment under these policies, in this order, and the shown run, among them or behind them.
    void compareWith(const std::vector<std::string>& policies);
    /// Compares the shown experiment under every rule by which its companion can be dispatched.
    void compareRules();
    void compareKept(const std::vector<std::int64_t>& ids);
    /// Gives the playback keys and those that zoom to this view as well. Call once all commands exist.
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
};

}  // namespace ui
