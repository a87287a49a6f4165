#include "ui/shared/run_log_builder.h"

#include "data/replay/shown_run.h"

namespace ui {

RunLogBuilder::RunLogBuilder(QObject* parent) : QObject(parent) {
    m_painted.setSingleShot(true);
    connect(&m_painted, &QTimer::timeout, this, &RunLogBuilder::build);
}

void RunLogBuilder::showRun(std::shared_ptr<const data::ShownRun> run) {
    m_worker.cancel();
    m_next = std::move(run);
    m_painted.start(0);
}

void RunLogBuilder::build() {
    using Log = std::shared_ptr<const data::RunLog>;
    using Inside = std::shared_ptr<const data::InsideIndex>;
    const auto report = [this](const Log& log, const Inside& inside) {
        Q_EMIT built(log, inside);
        Q_EMIT settled();
    };
    // A run too large for a log is still drawn; it cannot be stepped through.
    const auto fail = [report](const QString&) { report(nullptr, nullptr); };
    m_worker.start(
        [run = std::move(m_next), report](const Worker::Ticket& ticket) {
            Log log;
            Inside inside;
            if (const auto& trace = run->run.result.trace) {
                log = std::make_shared<const data::RunLog>(trace, run->run.experiment, ticket.stop);
                inside = std::make_shared<const data::InsideIndex>(run, log, ticket.stop);
            }
            ticket.finish([report, log = std::move(log), inside = std::move(inside)] { report(log, inside); });
        },
        fail);
}

}  // namespace ui
