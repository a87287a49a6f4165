#pragma once

// Where to plug things in (one line each, in the member named):
//
//   a view of its own        buildCentre     m_windowViews->addView({"runs", tr("Runs"), new RunsView, Qt::Key_F6, hint});
//   a picture of the run     buildExplore    m_views->addView("machine", tr("Machine"), new MachineView(m_viewState));
//   a panel at the side      buildPanels     addPanel({"inspectorDock", tr("Inspector"), m_inspector, Side::right});
//   a command                add…Commands    m_commands->add({.id = "view.x", .text = …}, receiver, order);
//   what follows the run     connectSession  connect(this, &MainWindow::runChanged, part, &Part::showRun);
//   what needs its log       connectSession  connect(this, &MainWindow::logChanged, part, &Part::setLog);
//   what the next start      addSessionParts m_sessionParts.add({"bookmarks", SessionScope::experiment, save, restore});
//   finds again
//   a message to the reader  anywhere        m_messages->showMessage(MessageBar::Kind::notice, text);
//
// A view, panel or command that is registered is in menu, palette, sheet of shortcuts, --view and layout by that alone.
// What all views share (range, cursor, followed chunk, selection) is m_viewState; playback belongs to m_player.

#include "data/experiment/scene.h"
#include "data/replay/flow.h"
#include "ui/shared/bookmarks.h"
#include "ui/shared/catalogue_session.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/figure_offer.h"
#include "ui/shared/file_job.h"
#include "ui/shared/measures.h"
#include "ui/shared/run_session.h"
#include "ui/shared/sweep_file.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/session_file.h"
#include "ui/workbench/session_parts.h"
#include "ui/workbench/window_settings.h"

#include <QElapsedTimer>
#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QDockWidget;
class QProgressDialog;
class QUndoStack;

namespace data {
class RunLog;
struct TraceChoice;
struct TraceHead;
struct TraceWatch;
}  // namespace data

namespace ui {

class AnswerCover;
class BreakpointList;
class CaptionLine;
class CentreViews;
class ChartView;
class CommandPalette;
class Commands;
class CompareView;
class ExperimentForm;
class FigureView;
class FindBar;
struct FrameRequest;
class GhostBar;
class GhostOverlay;
class HeadlineStrip;
class KeyBindings;
class KeyHint;
class InspectorPanel;
class LaneSpotOverlay;
class LessonPanel;
class LessonState;
class MessageBar;
class ModelView;
class Player;
class PresenterCaption;
class RunLogBuilder;
class RibbonView;
class RingMoment;
class RunsPanel;
class RunsView;
class ShortcutSheet;
class SessionKeeper;
class SpotMark;
class StatusLine;
class StillPointer;
class SweepModel;
class SweepSession;
class SweepState;
class SweepView;
class TimelineTools;
class TimelineView;
class TransportBar;
class Veil;
class WelcomeCard;
class WhyPanel;
class WindowViews;
struct WelcomeStep;

/// What a window opens with.
struct MainWindowConfig {
    data::ExperimentDraft draft;
    std::optional<DocumentOrigin> origin;  ///< the file that the draft was read from
    std::optional<OpenedSweep> sweep{};    ///< over the draft, as its base
    RunSessionConfig session;
    QString settingsFile;                  ///< empty: nothing is remembered
    QString sessionFile;                   ///< likewise
    bool restoresExperiment = true;        ///< false: the draft was asked for and beats that of the last session
    std::string presetFolder{};            ///< the reader's own presets; empty: none
    std::optional<Theme> theme;            ///< nothing: as remembered
    std::optional<bool> runsWhileEditing;  ///< likewise
    std::optional<QSize> size;             ///< nothing: as large as is good, within the screen
    bool welcomes = false;                 ///< with a card of what to try first, until it was closed for good
};

/// Builds the panels and connects them. Owns what they share: the view state, the experiment being edited, the
/// session that runs it. The opening experiment is run as soon as the window exists.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(MainWindowConfig config, QWidget* parent = nullptr);
    ~MainWindow() override;

    ViewState& viewState() { return m_viewState; }
    ExperimentModel& experiment() { return m_experiment; }
    RunSession& session() { return m_session; }
    const Measures& measures() const { return m_measures; }
    const Commands& commands() const { return *m_commands; }
    CentreViews& views() { return *m_views; }
    WindowViews& windowViews() { return *m_windowViews; }
    const std::shared_ptr<const data::ShownRun>& shownRun() const { return m_shown; }
    const std::shared_ptr<const data::ShownRun>& pinnedRun() const { return m_pinned; }

