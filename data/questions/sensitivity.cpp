#include "data/questions/sensitivity.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/document/value_places.h"
#include "data/laboratory/work_progress.h"
#include "data/presets/presets.h"
#include "engine/api/parameter_roles.h"
#include "engine/api/parameters.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace data {
namespace {

using engine::Cause;
using engine::Experiment;
using engine::Parameter;
using engine::ParameterValue;

constexpr double kVisibleEffect = 0.0005;  // half of the tenth of a per cent that is printed
constexpr double kErrors = 2;              // an effect within so many standard errors may be zero
constexpr std::chrono::milliseconds kTiming{50};

enum class Towards { more, less };

/// A quantity that can affect the total: its parameter, the direction that helps, and the cause that it acts on.
struct Knob {
    const char* path;
    Towards towards;
    Cause group;
};

// In the order of the parameter table. If several parameters have the same effect on a run (clock, operations per cycle
// and tensor efficiency; bandwidth and efficiency of memory), only one of them is listed.
constexpr Knob kKnobs[]{
    {"gemm.prefetch", Towards::more, Cause::memory},
    {"gemm.epilogue", Towards::less, Cause::compute},
    {"cu.count", Towards::more, Cause::compute},
    {"cu.clock", Towards::more, Cause::compute},
    {"cu.matrix_clock", Towards::more, Cause::compute},
    {"cu.start_jitter", Towards::less, Cause::dispatch},
    {"llc.size", Towards::more, Cause::memory},
    {"llc.latency", Towards::less, Cause::memory},
    {"cache.queue", Towards::more, Cause::contention},
    {"llc.bandwidth", Towards::more, Cause::memory},
    {"memory.bandwidth", Towards::more, Cause::memory},
    {"memory.latency", Towards::less, Cause::memory},
    {"memory.update_cost", Towards::less, Cause::memory},
    {"memory.queue", Towards::less, Cause::contention},
    {"dram.column_delay", Towards::less, Cause::memory},
    {"dram.update_column_delay", Towards::less, Cause::memory},
    {"dram.activate", Towards::less, Cause::memory},
    {"arbitration.share", Towards::less, Cause::contention},
    {"arbitration.starvation_limit", Towards::more, Cause::contention},
    {"tracker.entries", Towards::more, Cause::trackerDma},
    {"tracker.trigger_latency", Towards::less, Cause::trackerDma},
    {"dma.engines", Towards::more, Cause::trackerDma},
    {"dma.block_tiles", Towards::less, Cause::trackerDma},
    {"dma.startup_latency", Towards::less, Cause::trackerDma},
    {"link.bandwidth", Towards::more, Cause::link},
    {"link.latency", Towards::less, Cause::link},
    {"collective.cu_bandwidth", Towards::more, Cause::collectiveKernel},
    {"collective.start_latency", Towards::less, Cause::dispatch},
    {"collective.piece", Towards::less, Cause::collectiveKernel},
    {"topology.node_bandwidth", Towards::more, Cause::link},
    {"topology.node_latency", Towards::less, Cause::link},
    {"switch.reduce_bandwidth", Towards::more, Cause::link},
    {"switch.reduce_latency", Towards::less, Cause::link},
};

/// Returns the size of a step from `value`: at least 1, and for sizes in bytes a round number.
std::int64_t wholeStep(const Parameter& parameter, std::int64_t value, double step) {
    const auto moved = static_cast<std::int64_t>(std::max(1.0, std::round(static_cast<double>(value) * step)));
    if (parameter.unit != engine::ParameterUnit::bytes)
        return moved;
    const auto grain =
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, moved / 8))));
    return (moved + grain / 2) / grain * grain;
}

/// Returns the value after one step, or an empty optional if that is not allowed or the value is 0 or a word.
std::optional<ParameterValue> moved(const Parameter& parameter, const ParameterValue& value, Towards towards,
                                    double step) {
    const int sign = towards == Towards::more ? 1 : -1;
    ParameterValue next;
    if (const auto* real = std::get_if<double>(&value))
        next = *real * (1 + sign * step);
    else if (const auto* whole = std::get_if<std::int64_t>(&value); whole && *whole != 0)
        next = *whole + sign * wholeStep(parameter, *whole, step);
    else
        return std::nullopt;  // 0, or a word: unlimited, automatic
    if (engine::check(parameter, next))
        return std::nullopt;
    return next;
}

/// Returns the cause that the choice of a method acts on.
Cause groupOf(const Parameter& parameter) {
    using enum engine::ParameterGroup;
    switch (parameter.group) {
    case gemm: return Cause::compute;
    case arbitration: return Cause::contention;
    case dma: return Cause::trackerDma;
    case collective: return Cause::link;
    case policy: return Cause::dependency;
    default: return Cause::memory;
    }
}

/// Returns the other values to try: all other words and, for counts such as the rows of a tile, half and twice the
/// value.
std::vector<ParameterValue> othersOf(const Parameter& parameter, const ParameterValue& value) {
    std::vector<ParameterValue> others;
    for (const std::string& word : parameter.words)
        others.emplace_back(word);
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (whole != nullptr && parameter.unit == engine::ParameterUnit::none) {
        others.emplace_back(*whole / 2);
        others.emplace_back(*whole * 2);
    }
    std::erase_if(others, [&](const ParameterValue& other) {
        return other == value || engine::check(parameter, other).has_value();
    });
    return others;
}

