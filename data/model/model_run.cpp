#include "data/model/model_run.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/experiment/experiment_document.h"
#include "data/laboratory/work_progress.h"
#include "data/model/collective_choice.h"
#include "data/model/message_times.h"
#include "data/model/model_memory.h"
#include "data/model/model_step.h"
#include "data/model/simulated_experiment.h"
#include "engine/api/baselines.h"
#include "engine/api/collective_table.h"
#include "engine/api/parameters.h"
#include "engine/api/tile_choice.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace data {
namespace {

using engine::Duration;
using engine::Experiment;
using engine::Operator;
using engine::OperatorKind;
using engine::PolicyPreset;
using engine::Problem;
using engine::Problems;

/// Returns the time of adding up the partial sums of split-K: all of them are read, and their sum is written.
engine::Duration sumTime(const Experiment& machine, const engine::GemmSize& size, std::int64_t parts) {
    if (parts == 1)
        return {};
    const double elements = static_cast<double>(size.m) * static_cast<double>(size.n);
    const double moved = static_cast<double>(engine::elementBytes(machine)) * elements * static_cast<double>(parts + 1);
    return engine::rooflineTime(machine, elements * static_cast<double>(parts),
                                {static_cast<std::int64_t>(std::min(moved, 9e18))});
}

double workOf(const engine::GemmSize& size) {
    return static_cast<double>(size.m) * static_cast<double>(size.n) * static_cast<double>(size.k);
}

/// Returns the number of parts into which K is split if the output has fewer tiles than the GPU has workgroup slots
/// (split-K, as GEMM libraries do for skinny outputs). As many slots as possible get a part. Each part is a GEMM with
/// an output of its own; then a pass adds up the partial sums. K of a GEMM that feeds a collective, or of a batch of
/// GEMMs, is not split. If the tile is searched for, K is split only if the library's smallest tile leaves slots empty.
std::int64_t partsOfK(Experiment machine, const engine::GemmSize& size) {
    if (size.partsOfK > 1)
        return size.partsOfK;  // a batch
    if (engine::choosesTile(machine, size)) {
        machine.gemm.tileM = engine::libraryTiles().back().m;
        machine.gemm.tileN = engine::libraryTiles().back().n;
    }
    const auto ceilDiv = [](std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; };
    const std::int64_t tiles = ceilDiv(size.m, machine.gemm.tileM) * ceilDiv(size.n, machine.gemm.tileN);
    const std::int64_t slots = machine.cu.count * residentWorkgroups(machine);
    // No part is shorter than a K-step.
    return std::clamp<std::int64_t>(slots / tiles, 1, std::max<std::int64_t>(1, size.k / machine.gemm.kStep));
}

/// Returns the GEMM that is simulated for a GEMM of the model: with as many parts as partsOfK says.
engine::GemmSize splitSize(const Experiment& machine, engine::GemmSize size) {
    size.partsOfK = partsOfK(machine, size);
    return size;
}

/// The simulations that a whole model needs, each distinct one once, and their times.
class ModelSimulations {
public:
    ModelSimulations(const engine::Experiment& base, const engine::OperatorGraph& graph,
                     const std::vector<engine::PolicyPreset>& policies)
        : m_base(base) {
        for (const engine::Operator& op : graph.operators) {
            if (op.kind == engine::OperatorKind::gemm)
                m_gemms.emplace(*op.gemm, engine::Duration{});
            for (const engine::GemmSize& product : op.products)
                m_gemms.emplace(product, engine::Duration{});
            if (!op.workload || measuredTimeOf(base, op))
                continue;
            for (const PolicyPreset policy : policies)
                addOnce(m_experiments, simulatedExperiment(base, op, policy));
        }
        if (isStep(base))
            m_messages = messageKindsOf(base, graph);
        for (const MessageKind& kind : m_messages) {
            if (measuredTimeOf(base, kind))
                continue;
            for (const PolicyPreset policy : policies)
                addOnce(m_experiments, simulationOf(base, kind, policy).experiment);
        }
        m_times.resize(m_experiments.size());
    }

