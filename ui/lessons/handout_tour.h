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

/// A window that a lesson is gone through in, to take a picture of each step.
struct LessonStage {
    QWidget& window;
    LessonState& lesson;
    LessonDisplay& display;
    RunController& runs;
    RunLogBuilder& logs;
    std::function<void(const data::Lesson&)> open;
    std::function<LessonPicture()> picture;  ///< returns what the window shows now, without the panels around it
};

/// Goes through a lesson with every answer told, and takes a picture of each step that shows something new. The event loop
/// runs meanwhile.
class HandoutTour final : public QObject {
    Q_OBJECT

public:
    /// All parts of the stage must outlive the tour. Nobody else may use its window meanwhile.
    HandoutTour(LessonStage stage, data::Lesson lesson, QObject* parent = nullptr);

    /// Begins once the stage shows a run. `finished` or `failed` follows.
    void start();
    const data::Lesson& lesson() const { return m_lesson; }
    /// After `finished`: one for each step.
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
    bool m_isShown = false;  ///< the step's run and moment
    bool m_hasLog = false;   ///< of the run that is shown
    bool m_hasEnded = false;
    QTimer* m_settle;
    QTimer* m_deadline;
};

}  // namespace ui
