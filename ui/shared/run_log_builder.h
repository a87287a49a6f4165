#pragma once

#include "data/replay/run_log.h"

#include <QObject>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// Builds the log of the run that is shown, on a thread of its own and after the picture: from a slider's movement to
/// the picture nobody waits for it. Only the newest run counts.
class RunLogBuilder final : public QObject {
    Q_OBJECT

public:
    explicit RunLogBuilder(QObject* parent = nullptr);
    ~RunLogBuilder() override;

    void showRun(std::shared_ptr<const data::ShownRun> run);

Q_SIGNALS:
    /// Of the latest run that was shown; null where it has no trace. Never emitted from within showRun.
    void built(std::shared_ptr<const data::RunLog> log);
    /// Every part has taken the log that was built.
    void settled();

private:
    struct Request {
        std::shared_ptr<const data::ShownRun> run;
        std::uint64_t generation = 0;
        std::stop_source stop;
    };

    void work(const std::stop_token& stop);
    void deliver(std::uint64_t generation, std::shared_ptr<const data::RunLog> log);

    std::uint64_t m_generation = 0;
    std::stop_source m_stop;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Request> m_request;  // guarded by m_mutex
    std::jthread m_worker;             // last: it starts when everything above is there, and ends first
};

}  // namespace ui
