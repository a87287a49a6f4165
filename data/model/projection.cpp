#include "data/model/projection.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/laboratory/laboratory.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace data {
namespace {

using engine::Duration;
using engine::Experiment;
using engine::Operator;
using engine::OperatorGraph;
using engine::OperatorKind;
using engine::PolicyPreset;
using engine::Problem;
using engine::Problems;

/// Returns the quantity with which the time of an operator grows.
double growthOf(const OperatorGraph& graph, const Operator& op) {
    const auto bytes = static_cast<double>(op.bytes.count), gpus = static_cast<double>(graph.gpus);
    switch (op.kind) {
    case OperatorKind::feedingGemm:
    case OperatorKind::gemm:
    case OperatorKind::attention: return op.flops;
    case OperatorKind::elementWise: return bytes;
    // The bytes that a GPU sends; an all-reduce sends twice as many in both models.
    case OperatorKind::collective: return bytes * (gpus - 1) / gpus;
    }
    return 0;
}

Duration scaled(Duration time, double factor) {
    constexpr double kLongest = 9e18;  // which 63 bits still hold
    return {std::llround(std::min(kLongest, static_cast<double>(time.ps) * factor))};
}

OperatorTime scaled(const OperatorTime& time, double factor) {
    OperatorTime result{{}, scaled(time.whole, factor)};
    for (const ModelPart& part : kModelParts)
        result.time.*part.time = scaled(time.time.*part.time, factor);
    return result;
}

/// Returns the ids of operators that only one of the graphs has, or that are of another kind in the other graph.
std::vector<std::string> differingIds(const OperatorGraph& one, const OperatorGraph& other) {
    std::vector<std::string> ids;
    for (const auto& [graph, beside] : {std::pair{&one, &other}, {&other, &one}}) {
        for (const Operator& op : graph->operators) {
            const Operator* same = beside->find(op.id);
            if (same == nullptr || same->kind != op.kind)
                addOnce(ids, op.id);
        }
    }
    return ids;
}

/// Returns the first ids of a list: "forward/op, forward/fc-2 and 3 more".
std::string firstOf(std::vector<std::string> ids) {
    constexpr std::size_t kShown = 3;
    const std::size_t more = ids.size() > kShown ? ids.size() - kShown : 0;
    ids.resize(ids.size() - more);
    return joinedNames(ids, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

Problems operatorsDiffer(const Experiment& target, const Experiment& source, engine::ModelPhase phase) {
    const std::vector<std::string> differing =
        differingIds(engine::operatorGraphOf(target, phase), engine::operatorGraphOf(source, phase));
    if (differing.empty())
        return {};
    return {{kProjectFrom, modelCaseName(source),
             "its operators are not those of " + modelCaseName(target) + ", which differ in " + firstOf(differing) +
                 "; allowed: a model and a degree with the same operators"}};
}

std::int64_t eventsOf(const std::vector<ModelSimulation>& simulations) {
    double events = 0;
    for (const ModelSimulation& simulation : simulations)
        events += simulation.events;
    return std::llround(events);
}

engine::Notices noticesOf(const ModelRun& run, const ModelRun& source) {
    const ModelProjection& projection = *run.projection;
    engine::Notices notices = run.graph.notices;
    notices.push_back({kProjectFrom, "the times are projected from those of " + projection.from +
                                         ": GEMMs and attention grow with flops, element-wise operators with bytes, "
                                         "collectives with sent bytes. Simulations of the model itself, which were "
                                         "saved, are expected to take " +
                                         std::to_string(projection.savedEvents) + " events"});
    for (const engine::Notice& notice : source.notices)
        addOnce(notices, {notice.path, "of " + projection.from + ": " + notice.text});
    return notices;
}

}  // namespace

bool isOfSource(std::string_view path) {
    return path == "parallel.tp" ||
           (path.starts_with("workload.") && path != "workload.sublayer" && path != "workload.bytes");
}

ExperimentDraft sourceDraft(ExperimentDraft target, const Settings& source) {
    std::erase_if(target.explicitValues, [](const auto& value) { return isOfSource(value.first); });
    for (const auto& [path, value] : source)
        target.explicitValues.insert_or_assign(path, value);
    return target;
}

Problems projectionProblems(const Experiment& target, const Experiment& source, const ModelRunOptions& options) {
    Problems problems;
    for (const PolicyPreset policy : options.policies) {
        if (policy != PolicyPreset::sequential)
            problems.push_back({"policy.preset", std::string(engine::name(policy)),
                                "a projection scales the times of operators that run one after the other; allowed: "
                                "sequential"});
    }
    append(problems, dividedStepProblems(target, "a projection is of one pass on one group of GPUs; allowed: 1"));
    if (!problems.empty())
        return problems;
    problems = modelRunProblems(target, options);
    for (const Problem& problem : modelRunProblems(source, options))
        addOnce(problems, {kProjectFrom, modelCaseName(source), engine::describe(problem)});
    return problems.empty() ? operatorsDiffer(target, source, options.phase) : problems;
}

ModelRun projectedRun(const Experiment& target, const Experiment& source, const ModelRunOptions& options) {
    refuseAny(projectionProblems(target, source, options));
    const ModelRun simulated = modelRun(source, options);
    ModelRun run = simulated;
    run.base = target;
    run.graph = engine::operatorGraphOf(target, options.phase);
    run.projection = {modelCaseName(source), eventsOf(simulationsOf(target, options))};
    run.operatorsTimed = run.graph.operators.size();
    run.partsOfK.clear();
    std::vector<OperatorTime> times;
    times.reserve(run.graph.operators.size());
    for (const Operator& op : run.graph.operators) {
        const Operator& same = *simulated.graph.find(op.id);
        const OperatorTime& time =
            simulated.sequential.operators[static_cast<std::size_t>(&same - simulated.graph.operators.data())];
        const double factor = growthOf(run.graph, op) / growthOf(simulated.graph, same);
        assert(std::isfinite(factor));
        times.push_back(scaled(time, factor));
    }
    run.sequential = sumOf(target, run.graph, PolicyPreset::sequential, std::move(times));
    run.policies.assign(options.policies.size(), run.sequential);
    run.notices = noticesOf(run, simulated);
    return run;
}

}  // namespace data
