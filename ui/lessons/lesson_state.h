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

/// What the user has entered in one step.
struct LessonAnswer {
    std::optional<std::size_t> choice;
    QString number;  ///< as typed
    bool revealed = false;
    bool tried = false;
};

/// The state of the open lesson: the current step, and what the user predicted and tried in each step. Does not depend
/// on widgets or runs.
class LessonState final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    bool isOpen() const { return !m_lesson.steps.empty(); }
    const data::Lesson& lesson() const { return m_lesson; }
    const QString& file() const { return m_file; }
    std::size_t stepIndex() const { return m_step; }
    /// Precondition of this and the next function: isOpen().
    const data::LessonStep& step() const { return m_lesson.steps[m_step]; }
    const LessonAnswer& answer() const { return m_answers[m_step]; }
    bool isLast() const { return m_step + 1 == m_lesson.steps.size(); }
    /// Returns whether the step has a question whose answer is not revealed yet.
    bool asks() const { return isOpen() && step().question && !answer().revealed; }

    /// Returns whether the last step was reached and every question has a prediction or a revealed answer.
    bool isFinished() const;

    /// Opens a lesson at one of its steps.
    void open(data::Lesson lesson, const QString& file, std::size_t step = 0);
    void close();
    void goTo(std::size_t step);
    /// Reveals the answer if there is one to reveal, else goes to the next step. Returns false at the end.
    bool advance();
    void goBack();
    /// Stores a prediction; ignored once the answer is revealed.
    void predict(std::size_t choice);
    void predict(const QString& number);
    void reveal();
    void setTried();

Q_SIGNALS:
    void lessonChanged();  ///< a lesson was opened or closed; stepChanged follows
    void stepChanged();    ///< also emitted when a lesson was opened or closed
    void answerChanged();  ///< of the current step

private:
    data::Lesson m_lesson;
    QString m_file;
    std::size_t m_step = 0;
    std::vector<LessonAnswer> m_answers;
};

/// Checks on a worker thread whether simulation confirms the shown step of a lesson. Bundled lessons are checked before
/// a release; other lessons are checked here, each step once.
class LessonCheckSession final : public QObject {
    Q_OBJECT

public:
    /// Empty: data::Laboratory without a store.
    using Run = data::LessonChecker::Run;

    /// `state` must outlive this.
    explicit LessonCheckSession(const LessonState& state, Run run = {}, QObject* parent = nullptr);

    /// Returns the claims of a step that simulation does not confirm; empty while that is unknown.
    const std::vector<data::LessonVerdict>& failuresOf(std::size_t step) const;
    /// Checks the shown step, in place of a check in progress.
    void check();

Q_SIGNALS:
    /// The result of failuresOf(step) is known.
    void checked(std::size_t step);

private:
    void follow();

    const LessonState& m_state;
    Run m_run;
    std::shared_ptr<data::LessonChecker> m_checker;  // used by the worker thread only; null: there is nothing to check
    std::map<std::size_t, std::vector<data::LessonVerdict>> m_failures;
    Worker m_worker;  // last: it is destroyed first
};

}  // namespace ui
