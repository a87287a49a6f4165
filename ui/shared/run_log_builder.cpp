#include "ui/shared/run_log_builder.h"

#include "data/replay/shown_run.h"
#include "ui/shared/call_later.h"

#include <new>

namespace ui {

RunLogBuilder::RunLogBuilder(QObject* parent) : QObject(parent) {
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

RunLogBuilder::~RunLogBuilder() {
    m_stop.request_stop();
    m_worker.request_stop();
    m_worker.join();
}

void RunLogBuilder::showRun(std::shared_ptr<const data::ShownRun> run) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    ++m_generation;
    {
        const std::lock_guard lock(m_mutex);
        m_request = Request{std::move(run), m_generation, m_stop};
    }
    m_wake.notify_one();
}

void RunLogBuilder::work(const std::stop_token& stop) {
    for (;;) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return m_request.has_value(); });
            if (stop.stop_requested())
                return;
            request = std::move(*m_request);
            m_request.reset();
        }
        std::shared_ptr<const data::RunLog> log;
        try {
            if (const auto& trace = request.run->run.result.trace)
                log =
                    std::make_shared<const data::RunLog>(trace, request.run->run.experiment, request.stop.get_token());
        } catch (const std::bad_alloc&) {
            // A run too large for a log is still drawn; it cannot be stepped through.
        }
        if (!request.stop.stop_requested())
            deliver(request.generation, std::move(log));
    }
}

void RunLogBuilder::deliver(std::uint64_t generation, std::shared_ptr<const data::RunLog> log) {
    callLater(*this, [this, generation, log = std::move(log)] {
        if (generation == m_generation)
            Q_EMIT built(log);
            Q_EMIT settled();
    });
}

}  // namespace ui
