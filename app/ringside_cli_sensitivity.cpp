#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/document/value_places.h"
#include "data/questions/sensitivity.h"

#include <iostream>

namespace cli {
namespace {

struct SensitivityArguments : CommonArguments {
    double step = 10;  // percent
    int seeds = 5;
};

engine::Experiment experimentOf(const SensitivityArguments& arguments) {
    data::DraftReading reading = readDraft(arguments.experiment, arguments.settings);
    sayRemovedSettings(reading.draft);
    data::Expansion expansion = data::expand(reading.draft);
    data::append(reading.problems, expansion.problems);
    data::refuseAny(std::move(reading.problems));
    if (engine::isIdeal(expansion.experiment.policy.preset))
        throw engine::InvalidExperiment({engine::problemOfFormula(expansion.experiment.policy.preset)});
    return std::move(expansion.experiment);
}

void writeJson(const data::SensitivityReport& report) {
    const auto parameterJson = [](const data::Sensitivity& parameter) {
        return Json{{"path", parameter.path},     {"group", engine::name(parameter.group)},
                    {"before", parameter.before}, {"after", parameter.after},
                    {"change", parameter.change}, {"choice", parameter.isChoice},
                    {"effect", parameter.effect}, {"noise", parameter.noise}};
    };
    const Json document{{"parameters", jsonList(report.parameters, parameterJson)},
                        {"runs", report.runs},
                        {"seeds", report.seeds},
                        {"spread", report.spread}};
    printJson(document, std::cout);
}

std::string percent(double share) { return data::signedNumber(100 * share, 2) + " %"; }

void writeTable(const data::SensitivityReport& report) {
    Table table({{"parameter", Align::left}, {"from"}, {"to"}, {"total"}, {"noise"}, {"acts on", Align::left}});
    for (const data::Sensitivity& parameter : report.parameters) {
        table.addRow({parameter.path, parameter.before, parameter.after, percent(parameter.effect),
                      report.seeds > 1 ? fixedText(100 * parameter.noise, 2) + " %" : "",
                      std::string(engine::name(parameter.group))});
    }
    table.write(std::cout);
    std::cout << "\nthe change that saves most time is first, the change that costs most is last; " << report.runs
              << " runs";
    if (report.seeds > 1)
        std::cout << "; each effect is the mean of " << report.seeds
                  << " seeds, noise its standard error; between seeds the total itself varies by "
                  << fixedText(100 * report.spread, 2) << " %";
    std::cout << "\n";
}

int sensitivity(const SensitivityArguments& arguments) {
    const engine::Experiment experiment = experimentOf(arguments);
    data::SensitivityOptions options;
    options.step = arguments.step / 100;
    options.seeds = arguments.seeds;
    options.threads = arguments.threads;
    const data::SensitivityReport report = watched(options, [&] { return data::sensitivityOf(experiment, options); });
    if (arguments.output == Output::json)
        writeJson(report);
    else
        writeTable(report);
    return sayBroken(report.broken);
}

}  // namespace

void declareSensitivity(Commands& commands) {
    const auto [command, arguments] =
        commands.add("sensitivity", "Find how much each parameter and each choice changes the total time",
                     "\nExample:\n"
                     "  ringside-cli sensitivity t-nlg/fc-2/tp8 --threads 2",
                     sensitivity);
    addExperiment(command, arguments);
    constexpr double kLeastStep = 0.1, kLargestStep = 90;
    command
        .option("--step", arguments.step,
                "Relative change applied to each parameter; integer parameters change by at least 1 (default: 10)")
        .percentage(kLeastStep, kLargestStep);
    command.option("--seeds", arguments.seeds, "Number of seeds; each effect is the mean over them (default: 5)")
        .between(1, 1000);
    addSettings(command, arguments);
    addThreads(command, arguments, "Threads (default: 1)");
    addForms(command, arguments.output, {"json", "table"});
}

}  // namespace cli
