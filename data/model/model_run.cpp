#include "data/model/model_run.h"

#include "data/document/document_body.h"
#include "data/model/model_simulations.h"
#include "engine/api/baselines.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace data {
namespace {

using engine::Duration;
using engine::Experiment;
using engine::Operator;
using engine::OperatorKind;
using engine::PolicyPreset;
using engine::Problem;
using engine::Problems;

/// A sum of times stays below this, far inside 63 bits of picoseconds.
constexpr double kLongestSeconds = 4e6;

Problems tableProblems(const Experiment& experiment) {
    Problems problems;
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (auto problem = engine::check(parameter, parameter.read(experiment)))
            problems.push_back(std::move(*problem));
    }
    return problems;
}

/// What the operator takes without the engine: of those that are no GEMM and no collective.
Duration formulaTime(const Experiment& base, const Operator& op) {
    return engine::rooflineTime(base, op.flops, op.bytes);
}

bool hasFormula(const Operator& op) { return !op.gemm && op.kind != OperatorKind::collective; }

Problem tooLong(const Experiment& base, double seconds) {
    const auto text = [](double value) { return std::to_string(std::llround(std::min(value, 1e18))); };
    return {"workload.layers", std::to_string(base.workload.layers),
            "the whole model takes " + text(seconds) + " s of simulated time, allowed are " + text(kLongestSeconds) +
                " s; choose fewer layers, a smaller workload or a faster machine"};
}

/// What the engine refuses to simulate, each problem once with the operators that it concerns unless that is all.
Problems simulationProblems(const Experiment& base, const engine::OperatorGraph& graph,
                            const std::vector<PolicyPreset>& policies) {
    std::vector<std::pair<Problem, std::vector<std::string>>> found;
    std::size_t simulated = 0;
    for (const Operator& op : graph.operators) {
        if (!op.workload)
            continue;
        ++simulated;
        for (const PolicyPreset policy : policies) {
            for (Problem& problem : engine::validate(simulatedExperiment(base, op, policy))) {
                auto same =
                    std::find_if(found.begin(), found.end(), [&](const auto& entry) { return entry.first == problem; });
                if (same == found.end())
                    same = found.insert(found.end(), {std::move(problem), {}});
                if (same->second.empty() || same->second.back() != op.id)
                    same->second.push_back(op.id);
            }
        }
    }
    Problems problems;
    for (auto& [problem, operators] : found) {
        if (operators.size() < simulated)
            problem.text = "for " + joinedNames(operators, ", ") + ": " + problem.text;
        problems.push_back(std::move(problem));
    }
    return problems;
}

/// The policies to time, sequential first, each once.
std::vector<PolicyPreset> distinct(const std::vector<PolicyPreset>& asked) {
    std::vector<PolicyPreset> policies{PolicyPreset::sequential};
    for (const PolicyPreset policy : asked) {
        if (std::find(policies.begin(), policies.end(), policy) == policies.end())
            policies.push_back(policy);
    }
    return policies;
}

/// A run of a GEMM with its collective: the GEMM, and what of the collective is exposed.
struct SplitRun {
    Duration gemm;
    ModelTime exposed;
};

