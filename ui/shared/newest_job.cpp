#include "ui/shared/newest_job.h"

#include "ui/shared/call_later.h"

#include <QTimer>

#include <utility>

namespace ui {

NewestJob::NewestJob(QObject& owner, int progressMs, std::function<void()> tell)
    : m_owner(owner), m_timer(new QTimer(&owner)) {
    m_timer->setInterval(progressMs);
    QObject::connect(m_timer, &QTimer::timeout, &owner, std::move(tell));
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

NewestJob::~NewestJob() {
    m_stop.request_stop();
    m_worker.request_stop();
    m_worker.join();
}

void NewestJob::start(Job job) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_progress = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_job = std::move(job);
        m_ticket = {++m_generation, m_stop.get_token()};
    }
    m_wake.notify_one();
    m_running = true;
    m_timer->start();
}

bool NewestJob::cancel() {
    if (!m_running)
        return false;
    m_stop.request_stop();
    ++m_generation;  // whatever the thread still says about this job is late
    {
        const std::lock_guard lock(m_mutex);
        m_job = {};
    }
    end();
    return true;
}

void NewestJob::end() {
    m_running = false;
    m_timer->stop();
}

void NewestJob::setProgress(const Ticket& ticket, double fraction) {
    if (!ticket.stop.stop_requested())
        m_progress = fraction;
}

void NewestJob::deliver(const Ticket& ticket, std::function<void()> verdict) {
    const auto arrive = [this, generation = ticket.generation, verdict = std::move(verdict)] {
        if (generation == m_generation)
            verdict();
    };
    callLater(m_owner, arrive);
}

void NewestJob::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Job job;
        Ticket ticket;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return m_job != nullptr; });
            if (stop.stop_requested())
                return;
            job = std::exchange(m_job, {});
            ticket = m_ticket;
        }
        job(ticket);
    }
}

}  // namespace ui
