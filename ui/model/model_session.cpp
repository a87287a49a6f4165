#include "ui/model/model_session.h"

#include "data/model/model_memory.h"
#include "engine/api/baselines.h"

#include <utility>

namespace ui {
namespace {

constexpr int kModelProgressMs = 33;

}  // namespace

ModelSession::ModelSession(ModelSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_cache(std::make_shared<engine::BaselineCache>()),
      m_memory(std::make_shared<data::ModelMemory>()),
      m_worker(kModelProgressMs, [this](double fraction) { Q_EMIT progressChanged(fraction); }) {
    if (!m_config.run)
        m_config.run = data::modelRun;
}

void ModelSession::start(const engine::Experiment& experiment, engine::ModelPhase phase) {
    m_worker.start([this, experiment, phase](const Worker::Ticket& ticket) { time(experiment, phase, ticket); },
                   [this](const QString& text) { Q_EMIT runFailed(text); });
    Q_EMIT runStarted();
}

void ModelSession::addPairs(std::shared_ptr<const data::ModelRun> run, std::vector<engine::Experiment> bases,
                            engine::PolicyPreset policy) {
    m_worker.start(
        [this, run = std::move(run), bases = std::move(bases), policy](const Worker::Ticket& ticket) {
            auto rated = std::make_shared<const data::ModelRun>(
                data::withPairs(*run, bases, policy, optionsOf(run->graph.phase, ticket)));
            ticket.finish([this, rated] { Q_EMIT runFinished(rated); });
        },
        [this](const QString& text) { Q_EMIT runFailed(text); });
    Q_EMIT pairsStarted();
}

void ModelSession::cancel() {
    if (m_worker.cancel())
        Q_EMIT runStopped();
}

data::ModelRunOptions ModelSession::optionsOf(engine::ModelPhase phase, const Worker::Ticket& ticket) const {
    data::ModelRunOptions options;
    options.phase = phase;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    options.baselineCache = m_cache;
    options.memory = m_memory;
    options.progress = [ticket](double fraction) { ticket.setProgress(fraction); };
    return options;
}

void ModelSession::time(const engine::Experiment& experiment, engine::ModelPhase phase, const Worker::Ticket& ticket) {
    data::ModelRunOptions options = optionsOf(phase, ticket);
    options.rememberedPairs = true;
    try {
        auto run = std::make_shared<const data::ModelRun>(m_config.run(experiment, options));
        ticket.finish([this, run] { Q_EMIT runFinished(run); });
    } catch (const engine::InvalidExperiment& error) {
        ticket.finish([this, problems = error.problems()] { Q_EMIT runRefused(problems); });
    }
}

}  // namespace ui
