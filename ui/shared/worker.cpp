#include "ui/shared/worker.h"

#include "engine/api/runner.h"

#include <algorithm>
#include <exception>

namespace ui {

void Worker::Ticket::setProgress(double fraction) const {
    if (!stop.stop_requested())
        m_worker->m_progress = fraction;
}

void Worker::Ticket::deliver(std::function<void()> verdict) const {
    callLater(*m_worker, [ticket = *this, verdict = std::move(verdict)] {
        if (ticket.m_worker->m_lanes[ticket.m_lane].generation == ticket.m_generation)
            verdict();
    });
}

void Worker::Ticket::finish(std::function<void()> verdict) const {
    deliver([worker = m_worker, lane = m_lane, verdict = std::move(verdict)] {
        if (--worker->m_lanes[lane].underWay == 0 && lane == 0)
            worker->m_timer.stop();
        if (lane == 0)
            worker->m_progress = 0;
        verdict();
    });
}

Worker::Worker(int reportMs, std::function<void(double)> report, QObject* parent) : QObject(parent) {
    m_timer.setInterval(reportMs);
    connect(&m_timer, &QTimer::timeout, this, [this, report = std::move(report)] { report(m_progress); });
}

Worker::~Worker() {
    {
        const std::lock_guard lock(m_mutex);
        for (Lane& lane : m_lanes)
            std::erase_if(lane.waiting, [](const Work& work) { return !work.isKept; });
    }
    for (Lane& lane : m_lanes)
        lane.stop.request_stop();
}

void Worker::start(Job job, Failed failed, std::size_t lane) {
    cancel(lane);
    put(std::move(job), std::move(failed), lane, false);
}

void Worker::add(Job job, Failed failed, std::size_t lane) { put(std::move(job), std::move(failed), lane, true); }

bool Worker::cancel(std::size_t number) {
    Lane& lane = m_lanes[number];
    lane.stop.request_stop();
    lane.stop = std::stop_source();
    ++lane.generation;  // results that the thread still delivers for these jobs are dropped
    if (number == 0)
        m_timer.stop();
    const std::lock_guard lock(m_mutex);
    lane.waiting.clear();
    return std::exchange(lane.underWay, 0) > 0;
}

void Worker::put(Job job, Failed failed, std::size_t number, bool isKept) {
    Lane& lane = m_lanes[number];
    Ticket ticket;
    ticket.stop = lane.stop.get_token();
    ticket.m_worker = this;
    ticket.m_lane = number;
    ticket.m_generation = lane.generation;
    if (++lane.underWay == 1 && number == 0) {
        m_progress = 0;
        if (m_timer.interval() > 0)
            m_timer.start();
    }
    {
        const std::lock_guard lock(m_mutex);
        lane.waiting.push_back({std::move(job), std::move(failed), std::move(ticket), isKept});
    }
    m_wake.notify_one();
    if (!m_thread.joinable())
        m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void Worker::work(const std::stop_token& stop) {
    const auto next = [this] {
        return std::find_if(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) { return !lane.waiting.empty(); });
    };
    for (;;) {
        Work work;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [&] { return next() != m_lanes.end(); }))
                return;
            std::deque<Work>& waiting = next()->waiting;
            work = std::move(waiting.front());
            waiting.pop_front();
        }
        try {
            work.job(work.ticket);
        } catch (const engine::RunStopped&) {
            // Not reported: the code that stopped the run knows that it did.
        } catch (const std::exception& error) {
            work.ticket.finish([failed = std::move(work.failed), text = QString::fromUtf8(error.what())] {
                if (failed)
                    failed(text);
            });
        }
    }
}

}  // namespace ui
