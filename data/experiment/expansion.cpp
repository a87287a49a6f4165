#include "data/experiment/experiment_document.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>

namespace data {
namespace {

using engine::Experiment;
using engine::Parameter;
using engine::ParameterValue;
using engine::Problem;
using engine::Problems;

/// Returns the word that the draft sets for a preset, if it is an allowed one.
std::optional<std::string> wordAt(const ExperimentDraft& draft, std::string_view path) {
    const auto found = draft.explicitValues.find(path);
    const auto* word = found == draft.explicitValues.end() ? nullptr : std::get_if<std::string>(&found->second);
    return word != nullptr ? std::optional(*word) : std::nullopt;
}

/// Returns the sub-layer of the draft, or the default if the draft names no existing one.
engine::SubLayer sublayerOf(const ExperimentDraft& draft) {
    return engine::sublayerNamed(wordAt(draft, "workload.sublayer").value_or(""))
        .value_or(engine::WorkloadConfig{}.sublayer);
}

void write(Experiment& experiment, const Settings& settings) {
    for (const auto& [path, value] : settings)
        engine::findParameter(path)->write(experiment, value);
}

/// Applies presets by name; a wrong name leaves the default, and is reported with the other values.
void applyPresets(const ExperimentDraft& draft, Experiment& experiment) {
    if (const auto name = wordAt(draft, "machine")) {
        if (const Preset* machine = findMachine(*name))
            write(experiment, machine->settings);
    }
    // A collective or a GEMM alone has no model: two experiments that differ only in its name are the same.
    if (engine::isPartOfModel(sublayerOf(draft))) {
        const Preset* model = findModel(wordAt(draft, "workload.model").value_or(experiment.workload.model));
        if (model)
            write(experiment, model->settings);
    }
    if (const auto preset = engine::policyPresetNamed(wordAt(draft, "policy.preset").value_or("")))
        engine::applyPolicyPreset(experiment, *preset);
    if (const auto level = wordAt(draft, "detail.level")) {
        using enum engine::DetailLevel;
        for (const auto candidate : {interactive, standard, fine}) {
            if (engine::name(candidate) == *level)
                engine::applyDetailLevel(experiment, candidate);
        }
    }
}

std::optional<Problem> problemOf(const std::string& path, const ParameterValue& value, const ExperimentDraft& draft) {
    const Parameter* parameter = engine::findParameter(path);
    if (!parameter)
        return Problem{path, "", "no parameter has this name"};
    if (auto problem = engine::check(*parameter, value))
        return problem;
    if (path != "machine" && path != "workload.model")
        return std::nullopt;
    const auto& name = std::get<std::string>(value);
    std::string text = whyUnknown(path, name, 1, [&](const auto& each) { return draft.explicitValues.contains(each); });
    return text.empty() ? std::nullopt : std::optional(Problem{path, name, std::move(text)});
}

bool isModelSize(const std::string& path) {
    const Parameter* parameter = engine::findParameter(path);
    return parameter != nullptr && parameter->group == engine::ParameterGroup::model && path != "workload.model";
}

/// Reports values that have no effect in this kind of workload, instead of ignoring them. A value that equals its
/// default is allowed, because the complete document of a run contains every parameter and must run again.
std::optional<Problem> uselessValue(const std::string& path, const ParameterValue& value, engine::SubLayer sublayer) {
    const Parameter& parameter = *engine::findParameter(path);
    if (value == parameter.defaultValue)
        return std::nullopt;
    const bool isGemm = sublayer == engine::SubLayer::gemm, isAccess = sublayer == engine::SubLayer::access;
    const auto useless = [&](const char* text) { return Problem{path, engine::formatValue(parameter, value), text}; };
    if (path == "workload.bytes" && !engine::isCollectiveAlone(sublayer))
        return useless(isAccess ? "an access pattern has no collective; leave it out and set access.count, or choose "
                                  "workload.sublayer reduce-scatter, all-gather or all-reduce"
                       : isGemm
                           ? "a GEMM alone sends no data to other GPUs; leave it out and set matrix.m, matrix.n and "
                             "matrix.k, or choose workload.sublayer reduce-scatter, all-gather or all-reduce"
                           : "a sub-layer's size follows from its GEMM; leave it out, or choose workload.sublayer "
                             "reduce-scatter, all-gather or all-reduce");
    if (isModelSize(path) && !engine::isPartOfModel(sublayer))
        return useless(isAccess ? "an access pattern has no model; leave it out and set access.*, or choose "
                                  "workload.sublayer op, fc-2, fc-1 or ip"
                       : isGemm ? "a GEMM alone has no model; leave it out and set matrix.m, matrix.n and matrix.k, or "
                                  "choose workload.sublayer op, fc-2, fc-1 or ip"
                                : "a collective alone has no GEMM; leave it out and set workload.bytes, or choose "
                                  "workload.sublayer op, fc-2, fc-1 or ip");
    return std::nullopt;
}

/// Adds a notice if slicing a GEMM evenly cuts through a head. This is not refused, because published cases do so.
void noteCutHeads(const char* path, const char* what, std::optional<std::int64_t> heads, const Experiment& experiment,
                  engine::Notices& notices) {
    const std::int64_t tp = experiment.parallel.tp;
    if (heads && *heads % tp != 0)
        notices.push_back({path, std::to_string(*heads) + " " + what + " heads are not divisible by " +
                                     std::to_string(tp) +
                                     " GPUs: the GEMMs are still sliced evenly, as in published cases"});
}

}  // namespace

std::string whyUnknown(const std::string& path, const std::string& name, std::size_t mostSuggested,
                       const std::function<bool(const std::string&)>& isSet) {
    const std::vector<std::string> names = namesOf(path == "machine" ? machines() : models(), &Preset::name);
    const std::vector<std::string>& said = neededPaths(path);
    const bool isModel = path != "machine";
    if (std::ranges::count(names, name) != 0 || std::ranges::all_of(said, isSet) || (isModel && setsNetwork(isSet)))
        return {};
    auto near = engine::nearestNames(name, names);
    near.resize(std::min(near.size(), mostSuggested));
    return "unknown" + (near.empty() ? std::string() : ", did you mean " + joinedNames(near, " or ") + "?") +
           "; allowed: one of " + joinedNames(names, ", ") + ", or any name beside values for " +
           joinedNames(said, " and ") + (isModel ? ", or for workload.batch and workload.network" : "");
}

engine::Notices noticesOfRemoved(const ExperimentDraft& draft) {
    engine::Notices notices;
    for (const std::string& path : std::set(draft.removed.begin(), draft.removed.end()))
        notices.push_back({path, std::string(whyRemoved(path).value_or("not a setting")) + "; ignored"});
    return notices;
}

Expansion expandValues(const ExperimentDraft& draft) {
    Expansion expansion;
    expansion.notices = noticesOfRemoved(draft);
    Experiment& experiment = expansion.experiment;
    applyPresets(draft, experiment);
    const engine::SubLayer sublayer = sublayerOf(draft);
    const bool hasModel = engine::isPartOfModel(sublayer);
    const auto model = wordAt(draft, "workload.model");
    const bool ownModel = model && findModel(*model) == nullptr;
    for (const auto& [path, value] : draft.explicitValues) {
        // Sizes in a draft that names an own model belong to that model, and are dropped when a collective or a GEMM
        // alone is chosen.
        if (!hasModel && ownModel && isModelSize(path))
            continue;
        auto problem = problemOf(path, value, draft);
        if (!problem)
            problem = uselessValue(path, value, sublayer);
        if (problem) {
            expansion.problems.push_back(std::move(*problem));
        } else if (!hasModel && path == "workload.model") {
            if (value != engine::findParameter(path)->defaultValue)
                expansion.notices.push_back(
                    {path, sublayer == engine::SubLayer::access
                               ? "an access pattern has no model: access.* give its requests"
                           : sublayer == engine::SubLayer::gemm
                               ? "a GEMM alone has no model: matrix.m, matrix.n and matrix.k give its size"
                               : "a collective alone has no model: workload.bytes gives its size"});
        } else {
            engine::findParameter(path)->write(experiment, value);
        }
    }
    if (hasModel) {
        const engine::WorkloadConfig& workload = experiment.workload;
        noteCutHeads("workload.heads", "query", workload.heads, experiment, expansion.notices);
        noteCutHeads("workload.kv_heads", "key and value", workload.kvHeads, experiment, expansion.notices);
    }
    expansion.ofValues = expansion.problems.size();
    return expansion;
}

bool hasRun(const ExperimentDraft& draft) {
    const Experiment experiment = expandValues(draft).experiment;
    return !engine::isNetwork(experiment) || !engine::isPartOfModel(experiment.workload.sublayer);
}

namespace {

std::atomic<std::uint64_t> expansions{0};

Expansion expandedAsItIs(const ExperimentDraft& draft) {
    Expansion expansion = expandValues(draft);
    append(expansion.problems, engine::validate(expansion.experiment));
    return expansion;
}

bool isWrongAt(const std::string& path, const ExperimentDraft& draft) {
    const Problems problems = expandedAsItIs(draft).problems;
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) { return problem.path == path; });
}

