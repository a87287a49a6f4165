#include "data/sweep/sweep_runner.h"

#include "data/laboratory/laboratory.h"
#include "data/model/model_memory.h"
#include "data/model/model_point.h"
#include "data/results/metrics.h"
#include "data/store/store.h"
#include "data/sweep/sweep_store.h"
#include "data/sweep/sweep_work.h"
#include "engine/api/baselines.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace data {
namespace {

using Known = std::unordered_map<std::string, KeptPoint>;
using Clock = SweepClock::Clock;

constexpr std::size_t kBatch = 100;                    // points are written when there are so many
constexpr std::chrono::milliseconds kWriteEvery{200};  // or when this time has passed
constexpr std::chrono::milliseconds kReportEvery{50};  // between two reports of arrivals and progress
constexpr std::size_t kMostWaiting = 4 * kBatch;       // with more results the simulating threads wait for the disk

/// A bounded queue between the threads that produce results and the one that writes them. It holds at most `most`
/// entries; a producer that is faster than the consumer waits. If the consumer has given up, producers do not wait.
template <typename Item>
class ArrivalQueue {
public:
    explicit ArrivalQueue(std::size_t most) : m_most(most) {}

    /// Waits for room and adds an item. Drops the item if the consumer has given up.
    void push(Item&& item) {
        std::unique_lock lock(m_mutex);
        m_room.wait(lock, [this] { return m_items.size() < m_most || m_givenUp; });
        if (m_givenUp)
            return;
        m_items.push_back(std::move(item));
        m_arrived.notify_one();
    }

    /// Closes the queue: no more items will come.
    void close() {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_arrived.notify_one();
    }

    /// Gives up the queue: no more items will be taken.
    void giveUp() {
        const std::lock_guard lock(m_mutex);
        m_givenUp = true;
        m_items.clear();
        m_room.notify_all();
    }

    /// Takes all items as soon as there are `enough`, the queue is closed or `patience` has passed.
    std::vector<Item> take(std::size_t enough, std::chrono::milliseconds patience) {
        std::unique_lock lock(m_mutex);
        m_arrived.wait_for(lock, patience, [&] { return m_items.size() >= enough || m_closed; });
        m_room.notify_all();
        return std::exchange(m_items, {});
    }

    /// Returns whether the queue is closed and all items have been taken.
    bool exhausted() const {
        const std::lock_guard lock(m_mutex);
        return m_closed && m_items.empty();
    }

private:
    const std::size_t m_most;
    mutable std::mutex m_mutex;
    std::condition_variable m_arrived, m_room;
    std::vector<Item> m_items;
    bool m_closed = false;
    bool m_givenUp = false;
};

double eventsOf(const SweepWork& work) {
    double events = 0;
    for (const SweepTask& task : work.tasks)
        events += task.events;
    return events;
}

/// A task that ended, on its way from the thread that ran it to the one that writes.
struct EndedTask {
    std::size_t task = 0;
    std::shared_ptr<engine::RunResult> result;
    std::string failure;
    std::shared_ptr<ModelPoint> model{};
    BrokenInvariants broken{};  ///< of a whole model's runs

    bool hasResult() const { return result != nullptr || model != nullptr; }
    engine::Notices& notices() const { return model ? model->notices : result->notices; }
};

/// One execution of a plan. The calling thread owns the store: it takes the results of the running threads, reports
/// them and writes them, so that the running threads wait for the disk only if the writer is far behind.
class SweepRun {
public:
    SweepRun(const SweepPlan& plan, const Known& known, SweepStore& sweeps, const SweepOptions& options,
             const SweepPause* pause)
        : m_plan(plan), m_options(options), m_pause(pause), m_sweeps(sweeps),
          m_work(workOf(plan, known, options.retryFailed)),
          m_clock(m_work.tasks.size(), eventsOf(m_work), Clock::now()),
          m_baselines(options.baselineCache ? options.baselineCache : std::make_shared<engine::BaselineCache>()),
          m_written(Clock::now()) {
        m_summary.reused = m_work.kept;
        m_summary.failed = m_work.failed + m_work.unusable.size();
    }