    /// Runs the simulations. Throws RunStopped, Deadlock or InvalidExperiment.
    void run(const ModelRunOptions& options, WorkProgress& progress) {
        runSublayers(options, progress);
        runGemms(options, progress);
    }

    /// Returns the expected work of the sub-layers, then of the GEMMs, in their order.
    std::vector<double> expectedWork() const {
        std::vector<double> work = costsOf(m_experiments, false);
        for (const auto& [size, time] : m_gemms) {
            work.push_back(RunCosts::kEventsOfAnyRun + engine::expectedEvents(m_base, splitSize(m_base, size)));
        }
        return work;
    }

    /// Returns the simulations of the sub-layers, then of the GEMMs.
    std::vector<ModelSimulation> list() const {
        std::vector<ModelSimulation> all;
        const std::vector<double> events = expectedWork();
        const auto add = [&](std::string identity) { all.push_back({std::move(identity), events[all.size()]}); };
        for (const Experiment& experiment : m_experiments)
            add(canonicalForm(experiment));
        for (const auto& [size, time] : m_gemms)
            add(ModelMemory::identityOf(m_base, size));
        return all;
    }

    /// Writes the numbers of simulations and their notices to `run`.
    void report(ModelRun& run) const {
        run.simulatedRuns = m_experiments.size();
        run.simulatedGemms = m_gemms.size();
        run.remembered = m_remembered;
        run.broken = m_broken;
        run.notices.insert(run.notices.end(), m_notices.begin(), m_notices.end());
    }

    const engine::TimeResult& runOf(const engine::Operator& op, engine::PolicyPreset policy) const {
        return runOf(simulatedExperiment(m_base, op, policy));
    }

    std::vector<MessageTime> messageTimes(engine::PolicyPreset policy) const {
        std::vector<MessageTime> times;
        for (const MessageKind& kind : m_messages) {
            if (const auto measured = measuredTimeOf(m_base, kind)) {
                times.push_back({kind, *measured});
                continue;
            }
            const MessageSimulation simulation = simulationOf(m_base, kind, policy);
            const auto simulated = static_cast<double>(runOf(simulation.experiment).total.ps);
            times.push_back({kind, {std::llround(simulated * simulation.scale)}});
        }
        return times;
    }

    engine::Duration gemmTime(const engine::GemmSize& size) const { return m_gemms.at(size); }

    /// Returns whether the tile of a GEMM was searched for.
    bool searchedForTiles() const {
        return std::any_of(m_experiments.begin(), m_experiments.end(),
                           [](const Experiment& experiment) { return engine::choosesTile(experiment); }) ||
               std::any_of(m_gemms.begin(), m_gemms.end(),
                           [&](const auto& gemm) { return engine::choosesTile(m_base, gemm.first); });
    }

private:
    const engine::TimeResult& runOf(const Experiment& experiment) const {
        const auto found = std::find(m_experiments.begin(), m_experiments.end(), experiment);
        assert(found != m_experiments.end());
        return m_times[static_cast<std::size_t>(found - m_experiments.begin())];
    }

