#pragma once

#include "data/model/model_run.h"
#include "engine/api/experiment.h"
#include "ui/shared/worker.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <functional>
#include <memory>

namespace ui {

/// How models are timed. Fixed before the session starts.
struct ModelSessionConfig {
    using Run = std::function<data::ModelRun(const engine::Experiment&, const data::ModelRunOptions&)>;

    int threads = QThread::idealThreadCount();
    Run run{};  ///< empty: data::modelRun
};

/// Times whole models on one thread of its own; only the newest request counts. Keeps only what was simulated before,
/// so that a change costs what it changes.
class ModelSession final : public QObject {
    Q_OBJECT

public:
    explicit ModelSession(ModelSessionConfig config = {}, QObject* parent = nullptr);

    /// Replaces a run that is under way. What is wrong with the experiment comes as `refused`.
    void start(const engine::Experiment& experiment, engine::ModelPhase phase);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    void progressChanged(double fraction);
    void runFinished(std::shared_ptr<const data::ModelRun> run);
    /// The model cannot be run as it is set: everything that is in the way.
    void runRefused(const engine::Problems& problems);
    void runFailed(const QString& text);
    void runStopped();

private:
    void time(const engine::Experiment& experiment, engine::ModelPhase phase, const Worker::Ticket& ticket);

    ModelSessionConfig m_config;
    std::shared_ptr<engine::BaselineCache> m_cache;
    std::shared_ptr<data::ModelMemory> m_memory;  // another phase, policy or link simulates only what it changes
    Worker m_worker;                              // last: it ends first
};

}  // namespace ui
