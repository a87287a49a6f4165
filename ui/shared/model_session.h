#pragma once

#include "data/model_run.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

class QTimer;

namespace ui {

/// How models are timed. Fixed before the session starts.
struct ModelSessionConfig {
    using Run = std::function<data::ModelRun(const engine::Experiment&, const data::ModelRunOptions&)>;

    int threads = 0;  ///< 0: as many as there are processors
    Run run{};        ///< empty: data::modelRun
};

/// Times whole models on one thread of its own, so that the window never waits. Only the newest request counts: it
/// carries a generation number, and what arrives late is dropped. Keeps only what was simulated before, so that a change
/// costs what it changes.
/// Promise: the destructor stops a run at its next poll and joins; nothing is delivered afterwards.
class ModelSession final : public QObject {
    Q_OBJECT

public:
    explicit ModelSession(ModelSessionConfig config = {}, QObject* parent = nullptr);
    ~ModelSession() override;

    /// Replaces a run that is under way. What is wrong with the experiment comes as `refused`.
    void start(const engine::Experiment& experiment, engine::ModelPhase phase);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_running; }

Q_SIGNALS:
    void runStarted();
    void progressChanged(double fraction);
    void runFinished(std::shared_ptr<const data::ModelRun> run);
    /// The model cannot be run as it is set: everything that is in the way.
    void runRefused(const engine::Problems& problems);
    void runFailed(const QString& text);
    void runStopped();

private:
    struct Request {
        engine::Experiment experiment;
        engine::ModelPhase phase{};
        std::uint64_t generation = 0;
        std::stop_source stop;
    };

    void work(const std::stop_token& stop);
    void time(const Request& request);
    void deliver(std::uint64_t generation, std::function<void()> verdict);

    ModelSessionConfig m_config;
    QTimer* m_progressTimer;
    bool m_running = false;
    std::uint64_t m_generation = 0;
    std::stop_source m_runStop;
    std::shared_ptr<engine::BaselineCache> m_cache;
    std::shared_ptr<data::ModelMemory> m_memory;  // another phase, policy or link simulates only what it changes

    std::atomic<double> m_progress{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Request> m_request;  // guarded by m_mutex
    std::jthread m_worker;             // last: it starts when everything above is there, and ends first
};

}  // namespace ui
