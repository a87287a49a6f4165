#include "ui/shared/sweep_session.h"

#include "data/results/metrics.h"
#include "data/store/store.h"
#include "data/sweep/sweep_shelf.h"
#include "ui/shared/call_later.h"

#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kShowIntervalMs = 100;
constexpr std::chrono::milliseconds kShowInterval{kShowIntervalMs};
constexpr std::size_t kRowsPerInterval = 10'000;  // of larger tables fewer copies are made, so that none takes long

/// Takes the points of a running sweep in as they end, and copies of the whole for whoever looks. The engine's threads
/// call one at a time.
class GrowingTable {
public:
    explicit GrowingTable(data::SweepTable table) : m_table(std::move(table)) {
        for (const std::string& path : m_table.metrics)
            m_metrics.push_back(data::findMetric(path));
    }

    void take(const std::vector<data::SweepArrival>& arrivals) {
        for (const data::SweepArrival& arrival : arrivals) {
            if (arrival.point >= m_table.rows.size())
                continue;
            data::SweepRow& row = m_table.rows[arrival.point];
            row.state = arrival.result ? data::PointState::done : data::PointState::failed;
            row.reason = arrival.failure;
            row.values.assign(m_metrics.size(), std::nullopt);
            for (std::size_t i = 0; arrival.result && i < m_metrics.size(); ++i) {
                if (m_metrics[i] != nullptr)
                    row.values[i] = m_metrics[i]->read(*arrival.result);
            }
        }
        m_changed = m_changed || !arrivals.empty();
    }

    /// Null when nothing has changed, or only just was shown.
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
    std::vector<const data::Metric*> m_metrics;
    bool m_changed = false;
    Clock::time_point m_shown{};
};

/// Of a sweep that was not started, or whose store was emptied, what a start would find.
std::shared_ptr<const data::SweepTable> tableOf(const data::SweepShelf& shelf, const data::SweepPlan& plan,
                                                bool started) {
    return std::make_shared<const data::SweepTable>(started ? shelf.table(plan.id, plan.sweep.metrics)
                                                            : shelf.table(plan));
}

}  // namespace

SweepSession::SweepSession(SweepSessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_timer(new QTimer(this)) {
    if (m_config.threads <= 0)
        m_config.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (!m_config.run)
        m_config.run = data::runSweep;
    if (!m_config.storePath) {
        m_ownFolder = std::make_unique<QTemporaryDir>();
        m_config.storePath = m_ownFolder->filePath(QStringLiteral("sweeps.sqlite")).toStdString();
    }
    m_timer->setInterval(kShowIntervalMs);
    connect(m_timer, &QTimer::timeout, this, &SweepSession::show);
    m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

SweepSession::~SweepSession() {
    m_lookStop.request_stop();
    m_runStop.request_stop();
    m_solveStop.request_stop();
    m_worker.request_stop();
    m_worker.join();
    // Deliveries that are still queued die with this object: it is their context.
}

void SweepSession::look(const data::Sweep& sweep) {
    m_lookStop.request_stop();
    m_lookStop = std::stop_source();
    {
        const std::lock_guard lock(m_mutex);
        m_lookRequest = Request{sweep, ++m_lookGeneration, false, m_lookStop};
    }
    m_wake.notify_one();
}

void SweepSession::dropLook() {
    m_lookStop.request_stop();
    ++m_lookGeneration;
    const std::lock_guard lock(m_mutex);
    m_lookRequest.reset();
}

void SweepSession::start(const data::Sweep& sweep, bool retryFailed) {
    m_runStop.request_stop();
    m_runStop = std::stop_source();
    m_pause.set(false);
    {
        const std::lock_guard lock(m_mutex);
        m_runRequest = Request{sweep, ++m_runGeneration, retryFailed, m_runStop};
        m_newTable.reset();
        m_newProgress.reset();
    }
    m_wake.notify_one();
    m_running = true;
    m_timer->start();
    Q_EMIT runStarted();
}

void SweepSession::setPaused(bool paused) {
    if (!m_running || paused == m_pause.isSet())
        return;
    m_pause.set(paused);
    Q_EMIT pausedChanged(paused);
}

void SweepSession::cancel() {
    if (!m_running)
        return;
    m_runStop.request_stop();
    ++m_runGeneration;  // whatever the worker still says about this sweep is late
    {
        const std::lock_guard lock(m_mutex);
        m_runRequest.reset();
    }
    show();
    end();
    Q_EMIT runStopped();
}

void SweepSession::solve(const data::BreakEvenQuestion& question) {
    m_solveStop.request_stop();
    m_solveStop = std::stop_source();
    {
        const std::lock_guard lock(m_mutex);
        m_question = Question{question, ++m_solveGeneration, m_solveStop};
    }
    m_wake.notify_one();
    m_solving = true;
}

void SweepSession::cancelSolving() {
    m_solveStop.request_stop();
    ++m_solveGeneration;
    m_solving = false;
    const std::lock_guard lock(m_mutex);
    m_question.reset();
}

void SweepSession::end() {
    m_running = false;
    m_timer->stop();
    m_pause.set(false);
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

void SweepSession::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return m_runRequest || m_question || m_lookRequest; });
            if (stop.stop_requested())
                return;
            job = nextJob();
        }
        if (job.run)
            run(*job.run);
        if (job.question)
            answer(*job.question);
        if (job.look)
            lookUp(*job.look);
    }
}