    void runSublayers(const ModelRunOptions& options, WorkProgress& progress) {
        engine::RunManyOptions many;
        many.each.baselines = false;
        many.each.baselineCache =
            options.baselineCache ? options.baselineCache : std::make_shared<engine::BaselineCache>();
        many.threads = options.threads;
        many.stop = options.stop;
        std::vector<const Experiment*> missing;
        for (std::size_t i = 0; i < m_experiments.size(); ++i) {
            if (const auto known = options.memory ? options.memory->run(m_experiments[i]) : std::nullopt) {
                take(i, *known);
                ++m_remembered;
                progress.leaveOut(i);
            } else {
                missing.push_back(&m_experiments[i]);
            }
        }
        const auto placeOf = [&](std::size_t i) { return static_cast<std::size_t>(missing[i] - m_experiments.data()); };
        many.progress = [&](std::size_t index, double done) { progress.reached(placeOf(index), done); };
        // Each result is kept as soon as its run has ended, so that a stop loses only unfinished runs.
        many.finished = [&](std::size_t index, engine::RunOutcome& outcome, std::size_t) {
            // A run that broke an invariant is not kept: later it would count as a good one.
            if (options.memory && outcome.result && outcome.result->invariants.failed.empty())
                options.memory->keep(*missing[index], {outcome.result->last.time, outcome.result->notices});
            progress.ended(placeOf(index));
        };
        const auto outcomes = engine::runMany(missing, many);
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            if (outcomes[i].stopped)
                throw engine::RunStopped();
            // A run that failed is repeated by itself, so that its exception reaches the caller.
            engine::RunOptions again = many.each;
            again.stop = options.stop;
            const engine::RunResult result = outcomes[i].result ? *outcomes[i].result : engine::run(*missing[i], again);
            m_broken.add(*missing[i], result.invariants);
            take(placeOf(i), {result.last.time, result.notices});
        }
    }

    void runGemms(const ModelRunOptions& options, WorkProgress& progress) {
        struct Gemm {
            const engine::GemmSize* size;
            engine::Duration* time;
            std::size_t place;
        };
        std::vector<Gemm> work;
        work.reserve(m_gemms.size());
        std::size_t place = m_experiments.size();
        for (auto& [size, time] : m_gemms) {
            if (const auto known = options.memory ? options.memory->gemm(m_base, size) : std::nullopt) {
                time = *known;
                ++m_remembered;
                progress.leaveOut(place);
            } else {
                work.push_back({&size, &time, place});
            }
            ++place;
        }
        // The longest first, so that no thread begins a long one when the others are done.
        std::stable_sort(work.begin(), work.end(),
                         [](const auto& a, const auto& b) { return workOf(*a.size) > workOf(*b.size); });
        std::vector<engine::GemmSize> sizes;
        for (const Gemm& gemm : work)
            sizes.push_back(splitSize(m_base, *gemm.size));
        engine::GemmsOptions gemms;
        gemms.threads = std::max(1, options.threads);
        gemms.stop = options.stop;
        gemms.finished = [&](std::size_t i, const engine::GemmOutcome& outcome) {
            const engine::GemmSize& size = *work[i].size;
            *work[i].time = outcome.time + (size.partsOfK == 1 ? sumTime(m_base, size, sizes[i].partsOfK) : Duration{});
            if (options.memory)
                options.memory->keep(m_base, size, *work[i].time);
            progress.ended(work[i].place);
        };
        gemms.progress = [&](std::size_t i, double done) { progress.reached(work[i].place, done); };
        engine::runGemms(m_base, sizes, gemms);
    }

    void take(std::size_t index, const ModelMemory::Run& run) {
        m_times[index] = run.time;
        for (const engine::Notice& notice : run.notices)
            if (notice.path != "tiles.choice")  // reported once for all GEMMs
                addOnce(m_notices, notice);
    }

    engine::Experiment m_base;
    std::vector<engine::Experiment> m_experiments;
    std::vector<engine::TimeResult> m_times;  ///< by experiment
    std::map<engine::GemmSize, engine::Duration> m_gemms;
    std::vector<MessageKind> m_messages;
    engine::Notices m_notices;
    BrokenInvariants m_broken;
    std::size_t m_remembered = 0;
};

/// The limit for the sum of times, far inside 63 bits of picoseconds.
constexpr double kLongestSeconds = 4e6;