    SweepSummary run() {
        report(true);
        reportUnusable();
        std::exception_ptr failure;
        const std::stop_callback forward(m_options.stop, [this] { m_stop.request_stop(); });
        std::jthread runner([&] {
            try {
                isOfModels(m_plan.sweep.of) ? timeModels() : simulate();
            } catch (...) { failure = std::current_exception(); }
            m_queue.close();
        });
        try {
            takeAll();
        } catch (...) {
            m_stop.request_stop();
            m_queue.giveUp();
            throw;
        }
        runner.join();
        if (failure)
            std::rethrow_exception(failure);
        m_summary.stopped =
            m_options.stop.stop_requested() && m_clock.progress(Clock::now()).done < m_work.tasks.size();
        const engine::BaselineCache::Counts counts = m_baselines->counts();
        m_summary.baselineRuns = counts.simulated - m_countsBefore.simulated;
        m_summary.baselineHits = counts.reused - m_countsBefore.reused;
        return m_summary;
    }

private:
    void simulate() {
        engine::RunManyOptions options;
        options.each.baselineCache = m_baselines;
        options.threads = m_options.threads;
        options.stop = m_stop.get_token();
        options.keepOutcomes = false;
        if (m_pause != nullptr)
            options.gate = [this] { m_pause->wait(m_stop.get_token()); };
        options.finished = [this](std::size_t task, engine::RunOutcome& outcome, std::size_t) {
            EndedTask ended{task, nullptr, std::move(outcome.failure)};
            if (outcome.result)
                ended.result = std::make_shared<engine::RunResult>(std::move(*outcome.result));
            m_queue.push(std::move(ended));
        };
        const auto firstOf = [this](std::size_t task) -> const SweepPoint& {
            return m_plan.points[m_work.tasks[task].points.front()];
        };
        engine::runMany({m_work.tasks.size(),
                         [&](std::size_t task) { return m_plan.details(firstOf(task)).experiment; },
                         [&](std::size_t task) { return firstOf(task).events; }},
                        options);
    }

    /// Runs the points of whole models one after the other, so that later points can use the simulations of earlier
    /// ones.
    void timeModels() {
        ModelRunOptions options;
        options.threads = m_options.threads;
        options.stop = m_stop.get_token();
        options.baselineCache = m_baselines;
        options.memory = std::make_shared<ModelMemory>();
        for (std::size_t task = 0; task < m_work.tasks.size(); ++task) {
            if (m_pause != nullptr)
                m_pause->wait(options.stop);
            if (options.stop.stop_requested())
                return;
            EndedTask ended{task, nullptr, {}};
            try {
                const SweepPoint& point = m_plan.points[m_work.tasks[task].points.front()];
                const PointDetails details = m_plan.details(point);
                ModelPointRun run = modelPointOf(details.experiment, m_plan.sweep.of, options, details.source);
                ended.model = std::make_shared<ModelPoint>(std::move(run.point));
                ended.broken = std::move(run.broken);
            } catch (const engine::RunStopped&) { return; } catch (const engine::InvalidExperiment& error) {
                ended.failure = error.what();
            } catch (const engine::Deadlock& deadlock) { ended.failure = deadlock.what(); }
            m_queue.push(std::move(ended));
        }
    }

    void takeAll() {
        while (!m_queue.exhausted()) {
            std::vector<EndedTask> ended = m_queue.take(kBatch, kReportEvery);
            announce(ended);
            for (EndedTask& task : ended)
                m_unwritten.push_back(std::move(task));
            if (m_unwritten.size() >= kBatch || Clock::now() - m_written >= kWriteEvery)
                write();
            report(false);
        }
        write();
        report(true);
    }

    // Reports the points that cannot be run. Their reasons are in the store since the sweep was kept.
    void reportUnusable() const {
        std::vector<SweepArrival> arrivals;
        for (const std::size_t position : m_work.unusable)
            arrivals.push_back({position, nullptr, m_plan.points[position].problem, nullptr});
        if (m_options.arrived && !arrivals.empty())
            m_options.arrived(std::move(arrivals));
    }

    void announce(const std::vector<EndedTask>& ended) const {
        std::vector<SweepArrival> arrivals;
        for (const EndedTask& task : ended) {
            const std::vector<std::size_t>& points = m_work.tasks[task.task].points;
            if (task.hasResult()) {
                const engine::Notices notices = m_plan.details(m_plan.points[points.front()]).notices;
                engine::Notices& all = task.notices();
                all.insert(all.begin(), notices.begin(), notices.end());
            }
            for (const std::size_t point : points)
                arrivals.push_back({point, task.result, task.failure, task.model});
        }
        if (m_options.arrived && !arrivals.empty())
            m_options.arrived(std::move(arrivals));
    }

    void write() {
        const std::span<const EndedTask> all(m_unwritten);
        for (std::size_t from = 0; from < all.size(); from += kBatch)
            writeBatch(all.subspan(from, std::min(kBatch, all.size() - from)));
        m_unwritten.clear();
        m_written = Clock::now();
    }

