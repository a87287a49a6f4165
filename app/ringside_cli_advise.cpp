#include "app/ringside_cli_command.h"
#include "app/ringside_cli_division_arguments.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/presets/preset_document.h"
#include "data/questions/model_advice.h"
#include "data/results/result_json.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <iostream>
#include <string>
#include <utility>

namespace cli {
namespace {

using data::RuleAdvice;
using data::RuleVerdict;

struct AdviseArguments : CommonArguments {
    std::string model, machine, tp;
    std::string phase = "training";
};

data::AdviceQuestion adviceQuestion(const AdviseArguments& arguments) {
    engine::Problems problems;
    std::vector<std::string> settings = arguments.settings;
    if (!arguments.machine.empty())
        settings.push_back("machine=" + arguments.machine);  // own machines are found by the settings
    data::DraftReading reading = readModel(arguments.model, settings);
    data::append(problems, reading.problems);
    sayRemovedSettings(reading.draft);
    refuseUnread(reading.draft, problems);
    if (!arguments.tp.empty())
        setByOption("--tp", "parallel.tp", arguments.tp, reading.draft, problems);
    const data::Preset* preset = data::findModel(arguments.model);
    if (preset != nullptr && !preset->tps.empty())
        reading.draft.explicitValues.emplace("parallel.tp", preset->tps.front());
    reading.draft.explicitValues.emplace("detail.level", std::string("interactive"));
    reading.draft.explicitValues.emplace("policy.preset", std::string("sequential"));
    data::AdviceQuestion question{wholeModelOf(reading.draft, problems), *engine::modelPhaseNamed(arguments.phase)};
    if (problems.empty())
        problems = data::ruleProblems(question.experiment, question.phase);
    data::refuseAny(std::move(problems));
    return question;
}

/// Returns the edits as they are written on a command line.
std::string settingsText(const data::AdviceChange& change) {
    std::string text;
    for (const data::AdviceEdit& edit : change)
        text += (text.empty() ? "--set " : " --set ") + edit.path + "=" +
                engine::formatValue(*engine::findParameter(edit.path), edit.value);
    return text;
}

void writeRule(const RuleAdvice& advice) {
    std::cout << data::adviceSentence(advice) << "\n";
    for (const std::string& line : {data::adviceDetail(advice), settingsText(advice.check.change)}) {
        if (!line.empty())
            std::cout << "    " << line << "\n";
    }
    if (!advice.notSimulated.empty())
        std::cout << "    not simulated: " << advice.notSimulated << "\n";
}

void writeAdvice(const data::ModelAdvice& advice) {
    for (const RuleAdvice& rule : advice.rules) {
        if (rule.isBroken())
            writeRule(rule);
    }
    std::cout << (advice.brokenRules() > 0 ? "\n" : "");
    for (const RuleAdvice& rule : advice.rules) {
        if (rule.check.verdict == RuleVerdict::holds)
            std::cout << "holds    " << rule.check.finding << "\n";
    }
    for (const RuleAdvice& rule : advice.rules) {
        if (rule.check.verdict == RuleVerdict::unknown)
            std::cout << "unknown  " << data::title(rule.check.rule) << ": " << rule.check.finding << "\n";
    }
    std::cout << "\n"
              << divisionText(advice.experiment, advice.phase) << "; machine " << advice.experiment.machine << "; "
              << advice.brokenRules() << " of " << advice.rules.size() << " rules broken; " << advice.gemms
              << " GEMMs and " << advice.steps << " steps simulated\n";
    for (const engine::Notice& notice : advice.notices)
        std::cout << "notice  " << notice.path << ": " << notice.text << "\n";
}

Json ruleJson(const RuleAdvice& rule) {
    Json json{{"rule", data::name(rule.check.rule)}, {"holds", nullptr}};
    if (rule.check.verdict != RuleVerdict::unknown)
        json["holds"] = rule.check.verdict == RuleVerdict::holds;
    if (rule.check.value)
        json["value"] = *rule.check.value;
    json["finding"] = rule.check.finding;
    if (!rule.isBroken())
        return json;
    json["change"] = jsonList(rule.check.change, [](const data::AdviceEdit& edit) {
        return Json{{"path", edit.path}, {"value", jsonOf(edit.value)}};
    });
    json["operator"] = data::name(rule.scope);
    if (rule.now) {
        for (const auto& [prefix, times] : {std::pair{"", &*rule.now}, {"changed_", &*rule.changed}}) {
            const std::string before = prefix;
            json[before + "time_ps"] = times->part.ps;
            json[before + "time_of_token_ps"] = times->partOfToken.ps;
            json[before + "step_ps"] = times->step.time.ps;
            json[before + "step_of_token_ps"] = times->step.ofToken().ps;
        }
    }
    if (rule.weightsChange)
        json["weights_change"] = *rule.weightsChange;
    if (!rule.notSimulated.empty())
        json["not_simulated"] = rule.notSimulated;
    json["text"] = data::adviceSentence(rule);
    return json;
}

void writeAdviceJson(const data::ModelAdvice& advice) {
    Json json = divisionJson(advice.experiment, advice.phase);
    json["policy"] = engine::name(advice.experiment.policy.preset);
    json["rules"] = jsonList(advice.rules, ruleJson);
    json["simulated"] = {{"gemms", advice.gemms}, {"steps", advice.steps}};
    json["notices"] = data::noticesJson(advice.notices);
    printJson(json, std::cout);
}

int advise(const AdviseArguments& arguments) {
    const data::AdviceQuestion question = adviceQuestion(arguments);
    data::AdviceOptions options;
    options.threads = arguments.threads;
    const data::ModelAdvice advice = watched(options, [&] { return data::modelAdviceOf(question, options); });
    if (arguments.output == Output::json)
        writeAdviceJson(advice);
    else
        writeAdvice(advice);
    return sayBroken(advice.broken);
}

}  // namespace

void declareAdvise(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "advise", "Check the sizes of a model against rules for GPUs, and simulate what a broken rule costs",
        "\nExample:\n"
        "  ringside-cli advise gpt-3 --machine nvidia-h100 --tp 8\n\n"
        "Rules of arXiv 2401.14489. Each broken rule is simulated as it is and with the smallest change that satisfies it.\n"
        "The exit code is 0 also if rules are broken.",
        advise);
    addModel(command, arguments.model).required();
    addText(command, "--machine", arguments.machine, "The machine (default: t3-table-1), as --set machine=NAME",
            "MACHINE");
    addText(command, "--tp", arguments.tp, "GPUs of the tensor-parallel group (default: the model's published degree)",
            "N");
    addPhase(command, arguments.phase);
    addSettings(
        command, arguments,
        "Set a parameter, units allowed (repeatable); detail.level is interactive and policy sequential unless set");
    addThreads(command, arguments);
    addForms(command, arguments.output, {"json", "table"});
}

}  // namespace cli
