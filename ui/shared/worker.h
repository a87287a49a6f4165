#pragma once

#include <QObject>
#include <QTimer>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace ui {

#ifdef __SANITIZE_THREAD__

/// What a call brings along, where the thread sanitizer watches. Qt hands calls over under a lock of its own, which the
/// sanitizer does not see because Qt is not instrumented; so it is told here. The last move puts the call where it stays
/// until it is made or dropped.
template <typename Call>
class HandedOver {
public:
    explicit HandedOver(Call call) : m_call(std::move(call)) {}
    HandedOver(HandedOver&& other) noexcept : m_call(std::move(other.m_call)) { __tsan_release(this); }
    HandedOver(const HandedOver&) = delete;
    HandedOver& operator=(HandedOver&&) = delete;
    HandedOver& operator=(const HandedOver&) = delete;
    ~HandedOver() { __tsan_acquire(this); }

    void operator()() {
        __tsan_acquire(this);
        m_call();
    }

private:
    Call m_call;
};

#else

template <typename Call>
using HandedOver = Call;

#endif

/// Makes the call on the thread of `context`, later, in the order of asking; drops it if `context` is gone by then.
/// Threads hand what they have made to the window through this only.
template <typename Call>
void callLater(QObject& context, Call&& call) {
    QMetaObject::invokeMethod(&context, HandedOver<std::decay_t<Call>>(std::forward<Call>(call)), Qt::QueuedConnection);
}

/// A thread that does the work of one object of the window, so that the window never waits. Work stands in lanes; the
/// thread takes from the first lane that has any. Used by the thread that makes it; that thread is called back.
/// Promise: the destructor stops what is under way at its next poll and joins; nothing is delivered after. Make the
/// worker the last member, so that it ends before what its jobs use.
class Worker final : public QObject {
public:
    /// What a job is told, and what it answers with.
    class Ticket {
    public:
        std::stop_token stop;  ///< requested when the job is replaced or cancelled, and by the destructor of the worker

        /// Of the work in lane 0, 0 to 1.
        void setProgress(double fraction) const;
        /// Calls `verdict` on the thread of the worker's owner, later; drops it if the job is replaced or cancelled by
        /// then, or the worker is gone.
        void deliver(std::function<void()> verdict) const;
        /// Delivers the last word of the job: it is no longer under way when `verdict` is called.
        void finish(std::function<void()> verdict) const;

    private:
        friend class Worker;
        Worker* m_worker = nullptr;
        std::size_t m_lane = 0;
        std::uint64_t m_generation = 0;
    };
    /// Called on the worker's thread. What it throws is its last word, as `Failed` says; engine::RunStopped is none.
    using Job = std::function<void(const Ticket&)>;
    /// Called on the owner's thread with the words of what a job has thrown.
    using Failed = std::function<void(const QString& text)>;

    explicit Worker(QObject* parent = nullptr) : QObject(parent) {}
    /// Calls `tell` every `tellMs` milliseconds while work of lane 0 is under way, with how much of it is done.
    Worker(int tellMs, std::function<void(double fraction)> tell, QObject* parent = nullptr);
    ~Worker() override;

    /// Does `job` in place of all work of the lane.
    void start(Job job, Failed failed = {}, std::size_t lane = 0);
    /// Does `job` after the other work of the lane. It is called even if the worker ends first, with `stop` requested.
    void add(Job job, Failed failed = {}, std::size_t lane = 0);
    /// Drops all work of the lane; the thread follows at its next poll. Returns whether any was under way.
    bool cancel(std::size_t lane = 0);
    /// Asks the work of the lane to stop, and waits for what it says.
    void requestStop(std::size_t lane = 0) { m_lanes[lane].stop.request_stop(); }
    /// Returns whether a job of the lane has not finished yet.
    bool isRunning(std::size_t lane = 0) const { return m_lanes[lane].underWay > 0; }
    double progress() const { return m_progress; }

private:
    struct Work {
        Job job;
        Failed failed;
        Ticket ticket;
        bool isKept = false;
    };
    struct Lane {
        std::uint64_t generation = 0;
        std::stop_source stop;
        int underWay = 0;
        std::deque<Work> waiting;  // guarded by m_mutex
    };

    void put(Job job, Failed failed, std::size_t lane, bool isKept);
    void work(const std::stop_token& stop);

    QTimer m_timer;
    std::atomic<double> m_progress{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::array<Lane, 4> m_lanes;
    std::jthread m_thread;  // last: it ends before what it uses; starts with the first job
};

}  // namespace ui