/// Changes the policy and its parts. A part that differs from the old policy was set by hand and stays.
void choosePolicy(Experiment& experiment, const std::string& name) {
    const Preset& before = *findPolicy(engine::name(experiment.policy.preset));
    const Preset& after = *findPolicy(name);
    for (const auto& [path, value] : after.settings) {
        const Parameter& part = *engine::findParameter(path);
        if (part.read(experiment) == before.settings.at(path))
            part.write(experiment, value);
    }
}

/// Returns whether both experiments do the same work and `b` is simulated. The work differs if only one of them starts
/// the collective concurrently, because it then moves other data than the GEMM's.
bool doesTheSame(const Experiment& a, const Experiment& b) {
    constexpr auto kBeside = engine::CommunicationStart::concurrent;
    return (a.policy.start == kBeside) == (b.policy.start == kBeside) && !engine::isIdeal(b.policy.preset);
}

/// One parameter at another value.
struct ExperimentChange {
    Sensitivity what;  ///< without effect and noise
    engine::Experiment experiment;
};

class Changes {
public:
    explicit Changes(const Experiment& experiment)
        : m_experiment(experiment), m_resolved(engine::withAutomaticValues(experiment)) {}

    void step(const Knob& knob, double step) {
        const Parameter& parameter = *engine::findParameter(knob.path);
        const ParameterValue value = parameter.read(m_resolved);
        const auto next =
            engine::isReadByRun(parameter, m_experiment) ? moved(parameter, value, knob.towards, step) : std::nullopt;
        if (next)
            add(parameter, knob.group, *next, *numberOf(*next) / *numberOf(value) - 1);
    }

    void choose(const Parameter& parameter) {
        if (engine::roleOf(parameter) != engine::ParameterRole::method || !engine::isReadByRun(parameter, m_experiment))
            return;
        for (const ParameterValue& other : othersOf(parameter, parameter.read(m_resolved)))
            add(parameter, groupOf(parameter), other, 0);
    }

    std::vector<ExperimentChange> take() { return std::move(m_changes); }

private:
    void add(const Parameter& parameter, Cause group, const ParameterValue& next, double change) {
        Experiment changed = m_experiment;
        if (parameter.path == "policy.preset")
            choosePolicy(changed, std::get<std::string>(next));
        else
            parameter.write(changed, next);
        if (!doesTheSame(m_experiment, changed) || !engine::validate(changed).empty())
            return;
        if (engine::withAutomaticValues(changed) == m_resolved)
            return;  // the word for the value that it has
        Sensitivity what;
        what.path = parameter.path;
        what.group = group;
        what.before = engine::formatValue(parameter, parameter.read(m_resolved));
        what.after = engine::formatValue(parameter, next);
        what.change = change;
        what.isChoice = change == 0;
        m_changes.push_back({std::move(what), std::move(changed)});
    }

    const Experiment& m_experiment;
    Experiment m_resolved;  ///< with the values that automatic settings stand for
    std::vector<ExperimentChange> m_changes;
};

/// Returns all changes that are worth trying on an experiment and can be run: every parameter that its policy, topology
/// and operation read, changed by one step towards more of the resource; then, if `options` asks for them, the other
/// choices.
std::vector<ExperimentChange> changesOf(const Experiment& experiment, const SensitivityOptions& options) {
    Changes changes(experiment);
    for (const Knob& knob : kKnobs)
        if (options.paths.empty() || isAmong(options.paths, knob.path))
            changes.step(knob, options.step);
    if (options.choices) {
        for (const Parameter& parameter : engine::parameters())
            if (options.paths.empty() || isAmong(options.paths, parameter.path))
                changes.choose(parameter);
    }
    return changes.take();
}

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

    /// Returns the effect from pairs of runs with the same seed, or an empty optional if one of them failed.
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
    std::vector<Sensitivity> m_changes;  // of the experiments in m_experiments that follow the unchanged ones
    std::vector<std::optional<double>> m_totals;
    BrokenInvariants m_broken;
};

}  // namespace

bool isWithinNoise(const Sensitivity& sensitivity) {
    return std::abs(sensitivity.effect) <= kErrors * sensitivity.noise;
}

bool helps(const Sensitivity& sensitivity) {
    return sensitivity.effect <= -kVisibleEffect && !isWithinNoise(sensitivity);
}

SensitivityOutlook outlookOf(const engine::Experiment& experiment, const SensitivityOptions& options) {
    refuseAny(engine::validate(experiment));
    if (engine::isIdeal(experiment.policy.preset))
        return {};
    return Study(experiment, options).outlook();
}

SensitivityReport sensitivityOf(const engine::Experiment& experiment, const SensitivityOptions& options) {
    refuseAny(engine::validate(experiment));
    if (engine::isIdeal(experiment.policy.preset))
        return {};
    return Study(experiment, options).report();
}

}  // namespace data
