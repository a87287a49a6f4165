#pragma once

#include <QObject>

#include <cstdint>

namespace ui {

class AddressBar;
class ExperimentModel;
class MemoryView;
class Player;
class RingMoment;
class RunController;
class ViewState;
class Workbench;

/// Adds the picture Memory with its address bar, and the panel Memory over time, to the window.
class MemoryFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    MemoryFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment, Player& player,
                  ExperimentModel& experiment, RunController& runs);

    MemoryView& view() { return *m_view; }
    AddressBar& addressBar() { return *m_bar; }
    /// Shows the picture with the banks of a channel, or with all channels if the run has no banks.
    void showBanks(std::uint32_t channel);

private:
    void connectBar();
    void showMapping();

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    MemoryView* m_view;
    AddressBar* m_bar;
};

}  // namespace ui
