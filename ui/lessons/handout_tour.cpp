#include "ui/lessons/handout_tour.h"

#include "ui/lessons/lesson_display.h"
#include "ui/lessons/lesson_state.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_log_builder.h"

#include <QTimer>

#include <utility>

namespace ui {
namespace {

constexpr int kSettleTourMs = 250;  // some parts are painted only after the run is shown
constexpr int kLongestStepMs = 120'000;

}  // namespace

HandoutTour::HandoutTour(LessonStage stage, data::Lesson lesson, QObject* parent)
    : QObject(parent), m_stage(std::move(stage)), m_lesson(std::move(lesson)), m_pictures(m_lesson.steps.size()),
      m_settle(new QTimer(this)), m_deadline(new QTimer(this)) {
    for (QTimer* timer : {m_settle, m_deadline})
        timer->setSingleShot(true);
    m_settle->setInterval(kSettleTourMs);
    m_deadline->setInterval(kLongestStepMs);
    connect(m_settle, &QTimer::timeout, this, &HandoutTour::take);
    connect(m_deadline, &QTimer::timeout, this,
            [this] { end(tr("Nothing was written, because step %1 took too long to show.").arg(m_step + 1)); });
    connect(&m_stage.runs.session(), &RunSession::runStarted, this, [this] {
        m_isShown = m_hasLog = false;
        m_settle->stop();
    });
    connect(&m_stage.display, &LessonDisplay::shown, this, [this] {
        m_isShown = true;
        takeSoon();
    });
    connect(&m_stage.logs, &RunLogBuilder::settled, this, [this] {
        m_hasLog = true;
        takeSoon();
    });
    connect(&m_stage.runs, &RunController::failed, this, [this](const QString& text) { end(text); });
}

void HandoutTour::start() {
    m_hasLog = true;
    m_deadline->start();
    m_stage.open(m_lesson);
    m_stage.lesson.reveal();
    takeSoon();
}

void HandoutTour::show(std::size_t step) {
    m_step = step;
    m_deadline->start();
    m_isShown = false;
    m_stage.lesson.goTo(step);
    if (m_lesson.steps[step].holds) {  // the window still shows the step before
        m_isShown = false;
        m_settle->stop();
    }
    m_stage.lesson.reveal();
    takeSoon();
}

void HandoutTour::takeSoon() {
    if (m_isShown && m_hasLog && !m_hasEnded)
        m_settle->start();
}

void HandoutTour::take() {
    if (!m_stage.isAnswered())
        return m_settle->start();
    if (hasPictureOfItsOwn(m_lesson, m_step))
        m_pictures[m_step] = m_stage.picture();
    Q_EMIT progressed(static_cast<int>(m_step + 1), static_cast<int>(m_lesson.steps.size()));
    if (m_step + 1 < m_lesson.steps.size())
        return show(m_step + 1);
    end({});
}

void HandoutTour::end(const QString& failure) {
    if (std::exchange(m_hasEnded, true))
        return;
    m_settle->stop();
    m_deadline->stop();
    if (failure.isEmpty())
        Q_EMIT finished();
    else
        Q_EMIT failed(failure);
}

}  // namespace ui
