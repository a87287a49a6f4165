#pragma once

#include "data/lessons/lesson.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace ui {

/// What a reader has done in one step.
struct LessonAnswer {
    std::optional<std::size_t> choice;
    QString number;  ///< as typed
    bool revealed = false;
    bool tried = false;
};

/// The lesson that is taken: which step, and what the reader predicted and tried in each. Knows neither widgets nor runs.
class LessonState final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    bool isOpen() const { return !m_lesson.steps.empty(); }
    const data::Lesson& lesson() const { return m_lesson; }
    const QString& file() const { return m_file; }
    std::size_t stepIndex() const { return m_step; }
    /// Precondition of these two: isOpen().
    const data::LessonStep& step() const { return m_lesson.steps[m_step]; }
    const LessonAnswer& answer() const { return m_answers[m_step]; }
    bool isLast() const { return m_step + 1 == m_lesson.steps.size(); }
    /// The step asks something and has not told the answer.
    bool asks() const { return isOpen() && step().question && !answer().revealed; }

    /// Begins at a step that the lesson has.
    void open(data::Lesson lesson, const QString& file, std::size_t step = 0);
    void close();
    void goTo(std::size_t step);
    /// The answer first, where there is one to tell; then the next step. False at the end.
    bool advance();
    void goBack();
    /// A prediction; too late once the answer was told.
    void predict(std::size_t choice);
    void predict(const QString& number);
    void reveal();
    void setTried();

Q_SIGNALS:
    void lessonChanged();  ///< another one was opened, or it was closed; stepChanged follows
    void stepChanged();    ///< also when a lesson was opened or closed
    void answerChanged();  ///< of the step

private:
    data::Lesson m_lesson;
    QString m_file;
    std::size_t m_step = 0;
    std::vector<LessonAnswer> m_answers;
};

}  // namespace ui
