#pragma once

#include "data/lessons/lesson.h"
#include "data/lessons/lesson_check.h"
#include "ui/shared/worker.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
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

    /// The last step was reached, and every question of the lesson has a prediction or was told the answer of.
    bool isFinished() const;

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

/// Whether simulation agrees with the step of a lesson that is shown, found on a thread of its own. The bundled lessons
/// are checked before they are shipped; one of somebody's own is checked here, a step at a time, each once.
class LessonCheckSession final : public QObject {
    Q_OBJECT

public:
    /// Empty: by the laboratory, without a store.
    using Run = data::LessonChecker::Run;

    /// `state` must outlive this.
    explicit LessonCheckSession(const LessonState& state, Run run = {}, QObject* parent = nullptr);

    /// The claims of this step with which simulation does not agree; empty while nobody knows.
    const std::vector<data::LessonVerdict>& failuresOf(std::size_t step) const;
    /// Checks the step that is shown, in place of what is under way.
    void check();

Q_SIGNALS:
    /// failuresOf(step) is known.
    void checked(std::size_t step);

private:
    void follow();

    const LessonState& m_state;
    Run m_run;
    std::shared_ptr<data::LessonChecker> m_checker;  // used on the worker's thread alone; null: nothing to check
    std::map<std::size_t, std::vector<data::LessonVerdict>> m_failures;
    Worker m_worker;  // last: it ends first
};

}  // namespace ui
