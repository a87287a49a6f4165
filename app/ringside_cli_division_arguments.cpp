#include "app/ringside_cli_division_arguments.h"

#include "app/ringside_cli_draft.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/presets/preset_document.h"
#include "engine/api/footprint.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <array>
#include <utility>

namespace cli {
namespace {

/// An option that sets a parameter.
struct DivisionOption {
    const char* option;
    const char* path;
    std::string DivisionArguments::*text;
};

constexpr std::array kDivisionOptions{DivisionOption{"--weights", "division.weights", &DivisionArguments::weights},
                                      DivisionOption{"--tp", "parallel.tp", &DivisionArguments::tp},
                                      DivisionOption{"--pp", "division.pp", &DivisionArguments::pp},
                                      DivisionOption{"--dp", "division.dp", &DivisionArguments::dp}};

data::ExperimentDraft divisionDraft(const DivisionArguments& arguments, engine::Problems& problems) {
    if (arguments.model.empty() == arguments.weights.empty())
        problems.push_back({"MODEL", arguments.model,
                            arguments.model.empty() ? "missing; allowed: a model, or --weights N"
                                                    : "given together with --weights; allowed: one of them"});
    data::DraftReading reading =
        arguments.model.empty() ? readDefaults(arguments.settings) : readModel(arguments.model, arguments.settings);
    data::append(problems, reading.problems);
    sayRemovedSettings(reading.draft);
    refuseUnread(reading.draft, problems);
    for (const DivisionOption& option : kDivisionOptions) {
        if (const std::string& text = arguments.*option.text; !text.empty())
            setByOption(option.option, option.path, text, reading.draft, problems);
    }
    const data::Preset* preset = arguments.model.empty() ? nullptr : data::findModel(arguments.model);
    if (arguments.model.empty())
        reading.draft.explicitValues.emplace("parallel.tp", std::int64_t{1});
    else if (preset != nullptr && !preset->tps.empty())
        reading.draft.explicitValues.emplace("parallel.tp", preset->tps.front());
    return reading.draft;
}

}  // namespace

void refuseUnread(const data::ExperimentDraft& draft, engine::Problems& problems) {
    for (const char* path : {"workload.sublayer", "workload.bytes"}) {
        const auto found = draft.explicitValues.find(path);
        if (found != draft.explicitValues.end())
            problems.push_back({path, engine::formatValue(*engine::findParameter(path), found->second),
                                "a whole model has all its sub-layers; leave it out"});
    }
}

void addDivision(const Command& command, DivisionArguments& arguments, const char* columns) {
    addModel(command, arguments.model);
    addText(command, "--weights", arguments.weights,
            "A number of weights instead of MODEL, such as 7.5e9; gives only model states and data-parallel messages",
            "N");
    addPhase(command, arguments.phase);
    addText(command, "--tp", arguments.tp,
            "GPUs of the tensor-parallel group (default: the model's published degree; with --weights 1)", "N");
    addText(command, "--pp", arguments.pp, "Stages of the pipeline (default: 1)", "N");
    addText(command, "--dp", arguments.dp, "Replicas (default: 1)", "N");
    command.option("--sharding", arguments.shardings, columns).separated().type("A,B,...");
    addSettings(command, arguments);
    addForms(command, arguments.output);
}

engine::ModelPhase phaseOf(const DivisionArguments& arguments) { return *engine::modelPhaseNamed(arguments.phase); }

std::vector<engine::Experiment> experimentsOf(const DivisionArguments& arguments) {
    engine::Problems problems;
    const data::ExperimentDraft draft = divisionDraft(arguments, problems);
    std::vector<data::ExperimentDraft> drafts(arguments.shardings.empty() ? 1 : arguments.shardings.size(), draft);
    for (std::size_t i = 0; i < arguments.shardings.size(); ++i)
        setByOption("--sharding", "division.sharding", arguments.shardings[i], drafts[i], problems);
    std::vector<engine::Experiment> experiments;
    experiments.reserve(drafts.size());
    for (const data::ExperimentDraft& one : drafts)
        experiments.push_back(wholeModelOf(one, problems));
    if (problems.empty()) {
        for (const engine::Experiment& experiment : experiments) {
            for (engine::Problem& problem : engine::footprintProblems(experiment, phaseOf(arguments)))
                data::addOnce(problems, std::move(problem));
        }
    }
    data::refuseAny(std::move(problems));
    return experiments;
}

std::string divisionText(const engine::Experiment& experiment, engine::ModelPhase phase) {
    const engine::DivisionConfig& division = experiment.division;
    const std::string what = division.weights ? std::to_string(*division.weights) + " weights"
                                              : experiment.workload.model + ", " + std::string(engine::name(phase));
    return what + "; tp " + std::to_string(experiment.parallel.tp) + ", pp " + std::to_string(division.pp) + ", dp " +
           std::to_string(division.dp) + ", micro-batches " + std::to_string(division.microbatches);
}

Json divisionJson(const engine::Experiment& experiment, engine::ModelPhase phase) {
    const engine::DivisionConfig& division = experiment.division;
    Json json{{"engine_version", engine::engineVersion()},
              {"model", division.weights ? Json(nullptr) : Json(experiment.workload.model)},
              {"weights", division.weights ? Json(*division.weights) : Json(nullptr)},
              {"phase", engine::name(phase)},
              {"machine", experiment.machine},
              {"tp", experiment.parallel.tp},
              {"pp", division.pp},
              {"dp", division.dp},
              {"microbatches", division.microbatches}};
    return json;
}

std::string shardingWord(const engine::Experiment& experiment) {
    const engine::Parameter& parameter = *engine::findParameter("division.sharding");
    return engine::formatValue(parameter, parameter.read(experiment));
}

}  // namespace cli
