#pragma once

#include "data/replay/shown_run.h"

#include <QObject>

#include <memory>

class QAction;

namespace ui {

class Bookmarks;
class ExperimentModel;
class GhostBar;
class GhostOverlay;
class HeadlineStrip;
class LaneSpotOverlay;
class Measures;
class Player;
class RunController;
class RunReach;
class RunSelection;
class TimelineTools;
class TimelineView;
class ViewState;
class Workbench;

/// The picture Timeline with its commands, the outlines of the pinned run, and the headlines at the bottom of Explore.
class TimelineFeature final : public QObject {
    Q_OBJECT

public:
    struct Services {
        ViewState& viewState;
        ExperimentModel& experiment;
        RunController& runs;
        RunSelection& selection;
        RunReach& reach;
        Player& player;
        Bookmarks& bookmarks;
        Measures& measures;
    };

    /// All must outlive the feature.
    TimelineFeature(Workbench& workbench, const Services& services);
    ~TimelineFeature() override;

    TimelineView& view() { return *m_view; }
    HeadlineStrip& headlines() { return *m_headlines; }

    /// Marks the rows of a kind of lane by its name (engine::name(LaneKind)); an empty name marks none.
    void markLane(const QString& name);

private:
    void addPicture();
    void addFoot();
    void connectRuns();
    void addZoomCommands();
    void addLaneCommands();
    void addPinCommands();
    void showRun(const std::shared_ptr<const data::ShownRun>& run);
    void showPinned(const std::shared_ptr<const data::ShownRun>& run);
    void describePinned();
    void showHeadlineRow();

    Workbench& m_workbench;
    ViewState& m_viewState;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    RunSelection& m_selection;
    RunReach& m_reach;
    std::unique_ptr<GhostOverlay> m_ghost;        // must outlive the timeline, which draws it
    std::unique_ptr<LaneSpotOverlay> m_laneSpot;  // must outlive the timeline, which draws it
    TimelineView* m_view;
    GhostBar* m_ghostBar = nullptr;
    HeadlineStrip* m_headlines = nullptr;
    std::unique_ptr<TimelineTools> m_tools;
    QAction* m_pin = nullptr;
    QAction* m_pinOther = nullptr;
};

}  // namespace ui
