#pragma once

#include "ui/lessons/lesson_display.h"
#include "ui/lessons/lesson_state.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>

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
    LessonState& state() { return m_lesson; }
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
    void ask();
    void list();
    void leave();
    void present();

    Workbench& m_workbench;
    RunController& m_runs;
    LessonState m_lesson;
    LessonCheckSession m_check;
    LessonPanel* m_panel;
    QDockWidget* m_dock;
    std::unique_ptr<LessonDisplay> m_display;
};

}  // namespace ui
