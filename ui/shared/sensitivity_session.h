#pragma once

#include "data/sensitivity.h"

#include <QElapsedTimer>
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
#include <utility>
#include <vector>

class QTimer;

namespace ui {

/// How sensitivities are found. Fixed before the session starts.
struct SensitivitySessionConfig {
    using Find = std::function<data::SensitivityReport(const engine::Experiment&, const data::SensitivityOptions&)>;

    int threads = 0;  ///< 0: as many as there are processors
    Find find{};      ///< empty: data::sensitivityOf
};

/// Finds how the total answers to each parameter, on one thread of its own, so that the window never waits. Only the
/// newest request counts: it carries a generation number, and what arrives late is dropped. Remembers the last reports,
/// so that going back to an experiment costs nothing.
/// Promise: the destructor stops the runs at their next poll and joins; nothing is delivered afterwards.
class SensitivitySession final : public QObject {
    Q_OBJECT

public:
    explicit SensitivitySession(SensitivitySessionConfig config = {}, QObject* parent = nullptr);
    ~SensitivitySession() override;

    /// Replaces what is under way.
    void start(const engine::Experiment& experiment);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_running; }

Q_SIGNALS:
    void started();
    /// `secondsLeft` is negative while nobody can tell.
    void progressChanged(double fraction, int secondsLeft);
    void found(std::shared_ptr<const data::SensitivityReport> report);
    void failed(const QString& text);

private:
    using Report = std::shared_ptr<const data::SensitivityReport>;
    struct Request {
        engine::Experiment experiment;
        std::uint64_t generation = 0;
        std::stop_source stop;
    };

    void work(const std::stop_token& stop);
    void find(const Request& request);
    void deliver(std::uint64_t generation, std::function<void()> verdict);
    void remember(const engine::Experiment& experiment, const Report& report);
    void tellProgress();

    SensitivitySessionConfig m_config;
    QTimer* m_progressTimer;
    QElapsedTimer m_time;
    bool m_running = false;
    std::uint64_t m_generation = 0;
    std::stop_source m_stop;
    std::vector<std::pair<engine::Experiment, Report>> m_remembered;  // the newest last

    std::atomic<double> m_progress{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Request> m_request;  // guarded by m_mutex
    std::jthread m_worker;             // last: it starts when everything above is there, and ends first
};

}  // namespace ui
