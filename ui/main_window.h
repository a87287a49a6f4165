#pragma once

#include "ui/editors/experiment_model.h"
#include "ui/shared/run_session.h"
#include "ui/shared/view_state.h"
#include "ui/shared/window_settings.h"

#include <QElapsedTimer>
#include <QMainWindow>

#include <memory>
#include <optional>

class QDockWidget;
class QLabel;
class QToolButton;

namespace ui {

class CaptionLine;
class ExperimentForm;
class HeadlineStrip;
class MessageBar;
class Player;
class RunsPanel;
class TimelineView;
class TransportBar;

/// What a window opens with.
struct MainWindowConfig {
    data::ExperimentDraft draft;
    RunSessionConfig session;
    QString settingsFile;                  ///< empty: nothing is remembered
    std::optional<Theme> theme;            ///< nothing: as remembered
    std::optional<bool> runsWhileEditing;  ///< likewise
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
    const std::shared_ptr<const ShownRun>& shownRun() const { return m_shown; }

    /// What Run does: takes in what is being typed and starts, or says why not.
    void runExperiment();
    void setTheme(Theme theme);
    /// Sets it, and for the next start as well.
    void chooseTheme(Theme theme);

Q_SIGNALS:
    void runShown();

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildStatusBar();
    void buildMenus();
    void buildEditMenu();
    void buildViewMenu();
    void connectSession();
    void resetLayout();

    /// Escape: cancels a run, else lets go of the chunk, else of the moment.
    void stepOut();
    void openExperimentFile();
    void showRun(std::shared_ptr<const ShownRun> run);
    void showOpened(const OpenedRun& run);
    /// An edit was made: where runs follow edits, starts one.
    void answerEdit();
    void showRunning(bool running);
    void showProgress(double fraction);
    void showStaleness();
    void showStatus(const engine::RunResult& result);
    void showNotices();
    void showAbout();

    MainWindowConfig m_config;
    WindowSettings m_settings;
    ViewState m_viewState;
    ExperimentModel m_experiment;
    std::shared_ptr<const ShownRun> m_shown;
    bool m_asked = false;  ///< the run under way was asked for by name, not by an edit
    bool m_showsRunning = false;
    bool m_failureShown = false;
    std::optional<engine::Experiment> m_requested;  ///< what was last run in full, whatever came of it
    QElapsedTimer m_runTime;

    MessageBar* m_messages = nullptr;
    TransportBar* m_transport = nullptr;
    CaptionLine* m_caption = nullptr;
    TimelineView* m_timeline = nullptr;
    HeadlineStrip* m_headlines = nullptr;
    ExperimentForm* m_form = nullptr;
    RunsPanel* m_runs = nullptr;
    Player* m_player = nullptr;
    QDockWidget* m_formDock = nullptr;
    QDockWidget* m_runsDock = nullptr;
    QLabel* m_status = nullptr;
    QLabel* m_invariants = nullptr;
    QToolButton* m_notices = nullptr;
    QAction* m_cancel = nullptr;
    QAction* m_lightTheme = nullptr;
    QAction* m_darkTheme = nullptr;

    RunSession m_session;  // last: it ends before anything that it could deliver to
};

}  // namespace ui