/// Adds notices about settings that the time of this model does not depend on.
void addUnread(const Experiment& experiment, engine::Notices& notices) {
    using enum engine::ParameterGroup;
    const bool divided = isStep(experiment);
    if (engine::isNetwork(experiment))
        notices.push_back({"policy.preset",
                           "no GEMM of a network feeds a collective in the sense of T3, so that no policy "
                           "overlaps them; policies differ in collectives that add near memory"});
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (parameter.read(experiment) == parameter.defaultValue)
            continue;
        if (parameter.group == division && !divided)
            notices.push_back({parameter.path,
                               "not read: a step on one stage and one replica, with one micro-batch, has "
                               "no schedule and no messages between replicas"});
        if (parameter.path == "workload.symbols" && !engine::isNetwork(experiment))
            notices.push_back({parameter.path, "not read: " + parameter.reading.whyNot(experiment)});
        if (parameter.path == "training.accounting")
            notices.push_back({parameter.path, "only the footprint reads it"});
        if (parameter.group == matrix || parameter.group == companion || parameter.group == dispatch)
            notices.push_back({parameter.path,
                               "not read: a whole model runs without a companion, and its sub-layers use "
                               "the whole GPU as the policy says"});
    }
    if (divided && engine::isBetweenNodes(experiment, engine::MessageGroup::tensor))
        notices.push_back(
            {"node.gpus", "the tensor group spans several nodes; its collectives use link.* on all links"});
}

/// Returns the time of an operator that is neither a GEMM nor a collective, by formula.
Duration formulaTime(const Experiment& base, const Operator& op) {
    return engine::rooflineTime(base, op.flops, op.bytes);
}

bool hasFormula(const Operator& op) { return !op.gemm && op.products.empty() && op.kind != OperatorKind::collective; }

Problem tooLong(const Experiment& base, double seconds) {
    const auto text = [](double value) { return std::to_string(std::llround(std::min(value, 1e18))); };
    return {"workload.layers", std::to_string(base.workload.layers),
            "the whole model takes " + text(seconds) + " s of simulated time, allowed are " + text(kLongestSeconds) +
                " s; choose fewer layers, a smaller workload or a faster machine"};
}

/// Returns the problems of operators, each once. A problem names the operators that have it, unless all do.
/// `problemsOf` returns an empty optional for an operator that is left out.
Problems operatorProblems(const engine::OperatorGraph& graph,
                          const std::function<std::optional<Problems>(const Operator&)>& problemsOf) {
    std::vector<std::pair<Problem, std::vector<std::string>>> found;
    std::size_t simulated = 0;
    for (const Operator& op : graph.operators) {
        const std::optional<Problems> problems = problemsOf(op);
        if (!problems)
            continue;
        ++simulated;
        for (const Problem& problem : *problems)
            addOnce(concernedBy(problem, found), op.id);
    }
    Problems problems;
    for (auto& [problem, operators] : found) {
        if (operators.size() < simulated)
            problem.text = "for " + joinedNames(operators, ", ") + ": " + problem.text;
        problems.push_back(std::move(problem));
    }
    return problems;
}

/// Returns the problems for which the engine refuses simulations: those of sub-layers and collectives or, if they have
/// none, those of the other GEMMs.
Problems simulationProblems(const Experiment& base, const engine::OperatorGraph& graph,
                            const std::vector<PolicyPreset>& policies) {
    if (base.tiles.choice == engine::TileChoice::shared)
        return {{"tiles.choice", "shared",
                 "the tile is chosen beside a companion, and a whole model runs without one; allowed: auto, fixed, "
                 "best"}};
    Problems problems = operatorProblems(graph, [&](const Operator& op) -> std::optional<Problems> {
        if (!op.workload || measuredTimeOf(base, op))
            return std::nullopt;
        Problems own;
        for (const PolicyPreset policy : policies)
            append(own, engine::validate(simulatedExperiment(base, op, policy)));
        return own;
    });
    if (!problems.empty())
        return problems;
    return operatorProblems(graph, [&](const Operator& op) -> std::optional<Problems> {
        if (op.kind != engine::OperatorKind::gemm)
            return std::nullopt;
        return engine::gemmProblems(base, splitSize(base, *op.gemm));
    });
}

