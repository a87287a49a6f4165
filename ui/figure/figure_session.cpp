#include "ui/figure/figure_session.h"

#include "data/figure/figure_gallery.h"
#include "data/laboratory/work_progress.h"
#include "engine/api/runner.h"
#include "ui/look/text.h"
#include "ui/shared/call_later.h"

#include <QTimer>

#include <algorithm>
#include <exception>
#include <utility>

namespace ui {
namespace {

constexpr int kProgressIntervalMs = 50;

class GalleryMaker final : public FigureMaker {
public:
    explicit GalleryMaker(data::GalleryOptions options) : m_gallery(std::move(options)) {}
    data::FigureSpec make(const std::string& name) override { return m_gallery.make(name); }

private:
    data::Gallery m_gallery;
};

}  // namespace

FigureSession::FigureSession(FigureSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_ticks(new QTimer(this)) {
    if (m_config.threads <= 0)
        m_config.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (!m_config.maker) {
        m_config.maker = [threads = m_config.threads](std::stop_token stop, std::function<void(double)> progress) {
            return std::make_unique<GalleryMaker>(
                data::GalleryOptions{{}, threads, std::move(stop), std::move(progress)});
        };
    }
    m_ticks->setInterval(kProgressIntervalMs);
    connect(m_ticks, &QTimer::timeout, this, &FigureSession::progressChanged);
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

FigureSession::~FigureSession() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
    }
    m_worker.request_stop();
    m_worker.join();
    // Deliveries that are still queued die with this object: it is their context.
}

void FigureSession::make(const QStringList& names) {
    const bool idle = !isRunning();
    {
        const std::lock_guard lock(m_mutex);
        for (const QString& name : names) {
            if (m_waiting.contains(name))
                continue;
            m_waiting << name;
            m_requests.push_back({name.toStdString(), m_generation});
        }
    }
    m_wake.notify_one();
    if (!idle || m_waiting.isEmpty())
        return;
    m_made = 0;
    m_progress = 0;
    m_since.start();
    m_ticks->start();
    Q_EMIT started();
}

void FigureSession::cancel() {
    if (!isRunning())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_stop = std::stop_source();
        ++m_generation;  // whatever the worker still says is late
        m_requests.clear();
    }
    m_waiting.clear();
    m_ticks->stop();
    Q_EMIT ended();
}

double FigureSession::progress() const {
    const double all = m_made + static_cast<double>(m_waiting.size());
    return all == 0 ? 0 : std::min(1.0, (m_made + m_progress.load()) / all);
}

std::optional<double> FigureSession::secondsLeft() const {
    if (!isRunning())
        return std::nullopt;
    return data::secondsLeft(static_cast<double>(m_since.elapsed()) / 1000, progress());
}

void FigureSession::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return !m_requests.empty(); });
            if (stop.stop_requested())
                return;
            request = std::move(m_requests.front());
            m_requests.erase(m_requests.begin());
            if (!m_maker || m_makerOf != request.generation) {
                m_maker = m_config.maker(m_stop.get_token(), [this, own = m_stop.get_token()](double fraction) {
                    if (!own.stop_requested())
                        m_progress = fraction;
                });
                m_makerOf = request.generation;
            }
        }
        makeOne(request);
    }
}

void FigureSession::makeOne(const Request& request) {
    const QString name = QString::fromStdString(request.name);
    try {
        auto figure = std::make_shared<const data::FigureSpec>(m_maker->make(request.name));
        deliver(request, [this, name, figure] { Q_EMIT made(name, figure); });
    } catch (const engine::RunStopped&) {
        return;  // whoever stopped it has said so
    } catch (const engine::InvalidExperiment& error) {
        deliver(request, [this, name, text = text(error.problems())] { Q_EMIT failed(name, text); });
    } catch (const std::exception& error) {
        deliver(request, [this, name, text = QString::fromUtf8(error.what())] { Q_EMIT failed(name, text); });
    }
}

void FigureSession::deliver(const Request& request, std::function<void()> verdict) {
    const auto arrive = [this, generation = request.generation, verdict = std::move(verdict)] {
        if (generation != m_generation)  // changed by this thread only
            return;
        m_waiting.removeFirst();
        ++m_made;
        m_progress = 0;
        verdict();
        if (isRunning())
            return;
        m_ticks->stop();
        Q_EMIT ended();
    };
    callLater(*this, arrive);
}

}  // namespace ui