/// Returns the setting that causes the problem, preferably one that the problem's text names; null if there is none.
const Settings::value_type* causeOf(const Problem& problem, const ExperimentDraft& draft) {
    const Settings::value_type* found = nullptr;
    for (const auto& setting : draft.explicitValues) {
        ExperimentDraft without = draft;
        without.explicitValues.erase(setting.first);
        if (isWrongAt(problem.path, without))
            continue;
        if (problem.text.find(setting.first) != std::string::npos)
            return &setting;
        found = found == nullptr ? &setting : found;
    }
    return found;
}

/// Moves a problem from a parameter that was not set to the setting that causes it, because a reader may not know that
/// parameter.
Problem atItsCause(Problem problem, const ExperimentDraft& draft) {
    const Settings::value_type* cause = draft.explicitValues.contains(problem.path) ? nullptr : causeOf(problem, draft);
    if (cause == nullptr)
        return problem;
    const Parameter* parameter = engine::findParameter(cause->first);
    return {cause->first, parameter != nullptr ? engine::formatValue(*parameter, cause->second) : std::string(),
            "conflicts with " + problem.path + " = " + problem.value + ", which was not set; " + problem.path + ": " +
                problem.text};
}

}  // namespace

engine::Experiment runnableExperiment(const ExperimentDraft& draft) {
    Expansion expansion = expand(draft);
    refuseAny(std::move(expansion.problems));
    return std::move(expansion.experiment);
}

std::uint64_t expansionsSoFar() { return expansions; }

Expansion expand(const ExperimentDraft& draft) {
    ++expansions;
    Expansion expansion = expandedAsItIs(draft);
    for (std::size_t i = expansion.ofValues; i < expansion.problems.size(); ++i)
        expansion.problems[i] = atItsCause(std::move(expansion.problems[i]), draft);
    return expansion;
}

}  // namespace data
