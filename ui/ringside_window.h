#pragma once

#include "ui/export/export_feature.h"
#include "ui/look/palette.h"
#include "ui/shared/bookmarks.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/figure_offer.h"
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

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace data {
struct FigureSource;
}

namespace ui {

class ChartView;
class CompareFeature;
class MeasuredFeature;
class EvaluationsFeature;
class ExperimentFeature;
class FigureFeature;
class InsideFeature;
class LessonFeature;
struct LessonPicture;
struct LessonStage;
class MemoryFeature;
class ModelFeature;
class PlaybackFeature;
class SceneFeature;
class SweepFeature;
class TimelineFeature;
class WelcomeFeature;
class WhyFeature;

/// The configuration with which a window opens.
struct RingsideWindowConfig {
    data::ExperimentDraft draft;
    std::optional<DocumentOrigin> origin;  ///< the file that the draft was read from
    std::optional<OpenedSweep> sweep{};    ///< a sweep whose base is the draft
    RunSessionConfig session;
    QString settingsFile;  ///< empty: no settings are remembered
    QString sessionFile;   ///< empty: no session is kept
    bool restoresExperiment =
        true;  ///< false: use the draft, which was explicitly requested, and not the experiment of the last session
    std::string presetFolder{};            ///< folder of the user's own presets; empty: none
    std::optional<Theme> theme;            ///< empty: the remembered theme
    std::optional<bool> runsWhileEditing;  ///< empty: the remembered choice
    std::optional<QSize> size;             ///< empty: the preferred size, as far as the screen has room for it
    FigureAgain figureAgain{};             ///< empty: only figures of the gallery can be made again
    bool welcomes = false;                 ///< show the welcome card until the user closes it for good
};

/// The window of Ringside: creates the state that features share, then the features, in the order of their menus, views
/// and panels. Only this class knows all features. The first experiment runs as soon as the window exists.
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
    MeasuredFeature& measured() { return *m_measured; }
    EvaluationsFeature& evaluations() { return *m_evaluations; }
    ExperimentFeature& editor() { return *m_editor; }
    ExportFeature& exports() { return *m_export; }
    FigureFeature& figures() { return *m_figures; }
    InsideFeature& inside() { return *m_inside; }
    LessonFeature& lessons() { return *m_lessons; }
    MemoryFeature& memory() { return *m_memory; }
    ModelFeature& model() { return *m_model; }
    SceneFeature& scenes() { return *m_scenes; }
    SweepFeature& sweeps() { return *m_sweeps; }

    /// Returns the parts of this window from which exported frames are taken.
    FrameStage frameStage();
    /// Returns the parts of this window from which the pictures of a lesson's steps are taken.
    LessonStage lessonStage();
    /// Returns false while the page in front is still being computed, as when a model is timed.
    bool isViewAnswered();
    /// Shows a view of the window, or a picture of a run without the panels around it. Returns false if there is no
    /// view and no picture of this name.
    bool showAlone(const QString& view);

private:
    void buildExplore();
    void buildViews();
    void buildPanels();
    void buildLessons();
    std::vector<QWidget*> numbersOfAnswers();
    void connectFeatures();
    void keepSession();
    FrameStage makeStage(const ExportFeature::StageRequest& request);
    std::vector<std::shared_ptr<const data::ShownRun>> comparedRuns() const;
    LessonStage makeLessonStage(const data::ExperimentDraft& draft);
    LessonPicture lessonPicture();
    data::FigureSource sourceOfView() const;

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

    QObject m_features;  ///< owns the features; they are destroyed before the shared state that they use
    ChartView* m_chart = nullptr;
    CompareFeature* m_compare = nullptr;
    MeasuredFeature* m_measured = nullptr;
    EvaluationsFeature* m_evaluations = nullptr;
    ExperimentFeature* m_editor = nullptr;
    ExportFeature* m_export = nullptr;
    FigureFeature* m_figures = nullptr;
    InsideFeature* m_inside = nullptr;
    LessonFeature* m_lessons = nullptr;
    MemoryFeature* m_memory = nullptr;
    ModelFeature* m_model = nullptr;
    PlaybackFeature* m_playback = nullptr;
    SceneFeature* m_scenes = nullptr;
    SweepFeature* m_sweeps = nullptr;
    TimelineFeature* m_timeline = nullptr;
    WelcomeFeature* m_welcome = nullptr;
    WhyFeature* m_why = nullptr;
};

}  // namespace ui
