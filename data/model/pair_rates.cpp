#include "data/model/pair_rates.h"

#include "data/document/names.h"
#include "data/laboratory/work_progress.h"
#include "data/model/model_memory.h"
#include "data/model/model_run.h"
#include "data/model/model_step.h"
#include "data/model/simulated_experiment.h"
#include "engine/api/baselines.h"
#include "engine/api/runner.h"
#include "engine/api/topology.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace data {
namespace {

using engine::Duration;
using engine::Experiment;
using engine::GemmSize;
using engine::kFullRate;
using engine::MessageGroup;
using engine::MessageOperation;
using engine::Operator;

/// Returns the collectives of one kernel that a message consists of.
std::vector<engine::CompanionOperation> kernelsOf(MessageOperation operation) {
    using enum engine::CompanionOperation;
    switch (operation) {
    case MessageOperation::reduceScatter: return {reduceScatter};
    case MessageOperation::allGather: return {allGather};
    case MessageOperation::allToAll: return {allToAll};
    case MessageOperation::allReduce: return {reduceScatter, allGather};
    case MessageOperation::send: break;
    }
    return {};
}

/// Returns the rows of a GEMM that give it at most eight waves.
std::int64_t rowsOfEightWaves(const Experiment& machine, const GemmSize& size) {
    constexpr std::int64_t kWaves = 8;
    const auto ceilDiv = [](std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; };
    const std::int64_t slots = machine.cu.count * engine::residentWorkgroups(machine);
    const std::int64_t columns = ceilDiv(size.n, machine.gemm.tileN) * size.partsOfK;
    return std::min(size.m, std::max<std::int64_t>(1, kWaves * slots / columns) * machine.gemm.tileM);
}

/// Returns the experiment of a GEMM beside one kernel of a message.
Experiment pairExperiment(const Experiment& base, const RatePair& pair, engine::CompanionOperation kernel,
                          engine::PolicyPreset policy) {
    MessageKind kind{pair.group, pair.operation, linksOf(base, pair.group).gpus, {}};
    // The lines of a table hold for sizes; a rate holds for all.
    Experiment experiment = simulationOf(withoutTable(base), kind, policy).experiment;
    const GemmSize& size = pair.gemm;
    experiment.workload = {};
    experiment.workload.sublayer = engine::SubLayer::gemm;
    experiment.matrix = {rowsOfEightWaves(base, size), size.n, size.sliceOfK(), size.partsOfK};
    const engine::PolicyPreset alone = engine::rowOf(policy).alone;
    engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
    experiment.companion = base.companion;
    experiment.companion.operation = kernel;
    experiment.companion.copies = 1;
    experiment.dispatch = base.dispatch;
    if (experiment.dispatch.rule == engine::DispatchRule::automatic)
        experiment.dispatch.rule = engine::DispatchRule::companionFirst;
    // T3 moves the messages of its tensor group by DMA and adds near memory (assumed).
    if (pair.group == MessageGroup::tensor && alone != engine::PolicyPreset::sequential) {
        experiment.companion.by = engine::CollectiveCarrier::dma;
        experiment.collective.reduction = engine::Reduction::nmc;
    }
    return experiment;
}

/// Returns bytes that keep the message busy for at least twice the time of the GEMM.
engine::Bytes companionBytes(const Experiment& experiment, const GemmSize& whole, Duration wholeTime) {
    const double part = static_cast<double>(experiment.matrix.m) / static_cast<double>(whole.m);
    const double seconds = static_cast<double>(wholeTime.ps) * 1e-12 * part;
    constexpr double kTimes = 2;
    const std::int64_t unit = engine::elementBytes(experiment) * experiment.parallel.tp;
    // A GPU sends at least (n - 1)/n of the bytes, at most over all its links.
    const auto n = static_cast<double>(experiment.parallel.tp);
    const engine::Bandwidth egress = engine::egressOf(experiment, engine::topologyOf(experiment), 0);
    const double bytes = kTimes * seconds * static_cast<double>(egress.bytesPerSecond) * n / std::max(1.0, n - 1);
    return {(static_cast<std::int64_t>(bytes) / unit + 1) * unit};
}

std::int64_t rateOf(double slowdown) {
    return std::clamp<std::int64_t>(std::llround(static_cast<double>(kFullRate) / slowdown), 1, kFullRate);
}

/// Returns the harmonic mean of the rates of a message's kernels.
PairRates meanOf(const std::vector<PairRates>& all) {
    const auto mean = [&](std::int64_t PairRates::*rate) {
        double inverse = 0;
        for (const PairRates& rates : all)
            inverse += 1 / static_cast<double>(rates.*rate);
        return std::clamp<std::int64_t>(std::llround(static_cast<double>(all.size()) / inverse), 1, kFullRate);
    };
    return {mean(&PairRates::compute), mean(&PairRates::message)};
}

bool hasPair(const PolicyModelTime& policy, const RatePair& pair) {
    return std::ranges::any_of(policy.pairs, [&](const RateOfPair& of) { return of.pair == pair; });
}

/// Simulations of pairs, each distinct one once.
class PairSimulations {
public:
    PairSimulations(ModelRun& run, const ModelRunOptions& options, std::function<void(double)> progress)
        : m_run(run), m_options(options), m_progress(std::move(progress)) {}

