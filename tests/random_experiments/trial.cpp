#include "tests/random_experiments/trial.h"

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/golden/combinations.h"
#include "tests/random_experiments/random_experiment.h"

#include <cctype>
#include <exception>

namespace tests {

namespace {

using namespace engine;

bool mayDeadlock(const Experiment& experiment) { return experiment.tracker.ways == 0; }

/// Returns the experiment whose values shrinking restores: the defaults, with the sizes of a small workload.
Experiment plain(PolicyPreset policy, const Experiment& experiment) {
    Experiment plainOne = smallInteractive(policy, 4);
    plainOne.workload.sublayer = experiment.workload.sublayer;
    dropWhatIsNotRead(plainOne);
    return plainOne;
}

/// Tries to reset one parameter. Returns true if that changed the experiment and the alarm is still there.
bool reset(Experiment& experiment, const Parameter& parameter,
           const std::function<bool(const Experiment&)>& stillAlarms) {
    const ParameterValue value = parameter.read(plain(experiment.policy.preset, experiment));
    if (parameter.read(experiment) == value)
        return false;
    Experiment candidate = experiment;
    parameter.write(candidate, value);
    if (!canBeTried(candidate) || !stillAlarms(candidate))
        return false;
    experiment = std::move(candidate);
    return true;
}

bool resetGroup(Experiment& experiment, ParameterGroup group,
                const std::function<bool(const Experiment&)>& stillAlarms) {
    Experiment candidate = experiment;
    const Experiment plainOne = plain(experiment.policy.preset, experiment);
    for (const Parameter& parameter : parameters()) {
        if (parameter.group == group)
            parameter.write(candidate, parameter.read(plainOne));
    }
    if (candidate == experiment || !canBeTried(candidate) || !stillAlarms(candidate))
        return false;
    experiment = std::move(candidate);
    return true;
}

/// Returns a draft of the named case with settings for all values that differ from its presets.
data::ExperimentDraft draftOf(const Experiment& experiment, const std::string& name) {
    data::ExperimentDraft draft = data::draftNamed(name).draft;
    draft.explicitValues.insert_or_assign("policy.preset", findParameter("policy.preset")->read(experiment));
    draft.explicitValues.insert_or_assign("detail.level", findParameter("detail.level")->read(experiment));
    const Experiment expanded = data::expand(draft).experiment;
    for (const Parameter& parameter : parameters()) {
        const ParameterValue value = parameter.read(experiment);
        if (value != parameter.read(expanded))
            draft.explicitValues.insert_or_assign(parameter.path, value);
    }
    return draft;
}

std::string quoted(const std::string& text) {
    return text.find_first_of(" >,") == std::string::npos ? text : "'" + text + "'";
}

}  // namespace

std::string withoutNumbers(const std::string& text) {
    std::string plainText;
    for (const char c : text) {
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!digit || plainText.empty() || plainText.back() != '#')
            plainText += digit ? '#' : c;
    }
    return plainText;
}

std::vector<Alarm> alarmsOf(const Experiment& experiment) {
    std::vector<Alarm> alarms;
    try {
        for (const Check& check : verify(experiment)) {
            if (!check.held)
                alarms.push_back({withoutNumbers(check.group + ": " + check.name), check.evidence});
        }
    } catch (const Deadlock& deadlock) {
        if (!mayDeadlock(experiment))
            alarms.push_back({"deadlock", deadlock.what()});
    } catch (const std::exception& error) {
        alarms.push_back({"exception: " + withoutNumbers(error.what()), error.what()});
    }
    return alarms;
}

Experiment shrunk(Experiment experiment, const std::function<bool(const Experiment&)>& stillAlarms) {
    for (int group = 0; group <= static_cast<int>(ParameterGroup::detail); ++group)
        resetGroup(experiment, static_cast<ParameterGroup>(group), stillAlarms);
    constexpr int kRounds = 3;  // a parameter that could not be reset may be reset after others were
    bool smaller = true;
    for (int round = 0; smaller && round < kRounds; ++round) {
        smaller = false;
        for (const Parameter& parameter : parameters())
            smaller = reset(experiment, parameter, stillAlarms) || smaller;
    }
    return experiment;
}

std::string verifyCommand(const Experiment& experiment) {
    Experiment ofUsualModel = experiment;
    ofUsualModel.workload.model = "t-nlg";
    const std::string caseName = data::caseName(ofUsualModel);
    const data::ExperimentDraft draft = draftOf(experiment, caseName);
    const data::Settings named = data::draftNamed(caseName).draft.explicitValues;
    std::string command = "ringside-cli verify " + caseName;
    for (const auto& [path, value] : draft.explicitValues) {
        if (const auto given = named.find(path); given != named.end() && given->second == value)
            continue;
        std::string text = formatValue(*findParameter(path), value);
        std::erase_if(text, [&](char c) { return c == ' ' && path != "topology.links"; });
        command += " --set " + quoted(path + "=" + text);
    }
    const data::Expansion expansion = data::expand(draft);
    if (!expansion.runnable() || expansion.experiment != experiment)
        return "ringside-cli verify - <<< '" + data::canonicalForm(experiment) + "'";
    return command;
}

}  // namespace tests
