#pragma once

#include <QObject>

namespace ui {

class BreakpointList;
class CaptionLine;
class ExperimentModel;
class Player;
class PresenterCaption;
class RingMoment;
class RunController;
class RunLogBuilder;
class RunReach;
class TransportBar;
class ViewState;
class Workbench;

/// Playback of a run: the transport bar, its commands, and the line that describes what happens at the cursor.
class PlaybackFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    PlaybackFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                    RunReach& reach, Player& player, BreakpointList& breakpoints, RunLogBuilder& logs,
                    RingMoment& moment);

    /// Returns the only transport bar of the window; it is moved to the view in front if that view plays runs.
    TransportBar& transport() { return *m_transport; }

private:
    void connectRun(RingMoment& moment);
    void showStaleness();
    void placeCaption();

    Workbench& m_workbench;
    ViewState& m_viewState;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    RunReach& m_reach;
    Player& m_player;
    BreakpointList& m_breakpoints;
    RunLogBuilder& m_logs;
    TransportBar* m_transport;
    CaptionLine* m_caption;
    PresenterCaption* m_presenterCaption = nullptr;
};

}  // namespace ui