    /// Asks for the pairs that the policy does not have yet.
    void ask(PolicyModelTime& policy, const std::vector<RatePair>& pairs) {
        for (const RatePair& pair : pairs) {
            if (hasPair(policy, pair))
                continue;
            std::vector<Experiment> experiments = experimentsOf(policy, pair);
            const bool allKnown = std::ranges::all_of(
                experiments, [&](const Experiment& experiment) { return knownRun(experiment).has_value(); });
            if (allKnown || !m_options.rememberedPairs)
                m_asked.push_back({&policy, pair, std::move(experiments)});
        }
    }

    bool isEmpty() const { return m_asked.empty(); }

    void run() {
        std::vector<Experiment> missing;
        for (const Asked& asked : m_asked) {
            for (const Experiment& experiment : asked.experiments) {
                if (!knownRun(experiment))
                    addOnce(missing, experiment);
            }
        }
        simulate(missing);
        for (const Asked& asked : m_asked) {
            asked.policy->pairs.push_back({asked.pair, ratesOf(asked.experiments)});
            ++m_run.simulatedPairs;
        }
        m_asked.clear();
    }

private:
    struct Asked {
        PolicyModelTime* policy;
        RatePair pair;
        std::vector<Experiment> experiments;  // one for each kernel of the message; empty if one is refused
    };

    std::optional<ModelMemory::Run> knownRun(const Experiment& experiment) const {
        auto run = m_known.run(experiment);
        return run || !m_options.memory ? run : m_options.memory->run(experiment);
    }

    std::vector<Experiment> experimentsOf(const PolicyModelTime& policy, const RatePair& pair) const {
        std::vector<Experiment> experiments;
        for (const engine::CompanionOperation kernel : kernelsOf(pair.operation)) {
            Experiment experiment = pairExperiment(m_run.base, pair, kernel, policy.policy);
            experiment.companion.bytes = companionBytes(experiment, pair.gemm, timeOf(policy, pair.gemm));
            if (!engine::validate(experiment).empty())
                return {};
            experiments.push_back(std::move(experiment));
        }
        return experiments;
    }

    /// Returns the time of the GEMM in the model.
    Duration timeOf(const PolicyModelTime& policy, const GemmSize& size) const {
        for (std::size_t op = 0; op < m_run.graph.operators.size(); ++op) {
            const Operator& of = m_run.graph.operators[op];
            if (of.gemm && pairGemm(m_run, op) == size)
                return {policy.operators[op].time.total().ps / std::max<std::int64_t>(1, of.gemms)};
        }
        return {};
    }

