#pragma once

#include <QObject>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

class QTimer;

namespace ui {

/// A thread on which somebody's newest job is done, so that the window never waits. Only the newest counts: each has a
/// ticket, and what is delivered for an older one is dropped. Used by one thread, that of its owner.
/// Promise: the destructor stops the job at its next poll and joins. A verdict that is still queued then dies with the
/// owner, which outlives this.
class NewestJob {
public:
    struct Ticket {
        std::uint64_t generation = 0;
        std::stop_token stop{};
    };
    using Job = std::function<void(const Ticket&)>;

    /// While a job is under way `tell` is called every `progressMs`, on the owner's thread.
    NewestJob(QObject& owner, int progressMs, std::function<void()> tell);
    ~NewestJob();
    NewestJob(const NewestJob&) = delete;
    NewestJob& operator=(const NewestJob&) = delete;

    /// In place of what is under way. A job must not throw.
    void start(Job job);
    /// At once for whoever asks; the thread follows at its next poll. False when nothing was under way.
    bool cancel();
    /// The verdict of the newest job was its last.
    void end();
    bool isRunning() const { return m_running; }
    double progress() const { return m_progress.load(); }

    // From within a job.
    void setProgress(const Ticket& ticket, double fraction);
    /// Calls `verdict` on the owner's thread, later, if the job is still the newest.
    void deliver(const Ticket& ticket, std::function<void()> verdict);

private:
    void work(const std::stop_token& stop);

    QObject& m_owner;
    QTimer* m_timer;
    bool m_running = false;
    std::uint64_t m_generation = 0;
    std::stop_source m_stop;

    std::atomic<double> m_progress{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Job m_job;  // guarded by m_mutex, as the next
    Ticket m_ticket;
    std::jthread m_worker;  // last: it starts when everything above is there, and ends first
};

}  // namespace ui
