#include "ui/shared/sensitivity_session.h"

#include "engine/api/problem.h"
#include "engine/api/runner.h"

#include <QTimer>

#include <algorithm>
#include <cmath>
#include <exception>

namespace ui {
namespace {

constexpr int kSensitivityProgressMs = 100;
constexpr double kTellingPart = 0.05;  // before that a guess at the time left is a wild one
constexpr std::size_t kRemembered = 8;

}  // namespace

SensitivitySession::SensitivitySession(SensitivitySessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_progressTimer(new QTimer(this)) {
    if (m_config.threads <= 0)
        m_config.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (!m_config.find)
        m_config.find = data::sensitivityOf;
    m_progressTimer->setInterval(kSensitivityProgressMs);
    connect(m_progressTimer, &QTimer::timeout, this, &SensitivitySession::tellProgress);
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

SensitivitySession::~SensitivitySession() {
    m_stop.request_stop();
    m_worker.request_stop();
    m_worker.join();
    // Deliveries that are still queued die with this object: it is their context.
}

void SensitivitySession::start(const engine::Experiment& experiment) {
    cancel();
    for (const auto& [known, report] : m_remembered) {
        if (known == experiment) {
            Q_EMIT found(report);
            return;
        }
    }
    m_stop = std::stop_source();
    m_progress = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_request = Request{experiment, ++m_generation, m_stop};
    }
    m_wake.notify_one();
    m_running = true;
    m_time.start();
    m_progressTimer->start();
    Q_EMIT started();
}

void SensitivitySession::cancel() {
    if (!m_running)
        return;
    m_stop.request_stop();
    ++m_generation;  // whatever the worker still says about this is late
    {
        const std::lock_guard lock(m_mutex);
        m_request.reset();
    }
    m_running = false;
    m_progressTimer->stop();
}

void SensitivitySession::tellProgress() {
    const double fraction = m_progress.load();
    const double seconds = static_cast<double>(m_time.elapsed()) / 1000;
    const int left = fraction < kTellingPart ? -1 : static_cast<int>(std::ceil(seconds * (1 - fraction) / fraction));
    Q_EMIT progressChanged(fraction, left);
}

void SensitivitySession::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return m_request.has_value(); });
            if (stop.stop_requested())
                return;
            request = *std::exchange(m_request, std::nullopt);
        }
        find(request);
    }
}

void SensitivitySession::find(const Request& request) {
    data::SensitivityOptions options;
    options.threads = m_config.threads;
    options.stop = request.stop.get_token();
    options.progress = [this, stop = options.stop](double fraction) {
        if (!stop.stop_requested())
            m_progress = fraction;
    };
    try {
        const auto report = std::make_shared<const data::SensitivityReport>(m_config.find(request.experiment, options));
        deliver(request.generation, [this, report, experiment = request.experiment] {
            remember(experiment, report);
            Q_EMIT found(report);
        });
    } catch (const engine::RunStopped&) {
        return;  // whoever stopped it knows
    } catch (const std::exception& error) {
        deliver(request.generation, [this, text = QString::fromUtf8(error.what())] { Q_EMIT failed(text); });
    }
}

void SensitivitySession::remember(const engine::Experiment& experiment, const Report& report) {
    if (m_remembered.size() == kRemembered)
        m_remembered.erase(m_remembered.begin());
    m_remembered.emplace_back(experiment, report);
}

void SensitivitySession::deliver(std::uint64_t generation, std::function<void()> verdict) {
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
