#pragma once

#include "data/experiment/experiment_document.h"
#include "data/experiment/scene_document.h"
#include "data/lessons/lesson.h"
#include "ui/shared/experiment_model.h"

#include <QJsonValue>
#include <QObject>
#include <QPointer>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QDockWidget;
class QWidget;

namespace ui {

class AnswerCover;
class LessonState;
class Player;
class RunController;
class ViewState;
class Workbench;

struct LessonStage;

/// What lessons need of other features.
struct LessonHooks {
    std::vector<QWidget*> numbers;  ///< covered until the answer is revealed
    /// Shows a scene of the shown run.
    std::function<void(const data::Scene&)> showScene;
    /// Compares the experiment under these policies. Call LessonFeature::comparisonShown() afterwards.
    std::function<void(const std::vector<std::string>&)> compareWith;
    /// Shows measured traces, or those of before. Call LessonFeature::tracesShown() afterwards.
    std::function<void(const data::LessonTraces&)> showTraces;
    /// Returns the files of the traces that are shown.
    std::function<std::vector<std::string>()> shownTraces;
    std::function<void()> askForTraces;  ///< asks the reader for traces of their own
    std::function<QJsonValue()> savedComparison;
    std::function<void(const QJsonValue&)> restoreComparison;
    /// Gives the pictures of these experiments one axis, where the shown page has an axis that follows its experiment.
    /// Without experiments each picture has the axis that suits it.
    std::function<void(const std::vector<data::ExperimentDraft>&)> shareAxis;
    /// Makes a hidden window that runs the draft, owned by this window. The feature deletes it.
    std::function<LessonStage(const data::ExperimentDraft&)> makeStage;
};

/// Shows the current step of a lesson in the window: sets its experiment in the form, waits for its run and then shows
/// its time. At the end it restores the experiment that the user had before the lesson.
class LessonDisplay final : public QObject {
    Q_OBJECT

public:
    /// All but the hooks must outlive the display. `dock` has the panel of lessons.
    LessonDisplay(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                  Player& player, LessonState& lesson, QDockWidget& dock, LessonHooks hooks);
    ~LessonDisplay() override;

    /// Call this before a lesson is opened: it saves the session and remembers what to restore after the lesson. When
    /// one lesson follows another, the state before the first one stays remembered.
    void begin();
    /// Returns whether the panel of lessons was open before the lesson.
    bool panelWasOpen() const;
    /// Points at a part of the window that isLessonPart() knows.
    void pointAt(const QString& part);
    /// Plays the part of the run that the step names, from its beginning, or pauses it. With reduced motion, steps
    /// forward instead. Does nothing before the step's run is shown.
    void play();
    /// Call this when the comparison requested by compareWith() is shown.
    void comparisonShown();
    /// Call this when measured traces are shown, or could not be read.
    void tracesShown();
    /// Call this when the window closes: it restores the user's own experiment for the next start.
    void endForGood();

Q_SIGNALS:
    /// The step is shown as far as possible now: the panel of lessons should get the focus.
    void focusWanted();
    /// The run of the step is shown at the step's time.
    void shown();

private:
    struct Before;

    void showStep();
    std::size_t stepInSight() const;
    void takeDraft(const data::ExperimentDraft& draft, const std::optional<DocumentOrigin>& origin,
                   const QString& name);
    void runStep();
    void showOwnRun();
    void showScene();
    void restoreTraces(const Before& before);
    void tellShown();
    std::vector<data::ExperimentDraft> experimentsOfPage() const;
    void makeRoom();
    void noticeEdit();
    void checkTry();
    void setTried();
    void coverNumbers();
    void restoreBefore();
    void restoreMoment();
    void breakOff();

    Workbench& m_workbench;
    ViewState& m_viewState;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    Player& m_player;
    LessonState& m_lesson;
    QDockWidget& m_dock;
    LessonHooks m_hooks;
    std::vector<QPointer<AnswerCover>> m_covers;
    std::unique_ptr<Before> m_before;               ///< null: the user's own experiment is in the form
    std::optional<data::ExperimentDraft> m_pinned;  ///< the experiment that the step shows as outlines
    data::ExperimentDraft m_judged;  ///< the draft that the lesson has set, or that checkTry() has judged
    std::size_t m_inSight = 0;       ///< the step whose run and scene are shown
    std::set<std::string> m_lent;    ///< files of traces that the lesson has shown
    bool m_stepWaits = false;        ///< the step's runs are in progress
    bool m_comparisonWaits = false;  ///< the step's comparison is in progress
    bool m_tracesWait = false;       ///< the step's traces are being read
    bool m_restores = false;         ///< the user's own run is in progress; its view is restored afterwards
    bool m_moves = false;            ///< true while the lesson, not the user, edits the experiment
};

}  // namespace ui
