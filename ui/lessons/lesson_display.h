#pragma once

#include "data/experiment/experiment_document.h"
#include "data/experiment/scene_document.h"
#include "ui/shared/experiment_model.h"

#include <QJsonValue>
#include <QObject>
#include <QPointer>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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
    QWidget& headlines;  ///< covered until the answer is told
    /// Shows a scene of the run that is shown.
    std::function<void(const data::Scene&)> showScene;
    /// Shows the experiment under these policies beneath each other. LessonFeature::comparisonShown() is to follow.
    std::function<void(const std::vector<std::string>&)> compareWith;
    std::function<QJsonValue()> savedComparison;
    std::function<void(const QJsonValue&)> restoreComparison;
    /// Makes another window, which nobody sees and which the window owns, and which runs the draft. The feature deletes it.
    std::function<LessonStage(const data::ExperimentDraft&)> makeStage;
};

/// Shows the current step of a lesson in the window: puts its experiment into the form, waits for its run and then shows
/// its moment. Restores at the end what the reader had before the lesson.
class LessonDisplay final : public QObject {
    Q_OBJECT

public:
    /// All but the hooks must outlive the display. `dock` has the panel of lessons.
    LessonDisplay(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                  Player& player, LessonState& lesson, QDockWidget& dock, LessonHooks hooks);
    ~LessonDisplay() override;

    /// Call before a lesson is opened: saves the session and notes what is to be restored after the lesson. From one lesson
    /// to the next, what was noted before the first one stays noted.
    void begin();
    /// Whether the panel of lessons was open before the lesson.
    bool panelWasOpen() const;
    /// Points at a part of the window that isLessonPart() knows.
    void pointAt(const QString& part);
    /// Plays what the step names, from its beginning, or pauses it. With reduced motion goes one step on instead. Does
    /// nothing before the step's run is shown.
    void play();
    /// Call when the comparison that compareWith() asked for is shown.
    void comparisonShown();
    /// Call when the window closes: restores the reader's own experiment for the next start.
    void endForGood();

Q_SIGNALS:
    /// The step is shown as far as possible now: the panel of lessons is to have the keyboard.
    void focusWanted();
    /// The run of the step is shown, at the moment that the step is about.
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
    void makeRoom();
    void noticeEdit();
    void checkTry();
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
    QPointer<AnswerCover> m_cover;
    std::unique_ptr<Before> m_before;               ///< null: the reader's own experiment is in the form
    std::optional<data::ExperimentDraft> m_pinned;  ///< the experiment that the step shows outlined
    data::ExperimentDraft m_judged;                 ///< the draft that the lesson has set, or checkTry() has judged
    std::size_t m_inSight = 0;                      ///< the step whose run and scene are shown
    bool m_stepWaits = false;                       ///< the step's runs are under way
    bool m_comparisonWaits = false;                 ///< the step's comparison is under way
    bool m_restores = false;                        ///< the reader's own run is under way; its moment follows
    bool m_moves = false;                           ///< the lesson edits the experiment, not the reader
};

}  // namespace ui
