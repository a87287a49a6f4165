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

/// A call that is handed over to another thread, made visible to the thread sanitizer. Qt hands calls over under its
/// own lock, which the sanitizer does not see because Qt is not instrumented; this class reports it to the sanitizer.
/// The last move puts the call where it stays until it is made or dropped.
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

/// Makes the call later on the thread of `context`, in the order of the requests; drops it if `context` has been
/// destroyed by then. Threads pass their results to the window only through this function.
template <typename Call>
void callLater(QObject& context, Call&& call) {
    QMetaObject::invokeMethod(&context, HandedOver<std::decay_t<Call>>(std::forward<Call>(call)), Qt::QueuedConnection);
}

/// A worker thread for one object of the window, so that the window never waits. Jobs wait in lanes, ordered by
/// priority: the thread takes the next job from the first lane that has one. Use it from the thread that creates it;
/// callbacks run on that thread. Promise: the destructor stops the job in progress at its next poll and joins the
/// thread; nothing is delivered afterwards. Make the worker the last member, so that it is destroyed before anything
/// that its jobs use.
class Worker final : public QObject {
public:
    /// The argument of a job: its stop token, and the means to deliver results.
    class Ticket {
    public:
        std::stop_token stop;  ///< requested when the job is replaced or cancelled, and by the destructor of the worker

        /// Sets the progress of the work in lane 0, from 0 to 1.
        void setProgress(double fraction) const;
        /// Calls `verdict` later on the thread of the worker's owner. The call is dropped if the job is replaced or
        /// cancelled by then, or if the worker no longer exists.
        void deliver(std::function<void()> verdict) const;
        /// Delivers the final result of the job: when `verdict` is called, the job is no longer running.
        void finish(std::function<void()> verdict) const;

    private:
        friend class Worker;
        Worker* m_worker = nullptr;
        std::size_t m_lane = 0;
        std::uint64_t m_generation = 0;
    };
    /// Called on the worker's thread. An exception ends the job and is reported by `Failed`; engine::RunStopped is not
    /// reported.
    using Job = std::function<void(const Ticket&)>;
    /// Called on the owner's thread with the text of an exception that a job has thrown.
    using Failed = std::function<void(const QString& text)>;

    explicit Worker(QObject* parent = nullptr) : QObject(parent) {}
    /// Calls `report` every `reportMs` milliseconds while work of lane 0 is in progress, with the fraction that is done.
    Worker(int reportMs, std::function<void(double fraction)> report, QObject* parent = nullptr);
    ~Worker() override;

    /// Runs `job`, in place of all jobs of the lane.
    void start(Job job, Failed failed = {}, std::size_t lane = 0);
    /// Runs `job` after the other jobs of the lane. It is called even if the worker is destroyed first, with `stop`
    /// requested.
    void add(Job job, Failed failed = {}, std::size_t lane = 0);
    /// Drops all jobs of the lane; the thread stops at its next poll. Returns whether any job was in progress.
    bool cancel(std::size_t lane = 0);
    /// Asks the jobs of the lane to stop, and still delivers their results.
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
    std::jthread m_thread;  // last: it is destroyed before the members that it uses; starts with the first job
};

}  // namespace ui
