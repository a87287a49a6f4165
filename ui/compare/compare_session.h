#pragma once

#include "ui/shared/run_session.h"
#include "ui/shared/worker.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
/// Only the newest request counts.
class CompareSession final : public QObject {
    Q_OBJECT

public:
    /// The store of `config` is only read.
    explicit CompareSession(RunSessionConfig config, QObject* parent = nullptr);

    /// Replaces what is under way.
    void start(std::vector<CompareJob> jobs);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    /// Of all jobs together.
    void progressChanged(double fraction);
    void runFinished(int key, std::shared_ptr<const data::ShownRun> run);
    /// This one cannot be run; the others go on.
    void runFailed(int key, const QString& text);
    void allFinished();
    void runStopped();

private:
    void runAll(const std::vector<CompareJob>& jobs, const Worker::Ticket& ticket);
    void runOne(const CompareJob& job, const Worker::Ticket& ticket, const std::function<void(double)>& progress);
    data::ExperimentDraft draftOf(const CompareJob& job) const;

    RunSessionConfig m_config;
    std::shared_ptr<engine::BaselineCache> m_cache;  // policies share what their ratios need
    Worker m_worker;                                 // last: it ends first
};

}  // namespace ui
