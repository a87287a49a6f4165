#pragma once

#include "ui/export/export_feature.h"
#include "ui/look/palette.h"
#include "ui/shared/bookmarks.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/measures.h"
#include "ui/shared/player.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_log_builder.h"
#include "ui/shared/run_selection.h"
#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_session.h"
#include "ui/shared/sweep_state.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/main_window.h"

#include <optional>
#include <string>

namespace ui {

class ChartView;
class CompareFeature;
class EvaluationsFeature;
class ExperimentFeature;
class FigureFeature;
class InsideFeature;
class LessonFeature;
struct LessonPicture;
struct LessonStage;
class ModelFeature;
class PlaybackFeature;
class SceneFeature;
class SweepFeature;
class TimelineFeature;
class WelcomeFeature;
class WhyFeature;

/// What a window opens with.
struct RingsideWindowConfig {
    data::ExperimentDraft draft;
    std::optional<DocumentOrigin> origin;  ///< the file that the draft was read from
    std::optional<OpenedSweep> sweep{};    ///< over the draft, as its base
    RunSessionConfig session;
    QString settingsFile;                  ///< empty: nothing is remembered
    QString sessionFile;                   ///< empty: no session is kept
    bool restoresExperiment = true;        ///< false: the draft was asked for and beats that of the last session
    std::string presetFolder{};            ///< the reader's own presets; empty: none
    std::optional<Theme> theme;            ///< nothing: as remembered
    std::optional<bool> runsWhileEditing;  ///< nothing: as remembered
    std::optional<QSize> size;             ///< nothing: as large as is good, within the screen
    bool welcomes = false;                 ///< with a card of what to try first, until it was closed for good
};

/// Ringside's window: creates the state that features share, then the features, in the order of their menus, views and
/// panels. The only place that knows them all. The opening experiment is run as soon as the window exists.
class RingsideWindow final : public MainWindow {
    Q_OBJECT

public:
    explicit RingsideWindow(RingsideWindowConfig config, QWidget* parent = nullptr);
    ~RingsideWindow() override;

    ViewState& viewState() { return m_viewState; }
    ExperimentModel& experiment() { return m_experiment; }
    RunController& runs() { return m_runs; }
    RunLogBuilder& logs() { return m_logs; }
    Player& player() { return m_player; }
    const Measures& measures() const { return m_measures; }
    SweepModel& sweep() { return m_sweep; }
    SweepSession& sweepSession() { return m_sweepSession; }
    SweepState& sweepState() { return m_sweepState; }

    CompareFeature& compare() { return *m_compare; }
    EvaluationsFeature& evaluations() { return *m_evaluations; }
    ExperimentFeature& editor() { return *m_editor; }
    ExportFeature& exports() { return *m_export; }
    FigureFeature& figures() { return *m_figures; }
    InsideFeature& inside() { return *m_inside; }
    LessonFeature& lessons() { return *m_lessons; }
    ModelFeature& model() { return *m_model; }
    SceneFeature& scenes() { return *m_scenes; }
    SweepFeature& sweeps() { return *m_sweeps; }

    /// What frames of this window are taken from.
    FrameStage frameStage();
    /// What pictures of a lesson's steps are taken from.
    LessonStage lessonStage();
    /// Shows a view of the window, or a picture of a run without the panels around it. Returns false if there is neither.
    bool showAlone(const QString& view);

private:
    void buildExplore();
    void buildViews();
    void buildPanels();
    void buildLessons();
    void connectFeatures();
    void keepSession();
    FrameStage makeStage(const ExportFeature::StageRequest& request);
    LessonStage makeLessonStage(const data::ExperimentDraft& draft);
    LessonPicture lessonPicture();

    RingsideWindowConfig m_config;
    ViewState m_viewState;
    ExperimentModel m_experiment;
    Bookmarks m_bookmarks;
    Measures m_measures;
    RunReach m_reach;
    BreakpointList m_breakpoints;
    Player m_player;
    RingMoment m_moment;
    RunSelection m_selection;
    RunLogBuilder m_logs;
    SweepModel m_sweep;
    SweepState m_sweepState;
    SweepSession m_sweepSession;
    RunController m_runs;

    QObject m_features;  ///< owns the features; they end before what they share
    ChartView* m_chart = nullptr;
    CompareFeature* m_compare = nullptr;
    EvaluationsFeature* m_evaluations = nullptr;
    ExperimentFeature* m_editor = nullptr;
    ExportFeature* m_export = nullptr;
    FigureFeature* m_figures = nullptr;
    InsideFeature* m_inside = nullptr;
    LessonFeature* m_lessons = nullptr;
    ModelFeature* m_model = nullptr;
    PlaybackFeature* m_playback = nullptr;
    SceneFeature* m_scenes = nullptr;
    SweepFeature* m_sweeps = nullptr;
    TimelineFeature* m_timeline = nullptr;
    WelcomeFeature* m_welcome = nullptr;
    WhyFeature* m_why = nullptr;
};

}  // namespace ui
