#include "ui/lessons/lesson_check_session.h"

#include "ui/lessons/lesson_state.h"

#include <utility>

namespace ui {

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