    /// What Run does: takes in what is being typed and starts, or says why not. Explore shows what comes of it.
    void runExperiment();
    /// Says in a message what is wrong with a file that cannot be opened.
    void openDocument(const QString& file);
    void saveDocumentAs(const QString& file);
    /// Takes a lesson, bundled (bundledLessons) or a file, from this step on; false, and a message, where it cannot.
    bool openLesson(const QString& file, std::size_t step = 0);
    LessonState& lesson() { return *m_lesson; }
    /// Every parameter, not only what was set by hand.
    void exportDocument(const QString& file);
    void saveSweepAs(const QString& file);
    /// What Run Sweep does.
    void startSweep();
    SweepModel& sweep() { return *m_sweep; }
    SweepSession& sweepSession() { return *m_sweepSession; }
    SweepState& sweepState() { return *m_sweepState; }
    ModelView& model() { return *m_model; }
    FigureView& figures() { return *m_figures; }
    /// What the view that is shown now would be as a figure; nothing where it has none.
    std::optional<FigureOffer> figureOfView();
    /// Takes what is shown to the view Figure; there it asks where to write.
    void exportFigure();
    void copyFigure();
    /// By the name of the gallery, or by that of a view or a picture of the run, which is taken as it is. False for
    /// neither, and where there is nothing to take. figureShown() follows.
    bool showFigure(const QString& name);
    /// Runs the experiment where it is another, and shows the rest of the scene once the run is there; another run that
    /// is asked for meanwhile takes its place. What the run does not have is told in a message, and the rest shown.
    void showScene(const data::Scene& scene);
    /// What is shown now.
    data::Scene scene() const;
    /// A link text as it was pasted, dropped or given; what is wrong with it is told, and changes nothing.
    void openLink(const QString& text);
    void copyLink();
    /// Writes what this view shows, in a picture of this size, while the run plays; the window stays usable.
    void exportFrames(const FrameRequest& request, const QSize& size);
    /// Writes the trace of the run that is shown; it can be cancelled, and the window stays usable.
    void exportTrace(const QString& file, const data::TraceChoice& choice);
    /// A file that carries a figure, and the experiment that made it.
    void openFigureFile(const QString& file);
    /// The view Compare, with what was compared before, else the shown run and its sequential counterpart.
    void showCompare();
    /// There: the shown experiment under these policies, in this order, and the shown run, in their midst or behind them.
    void compareWith(const std::vector<std::string>& policies);
    CompareView& compare() { return *m_compare; }
    void setTheme(Theme theme);
    /// Sets it, and for the next start as well.
    void chooseTheme(Theme theme);
    /// For a room full of people: the picture alone on the whole screen, its type half as large again.
    void setPresenting(bool presenting);
    /// What --view may ask for: the views of the window, then the pictures within Explore.
    QStringList viewNames() const;
    /// A view of the window as it is, or a picture without the panels around it. False for no such view.
    bool showAlone(const QString& view);

Q_SIGNALS:
    /// Another run is to be shown; panels take it from here.
    void runChanged(std::shared_ptr<const data::ShownRun> run);
    /// All panels have it.
    void runShown();
    /// A moment later the log of that run is there: the state at any moment. Null where it has none.
    void logChanged(std::shared_ptr<const data::RunLog> log);
    /// All panels have that too.
    void logShown();
    /// The sweep was looked up in the store, or has ended, and table and chart show what is known of it.
    void sweepShown();
    /// The view Model shows the experiment's, or says why it does not.
    void modelShown();
    /// A figure is in the view Figure, or could not be made.
    void figureShown();
    /// All that the view Compare is to show is there, or says why it is not.
    void compareShown();
    /// The run of a lesson's step is there, at the moment that the step is about.
    void lessonShown();
    /// A file could not be read, or a sweep could not be run; a message in the window has this text too.
    void requestFailed(const QString& text);

protected:
    void closeEvent(QCloseEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    enum class Side { left, right };
    struct Panel {
        QString name, title;
        QWidget* widget;
        Side side = Side::left;
        bool open = true;    ///< in the layout that the window starts with
        bool alone = false;  ///< never behind another one: the others of its side stand below it
        QDockWidget* dock = nullptr;
    };

    // main_window.cpp: what there is and where it stands
    void buildCentre();
    QWidget* buildExplore();
    void buildPanels();
    QDockWidget* addPanel(Panel panel);

    // main_window_layout.cpp: which panels stand beside which view
    void resetLayout();
    void keepLayout();
    void applyLayout();
    void setPanelsVisible(bool visible);
    void addWindowViewCommands();

    // main_window_commands.cpp and main_window_asking.cpp: what can be asked for, in the order of the menus
    void buildCommands();
    void addFileCommands();
    void addEditCommands();
    void addRunCommands();
    void addPlaybackCommands();
    void addSelectCommands();
    void addBookmarkCommands();
    void addViewCommands();
    void addLaneCommands();
    void addWindowCommands();
    void addHelpCommands();
    void buildMenus();
    void addAskingCommands();
    void openPalette();
    /// Escape: cancels a run, else lets go of the chunk, else of the moment.
    void stepOut();
    void showAbout();

    // main_window_welcome.cpp: the first minute
    void addWelcomeCommand();
    void showWelcome();
    std::vector<WelcomeStep> welcomeSteps();
    void compareWithSequential();
    void sweepWelcome();
    void exportWelcome();
    void pointAtParameter(const std::string& path);

    // main_window_lessons.cpp: lessons are taken and left
    struct BeforeLesson;
    void buildLessons();
    void keepForAfterLesson(BeforeLesson& before) const;
    void addLessonCommands();
    void askForLesson();
    void listLessons();
    void showLessonPanel();
    void makeRoomForLesson();
    void keepLessonInSight();  ///< after the panels were arranged
    void presentLesson();
    void leaveLesson();
    void showLessonStep();
    std::size_t lessonStepInSight() const;
    void takeLessonDraft(const data::ExperimentDraft& draft, const std::optional<DocumentOrigin>& origin,
                         const QString& name);
    void goOnWithLesson();
    void showLessonScene();
    void showLessonComparison();
    void pointAtPart(const std::string& part);
    QWidget* widgetOfPart(const QString& part);
    void noticeLessonTry();  ///< an edit was made
    void checkLessonTry();   ///< tells the lesson once its task is done
    void giveBackExperiment();
    void giveBackMoment();
    void breakOffLesson();
    void endLessonForGood();

    // main_window_session.cpp: what one start leaves for the next
    void addSessionParts();
    struct KeptSession {
        SessionFile::Reading file;
        QByteArray geometry, docks;
    };
    void startWithLastSession();
    void restoreSession(const KeptSession& kept);
    /// The first run is there, or has failed in an orderly way.
    void finishStart();
    /// From now on, a moment after each change.
    void keepSession();
    void saveSession();
    void keepPlace();
    bool restoreExperiment(const QJsonValue& kept);
    QJsonValue saveMoment() const;
    bool restoreMoment(const QJsonValue& kept);

    // main_window_sweep.cpp: many runs at once
    void buildSweep();
    void connectSweep();
    void addSweepCommands();
    void varyParameter(const std::string& path);
    void openPoint(std::size_t point);
    void adoptSweep(const data::Sweep& sweep, const QString& name, const QString& file);
    void openSweep(const QString& file);
    void openExampleSweep(const QString& file);
    void askForSweep();
    void saveSweep(bool asks);
    QJsonValue saveSweepPart() const;
    bool restoreSweepPart(const QJsonValue& kept);
    void askBreakEven();
    bool stepOutOfSweep();

    // main_window_model.cpp: the whole model that the experiment is a part of
    void buildModel();
    void openOperator(const engine::Experiment& opened, engine::PolicyPreset policy, const QString& title);
    bool stepOutOfModel();

    // main_window_ribbon.cpp: why it waits
    void buildRibbon();
    void connectRibbon();
    void addRibbonCommands();
    void raiseWhy();
    void tellWhyAt(qint64 ps);
    void tellWhyOfSelection();
    void exportCauses();

    // main_window_compare.cpp: several runs beside each other
    void buildCompare();
    void addCompareCommands();
    void compareKept(const std::vector<std::int64_t>& ids);
    void placeTransport();
    void showReach();
    bool stepOutOfCompare();

    // main_window_figure.cpp: what is shown goes into papers
    void buildFigure();
    void addFigureCommands();
    void sayNothingToExport();
    QString openExperimentOf(const data::FigureProvenance& made);
    bool stepOutOfFigure();

    // main_window_scene.cpp: what is shown as a value, and as a text that opens it again
    void addLinkCommands();
    void askForLink();
    bool showSceneView(const QString& view);
    void applyScene(const data::Scene& scene);
    void showAwaitedScene();
    std::optional<data::SpanRef> spanAt(const data::Scene::Selection& selection) const;

    // main_window_presenting.cpp: for a room full of people
    void bringPanelsBack();
    void showPresenterCaption();
    void showPresenterKeys();

    // main_window_export.cpp: a run goes into slides and into other viewers
    void addExportCommands();
    void askForFrames();
    void startFrames(MainWindow& stage, QProgressDialog& progress, const FrameRequest& request);
    void askForTrace();
    void openTraceFile(const QString& file);
    void compareWithTrace(const QString& file, const data::TraceHead& head);
    void startFileJob(const QString& what, FileJob::Work work);

    // main_window_ghost.cpp: one run stays in sight while others come and go
    void addGhostCommands();
    void connectGhost();
    void setPinned(std::shared_ptr<const data::ShownRun> run);
    void outline(std::shared_ptr<const data::ShownRun> run);  ///< the same without keeping it for good
    void restorePinned();
    /// After another run was shown or pinned.
    void showGhost();

    // main_window_documents.cpp: experiments come from files and go to files
    void addPresetCommands();
    void connectDocuments();
    void showBrokenPresets();
    void openExperiment(const QString& file);
    void showUnreadable(const QString& file, const engine::Problems& problems);
    bool restoreDocument(const QJsonValue& kept);
    void saveDocument();
    void askWhereToSave();
    void writeDocument(const DocumentOrigin& to);
    bool writeText(const QString& file, const std::string& text);
    QString documentFolder() const;
    void rememberDocument(const QString& file);
    void showRecentFiles();
    /// The file with its dirty mark, the run, the program.
    void showTitle();

    // main_window_selection.cpp: the selection, its facts and the ways to it
    void buildSelection();
    void followRun(const std::shared_ptr<const data::ShownRun>& run);
    void selectAndReveal(data::SpanRef ref);
    void followFlow(bool forward);
    std::optional<data::TimeRange> selectedRange() const;
    void measureSelection();
    void sliceToArea();
    void setBookmark(int number);
    void goToBookmark(int number);
    void listBookmarks();

    // main_window_browser.cpp: kept runs and sweeps are looked through, changed and opened
    QWidget* buildBrowser();
    void connectBrowser();
    void addBrowserCommands();
    void pinAndShow(std::int64_t pinned, std::int64_t shown);
    void pinWhatWasAskedFor();
    void openFind();  ///< in whatever view is shown
    QUndoStack& undoStackInUse();

    // main_window_runs.cpp: runs come and go
    void connectSession();
    void startExperiment();  ///< without showing Explore
    void showRun(std::shared_ptr<const data::ShownRun> run);
    void showLog(const std::shared_ptr<const data::RunLog>& log);
    void showOpened(const OpenedRun& run);
    /// An edit was made: where runs follow edits, starts one.
    void answerEdit();
    void showRunning(bool running);
    void showProgress(double fraction);
    void showStaleness();

    MainWindowConfig m_config;
    WindowSettings m_settings;
    SessionFile m_sessionFile;
    SessionParts m_sessionParts;
    std::unique_ptr<SessionKeeper> m_sessionKeeper;
    std::optional<QJsonObject> m_sessionWritten;  ///< sections that the file has
    QByteArray m_placeWritten;                    ///< geometry and docks that the settings have
    bool m_sessionFails = false;                  ///< and was told of
    QJsonObject m_sessionToCome;                  ///< sections that wait for the first run
    QStringList m_sessionLeftOut;                 ///< what was not understood, for one message
    ViewState m_viewState;
    ExperimentModel m_experiment;
    Bookmarks m_bookmarks;
    Measures m_measures;
    std::shared_ptr<const data::Flow> m_flow;
    std::shared_ptr<const data::ShownRun> m_shown;
    std::shared_ptr<const data::ShownRun> m_pinned;
    std::unique_ptr<GhostOverlay> m_ghost;  // outlives the timeline, which draws it
    bool m_asked = false;                   ///< the run under way was asked for by name, not by an edit
    bool m_showsRunning = false;
    bool m_failureShown = false;
    std::optional<std::int64_t> m_openedToEdit;  ///< a kept run that is asked for as an experiment only
    /// Two kept runs on their way: the first is pinned as soon as it is there, then the second is opened.
    struct PinAndShow {
        std::int64_t pinned, shown;
        std::string hash;  ///< of the first, once it was read
    };
    std::optional<PinAndShow> m_pinAndShow;
    std::optional<engine::Experiment> m_requested;  ///< what was last run in full, whatever came of it
    QElapsedTimer m_runTime;
    struct SceneToCome {
        data::Scene scene;
        std::optional<engine::Experiment> experiment;  ///< whose run it waits for; nothing: the first one
    };
    std::optional<SceneToCome> m_sceneToCome;

    std::unique_ptr<SweepModel> m_sweep;
    SweepState* m_sweepState = nullptr;
    SweepView* m_sweepView = nullptr;

    LessonState* m_lesson = nullptr;
    LessonPanel* m_lessonPanel = nullptr;
    AnswerCover* m_answerCover = nullptr;
    std::unique_ptr<LaneSpotOverlay> m_laneSpot;          // outlives the timeline, which draws it
    std::shared_ptr<BeforeLesson> m_beforeLesson;         // shared: known in one file only
    std::optional<data::ExperimentDraft> m_lessonPinned;  ///< what the step wants to see outlined
    std::size_t m_lessonInSight = 0;                      ///< the step whose run and scene are shown
    bool m_lessonStepWaits = false;                       ///< for its runs
    bool m_lessonMoves = false;                           ///< the lesson edits the experiment, not the reader

    Commands* m_commands = nullptr;
    std::unique_ptr<KeyBindings> m_keys;
    CommandPalette* m_palette = nullptr;
    ShortcutSheet* m_sheet = nullptr;
    WelcomeCard* m_welcome = nullptr;
    QPointer<SpotMark> m_spot;
    WindowViews* m_windowViews = nullptr;
    CentreViews* m_views = nullptr;
    Veil* m_veil = nullptr;
    MessageBar* m_messages = nullptr;
    TransportBar* m_transport = nullptr;
    CaptionLine* m_caption = nullptr;
    RingMoment* m_moment = nullptr;
    TimelineView* m_timeline = nullptr;
    RibbonView* m_ribbon = nullptr;
    WhyPanel* m_why = nullptr;
    GhostBar* m_ghostBar = nullptr;
    HeadlineStrip* m_headlines = nullptr;
    ExperimentForm* m_form = nullptr;
    RunsPanel* m_runs = nullptr;
    RunsView* m_browser = nullptr;
    ModelView* m_model = nullptr;
    FigureView* m_figures = nullptr;
    CompareView* m_compare = nullptr;
    ChartView* m_chart = nullptr;
    BreakpointList* m_breakpoints = nullptr;
    InspectorPanel* m_inspector = nullptr;
    FindBar* m_find = nullptr;
    std::unique_ptr<TimelineTools> m_tools;
    QAction* m_bookmarksMenuEnd = nullptr;
    Player* m_player = nullptr;
    RunLogBuilder* m_logBuilder = nullptr;
    StatusLine* m_status = nullptr;
    std::vector<Panel> m_panels;
    QList<QAction*> m_recentFiles;
    bool m_presents = false;
    Qt::WindowStates m_stateBeforePresenting;
    QRect m_placeBeforePresenting;
    PresenterCaption* m_presenterCaption = nullptr;
    QPointer<StillPointer> m_stillPointer;
    QPointer<KeyHint> m_presenterHint;
    std::map<QString, QByteArray> m_layouts;  ///< of the panels, by the view that they stand beside
    QString m_layoutOf;                       ///< the view that they are arranged for now
    QAction* m_presenting = nullptr;
    QAction* m_pin = nullptr;
    QAction* m_pinOther = nullptr;
    QAction* m_cancel = nullptr;
    QAction* m_lightTheme = nullptr;
    QAction* m_darkTheme = nullptr;

    CatalogueSession m_catalogue;
    std::unique_ptr<SweepSession> m_sweepSession;
    RunSession m_session;  // these three last: they end before anything that they could deliver to
};

}  // namespace ui
