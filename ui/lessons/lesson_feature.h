#pragma once

#include "ui/lessons/lesson_display.h"
#include "ui/lessons/lesson_state.h"

#include <QObject>
#include <QString>

#include <QList>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QDockWidget;

namespace ui {

class LessonPanel;

/// Lessons: their panel, their commands and their documents.
class LessonFeature final : public QObject {
    Q_OBJECT

public:
    using Hooks = LessonHooks;

    /// All but the hooks must outlive the feature.
    LessonFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                  Player& player, Hooks hooks);

    /// Opens a lesson, bundled (bundledLessons) or from a file, at a step. Returns false if it cannot be read; a
    /// message then says why.
    bool open(const QString& file, std::size_t step = 0);
    /// Opens a lesson that was read without problems. `file`: its file; empty: none. `document`: its JSON, for a lesson
    /// that is not bundled.
    void take(data::Lesson lesson, const QString& file, std::size_t step, std::string document = {});
    /// Opens the lesson that a link names or contains. If it cannot be opened, a message says why.
    void openPlace(const data::Scene::LessonPlace& place);
    /// Returns the current place in a lesson, for a link; an empty optional if no lesson is open.
    std::optional<data::Scene::LessonPlace> place() const;
    /// Writes the open lesson as a PDF with a picture of each step. The export can be cancelled, and the window stays
    /// usable.
    void exportHandout(const QString& file, bool answers);
    /// Writes the open lesson as a web page, in the same way.
    void exportPage(const QString& file);
    LessonState& state() { return m_lesson; }
    LessonDisplay& display() { return *m_display; }
    bool isOpen() const { return m_lesson.isOpen(); }
    /// Call this when the comparison requested by the hook compareWith() is shown.
    void comparisonShown() { m_display->comparisonShown(); }
    /// Call this when measured traces are shown, or could not be read.
    void tracesShown() { m_display->tracesShown(); }
    /// Call this when the window closes: it restores the user's own experiment for the next start.
    void endForGood() { m_display->endForGood(); }

Q_SIGNALS:
    /// The run of a lesson's step is shown at the step's time.
    void shown();

private:
    QDockWidget* addPanel();
    void addCommands();
    void addMarkCommands();
    void addHandoutCommands(QList<QAction*>& within);
    void askForHandout(bool answers);
    void askForPage();
    void noteFinished();
    void showFinished();
    void ask();
    void list();
    void leave();
    void present();

    Workbench& m_workbench;
    RunController& m_runs;
    std::vector<QAction*> m_openActions;  ///< in the order of bundledLessons()
    std::function<LessonStage(const data::ExperimentDraft&)> m_makeStage;
    std::function<void()> m_askForTraces;
    std::string m_document;  ///< the open lesson's JSON if it is not bundled
    LessonState m_lesson;
    LessonCheckSession m_check;
    LessonPanel* m_panel;
    QDockWidget* m_dock;
    std::unique_ptr<LessonDisplay> m_display;
};

}  // namespace ui
