#pragma once

#include "ui/lessons/lesson_handout.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QTimer;
class QWidget;

namespace ui {

class LessonDisplay;
class LessonState;
class RunController;
class RunLogBuilder;

/// A window in which a lesson is stepped through to take a picture of each step.
struct LessonStage {
    QWidget& window;
    LessonState& lesson;
    LessonDisplay& display;
    RunController& runs;
    RunLogBuilder& logs;
    std::function<void(const data::Lesson&)> open;
    std::function<bool()> isAnswered;  ///< returns false while the page in front is still being computed
    std::function<LessonPicture()>
        picture;  ///< returns the current picture of the window, without the panels around it
};

/// Steps through a lesson with every answer revealed, and takes a picture of each step that shows something new. The
/// event loop keeps running.
class HandoutTour final : public QObject {
    Q_OBJECT

public:
    /// All parts of the stage must outlive the tour. Nothing else may use the stage's window during the tour.
    HandoutTour(LessonStage stage, data::Lesson lesson, QObject* parent = nullptr);

    /// Starts the tour once the stage shows a run. Ends with `finished` or `failed`.
    void start();
    const data::Lesson& lesson() const { return m_lesson; }
    /// Returns one entry for each step. Valid after `finished`.
    const std::vector<std::optional<LessonPicture>>& pictures() const { return m_pictures; }

Q_SIGNALS:
    void progressed(int done, int all);
    void finished();
    void failed(const QString& text);

private:
    void show(std::size_t step);
    void takeSoon();
    void take();
    void end(const QString& failure);

    LessonStage m_stage;
    data::Lesson m_lesson;
    std::vector<std::optional<LessonPicture>> m_pictures;
    std::size_t m_step = 0;
    bool m_isShown = false;  ///< the step's run and time are shown
    bool m_hasLog = false;   ///< the shown run has its log
    bool m_hasEnded = false;
    QTimer* m_settle;
    QTimer* m_deadline;
};

}  // namespace ui