SplitRun splitRun(engine::CollectiveOperation operation, const engine::TimeResult& run,
                  const engine::TimeResult& sequential) {
    using enum engine::CollectiveOperation;
    SplitRun split;
    // The GEMM counts for as long as it takes alone, as in engine::hidingOf: what it waits for communication is exposed.
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

/// A collective apart from any GEMM.
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

/// Puts the times of simulations and formulas to the operators of the graph.
class Timing {
public:
    Timing(const ModelRun& run, const ModelSimulations& simulations) : m_run(run), m_simulations(simulations) {}

    PolicyModelTime of(PolicyPreset policy) const {
        PolicyModelTime result;
        result.policy = policy;
        double seconds = 0;
        for (const Operator& op : m_run.graph.operators) {
            result.operators.push_back(timeOf(op, policy));
            seconds +=
                static_cast<double>(result.operators.back().time.total().ps) * 1e-12 * static_cast<double>(op.count);
        }
        if (seconds > kLongestSeconds)
            throw engine::InvalidExperiment({tooLong(m_run.base, seconds)});
        for (std::size_t i = 0; i < result.operators.size(); ++i)
            result.time += result.operators[i].time * m_run.graph.operators[i].count;
        const auto total = static_cast<double>(result.time.total().ps);
        result.communicationShare = total > 0 ? static_cast<double>(result.time.exposed().ps) / total : 0;
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
        const ModelTime time = aloneTime(op.workload->sublayer, m_simulations.runOf(op, policy));
        return {time, time.total()};
    }

    const ModelRun& m_run;
    const ModelSimulations& m_simulations;
};

/// Of the layer's feeding GEMMs with their collectives.
double sublayerGeomean(const engine::OperatorGraph& graph, const PolicyModelTime& sequential,
                       const PolicyModelTime& policy) {
    double logs = 0;
    int counted = 0;
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const Operator& op = graph.operators[i];
        if (!op.feeder || !op.inLayer)
            continue;
        const auto total = [&](const PolicyModelTime& times) {
            return static_cast<double>((times.operators[*op.feeder].time.total() + times.operators[i].time.total()).ps);
        };
        logs += std::log(total(sequential) / total(policy));
        ++counted;
    }
    return counted == 0 ? 1 : std::exp(logs / counted);
}

/// Which GEMMs are too skinny to fill the GPU, and says so.
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

Duration ModelTime::total() const {
    Duration sum;
    for (const ModelPart& part : kModelParts)
        sum += this->*part.time;
    return sum;
}

Duration ModelTime::exposed() const { return reduceScatter + allGather + allToAll; }

ModelTime& ModelTime::operator+=(const ModelTime& other) {
    for (const ModelPart& part : kModelParts)
        this->*part.time += other.*part.time;
    return *this;
}

ModelTime operator*(const ModelTime& time, std::int64_t count) {
    ModelTime product;
    for (const ModelPart& part : kModelParts)
        product.*part.time = time.*part.time * count;
    return product;
}

const ModelPart& partOf(OperatorKind kind) {
    return *std::find_if(kModelParts.begin(), kModelParts.end(),
                         [&](const ModelPart& part) { return part.kind == kind; });
}

std::optional<Experiment> experimentOf(const Experiment& base, const Operator& op) {
    if (!op.workload)
        return std::nullopt;
    Experiment experiment = base;
    experiment.workload = *op.workload;
    experiment.collective.operation = op.operation;
    return experiment;
}

Problems modelRunProblems(const Experiment& base, const ModelRunOptions& options) {
    Problems problems = tableProblems(base);
    if (!problems.empty())
        return problems;
    problems = engine::operatorGraphProblems(base, options.phase);
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
    if (Problems problems = modelRunProblems(base, options); !problems.empty())
        throw engine::InvalidExperiment(std::move(problems));
    ModelRun run;
    run.base = base;
    run.graph = engine::operatorGraphOf(base, options.phase);
    const std::vector<PolicyPreset> policies = distinct(options.policies);
    ModelSimulations simulations(base, run.graph, policies);
    simulations.run(options);
    run.simulatedRuns = simulations.runs();
    run.simulatedGemms = simulations.gemms();
    run.remembered = simulations.remembered();
    run.broken = simulations.broken();
    run.operatorsTimed = run.graph.operators.size() * policies.size();

    std::vector<PolicyModelTime> times;
    for (const PolicyPreset policy : policies) {
        PolicyModelTime time = Timing(run, simulations).of(policy);
        const PolicyModelTime& sequential = times.empty() ? time : times.front();
        time.speedupOverSequential =
            static_cast<double>(sequential.time.total().ps) / static_cast<double>(time.time.total().ps);
        time.sublayerGeomean = sublayerGeomean(run.graph, sequential, time);
        times.push_back(std::move(time));
    }
    run.sequential = times.front();
    for (const PolicyPreset asked : options.policies)
        run.policies.push_back(*std::find_if(times.begin(), times.end(),
                                             [&](const PolicyModelTime& time) { return time.policy == asked; }));
    addSplits(run);
    run.notices.insert(run.notices.begin(), run.graph.notices.begin(), run.graph.notices.end());
    for (const engine::Notice& notice : simulations.notices())
        run.notices.push_back(notice);
    run.wallNs = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
    return run;
}

}  // namespace data
