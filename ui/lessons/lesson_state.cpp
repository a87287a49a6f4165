#include "ui/lessons/lesson_state.h"

#include <algorithm>

namespace ui {

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

}  // namespace ui