SweepSession::Job SweepSession::nextJob() {
    Job job;
    if (m_runRequest)
        job.run = std::exchange(m_runRequest, std::nullopt);
    else if (m_question)
        job.question = std::exchange(m_question, std::nullopt);
    else
        job.look = std::exchange(m_lookRequest, std::nullopt);
    return job;
}

void SweepSession::answer(const Question& question) {
    const auto deliver = [this, generation = question.generation](std::function<void()> verdict) {
        const auto arrive = [this, generation, verdict = std::move(verdict)] {
            if (generation != m_solveGeneration)
                return;
            m_solving = false;
            verdict();
        };
        callLater(*this, arrive);
    };
    try {
        data::Store store(*m_config.storePath);
        data::BreakEvenOptions options;
        options.store = &store;
        options.threads = m_config.threads;
        options.stop = question.stop.get_token();
        auto found = std::make_shared<const data::BreakEven>(data::breakEven(question.question, options));
        deliver([this, found] { Q_EMIT solved(found); });
    } catch (const std::exception& error) {
        deliver([this, text = QString::fromUtf8(error.what())] { Q_EMIT solveFailed(text); });
    }
}

void SweepSession::lookUp(const Request& request) {
    const auto deliver = [this, generation = request.generation](std::function<void()> verdict) {
        const auto arrive = [this, generation, verdict = std::move(verdict)] {
            if (generation == m_lookGeneration)
                verdict();
        };
        callLater(*this, arrive);
    };
    try {
        const data::PlanningOptions planning{request.stop.get_token(), {}};
        const data::SweepPlan plan = data::planOf(request.sweep, {}, planning);
        auto look = std::make_shared<SweepLook>();
        look->id = plan.id;
        look->outlook = data::outlookOf(plan, *m_config.storePath, m_config.threads, planning);
        data::Store store(*m_config.storePath);
        const data::SweepShelf shelf(store);
        look->started = shelf.sweepWithId(plan.id).has_value();
        look->table = tableOf(shelf, plan, look->started);
        deliver([this, look] { Q_EMIT looked(look); });
    } catch (const std::exception& error) {
        deliver([this, text = QString::fromUtf8(error.what())] { Q_EMIT lookFailed(text); });
    }
}

void SweepSession::run(const Request& request) {
    const auto deliver = [this, generation = request.generation](std::function<void()> verdict) {
        const auto arrive = [this, generation, verdict = std::move(verdict)] {
            if (generation != m_runGeneration)
                return;
            show();
            end();
            verdict();
        };
        callLater(*this, arrive);
    };
    const auto publish = [this](std::shared_ptr<const data::SweepTable> table) {
        const std::lock_guard lock(m_mutex);
        if (table && !m_runRequest)
            m_newTable = std::move(table);
    };
    try {
        const data::SweepPlan plan = data::planOf(request.sweep, {}, {request.stop.get_token(), {}});
        data::Store store(*m_config.storePath);
        data::SweepShelf shelf(store);
        shelf.keepSweep(plan, request.stop.get_token());
        GrowingTable growing(*tableOf(shelf, plan, true));
        std::mutex growth;  // progress and arrivals come one at a time each, but not one at a time together
        data::SweepOptions options;
        options.threads = m_config.threads;
        options.retryFailed = request.retryFailed;
        options.stop = request.stop.get_token();
        options.arrived = [&](std::vector<data::SweepArrival> arrivals) {
            const std::lock_guard lock(growth);
            growing.take(arrivals);
            publish(growing.copyIfDue());
        };
        options.progress = [&](const data::SweepProgress& progress) {
            const std::lock_guard lock(growth);
            publish(growing.copyIfDue());
            const std::lock_guard news(m_mutex);
            if (!m_runRequest)
                m_newProgress = progress;
        };
        const data::SweepSummary summary = m_config.run(plan, *m_config.storePath, options, &m_pause);
        publish(tableOf(shelf, plan, true));  // with the rows of the store
        deliver([this, summary] { Q_EMIT runFinished(summary); });
    } catch (const std::exception& error) {
        deliver([this, text = QString::fromUtf8(error.what())] { Q_EMIT runFailed(text); });
    }
}

}  // namespace ui
