#include "engine/api/expected_work.h"
#include "engine/api/runner.h"
#include "engine/kernel/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

namespace engine {

namespace {

RunOutcome runOne(const Experiment& experiment, const RunOptions& options) {
    RunOutcome outcome;
    try {
        outcome.result = run(experiment, options);
    } catch (const RunStopped&) { outcome.stopped = true; } catch (const std::exception& error) {
        outcome.failure = error.what();
    }
    return outcome;
}

// Returns the order in which runs begin. Runs that take at least twice as long come first, so that none of them is left
// for one thread at the end while the others are idle. Otherwise the given order is kept.
std::vector<std::size_t> longestFirst(const ManyExperiments& experiments) {
    std::vector<int> magnitude;
    magnitude.reserve(experiments.count);
    for (std::size_t i = 0; i < experiments.count; ++i)
        magnitude.push_back(std::ilogb(std::max(1.0, experiments.events(i))));
    std::vector<std::size_t> order(experiments.count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return magnitude[a] > magnitude[b]; });
    return order;
}

/// The state that the threads of one runMany share.
class Runs {
public:
    Runs(const ManyExperiments& experiments, const RunManyOptions& options)
        : m_experiments(experiments), m_options(options), m_each(options.each), m_order(longestFirst(experiments)),
          m_outcomes(options.keepOutcomes ? experiments.count : 0) {
        m_each.threads = 1;  // the runs themselves fill the cores
        m_each.stop = options.stop;
        m_each.progress = nullptr;
        for (RunOutcome& outcome : m_outcomes)
            outcome.stopped = true;  // until it has ended
    }

    /// Runs one thread's work: takes the next run that no thread has begun, until none is left.
    void work() {
        try {
            for (std::size_t next = m_next++; next < m_order.size() && !m_givenUp; next = m_next++) {
                if (m_options.gate)
                    m_options.gate();
                if (m_options.stop.stop_requested())
                    return;
                const std::size_t index = m_order[next];
                report(index, runOne(m_experiments.make(index), optionsOf(index)));
            }
        } catch (...) {
            m_givenUp = true;
            throw;
        }
    }

    std::vector<RunOutcome> take() { return std::move(m_outcomes); }

private:
    RunOptions optionsOf(std::size_t index) {
        RunOptions one = m_each;
        if (m_options.progress) {
            one.progress = [this, index](double fraction) {
                const std::lock_guard lock(m_reporting);
                m_options.progress(index, fraction);
            };
        }
        return one;
    }

    void report(std::size_t index, RunOutcome&& outcome) {
        if (!outcome.stopped && m_options.finished)
            hand(index, outcome);
        if (m_options.keepOutcomes)
            m_outcomes[index] = std::move(outcome);
    }

    // Passes `outcome` to the receiver. Once the receiver has thrown, it gets no further outcome: the remaining runs
    // are cancelled while the lock is still held, so that no thread begins another run in between.
    void hand(std::size_t index, RunOutcome& outcome) {
        const std::lock_guard lock(m_reporting);
        if (m_givenUp)
            return;
        try {
            m_options.finished(index, outcome, ++m_finished);
        } catch (...) {
            m_givenUp = true;
            throw;
        }
    }

    const ManyExperiments& m_experiments;
    const RunManyOptions& m_options;
    RunOptions m_each;
    std::vector<std::size_t> m_order;
    std::vector<RunOutcome> m_outcomes;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<bool> m_givenUp = false;
    std::mutex m_reporting;
    std::size_t m_finished = 0;
};

}  // namespace

std::vector<RunOutcome> runMany(const ManyExperiments& experiments, const RunManyOptions& options) {
    Runs runs(experiments, options);
    ThreadPool pool(options.threads);
    pool.forEach(static_cast<std::size_t>(pool.threads()), [&](std::size_t) { runs.work(); });
    return runs.take();
}

std::vector<RunOutcome> runMany(std::span<const Experiment* const> experiments, const RunManyOptions& options) {
    const ManyExperiments many{experiments.size(), [&](std::size_t index) { return *experiments[index]; },
                               [&](std::size_t index) { return expectedEvents(*experiments[index]); }};
    return runMany(many, options);
}

std::vector<RunOutcome> runMany(std::span<const Experiment> experiments, const RunManyOptions& options) {
    const ManyExperiments many{experiments.size(), [&](std::size_t index) { return experiments[index]; },
                               [&](std::size_t index) { return expectedEvents(experiments[index]); }};
    return runMany(many, options);
}

}  // namespace engine
