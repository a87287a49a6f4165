#include "data/experiment_document.h"

#include <algorithm>
#include <optional>

namespace data {
namespace {

using engine::Experiment;
using engine::Parameter;
using engine::ParameterValue;
using engine::Problem;
using engine::Problems;

/// The word that the draft gives for a preset, when it gives an allowed one.
std::optional<std::string> wordAt(const ExperimentDraft& draft, std::string_view path) {
    const auto found = draft.explicitValues.find(path);
    if (found == draft.explicitValues.end())
        return std::nullopt;
    const auto* word = std::get_if<std::string>(&found->second);
    return word ? std::optional<std::string>(*word) : std::nullopt;
}

void write(Experiment& experiment, const Settings& settings) {
    for (const auto& [path, value] : settings)
        engine::findParameter(path)->write(experiment, value);
}

std::vector<std::string> namesOf(std::span<const Preset> presets) {
    std::vector<std::string> names;
    for (const Preset& preset : presets)
        names.push_back(preset.name);
    return names;
}

std::optional<Problem> unknownPreset(std::span<const Preset> presets, const std::string& path,
                                     const std::string& name) {
    const auto names = namesOf(presets);
    if (std::find(names.begin(), names.end(), name) != names.end())
        return std::nullopt;
    std::string text = "unknown";
    const auto near = engine::nearestNames(name, names);
    if (!near.empty())
        text += ", did you mean " + near.front() + "?";
    text += "; allowed: one of ";
    for (const std::string& known : names)
        text += (known == names.front() ? "" : ", ") + known;
    return Problem{path, name, text};
}

/// Presets by name; a bad name leaves the default, and is reported with the other values.
void applyPresets(const ExperimentDraft& draft, Experiment& experiment) {
    if (const auto name = wordAt(draft, "machine")) {
        if (const Preset* machine = findMachine(*name))
            write(experiment, machine->settings);
    }
    const auto sublayer = engine::sublayerNamed(wordAt(draft, "workload.sublayer").value_or(""));
    // A collective alone has no model: two that differ in its name only are the same experiment.
    if (!sublayer || !engine::isCollectiveAlone(*sublayer)) {
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

std::optional<Problem> problemOf(const std::string& path, const ParameterValue& value) {
    const Parameter* parameter = engine::findParameter(path);
    if (!parameter)
        return Problem{path, "", "no parameter has this name"};
    if (auto problem = engine::check(*parameter, value))
        return problem;
    if (path == "machine")
        return unknownPreset(machines(), path, std::get<std::string>(value));
    if (path == "workload.model")
        return unknownPreset(models(), path, std::get<std::string>(value));
    return std::nullopt;
}

bool isOneOf(std::string_view path, std::initializer_list<std::string_view> candidates) {
    return std::find(candidates.begin(), candidates.end(), path) != candidates.end();
}

/// Values that have no say in this kind of workload. Saying so beats ignoring them; a value at its default is let
/// through, because the complete document of a run carries every parameter and must run again.
std::optional<Problem> uselessValue(const std::string& path, const ParameterValue& value, bool collectiveAlone) {
    const Parameter& parameter = *engine::findParameter(path);
    if (value == parameter.defaultValue)
        return std::nullopt;
    if (!collectiveAlone && path == "workload.bytes")
        return Problem{path, engine::formatValue(parameter, value),
                       "a sub-layer's size follows from its GEMM; leave it out, or choose workload.sublayer "
                       "reduce-scatter, all-gather or all-reduce"};
    if (collectiveAlone && isOneOf(path, {"workload.hidden", "workload.sequence", "workload.batch"}))
        return Problem{
            path, engine::formatValue(parameter, value),
            "a collective alone has no GEMM; leave it out and set workload.bytes, or choose workload.sublayer "
            "op, fc-2, fc-1 or ip"};
    return std::nullopt;
}

}  // namespace

Expansion expand(const ExperimentDraft& draft) {
    Expansion expansion;
    Experiment& experiment = expansion.experiment;
    applyPresets(draft, experiment);
    const auto sublayer = engine::sublayerNamed(wordAt(draft, "workload.sublayer").value_or(""));
    const bool collectiveAlone = sublayer && engine::isCollectiveAlone(*sublayer);
    for (const auto& [path, value] : draft.explicitValues) {
        auto problem = problemOf(path, value);
        if (!problem)
            problem = uselessValue(path, value, collectiveAlone);
        if (problem) {
            expansion.problems.push_back(std::move(*problem));
        } else if (collectiveAlone && path == "workload.model") {
            if (value != engine::findParameter(path)->defaultValue)
                expansion.notices.push_back({path, "a collective alone has no model: workload.bytes gives its size"});
        } else {
            engine::findParameter(path)->write(experiment, value);
        }
    }
    for (Problem& problem : engine::validate(experiment))
        expansion.problems.push_back(std::move(problem));
    return expansion;
}

}  // namespace data