    void simulate(const std::vector<Experiment>& missing) {
        engine::RunManyOptions many;
        many.each.baselines = true;
        many.each.baselineCache =
            m_options.baselineCache ? m_options.baselineCache : std::make_shared<engine::BaselineCache>();
        many.threads = std::max(1, m_options.threads);
        many.stop = m_options.stop;
        WorkProgress progress(costsOf(missing, true), m_progress);
        progress.follow(many);
        const std::vector<engine::RunOutcome> outcomes = engine::runMany(missing, many);
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            if (outcomes[i].stopped)
                throw engine::RunStopped();
            if (!outcomes[i].result)
                continue;
            const engine::RunResult& result = *outcomes[i].result;
            m_run.broken.add(missing[i], result.invariants);
            const ModelMemory::Run kept{
                result.last.time, {}, result.companion ? result.companion->whileBoth : std::nullopt};
            m_known.keep(missing[i], kept);
            if (m_options.memory && result.invariants.failed.empty())
                m_options.memory->keep(missing[i], kept);
        }
    }

    std::optional<PairRates> ratesOf(const std::vector<Experiment>& experiments) const {
        std::vector<PairRates> all;
        for (const Experiment& experiment : experiments) {
            const std::optional<ModelMemory::Run> run = knownRun(experiment);
            if (!run || !run->whileBoth || run->whileBoth->slowdown <= 0)
                return std::nullopt;
            all.push_back({rateOf(run->whileBoth->ownSlowdown), rateOf(run->whileBoth->slowdown)});
        }
        return all.empty() ? std::nullopt : std::optional(meanOf(all));
    }

    ModelRun& m_run;
    const ModelRunOptions& m_options;
    std::function<void(double)> m_progress;
    std::vector<Asked> m_asked;
    ModelMemory m_known;
};

/// Collects the pairs of a step.
class PairsOfStep {
public:
    PairsOfStep(const ModelRun& run, const ModelStep& step) : m_run(run), m_step(step) {}

    StepPairs pairs() {
        addInsideSections();
        addBesideMessages();
        return std::move(m_pairs);
    }

private:
    void add(std::size_t op, MessageGroup group, MessageOperation operation) {
        if (!m_seen.insert({op, group, operation}).second)
            return;
        const Operator& of = m_run.graph.operators[op];
        if (of.gemm)
            addOnce(m_pairs.gemms, {pairGemm(m_run, op), group, operation});
        else if (of.kind != engine::OperatorKind::collective)
            ++m_pairs.withoutRate;
    }

    /// Operators beside a collective of their own section.
    void addInsideSections() {
        for (const engine::PassKind pass :
             {engine::PassKind::forward, engine::PassKind::backward, engine::PassKind::weight}) {
            for (const SectionKind section : {SectionKind::begin, SectionKind::layer, SectionKind::end}) {
                const std::vector<SectionSpan>& spans = m_step.sections.of(pass, section).spans;
                for (const SectionSpan& tensor : spans) {
                    for (const SectionSpan& other : spans) {
                        const bool beside = other.begin < tensor.end && tensor.begin < other.end;
                        if (tensor.isTensor && !other.isTensor && beside)
                            add(other.op, MessageGroup::tensor,
                                engine::operationOf(m_run.graph, m_run.graph.operators[tensor.op]));
                    }
                }
            }
        }
    }

    void addBesideMessages() {
        std::vector<std::vector<engine::TaskIndex>> passes(m_step.stages.size());
        for (engine::TaskIndex task = 0; task < m_step.tasks.size(); ++task) {
            if (m_step.tasks[task].kind == StepTaskKind::pass)
                passes[static_cast<std::size_t>(m_step.tasks[task].stage)].push_back(task);
        }
        for (auto& ofStage : passes)
            std::ranges::sort(ofStage, {}, [&](engine::TaskIndex task) { return m_step.timetable.spans[task].begin; });
        for (engine::TaskIndex task = 0; task < m_step.tasks.size(); ++task) {
            if (const engine::StageMessage* message = m_step.messageOf(task))
                addBeside(*message, m_step.timetable.spans[task],
                          passes[static_cast<std::size_t>(m_step.tasks[task].stage)]);
        }
    }