/// Returns the policies to time, sequential first, each once.
std::vector<PolicyPreset> distinct(const std::vector<PolicyPreset>& asked) {
    std::vector<PolicyPreset> policies{PolicyPreset::sequential};
    for (const PolicyPreset policy : asked)
        addOnce(policies, policy);
    return policies;
}

/// The time of a GEMM with its collective, split into the GEMM and the exposed part of the collective.
struct SplitRun {
    Duration gemm;
    ModelTime exposed;
};

SplitRun splitRun(engine::CollectiveOperation operation, const engine::TimeResult& run,
                  const engine::TimeResult& sequential) {
    using enum engine::CollectiveOperation;
    SplitRun split;
    // The GEMM counts with its time alone, as in engine::hidingOf: the time that it waits because of communication is
    // exposed.
    split.gemm = std::min(sequential.gemm, run.total);
    const Duration exposed = run.total - split.gemm;
    switch (operation) {
    case allReduce:
        split.exposed.allGather = std::min(run.allGather, exposed);
        split.exposed.reduceScatter = exposed - split.exposed.allGather;
        break;
    case reduceScatter: split.exposed.reduceScatter = exposed; break;
    case allGather: split.exposed.allGather = exposed; break;
    case allToAll: split.exposed.allToAll = exposed; break;
    }
    return split;
}

/// Returns the time of a collective that no GEMM feeds.
ModelTime aloneTime(engine::SubLayer which, const engine::TimeResult& run) {
    ModelTime time;
    if (which == engine::SubLayer::allToAll)
        time.allToAll = run.total;
    else if (which == engine::SubLayer::allGather)
        time.allGather = run.total;
    else
        time = splitRun(engine::CollectiveOperation::allReduce, run, run).exposed;
    return time;
}

/// Returns a measured time in parts: both halves of an all-reduce move as many bytes.
ModelTime measuredParts(engine::SubLayer which, Duration time) {
    ModelTime parts;
    if (which == engine::SubLayer::allToAll)
        parts.allToAll = time;
    else if (which == engine::SubLayer::allGather)
        parts.allGather = time;
    else
        parts.allGather = which == engine::SubLayer::allReduce ? Duration{time.ps / 2} : Duration{};
    parts.reduceScatter = time - parts.allGather - parts.allToAll;
    return parts;
}

/// Assigns the times of simulations and formulas to the operators of the graph.
class Timing {
public:
    Timing(const ModelRun& run, const ModelSimulations& simulations) : m_run(run), m_simulations(simulations) {}

    PolicyModelTime of(PolicyPreset policy) const {
        std::vector<OperatorTime> operators;
        operators.reserve(m_run.graph.operators.size());
        for (const Operator& op : m_run.graph.operators)
            operators.push_back(timeOf(op, policy));
        PolicyModelTime result = sumOf(m_run.base, m_run.graph, policy, std::move(operators));
        result.messages = m_simulations.messageTimes(policy);
        return result;
    }

private:
    OperatorTime timeOf(const Operator& op, PolicyPreset policy) const {
        if (op.kind == OperatorKind::collective)
            return collectiveTime(op, policy);
        OperatorTime result;
        result.time.*(partOf(op.kind).time) =
            hasFormula(op) ? formulaTime(m_run.base, op) : gemmTime(op, policy) * op.gemms;
        result.whole = result.time.total();
        return result;
    }

    Duration gemmTime(const Operator& op, PolicyPreset policy) const {
        if (!op.products.empty()) {
            Duration all;
            for (const engine::GemmSize& product : op.products)
                all += m_simulations.gemmTime(product);
            return all;
        }
        return op.kind == OperatorKind::gemm ? m_simulations.gemmTime(*op.gemm) : splitOf(op, policy).gemm;
    }

