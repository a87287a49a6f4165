#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_report.h"
#include "app/ringside_cli_watch.h"
#include "data/document/document_reader.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/model/projection.h"
#include "data/presets/preset_document.h"
#include "data/trace/timetable_trace.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

namespace cli {
namespace {

struct ModelArguments : CommonArguments {
    std::string model;
    std::string phase = "training";
    std::optional<std::int64_t> tp;
    std::vector<std::string> policies;  ///< empty: the usual ones, or those of a projection
    std::string projectFrom;
    std::vector<std::string> tables;  ///< the names given to --show; empty: the default tables
    std::string tableFile;            ///< with rules for collectives
    std::string trace;                ///< file for the timetable of the step
    bool full = false;
};

constexpr const char* kProjectOption = "--project-from";
constexpr const char* kTableOption = "--table";

constexpr std::array kTableNames{std::pair{"step", ModelTable::step}, std::pair{"parts", ModelTable::parts},
                                 std::pair{"operators", ModelTable::operators},
                                 std::pair{"classes", ModelTable::classes}};

std::vector<std::string> tableNames() {
    std::vector<std::string> names;
    for (const auto& [name, table] : kTableNames)
        names.emplace_back(name);
    return names;
}

/// Returns the tables to print, each once.
std::vector<ModelTable> tablesOf(const ModelArguments& arguments, bool isStep, engine::Problems& problems) {
    std::vector<ModelTable> tables;
    for (const std::string& asked : arguments.tables) {
        for (const auto& [name, table] : kTableNames) {
            if (asked == name)
                data::addOnce(tables, table);
        }
    }
    const std::string shown = data::joinedNames(arguments.tables, ",");
    if (arguments.model == data::kAllModels && !tables.empty())
        problems.push_back(
            {"--show", shown, "tables exist for one model only; name one instead of all, or leave --show out"});
    else if (arguments.output == Output::csv && tables.size() > 1)
        problems.push_back({"--show", shown, "CSV has one table; allowed: step, parts, operators or classes"});
    if (!tables.empty())
        return tables;
    if (arguments.output == Output::csv)
        return {isStep ? ModelTable::step : ModelTable::parts};
    tables = {ModelTable::parts, ModelTable::operators};
    if (isStep)
        tables.insert(tables.begin(), ModelTable::step);
    return tables;
}

/// Refuses settings that --policies or the phase decide instead of --set.
void refuseForeign(const data::ExperimentDraft& draft, engine::Problems& problems) {
    const auto refuse = [&](std::string_view path, const char* text) {
        const auto found = draft.explicitValues.find(path);
        if (found != draft.explicitValues.end())
            problems.push_back(
                {std::string(path), engine::formatValue(*engine::findParameter(path), found->second), text});
    };
    constexpr const char* kByPolicies = "a whole model is timed under the policies that --policies names; leave it out";
    refuse("policy.preset", kByPolicies);
    for (const std::string_view path : engine::kPolicyPartPaths)
        refuse(path, kByPolicies);
    for (const char* path : {"workload.sublayer", "workload.bytes"})
        refuse(path, "a whole model has all its sub-layers; leave it out");
}

/// Sets the requested degree.
void setDegree(const ModelArguments& arguments, data::ExperimentDraft& draft, engine::Problems& problems) {
    if (!arguments.tp)
        return;
    const engine::Parameter& parameter = *engine::findParameter("parallel.tp");
    if (auto problem = engine::check(parameter, *arguments.tp)) {
        problem->path = "--tp";
        problems.push_back(std::move(*problem));
    } else {
        draft.explicitValues.insert_or_assign(parameter.path, *arguments.tp);
    }
}

/// Sets the table of collectives that --table names.
void setTable(const ModelArguments& arguments, data::ExperimentDraft& draft, engine::Problems& problems) {
    if (arguments.tableFile.empty())
        return;
    const std::size_t before = problems.size();
    const std::string text = data::readText(arguments.tableFile, problems);
    if (problems.size() == before)
        setByOption(kTableOption, "collective.table", text, draft, problems);
}

/// Returns the draft at each degree to run: the degree that is set; otherwise the published degrees, of which a single
/// model uses only the first.
std::vector<data::ExperimentDraft> withDegrees(const data::ExperimentDraft& draft, const std::string& model) {
    const data::Preset* preset = data::findModel(model);
    if (preset == nullptr || preset->tps.empty() || draft.explicitValues.contains("parallel.tp"))
        return {draft};
    std::vector<data::ExperimentDraft> drafts;
    for (const std::int64_t degree : preset->tps) {
        drafts.push_back(draft);
        drafts.back().explicitValues.emplace("parallel.tp", degree);
    }
    return drafts;
}

/// `single`: the model is a network, whose times differ little between policies.
std::vector<engine::PolicyPreset> policiesOf(const ModelArguments& arguments, bool single, engine::Problems& problems) {
    if (arguments.policies.empty() && (single || !arguments.projectFrom.empty()))
        return {engine::PolicyPreset::sequential};
    std::vector<engine::PolicyPreset> policies;
    for (const std::string& name : arguments.policies.empty() ? kUsualPolicies : arguments.policies) {
        if (const auto policy = engine::policyPresetNamed(name)) {
            policies.push_back(*policy);
            continue;
        }
        auto problem = engine::check(*engine::findParameter("policy.preset"), name);
        problems.push_back({"--policies", name, problem ? problem->text : "unknown"});
    }
    return policies;
}

/// Returns the experiments of one model, at each of its degrees.
std::vector<data::ExperimentDraft> draftsOf(const ModelArguments& arguments, const std::string& model,
                                            engine::Problems& problems) {
    data::DraftReading reading = readModel(model, arguments.settings);
    data::append(problems, reading.problems);
    sayRemovedSettings(reading.draft);
    refuseForeign(reading.draft, problems);
    setDegree(arguments, reading.draft, problems);
    setTable(arguments, reading.draft, problems);
    reading.draft.explicitValues.emplace("detail.level", std::string("interactive"));
    return withDegrees(reading.draft, model);
}

data::ModelRunOptions optionsOf(const ModelArguments& arguments, bool single, engine::Problems& problems) {
    data::ModelRunOptions options;
    options.phase = *engine::modelPhaseNamed(arguments.phase);
    options.policies = policiesOf(arguments, single, problems);
    options.threads = arguments.threads;
    return options;
}

/// Adds problems of a projection under the names of the options that cause them.
void addProjectionProblems(engine::Problems ofProjection, engine::Problems& problems) {
    for (engine::Problem& problem : ofProjection) {
        if (problem.path == data::kProjectFrom)
            problem.path = kProjectOption;
        else if (problem.path == "policy.preset")
            problem.path = "--policies";
        problems.push_back(std::move(problem));
    }
}

/// Returns the model of --project-from MODEL2[/tpN] on the machine and with the settings of `draft`. Without a degree it
/// has its first published one.
engine::Experiment sourceOf(const std::string& text, const data::ExperimentDraft& draft, engine::Problems& problems) {
    constexpr std::string_view kDegree = "/tp";
    const std::size_t slash = text.rfind(kDegree);
    const std::string degree = slash == std::string::npos ? "" : text.substr(slash + kDegree.size());
    const bool hasDegree = !degree.empty() && degree.find_first_not_of("0123456789") == std::string::npos;
    const std::string model = hasDegree ? text.substr(0, slash) : text;
    engine::Problems ofSource;
    data::DraftReading reading = readModel(model, {});
    data::append(ofSource, reading.problems);
    if (hasDegree)
        setByOption(kProjectOption, "parallel.tp", degree, reading.draft, ofSource);
    data::ExperimentDraft values = withDegrees(reading.draft, model).front();
    std::erase_if(values.explicitValues, [](const auto& value) { return !data::isOfSource(value.first); });
    engine::Experiment source = wholeModelOf(data::sourceDraft(draft, values.explicitValues), ofSource);
    for (engine::Problem& problem : ofSource)
        problems.push_back({kProjectOption, std::move(problem.value), std::move(problem.text)});
    return source;
}

/// Returns the times of one model, simulated or projected. Throws engine::InvalidExperiment with all problems, of which
/// some are known already.
data::ModelRun timesOf(const ModelArguments& arguments, const data::ExperimentDraft& draft,
                       data::ModelRunOptions options, engine::Problems problems) {
    const engine::Experiment experiment = wholeModelOf(draft, problems);
    if (arguments.projectFrom.empty()) {
        data::append(problems, data::modelRunProblems(experiment, options));
        data::refuseAny(std::move(problems));
        return watched(options, [&] { return data::modelRun(experiment, options); });
    }
    const std::size_t before = problems.size();
    const engine::Experiment source = sourceOf(arguments.projectFrom, draft, problems);
    if (problems.size() == before)
        addProjectionProblems(data::projectionProblems(experiment, source, options), problems);
    data::refuseAny(std::move(problems));
    return watched(options, [&] { return data::projectedRun(experiment, source, options); });
}

/// Writes the timetable of the step under the only policy.
void writeTrace(const data::ModelRun& run, const std::string& path) {
    const data::ModelStep step = data::stepOf(run, run.policies.front());
    const std::string title =
        run.base.workload.model + ", " + divisionOfStepText(run.base) + ", " + std::string(engine::name(step.policy));
    data::writeTimetableFile(step.graph, step.timetable,
                             {title, "ps", 1, [&](engine::TaskIndex task) { return data::nameOf(step, task); }}, path);
}

int oneModel(const ModelArguments& arguments) {
    engine::Problems problems;
    const auto drafts = draftsOf(arguments, arguments.model, problems);
    engine::Problems ofDraft;
    const engine::Experiment whole = wholeModelOf(drafts.front(), ofDraft);
    const data::ModelRunOptions options = optionsOf(arguments, engine::isNetwork(whole), problems);
    const bool isStep = data::isStep(whole);
    const std::vector<ModelTable> tables = tablesOf(arguments, isStep, problems);
    if (!arguments.trace.empty() && options.policies.size() != 1)
        problems.push_back(
            {"--trace", arguments.trace, "a timetable is that of one policy; allowed: one for --policies"});
    const data::ModelRun run = timesOf(arguments, drafts.front(), options, std::move(problems));
    if (!arguments.trace.empty())
        writeTrace(run, arguments.trace);
    writeModelRun(run, arguments.threads, arguments.output, tables, std::cout);
    if (run.projection && arguments.output == Output::csv)
        std::cerr << "note: the times are projected from " << run.projection->from << "\n";
    return sayBroken(run.broken);
}

/// Runs all models. Refuses a setting that no model can have; leaves out a model that cannot run with settings that
/// others can have.
int allModels(const ModelArguments& arguments) {
    engine::Problems problems;
    std::vector<engine::Experiment> experiments;
    for (const data::Preset& preset : data::models()) {
        if (preset.tps.empty())
            continue;
        engine::Problems ofModel;
        for (const data::ExperimentDraft& draft : draftsOf(arguments, preset.name, ofModel)) {
            experiments.push_back(wholeModelOf(draft, ofModel));
            if (const std::string& set = experiments.back().workload.model; set != preset.name)
                ofModel.push_back({"workload.model", set, "all models are timed; leave it out, or give it as MODEL"});
        }
        for (const engine::Problem& problem : ofModel)
            data::addOnce(problems, problem);
    }
    data::ModelRunOptions options = optionsOf(arguments, false, problems);
    tablesOf(arguments, false, problems);
    if (!arguments.trace.empty())
        problems.push_back(
            {"--trace", arguments.trace, "a trace has one model; name one instead of all, or leave it out"});
    if (!arguments.projectFrom.empty())
        problems.push_back({kProjectOption, arguments.projectFrom,
                            "times are projected to one model; name one instead of all, or leave it out"});
    data::refuseAny(std::move(problems));
    const data::ModelSurvey survey = watched(options, [&] { return data::surveyModels(experiments, options); });
    writeModelSurvey(survey, arguments.threads, arguments.output, arguments.full, std::cout);
    data::BrokenInvariants broken;
    for (const data::ModelRun& run : survey.runs)
        broken.add(run.broken);
    return sayBroken(broken);
}

int model(const ModelArguments& arguments) {
    return arguments.model == data::kAllModels ? allModels(arguments) : oneModel(arguments);
}

}  // namespace

void declareModel(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "model", "Time a training step, a prompt (prefill) or a generated token (decode) of a whole model",
        "\nExample:\n"
        "  ringside-cli model t-nlg --phase prompt --tp 16 --policies sequential,t3,t3-mca,ideal-overlap --threads 2\n"
        "  ringside-cli model t-nlg --show classes --set operators.attention=separate --set operators.element_bits=32\n"
        "  ringside-cli model gpt-3 --tp 8 --set division.pp=8 --set division.microbatches=64 "
        "--policies sequential,t3-mca --show step\n"
        "  ringside-cli model all --phase training --threads 2\n"
        "  ringside-cli model dlrm --tp 32 --table resources/examples/measured.txt\n"
        "  ringside-cli model gpt-3 --tp 32 --project-from mega-gpt-2/tp8",
        model);
    command
        .option(
            "MODEL", arguments.model,
            "A model preset, bundled or your own, a preset file as `convert` writes it, or `all`: every bundled model "
            "that has published degrees, at each of them or at --tp")
        .required();
    addPhase(command, arguments.phase);
    command.option("--tp", arguments.tp, "GPUs of the tensor-parallel group (default: the model's published degree)")
        .type("N");
    arguments.policies = kUsualPolicies;
    addPolicies(command, arguments.policies, "columns");
    arguments.policies.clear();
    addText(command, kProjectOption, arguments.projectFrom,
            "Project the times instead of simulating them: those of MODEL2 at N GPUs (default: its published degree) "
            "under sequential, scaled by flops, bytes and sent bytes of each operator",
            "MODEL2[/tpN]");
    command
        .option("--show", arguments.tables,
                "Tables of one model: the step of all stages, replicas and micro-batches; of one micro-batch, parts of "
                "the time, operators, classes of operators (default: parts,operators; CSV: parts; step is first if "
                "the model is divided). JSON has all")
        .separated()
        .among(tableNames())
        .type("TABLE,...");
    addText(
        command, kTableOption, arguments.tableFile,
        "Rules for collectives by operation, GPUs and size, as `collectives tune` and `collectives import` print them "
        "(collective.table)",
        "FILE");
    addSettings(command, arguments,
                "Set a parameter, units allowed (repeatable); detail.level is interactive unless it is set");
    addThreads(command, arguments);
    addForms(command, arguments.output);
    addText(command, "--trace", arguments.trace,
            "Write the timetable of the step under a single policy as Chrome Trace Event JSON (opens in Perfetto)",
            "FILE");
    command.flag("--full", arguments.full, "With MODEL all: JSON with the operators of each model too");
}

}  // namespace cli
