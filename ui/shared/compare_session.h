#pragma once

#include "ui/shared/run_session.h"

#include <QObject>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

class QTimer;

namespace engine {
class BaselineCache;
}

namespace ui {

/// One of several runs that are wanted side by side.
struct CompareJob {
    int key = 0;  ///< what its answer is called
    data::ExperimentDraft draft;
    std::optional<std::int64_t> kept;  ///< instead of the draft: that of a kept run, whose trace is not kept
    std::string keptHash;              ///< what that run must be of, where that is known; another store has other runs
};

/// Runs several experiments with trace and attribution, one after the other on a thread of its own, and hands each over
/// as soon as it is there. Keeps nothing: what is compared was asked for in passing.
/// Only the newest request counts. Promise: the destructor stops a run at its next poll and joins; nothing is delivered
/// afterwards.
class CompareSession final : public QObject {
    Q_OBJECT

public:
    /// The store of `config` is only read.
    explicit CompareSession(RunSessionConfig config, QObject* parent = nullptr);
    ~CompareSession() override;

    /// Replaces what is under way.
    void start(std::vector<CompareJob> jobs);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_running; }

Q_SIGNALS:
    void runStarted();
    /// Of all jobs together.
    void progressChanged(double fraction);
    void runFinished(int key, std::shared_ptr<const ui::ShownRun> run);
    /// This one cannot be run; the others go on.
    void runFailed(int key, const QString& text);
    void allFinished();
    void runStopped();

private:
    struct Request {
        std::vector<CompareJob> jobs;
        std::uint64_t generation = 0;
        std::stop_source stop;
    };

    void work(const std::stop_token& stop);
    void runAll(const Request& request);
    void runOne(const CompareJob& job, const Request& request, const std::function<void(double)>& progress);
    data::ExperimentDraft draftOf(const CompareJob& job) const;
    void deliver(std::uint64_t generation, std::function<void()> verdict);
    void end();

    RunSessionConfig m_config;
    QTimer* m_progressTimer;
    bool m_running = false;
    std::uint64_t m_generation = 0;
    std::stop_source m_runStop;
    std::shared_ptr<engine::BaselineCache> m_cache;  // policies share what their ratios need

    std::atomic<double> m_progress{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Request> m_request;  // guarded by m_mutex
    std::jthread m_worker;             // last: it starts when everything above is there, and ends first
};

}  // namespace ui
