#include "ui/shared/run_log_builder.h"

#include "data/replay/shown_run.h"

namespace ui {

void RunLogBuilder::showRun(std::shared_ptr<const data::ShownRun> run) {
    const auto tell = [this](const std::shared_ptr<const data::RunLog>& log) {
        Q_EMIT built(log);
        Q_EMIT settled();
    };
    // A run too large for a log is still drawn; it cannot be stepped through.
    const auto fail = [tell](const QString&) { tell(nullptr); };
    m_worker.start(
        [run = std::move(run), tell](const Worker::Ticket& ticket) {
            std::shared_ptr<const data::RunLog> log;
            if (const auto& trace = run->run.result.trace)
                log = std::make_shared<const data::RunLog>(trace, run->run.experiment, ticket.stop);
            ticket.finish([tell, log = std::move(log)] { tell(log); });
        },
        fail);
}

}  // namespace ui