    SplitRun splitOf(const Operator& op, PolicyPreset policy) const {
        return splitRun(op.operation, m_simulations.runOf(op, policy),
                        m_simulations.runOf(op, PolicyPreset::sequential));
    }

    OperatorTime collectiveTime(const Operator& op, PolicyPreset policy) const {
        if (op.feeder) {
            const Operator& feeder = m_run.graph.operators[*op.feeder];
            const engine::TimeResult& run = m_simulations.runOf(feeder, policy);
            return {splitOf(feeder, policy).exposed * feeder.gemms,
                    (run.reduceScatter + run.allGather + run.allToAll) * feeder.gemms};
        }
        const auto measured = measuredTimeOf(m_run.base, op);
        const ModelTime time = measured ? measuredParts(op.workload->sublayer, *measured)
                                        : aloneTime(op.workload->sublayer, m_simulations.runOf(op, policy));
        return {time, time.total()};
    }

    const ModelRun& m_run;
    const ModelSimulations& m_simulations;
};

/// Returns the geometric mean of the speed-ups of the layer's feeding GEMMs with their collectives, without those that
/// are recomputed.
double sublayerGeomean(const engine::OperatorGraph& graph, const PolicyModelTime& sequential,
                       const PolicyModelTime& policy) {
    double logs = 0;
    int counted = 0;
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const Operator& op = graph.operators[i];
        if (!op.feeder || !op.inLayer || op.pass == engine::OperatorPass::recompute)
            continue;
        const auto total = [&](const PolicyModelTime& times) {
            return static_cast<double>((times.operators[*op.feeder].time.total() + times.operators[i].time.total()).ps);
        };
        logs += std::log(total(sequential) / total(policy));
        ++counted;
    }
    return counted == 0 ? 1 : std::exp(logs / counted);
}

/// Finds the GEMMs that are too skinny to fill the GPU, and adds a notice.
void addSplits(ModelRun& run) {
    std::string split;
    for (const Operator& op : run.graph.operators) {
        const std::int64_t parts = op.kind == OperatorKind::gemm ? partsOfK(run.base, *op.gemm) : 1;
        run.partsOfK.push_back(parts);
        if (parts > 1)
            split += (split.empty() ? "" : ", ") + op.id + " (" + std::to_string(parts) + ")";
    }
    if (!split.empty())
        run.notices.push_back({"gemm.tile_n", "GEMMs with fewer tiles than the GPU has slots for workgroups have their "
                                              "K split into parts, whose sums are added up afterwards: " +
                                                  split});
}

}  // namespace

Duration PolicyModelTime::timeOf(const MessageKind& kind) const {
    const auto found = std::ranges::find(messages, kind, &MessageTime::kind);
    assert(found != messages.end());
    return found->time;
}

PolicyModelTime sumOf(const Experiment& base, const engine::OperatorGraph& graph, PolicyPreset policy,
                      std::vector<OperatorTime> operators) {
    double seconds = 0;
    for (std::size_t i = 0; i < operators.size(); ++i)
        seconds +=
            static_cast<double>(operators[i].time.total().ps) * 1e-12 * static_cast<double>(graph.operators[i].count);
    if (seconds > kLongestSeconds)
        throw engine::InvalidExperiment({tooLong(base, seconds)});
    PolicyModelTime result;
    result.policy = policy;
    for (std::size_t i = 0; i < operators.size(); ++i)
        result.time += operators[i].time * graph.operators[i].count;
    result.operators = std::move(operators);
    const auto total = static_cast<double>(result.time.total().ps);
    result.communicationShare = total > 0 ? static_cast<double>(result.time.exposed().ps) / total : 0;
    return result;
}

