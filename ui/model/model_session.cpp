#include "ui/model/model_session.h"

#include "data/model/model_memory.h"
#include "engine/api/baselines.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace ui {
namespace {

constexpr int kModelProgressMs = 33;

}  // namespace

ModelSession::ModelSession(ModelSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_cache(std::make_shared<engine::BaselineCache>()),
      m_memory(std::make_shared<data::ModelMemory>()),
      m_job(*this, kModelProgressMs, [this] { Q_EMIT progressChanged(m_job.progress()); }) {
    if (m_config.threads <= 0)
        m_config.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (!m_config.run)
        m_config.run = data::modelRun;
}

void ModelSession::start(const engine::Experiment& experiment, engine::ModelPhase phase) {
    m_job.start([this, experiment, phase](const NewestJob::Ticket& ticket) { time(experiment, phase, ticket); });
    Q_EMIT runStarted();
}

void ModelSession::cancel() {
    if (m_job.cancel())
        Q_EMIT runStopped();
}

void ModelSession::time(const engine::Experiment& experiment, engine::ModelPhase phase,
                        const NewestJob::Ticket& ticket) {
    data::ModelRunOptions options;
    options.phase = phase;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    options.baselineCache = m_cache;
    options.memory = m_memory;
    options.progress = [this, ticket](double fraction) { m_job.setProgress(ticket, fraction); };
    const auto deliver = [&](const std::function<void()>& verdict) {
        m_job.deliver(ticket, [this, verdict] {
            m_job.end();
            verdict();
        });
    };
    try {
        auto run = std::make_shared<const data::ModelRun>(m_config.run(experiment, options));
        deliver([this, run] { Q_EMIT runFinished(run); });
    } catch (const engine::RunStopped&) {
        return;  // whoever stopped it has said so
    } catch (const engine::InvalidExperiment& error) {
        deliver([this, problems = error.problems()] { Q_EMIT runRefused(problems); });
    } catch (const std::exception& error) {
        deliver([this, text = QString::fromUtf8(error.what())] { Q_EMIT runFailed(text); });
    }
}

}  // namespace ui
