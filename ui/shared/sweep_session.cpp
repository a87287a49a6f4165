#include "ui/shared/sweep_session.h"

#include "data/store/store.h"
#include "data/sweep/sweep_store.h"

#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kShowIntervalMs = 100;
constexpr std::chrono::milliseconds kShowInterval{kShowIntervalMs};
constexpr std::size_t kRowsPerInterval = 10'000;  // larger tables are copied less often

/// Collects the points of a running sweep as they end, and hands out copies of the whole table. The engine's threads
/// call it one at a time.
class GrowingTable {
public:
    explicit GrowingTable(data::SweepTable table) : m_table(std::move(table)) {}

    void take(const std::vector<data::SweepArrival>& arrivals) {
        data::takeArrivals(m_table, arrivals);
        m_changed = m_changed || !arrivals.empty();
    }

    /// Returns a copy, or null if nothing has changed or the last copy is too recent.
    std::shared_ptr<const data::SweepTable> copyIfDue() {
        const auto interval = kShowInterval * (1 + m_table.rows.size() / kRowsPerInterval);
        if (!m_changed || Clock::now() - m_shown < interval)
            return nullptr;
        m_changed = false;
        auto copy = std::make_shared<const data::SweepTable>(m_table);
        m_shown = Clock::now();
        return copy;
    }

private:
    data::SweepTable m_table;
    bool m_changed = false;
    Clock::time_point m_shown{};
};

/// Returns the table of a sweep. If the sweep was not started, or its store was emptied, these are the points that a
/// start would find.
std::shared_ptr<const data::SweepTable> tableOf(const data::SweepStore& sweeps, const data::SweepPlan& plan,
                                                bool started) {
    return std::make_shared<const data::SweepTable>(started ? sweeps.table(plan.id, plan.sweep.metrics)
                                                            : sweeps.table(plan));
}

}  // namespace

SweepSession::SweepSession(SweepSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_worker(kShowIntervalMs, [this](double) { show(); }) {
    if (!m_config.run)
        m_config.run = [](const data::SweepPlan& plan, const std::string& store, const data::SweepOptions& options,
                          const data::SweepPause* pause) { return data::runSweep(plan, store, options, pause); };
    if (!m_config.storePath) {
        m_ownFolder = std::make_unique<QTemporaryDir>();
        m_config.storePath = m_ownFolder->filePath(QStringLiteral("sweeps.sqlite")).toStdString();
    }
}

SweepSession::~SweepSession() = default;

void SweepSession::look(const data::Sweep& sweep) {
    m_worker.start([this, sweep](const Worker::Ticket& ticket) { lookUp(sweep, ticket); },
                   [this](const QString& text) { Q_EMIT lookFailed(text); }, kLook);
}

void SweepSession::start(const data::Sweep& sweep, bool retryFailed) {
    m_worker.cancel(kRun);
    m_pause.set(false);
    {
        const std::lock_guard lock(m_mutex);
        m_newTable.reset();
        m_newProgress.reset();
    }
    m_worker.start([this, sweep, retryFailed](const Worker::Ticket& ticket) { run(sweep, retryFailed, ticket); },
                   [this](const QString& text) { end([&] { Q_EMIT runFailed(text); }); }, kRun);
    Q_EMIT runStarted();
}

void SweepSession::setPaused(bool paused) {
    if (!isRunning() || paused == m_pause.isSet())
        return;
    m_pause.set(paused);
    Q_EMIT pausedChanged(paused);
}

void SweepSession::cancel() {
    if (m_worker.cancel(kRun))
        end([this] { Q_EMIT runStopped(); });
}

void SweepSession::solve(const data::BreakEvenQuestion& question) {
    m_worker.start([this, question](const Worker::Ticket& ticket) { answer(question, ticket); },
                   [this](const QString& text) { Q_EMIT solveFailed(text); }, kSolve);
}

void SweepSession::end(const std::function<void()>& verdict) {
    show();
    m_pause.set(false);
    verdict();
}

void SweepSession::show() {
    std::shared_ptr<const data::SweepTable> table;
    std::optional<data::SweepProgress> progress;
    {
        const std::lock_guard lock(m_mutex);
        table = std::move(m_newTable);
        progress = m_newProgress;
        m_newTable.reset();
        m_newProgress.reset();
    }
    if (progress)
        Q_EMIT progressChanged(*progress);
    if (table)
        Q_EMIT tableChanged(table);
}

void SweepSession::answer(const data::BreakEvenQuestion& question, const Worker::Ticket& ticket) {
    data::Store store(*m_config.storePath);
    data::BreakEvenOptions options;
    options.store = &store;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    auto found = std::make_shared<const data::BreakEven>(data::breakEven(question, options));
    ticket.finish([this, found] { Q_EMIT solved(found); });
}

void SweepSession::lookUp(const data::Sweep& sweep, const Worker::Ticket& ticket) {
    const data::PlanningOptions planning{ticket.stop, {}};
    const data::SweepPlan plan = data::planOf(sweep, {}, planning);
    auto look = std::make_shared<SweepLook>();
    look->id = plan.id;
    look->outlook = data::outlookOf(plan, *m_config.storePath, m_config.threads, planning);
    data::Store store(*m_config.storePath);
    const data::SweepStore sweeps(store);
    look->started = sweeps.sweepWithId(plan.id).has_value();
    look->table = tableOf(sweeps, plan, look->started);
    ticket.finish([this, look] { Q_EMIT looked(look); });
}

void SweepSession::run(const data::Sweep& sweep, bool retryFailed, const Worker::Ticket& ticket) {
    // Results of a run that was replaced or cancelled are not shown.
    const auto publish = [this, &ticket](std::shared_ptr<const data::SweepTable> table) {
        const std::lock_guard lock(m_mutex);
        if (table && !ticket.stop.stop_requested())
            m_newTable = std::move(table);
    };
    const data::SweepPlan plan = data::planOf(sweep, {}, {ticket.stop, {}});
    data::Store store(*m_config.storePath);
    data::SweepStore sweeps(store);
    sweeps.keepSweep(plan, ticket.stop);
    GrowingTable growing(*tableOf(sweeps, plan, true));
    std::mutex growth;  // each callback is never called twice at a time, but both may be called at once
    data::SweepOptions options;
    options.threads = m_config.threads;
    options.retryFailed = retryFailed;
    options.stop = ticket.stop;
    options.arrived = [&](std::vector<data::SweepArrival> arrivals) {
        const std::lock_guard lock(growth);
        growing.take(arrivals);
        publish(growing.copyIfDue());
    };
    options.progress = [&](const data::SweepProgress& progress) {
        const std::lock_guard lock(growth);
        publish(growing.copyIfDue());
        const std::lock_guard news(m_mutex);
        if (!ticket.stop.stop_requested())
            m_newProgress = progress;
    };
    const data::SweepSummary summary = m_config.run(plan, *m_config.storePath, options, &m_pause);
    publish(tableOf(sweeps, plan, true));  // the final table, with the rows of the store
    ticket.finish([this, summary] { end([&] { Q_EMIT runFinished(summary); }); });
}

}  // namespace ui