    void addBeside(const engine::StageMessage& message, const engine::TaskSpan& span,
                   const std::vector<engine::TaskIndex>& passes) {
        if (message.group == MessageGroup::control)
            return;
        const auto& spans = m_step.timetable.spans;
        auto pass =
            std::ranges::upper_bound(passes, span.begin, {}, [&](engine::TaskIndex task) { return spans[task].end; });
        for (; pass != passes.end() && spans[*pass].begin < span.end; ++pass) {
            for (const SectionTime* section : m_step.sectionsOf(*pass)) {
                if (!m_besides.insert({section, message.group, message.operation}).second)
                    continue;
                for (const SectionSpan& of : section->spans)
                    add(of.op, message.group, message.operation);
            }
        }
    }

    const ModelRun& m_run;
    const ModelStep& m_step;
    StepPairs m_pairs;
    std::set<std::tuple<std::size_t, MessageGroup, MessageOperation>> m_seen;
    std::set<std::tuple<const SectionTime*, MessageGroup, MessageOperation>> m_besides;
};

}  // namespace

engine::GemmSize pairGemm(const ModelRun& run, std::size_t op) {
    engine::GemmSize size = *run.graph.operators[op].gemm;
    if (op < run.partsOfK.size())
        size.partsOfK = run.partsOfK[op];
    return size;
}

PairRates ratesBeside(const ModelRun& run, const PolicyModelTime& policy, std::size_t op, MessageGroup group,
                      MessageOperation operation) {
    const Operator& of = run.graph.operators[op];
    if (of.kind == engine::OperatorKind::collective) {
        // The message and the collective of the tensor group share links if both stay in the node or both leave it.
        const bool shared =
            engine::isBetweenNodes(run.base, MessageGroup::tensor) == engine::isBetweenNodes(run.base, group);
        return shared ? PairRates{kFullRate / 2, kFullRate / 2} : PairRates{};
    }
    if (!of.gemm)
        return {};
    const RatePair pair{pairGemm(run, op), group, operation};
    const auto found = std::ranges::find_if(policy.pairs, [&](const RateOfPair& each) { return each.pair == pair; });
    return found == policy.pairs.end() ? PairRates{} : found->rates.value_or(PairRates{});
}

StepPairs pairsOf(const ModelRun& run, const ModelStep& step) { return PairsOfStep(run, step).pairs(); }

std::size_t missingPairs(const PolicyModelTime& policy, const ModelStep& step) {
    return static_cast<std::size_t>(
        std::ranges::count_if(step.pairs.gemms, [&](const RatePair& pair) { return !hasPair(policy, pair); }));
}

void simulatePairs(ModelRun& run, const std::vector<PolicyModelTime*>& policies, const ModelRunOptions& options,
                   const std::function<void(double)>& progress) {
    constexpr int kMostRounds = 3;
    PairSimulations simulations(run, options, progress);
    for (int round = 0; round < kMostRounds; ++round) {
        for (PolicyModelTime* policy : policies)
            simulations.ask(*policy, stepOf(run, *policy).pairs.gemms);
        if (simulations.isEmpty())
            return;
        simulations.run();
    }
}

ModelRun withPairs(ModelRun run, const std::vector<Experiment>& bases, engine::PolicyPreset policy,
                   const ModelRunOptions& options) {
    std::vector<PolicyModelTime*> times;
    for (PolicyModelTime& time : run.policies) {
        if (time.policy == policy)
            times.push_back(&time);
    }
    const Experiment own = run.base;
    for (const Experiment& base : bases) {
        run.base = base;
        simulatePairs(run, times, options, options.progress);
    }
    run.base = own;
    return run;
}

double expectedPairWork(const Experiment& base, const engine::OperatorGraph& graph, std::size_t policies) {
    std::size_t kernels = 0;
    for (const MessageKind& kind : messageKindsOf(base, graph))
        kernels += kind.group == MessageGroup::control ? 0 : kernelsOf(kind.operation).size();
    std::vector<GemmSize> sizes;
    for (const Operator& op : graph.operators) {
        if (op.gemm)
            addOnce(sizes, *op.gemm);
    }
    constexpr double kRuns = 3;  // the GEMM alone, the message alone, and both
    double events = 0;
    for (GemmSize size : sizes) {
        size.m = rowsOfEightWaves(base, size);
        events += RunCosts::kEventsOfAnyRun + kRuns * engine::expectedEvents(base, size);
    }
    return events * static_cast<double>(kernels * policies);
}

}  // namespace data