    void writeBatch(std::span<const EndedTask> batch) {
        std::vector<PointDetails> details;
        std::vector<EndedPoint> points;
        details.reserve(batch.size());
        points.reserve(batch.size());
        for (const EndedTask& task : batch) {
            const SweepPoint& point = m_plan.points[m_work.tasks[task.task].points.front()];
            const PointDetails& one = details.emplace_back(m_plan.details(point));
            points.push_back({nameOf(one), writeDraft(one.draft), point.hash, &one.experiment, task.result.get(),
                              task.failure, task.model.get()});
        }
        m_sweeps.keepPoints(points);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const EndedTask& task = batch[i];
            const SweepTask& whole = m_work.tasks[task.task];
            m_clock.ended(whole.events, !task.hasResult());
            m_summary.ran += task.hasResult() ? 1 : 0;
            m_summary.reused += task.hasResult() ? whole.points.size() - 1 : 0;
            m_summary.failed += task.hasResult() ? 0 : whole.points.size();
            if (task.result)
                m_summary.broken.add(details[i].experiment, task.result->invariants);
            m_summary.broken.add(task.broken);
        }
    }

    std::string nameOf(const PointDetails& point) {
        const ResultSubject of = m_plan.sweep.of;
        if (!isOfModels(of))
            return m_names.nameOf(point.draft, point.experiment);
        const std::string from = point.source ? " from " + modelCaseName(*point.source) : "";
        return m_names.nameOfModel(point.draft, point.experiment, std::string(name(of)) + from, isTimed(of));
    }

    void report(bool now) {
        const Clock::time_point time = Clock::now();
        m_clock.setPaused(m_pause != nullptr && m_pause->isSet(), time);
        if (!m_options.progress || (!now && time - m_reported < kReportEvery))
            return;
        m_reported = time;
        m_options.progress(m_clock.progress(time));
    }

    const SweepPlan& m_plan;
    const SweepOptions& m_options;
    const SweepPause* m_pause;
    SweepStore& m_sweeps;
    const SweepWork m_work;
    NameGiver m_names{axisPaths(m_plan.sweep)};
    SweepClock m_clock;
    SweepSummary m_summary;
    std::stop_source m_stop;
    const std::shared_ptr<engine::BaselineCache> m_baselines;
    const engine::BaselineCache::Counts m_countsBefore = m_baselines->counts();
    ArrivalQueue<EndedTask> m_queue{kMostWaiting};
    std::vector<EndedTask> m_unwritten;
    Clock::time_point m_written, m_reported;
};

}  // namespace

void takeArrivals(SweepTable& table, const std::vector<SweepArrival>& arrivals) {
    std::vector<const Metric*> metrics;
    for (const std::string& path : table.metrics)
        metrics.push_back(findMetric(path));
    for (const SweepArrival& arrival : arrivals) {
        if (arrival.point >= table.rows.size())
            continue;
        SweepRow& row = table.rows[arrival.point];
        row.state = arrival.ended() ? PointState::done : PointState::failed;
        row.reason = arrival.failure;
        if (arrival.ended())
            row.notices = arrival.model ? arrival.model->notices : arrival.result->notices;
        row.values.assign(metrics.size(), std::nullopt);
        for (std::size_t i = 0; arrival.ended() && i < metrics.size(); ++i) {
            if (metrics[i] != nullptr)
                row.values[i] =
                    arrival.model ? metrics[i]->readPoint(*arrival.model) : metrics[i]->read(*arrival.result);
        }
    }
}

void SweepPause::set(bool paused) {
    const std::lock_guard lock(m_mutex);
    m_paused = paused;
    m_changed.notify_all();
}

bool SweepPause::isSet() const {
    const std::lock_guard lock(m_mutex);
    return m_paused;
}

void SweepPause::wait(const std::stop_token& stop) const {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return !m_paused; });
}

SweepSummary runSweep(const SweepPlan& plan, const std::string& storePath, const SweepOptions& options,
                      const SweepPause* pause) {
    Store store(storePath);
    return runSweep(plan, store, options, pause);
}

SweepSummary runSweep(const SweepPlan& plan, Store& store, const SweepOptions& options, const SweepPause* pause) {
    const Clock::time_point begin = Clock::now();
    SweepStore sweeps(store);
    sweeps.keepSweep(plan, options.stop, options.texts);
    const Known known = sweeps.known(plan, options.stop);
    std::vector<DamagedRun> damaged = store.takeDamaged();
    SweepSummary summary = SweepRun(plan, known, sweeps, options, pause).run();
    summary.damaged = std::move(damaged);
    summary.wall = Clock::now() - begin;
    return summary;
}

}  // namespace data