Problems dividedStepProblems(const Experiment& base, const std::string& why) {
    Problems problems;
    for (const char* path : {"division.dp", "division.pp", "division.microbatches", "step.lookahead"}) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        const engine::ParameterValue value = parameter.read(base);
        if (value != parameter.defaultValue)
            problems.push_back({path, engine::formatValue(parameter, value), why});
    }
    return problems;
}

std::optional<Experiment> experimentOf(const Experiment& base, const Operator& op) {
    if (!op.workload)
        return std::nullopt;
    Experiment experiment = base;
    experiment.workload = *op.workload;
    experiment.collective.operation = op.operation;
    useTable(base, experiment);
    return experiment;
}

std::vector<ModelSimulation> simulationsOf(const Experiment& base, const ModelRunOptions& options) {
    const engine::OperatorGraph graph = engine::operatorGraphOf(base, options.phase);
    return ModelSimulations(base, graph, distinct(options.policies)).list();
}

Problems modelRunProblems(const Experiment& base, const ModelRunOptions& options) {
    Problems problems = engine::tableProblems(base);
    if (!problems.empty())
        return problems;
    problems = engine::readCollectiveTable(base.collective.table).problems;
    append(problems, engine::operatorGraphProblems(base, options.phase));
    for (const Problem& problem : stepProblems(base, options.phase))
        addOnce(problems, problem);
    if (!problems.empty())
        return problems;
    const engine::OperatorGraph graph = engine::operatorGraphOf(base, options.phase);
    problems = simulationProblems(base, graph, distinct(options.policies));
    double seconds = 0;
    for (const Operator& op : graph.operators) {
        if (hasFormula(op))
            seconds += static_cast<double>(formulaTime(base, op).ps) * 1e-12 * static_cast<double>(op.count);
    }
    if (problems.empty() && seconds > kLongestSeconds)
        problems.push_back(tooLong(base, seconds));
    return problems;
}

ModelRun modelRun(const Experiment& base, const ModelRunOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    refuseAny(modelRunProblems(base, options));
    ModelRun run;
    run.base = base;
    run.graph = engine::operatorGraphOf(base, options.phase);
    const std::vector<PolicyPreset> policies = distinct(options.policies);
    ModelSimulations simulations(base, run.graph, policies);
    std::vector<double> work = simulations.expectedWork();
    const std::size_t pairs = work.size();
    work.push_back(isStep(base) ? expectedPairWork(base, run.graph, policies.size()) : 0);
    WorkProgress progress(std::move(work), options.progress);
    simulations.run(options, progress);
    run.operatorsTimed = run.graph.operators.size() * policies.size();

    addSplits(run);
    std::vector<PolicyModelTime> times;
    for (const PolicyPreset policy : policies) {
        PolicyModelTime time = Timing(run, simulations).of(policy);
        const PolicyModelTime& sequential = times.empty() ? time : times.front();
        time.speedupOverSequential =
            static_cast<double>(sequential.time.total().ps) / static_cast<double>(time.time.total().ps);
        time.sublayerGeomean = sublayerGeomean(run.graph, sequential, time);
        times.push_back(std::move(time));
    }
    if (isStep(base)) {
        std::vector<PolicyModelTime*> all;
        for (PolicyModelTime& time : times)
            all.push_back(&time);
        simulatePairs(run, all, options, progress.of(pairs));
        progress.ended(pairs);
    }
    run.sequential = times.front();
    for (const PolicyPreset asked : options.policies)
        run.policies.push_back(*std::find_if(times.begin(), times.end(),
                                             [&](const PolicyModelTime& time) { return time.policy == asked; }));
    addUnread(base, run.notices);
    if (simulations.searchedForTiles())
        run.notices.push_back(
            {"tiles.choice",
             "each GEMM for which a library tile fits has the one that was fastest in a simulation of two waves"});
    run.notices.insert(run.notices.begin(), run.graph.notices.begin(), run.graph.notices.end());
    simulations.report(run);
    run.wallNs = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
    return run;
}

}  // namespace data
