#include "ui/shared/model_session.h"

#include "data/model_memory.h"
#include "engine/api/baselines.h"
#include "engine/api/runner.h"

#include <QTimer>

#include <algorithm>
#include <exception>
#include <utility>

namespace ui {
namespace {

constexpr int kModelProgressMs = 33;

}  // namespace

ModelSession::ModelSession(ModelSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_progressTimer(new QTimer(this)),
      m_cache(std::make_shared<engine::BaselineCache>()), m_memory(std::make_shared<data::ModelMemory>()) {
    if (m_config.threads <= 0)
        m_config.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (!m_config.run)
        m_config.run = data::modelRun;
    m_progressTimer->setInterval(kModelProgressMs);
    connect(m_progressTimer, &QTimer::timeout, this, [this] { Q_EMIT progressChanged(m_progress.load()); });
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

ModelSession::~ModelSession() {
    m_runStop.request_stop();
    m_worker.request_stop();
    m_worker.join();
    // Deliveries that are still queued die with this object: it is their context.
}

void ModelSession::start(const engine::Experiment& experiment, engine::ModelPhase phase) {
    m_runStop.request_stop();
    m_runStop = std::stop_source();
    m_progress = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_request = Request{experiment, phase, ++m_generation, m_runStop};
    }
    m_wake.notify_one();
    m_running = true;
    m_progressTimer->start();
    Q_EMIT runStarted();
}

void ModelSession::cancel() {
    if (!m_running)
        return;
    m_runStop.request_stop();
    ++m_generation;  // whatever the worker still says about this run is late
    {
        const std::lock_guard lock(m_mutex);
        m_request.reset();
    }
    m_running = false;
    m_progressTimer->stop();
    Q_EMIT runStopped();
}

void ModelSession::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return m_request.has_value(); });
            if (stop.stop_requested())
                return;
            request = *std::exchange(m_request, std::nullopt);
        }
        time(request);
    }
}

void ModelSession::time(const Request& request) {
    data::ModelRunOptions options;
    options.phase = request.phase;
    options.threads = m_config.threads;
    options.stop = request.stop.get_token();
    options.baselineCache = m_cache;
    options.memory = m_memory;
    options.progress = [this, stop = options.stop](double fraction) {
        if (!stop.stop_requested())
            m_progress = fraction;
    };
    try {
        auto run = std::make_shared<const data::ModelRun>(m_config.run(request.experiment, options));
        deliver(request.generation, [this, run] { Q_EMIT runFinished(run); });
    } catch (const engine::RunStopped&) {
        return;  // whoever stopped it has said so
    } catch (const engine::InvalidExperiment& error) {
        deliver(request.generation, [this, problems = error.problems()] { Q_EMIT runRefused(problems); });
    } catch (const std::exception& error) {
        deliver(request.generation, [this, text = QString::fromUtf8(error.what())] { Q_EMIT runFailed(text); });
    }
}

void ModelSession::deliver(std::uint64_t generation, std::function<void()> verdict) {
    const auto arrive = [this, generation, verdict = std::move(verdict)] {
        if (generation != m_generation)
            return;
        m_running = false;
        m_progressTimer->stop();
        verdict();
    };
    QMetaObject::invokeMethod(this, arrive, Qt::QueuedConnection);
}

}  // namespace ui
