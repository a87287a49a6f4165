#include "ui/figure/figure_session.h"

#include "data/figure/figure_gallery.h"
#include "data/laboratory/work_progress.h"
#include "engine/api/problem.h"
#include "ui/look/format.h"

#include <algorithm>
#include <stdexcept>
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
    : QObject(parent), m_config(std::move(config)),
      m_worker(kProgressIntervalMs, [this](double) { Q_EMIT progressChanged(); }) {
    if (!m_config.maker) {
        m_config.maker = [threads = m_config.threads](std::stop_token stop, std::function<void(double)> progress) {
            return std::make_unique<GalleryMaker>(
                data::GalleryOptions{{}, threads, std::move(stop), std::move(progress)});
        };
    }
}

void FigureSession::make(const QStringList& names) {
    for (const QString& name : names)
        queue(name, [this, name](const Worker::Ticket& ticket) { return ofGallery(name.toStdString(), ticket); });
}

void FigureSession::makeAgain(const QString& name, data::FigureSpec figure) {
    queue(name, [this, figure = std::move(figure)](const Worker::Ticket& ticket) {
        return m_config.again(figure, ticket.stop);
    });
}

void FigureSession::queue(const QString& name, Make make) {
    if (m_waiting.contains(name))
        return;
    const bool idle = !isRunning();
    m_waiting << name;
    m_worker.add([this, name, make = std::move(make)](const Worker::Ticket& ticket) { makeOne(name, make, ticket); },
                 [this, name](const QString& text) { arrive([&] { Q_EMIT failed(name, text); }); });
    if (!idle)
        return;
    m_made = 0;
    m_since.start();
    Q_EMIT started();
}

void FigureSession::cancel() {
    if (!m_worker.cancel())
        return;
    m_waiting.clear();
    Q_EMIT ended();
}

double FigureSession::progress() const {
    const double all = m_made + static_cast<double>(m_waiting.size());
    return all == 0 ? 0 : std::min(1.0, (m_made + m_worker.progress()) / all);
}

std::optional<double> FigureSession::secondsLeft() const {
    if (!isRunning())
        return std::nullopt;
    return data::secondsLeft(static_cast<double>(m_since.elapsed()) / 1000, progress());
}

data::FigureSpec FigureSession::ofGallery(const std::string& name, const Worker::Ticket& ticket) {
    if (!m_maker || m_makerStop != ticket.stop) {
        m_maker = m_config.maker(ticket.stop, [ticket](double fraction) { ticket.setProgress(fraction); });
        m_makerStop = ticket.stop;
    }
    return m_maker->make(name);
}

void FigureSession::makeOne(const QString& name, const Make& make, const Worker::Ticket& ticket) {
    if (ticket.stop.stop_requested())
        return;
    try {
        auto figure = std::make_shared<const data::FigureSpec>(make(ticket));
        ticket.finish([this, name, figure] { arrive([&] { Q_EMIT made(name, figure); }); });
    } catch (const engine::InvalidExperiment& error) { throw std::runtime_error(text(error.problems()).toStdString()); }
}

void FigureSession::arrive(const std::function<void()>& verdict) {
    m_waiting.removeFirst();
    ++m_made;
    verdict();
    if (!isRunning())
        Q_EMIT ended();
}

}  // namespace ui
