#pragma once

#include "data/model/model_run.h"
#include "engine/api/experiment.h"
#include "ui/shared/worker.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <functional>
#include <memory>
#include <vector>

namespace ui {

/// How models are timed. Fixed before the session starts.
struct ModelSessionConfig {
    using Run = std::function<data::ModelRun(const engine::Experiment&, const data::ModelRunOptions&)>;

    int threads = QThread::idealThreadCount();
    Run run{};  ///< empty: data::modelRun
};

/// Times whole models on a worker thread; only the newest request counts. Caches the simulated parts, so that a change
/// simulates only what depends on it. A run takes the rates of pairs of GEMMs and messages from there; those that are
/// missing are simulated only when addPairs() asks for them.
class ModelSession final : public QObject {
    Q_OBJECT

public:
    explicit ModelSession(ModelSessionConfig config = {}, QObject* parent = nullptr);

    /// Starts a run in place of one in progress. Problems of the experiment are reported by `runRefused`.
    void start(const engine::Experiment& experiment, engine::ModelPhase phase);
    /// Simulates the GEMMs and messages that run beside each other in the steps of `bases` under a policy, in place of a
    /// run in progress. `runFinished` has the run with their rates. Each base differs from that of the run only in
    /// division.* and step.*.
    void addPairs(std::shared_ptr<const data::ModelRun> run, std::vector<engine::Experiment> bases,
                  engine::PolicyPreset policy);
    /// Cancels the run. The session reports that at once; the worker stops at its next poll.
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    void pairsStarted();
    void progressChanged(double fraction);
    void runFinished(std::shared_ptr<const data::ModelRun> run);
    /// The model cannot be run with its settings, for these reasons.
    void runRefused(const engine::Problems& problems);
    void runFailed(const QString& text);
    void runStopped();

private:
    data::ModelRunOptions optionsOf(engine::ModelPhase phase, const Worker::Ticket& ticket) const;
    void time(const engine::Experiment& experiment, engine::ModelPhase phase, const Worker::Ticket& ticket);

    ModelSessionConfig m_config;
    std::shared_ptr<engine::BaselineCache> m_cache;
    // Lets a change of phase, policy or link simulate only the parts that it affects.
    std::shared_ptr<data::ModelMemory> m_memory;
    Worker m_worker;  // last: it is destroyed before the members that its jobs use
};

}  // namespace ui
