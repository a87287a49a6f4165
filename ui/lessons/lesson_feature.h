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

    /// Opens a lesson, bundled (bundledLessons) or a file, at this step. Returns false, having said why, if it cannot be
    /// read.
    bool open(const QString& file, std::size_t step = 0);
    /// Opens a lesson that was read without problems. `file`: where it came from; empty for no file. `document`: its JSON,
    /// of one that does not come with the program.
    void take(data::Lesson lesson, const QString& file, std::size_t step, std::string document = {});
    /// Opens the lesson that a link names or carries. If it cannot be opened, a message says why.
    void openPlace(const data::Scene::LessonPlace& place);
    /// Returns where the reader is, for a link; an empty optional if no lesson is open.
    std::optional<data::Scene::LessonPlace> place() const;
    /// Writes the lesson that is open as a PDF, with a picture of each step; this can be cancelled, and the window stays
    /// usable.
    void exportHandout(const QString& file, bool answers);
    LessonState& state() { return m_lesson; }
    LessonDisplay& display() { return *m_display; }
    bool isOpen() const { return m_lesson.isOpen(); }
    /// Call when the comparison that the hook compareWith() asked for is shown.
    void comparisonShown() { m_display->comparisonShown(); }
    /// Call when the window closes: restores the reader's own experiment for the next start.
    void endForGood() { m_display->endForGood(); }

Q_SIGNALS:
    /// The run of a lesson's step is shown, at the moment that the step is about.
    void shown();

private:
    QDockWidget* addPanel();
    void addCommands();
    void addMarkCommands();
    void addHandoutCommands(QList<QAction*>& within);
    void askForHandout(bool answers);
    void noteFinished();
    void showFinished();
    void ask();
    void list();
    void leave();
    void present();

    Workbench& m_workbench;
    RunController& m_runs;
    std::vector<QAction*> m_openActions;  ///< as bundledLessons()
    std::function<LessonStage(const data::ExperimentDraft&)> m_makeStage;
    std::string m_document;  ///< of the lesson that is open, if it does not come with the program
    LessonState m_lesson;
    LessonCheckSession m_check;
    LessonPanel* m_panel;
    QDockWidget* m_dock;
    std::unique_ptr<LessonDisplay> m_display;
};

}  // namespace ui
