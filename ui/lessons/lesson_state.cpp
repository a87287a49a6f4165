#include "ui/lessons/lesson_state.h"

#include <algorithm>
#include <utility>

namespace ui {

bool LessonState::isFinished() const {
    if (!isOpen() || !isLast())
        return false;
    for (std::size_t i = 0; i < m_answers.size(); ++i) {
        const LessonAnswer& answer = m_answers[i];
        const bool predicted = answer.choice || !answer.number.trimmed().isEmpty();
        if (m_lesson.steps[i].question && !answer.revealed && !predicted)
            return false;
    }
    return true;
}

void LessonState::open(data::Lesson lesson, const QString& file, std::size_t step) {
    m_lesson = std::move(lesson);
    m_file = file;
    m_answers.assign(m_lesson.steps.size(), {});
    m_step = m_lesson.steps.empty() ? 0 : std::min(step, m_lesson.steps.size() - 1);
    Q_EMIT lessonChanged();
    Q_EMIT stepChanged();
}

void LessonState::close() {
    if (!isOpen())
        return;
    m_lesson = {};
    m_file.clear();
    m_answers.clear();
    m_step = 0;
    Q_EMIT lessonChanged();
    Q_EMIT stepChanged();
}

void LessonState::goTo(std::size_t step) {
    if (step >= m_lesson.steps.size() || step == m_step)
        return;
    m_step = step;
    Q_EMIT stepChanged();
}

bool LessonState::advance() {
    if (!isOpen())
        return false;
    if (asks()) {
        reveal();
        return true;
    }
    if (isLast())
        return false;
    goTo(m_step + 1);
    return true;
}

void LessonState::goBack() {
    if (m_step > 0)
        goTo(m_step - 1);
}

void LessonState::predict(std::size_t choice) {
    if (!asks() || answer().choice == choice)
        return;
    m_answers[m_step].choice = choice;
    Q_EMIT answerChanged();
}

void LessonState::predict(const QString& number) {
    if (!asks() || answer().number == number)
        return;
    m_answers[m_step].number = number;
    Q_EMIT answerChanged();
}

void LessonState::reveal() {
    if (!asks())
        return;
    m_answers[m_step].revealed = true;
    Q_EMIT answerChanged();
}

void LessonState::setTried() {
    if (!isOpen() || answer().tried)
        return;
    m_answers[m_step].tried = true;
    Q_EMIT answerChanged();
}

LessonCheckSession::LessonCheckSession(const LessonState& state, Run run, QObject* parent)
    : QObject(parent), m_state(state), m_run(std::move(run)) {
    connect(&m_state, &LessonState::lessonChanged, this, &LessonCheckSession::follow);
    connect(&m_state, &LessonState::stepChanged, this, [this] { m_worker.cancel(); });
}

const std::vector<data::LessonVerdict>& LessonCheckSession::failuresOf(std::size_t step) const {
    static const std::vector<data::LessonVerdict> kNone;
    const auto known = m_failures.find(step);
    return known == m_failures.end() ? kNone : known->second;
}

void LessonCheckSession::follow() {
    m_worker.cancel();
    m_failures.clear();
    m_checker = nullptr;
    if (!m_state.isOpen() || m_state.file().startsWith(u':'))
        return;
    m_checker = std::make_shared<data::LessonChecker>(m_run ? data::LessonChecker(m_state.lesson(), m_run)
                                                            : data::LessonChecker(m_state.lesson()));
}

void LessonCheckSession::check() {
    if (!m_checker || !m_state.isOpen() || m_failures.contains(m_state.stepIndex()))
        return;
    m_worker.start([this, checker = m_checker, step = m_state.stepIndex()](const Worker::Ticket& ticket) {
        std::vector<data::LessonVerdict> failures = checker->step(step, {.stop = ticket.stop});
        std::erase_if(failures, [](const data::LessonVerdict& verdict) { return verdict.holds; });
        ticket.finish([this, step, failures = std::move(failures)] {
            m_failures[step] = failures;
            Q_EMIT checked(step);
        });
    });
}

}  // namespace ui
