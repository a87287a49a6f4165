#include "ui/shared/file_job.h"

#include "ui/shared/call_later.h"

#include <QTimer>

#include <exception>

namespace ui {
namespace {

constexpr int kLookMs = 50;

}  // namespace

FileJob::FileJob(Work work, QObject* parent) : QObject(parent), m_look(new QTimer(this)) {
    m_look->setInterval(kLookMs);
    connect(m_look, &QTimer::timeout, this, [this] { Q_EMIT progressed(m_progress.load()); });
    m_look->start();
    m_thread = std::jthread([this, work = std::move(work)](std::stop_token stop) { run(work, std::move(stop)); });
}

FileJob::~FileJob() {
    m_thread.request_stop();
    m_thread.join();
}

void FileJob::run(const Work& work, std::stop_token stop) {
    const auto say = [this](auto verdict) {
        callLater(*this, [this, verdict] {
            m_look->stop();
            verdict();
        });
    };
    try {
        const Outcome outcome = work({std::move(stop), [this](double fraction) { m_progress = fraction; }});
        say([this, outcome] { Q_EMIT finished(outcome.text, outcome.good); });
    } catch (const engine::RunStopped&) {
        say([this] { Q_EMIT stopped(); });
    } catch (const std::exception& error) {
        const QString text = QString::fromUtf8(error.what());
        say([this, text] { Q_EMIT failed(text); });
    }
}

}  // namespace ui
