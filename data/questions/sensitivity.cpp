#include "data/questions/sensitivity.h"

#include "data/laboratory/run_pace.h"
#include "data/laboratory/work_progress.h"
#include "data/questions/sensitivity_changes.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <thread>

namespace data {
namespace {

using engine::Experiment;

constexpr double kVisibleEffect = 0.0005;  // half of the tenth of a per cent that is told
constexpr double kErrors = 2;              // standard errors within which an effect may be none
constexpr std::chrono::milliseconds kTiming{50};

struct Spread {
    double mean = 0, deviation = 0;
};

Spread spreadOf(const std::vector<double>& values) {
    Spread spread;
    if (values.empty())
        return spread;
    const auto count = static_cast<double>(values.size());
    spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    if (values.size() < 2)
        return spread;
    double squares = 0;
    for (const double value : values)
        squares += (value - spread.mean) * (value - spread.mean);
    spread.deviation = std::sqrt(squares / (count - 1));
    return spread;
}

/// The runs of one report: the experiment as it is, then each change, all of them with every seed.
class Study {
public:
    Study(const Experiment& experiment, const SensitivityOptions& options)
        : m_options(options),
          // Without jitter a seed changes nothing.
          m_seeds(experiment.cu.startJitter.ps == 0 && experiment.variation.jitter.ps == 0
                      ? 1
                      : std::max(1, options.seeds)) {
        add(experiment);
        for (ExperimentChange& change : changesOf(experiment, options)) {
            m_changes.push_back(std::move(change.what));
            add(change.experiment);
        }
    }

    SensitivityOutlook outlook() const {
        const std::vector<double> costs = costsOf(m_experiments, false);
        const double events = std::accumulate(costs.begin(), costs.end(), 0.0);
        const RunPace pace = paceOf(m_experiments.front(), costs.front(), std::chrono::steady_clock::now() + kTiming);
        const double side =
            std::min<double>(std::max(1, m_options.threads), std::max(1U, std::thread::hardware_concurrency()));
        return {static_cast<std::int64_t>(m_experiments.size()), pace.timeOf(events / side)};
    }

    SensitivityReport report() {
        run();
        SensitivityReport report;
        report.seeds = m_seeds;
        report.runs = static_cast<std::int64_t>(m_experiments.size());
        report.broken = m_broken;
        const Spread base = spreadOf(unchanged());
        report.spread = base.deviation / base.mean;
        for (std::size_t change = 0; change < m_changes.size(); ++change) {
            if (auto found = effectOf(change))
                report.parameters.push_back(std::move(*found));
        }
        std::stable_sort(report.parameters.begin(), report.parameters.end(),
                         [](const Sensitivity& a, const Sensitivity& b) { return a.effect < b.effect; });
        return report;
    }

private:
    void add(const Experiment& experiment) {
        for (int seed = 0; seed < m_seeds; ++seed) {
            m_experiments.push_back(experiment);
            m_experiments.back().seed = experiment.seed + seed;
        }
    }

    void run() {
        engine::RunManyOptions many;
        many.each.baselines = false;
        many.threads = m_options.threads;
        many.stop = m_options.stop;
        WorkProgress progress(costsOf(m_experiments, false), m_options.progress);
        progress.follow(many);
        const std::vector<engine::RunOutcome> outcomes = engine::runMany(m_experiments, many);
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            if (outcomes[i].stopped)
                throw engine::RunStopped();
            if (!outcomes[i].result && i < static_cast<std::size_t>(m_seeds))
                throw engine::Deadlock(outcomes[i].failure);
            if (outcomes[i].result)
                m_broken.add(m_experiments[i], outcomes[i].result->invariants);
            m_totals.push_back(outcomes[i].result
                                   ? std::optional(static_cast<double>(outcomes[i].result->last.time.total.ps))
                                   : std::nullopt);
        }
    }

    std::vector<double> unchanged() const {
        std::vector<double> totals;
        for (int seed = 0; seed < m_seeds; ++seed)
            totals.push_back(*m_totals[static_cast<std::size_t>(seed)]);
        return totals;
    }

    /// Pairs of the same seed; nothing where a run of it has failed.
    std::optional<Sensitivity> effectOf(std::size_t change) const {
        std::vector<double> effects;
        for (int seed = 0; seed < m_seeds; ++seed) {
            const auto place = static_cast<std::size_t>(seed);
            const auto& total = m_totals[(change + 1) * static_cast<std::size_t>(m_seeds) + place];
            if (!total)
                return std::nullopt;
            effects.push_back(*total / *m_totals[place] - 1);
        }
        const Spread spread = spreadOf(effects);
        Sensitivity found = m_changes[change];
        found.effect = spread.mean;
        found.noise = spread.deviation / std::sqrt(static_cast<double>(m_seeds));
        return found;
    }

    const SensitivityOptions& m_options;
    int m_seeds;
    std::vector<Experiment> m_experiments;
    std::vector<Sensitivity> m_changes;  // those of m_experiments behind the unchanged ones
    std::vector<std::optional<double>> m_totals;
    BrokenInvariants m_broken;
};

void refuseInvalid(const Experiment& experiment) {
    engine::Problems problems = engine::validate(experiment);
    if (!problems.empty())
        throw engine::InvalidExperiment(std::move(problems));
}

}  // namespace

bool isWithinNoise(const Sensitivity& sensitivity) {
    return std::abs(sensitivity.effect) <= kErrors * sensitivity.noise;
}

bool helps(const Sensitivity& sensitivity) {
    return sensitivity.effect <= -kVisibleEffect && !isWithinNoise(sensitivity);
}

SensitivityOutlook outlookOf(const engine::Experiment& experiment, const SensitivityOptions& options) {
    refuseInvalid(experiment);
    if (engine::isIdeal(experiment.policy.preset))
        return {};
    return Study(experiment, options).outlook();
}

SensitivityReport sensitivityOf(const engine::Experiment& experiment, const SensitivityOptions& options) {
    refuseInvalid(experiment);
    if (engine::isIdeal(experiment.policy.preset))
        return {};
    return Study(experiment, options).report();
}

}  // namespace data
