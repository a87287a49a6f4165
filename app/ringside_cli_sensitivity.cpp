#include "app/ringside_cli_sensitivity.h"

#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_options.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/own_presets.h"
#include "data/questions/sensitivity.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>
#include <memory>

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct SensitivityArguments {
    std::string experiment;
    std::vector<std::string> settings;
    double step = 10;  // percent
    int seeds = 5;
    int threads = 1;
    std::string output = "table";
};

engine::Experiment experimentOf(const SensitivityArguments& arguments) {
    const data::OwnPresets own(data::usualPresetFolder());
    data::DraftReading reading = data::openDraft(arguments.experiment, &own);
    for (const std::string& setting : arguments.settings)
        data::applySetting(setting, reading.draft, reading.problems);
    const data::ExperimentDraft draft = data::withOwnPresets(reading.draft, own);
    sayRemovedSettings(draft);
    data::Expansion expansion = data::expand(draft);
    for (engine::Problem& problem : expansion.problems)
        reading.problems.push_back(std::move(problem));
    if (!reading.problems.empty())
        throw engine::InvalidExperiment(std::move(reading.problems));
    if (engine::isIdeal(expansion.experiment.policy.preset))
        throw engine::InvalidExperiment(
            {{"policy.preset", std::string(engine::name(expansion.experiment.policy.preset)),
              "a formula, of which nothing is simulated; allowed: sequential, t3, t3-mca, "
              "cu-split"}});
    return std::move(expansion.experiment);
}

void writeJson(const data::SensitivityReport& report) {
    Json parameters = Json::array();
    for (const data::Sensitivity& parameter : report.parameters) {
        parameters.push_back({{"path", parameter.path},
                              {"group", engine::name(parameter.group)},
                              {"before", parameter.before},
                              {"after", parameter.after},
                              {"change", parameter.change},
                              {"choice", parameter.isChoice},
                              {"effect", parameter.effect},
                              {"noise", parameter.noise}});
    }
    const Json document{{"parameters", std::move(parameters)},
                        {"runs", report.runs},
                        {"seeds", report.seeds},
                        {"spread", report.spread}};
    std::cout << document.dump(kJsonIndent) << "\n";
}

std::string percent(double share) {
    const std::string text = fixedText(std::abs(100 * share), 2);
    const char* sign = text == "0.00" ? "" : share > 0 ? "+" : "-";
    return sign + text + " %";
}

void writeTable(const data::SensitivityReport& report) {
    Table table;
    table.addColumn("parameter", Align::left);
    table.addColumn("from");
    table.addColumn("to");
    table.addColumn("total");
    table.addColumn("noise");
    table.addColumn("acts on", Align::left);
    for (const data::Sensitivity& parameter : report.parameters) {
        table.addRow({parameter.path, parameter.before, parameter.after, percent(parameter.effect),
                      report.seeds > 1 ? fixedText(100 * parameter.noise, 2) + " %" : "",
                      std::string(engine::name(parameter.group))});
    }
    table.write(std::cout);
    std::cout << "\nwhat helps most stands first, what hurts last; " << report.runs << " runs";
    if (report.seeds > 1)
        std::cout << "; each effect is the mean of " << report.seeds
                  << " seeds, noise its standard error; between seeds the total itself varies by "
                  << fixedText(100 * report.spread, 2) << " %";
    std::cout << "\n";
}

int sensitivity(const SensitivityArguments& arguments) {
    const engine::Experiment experiment = experimentOf(arguments);
    data::SensitivityReport report;
    {
        const InterruptWatch watch;
        ProgressLine line;
        data::SensitivityOptions options;
        options.step = arguments.step / 100;
        options.seeds = arguments.seeds;
        options.threads = arguments.threads;
        options.stop = watch.token();
        options.progress = line.callback();
        report = data::sensitivityOf(experiment, options);
    }
    if (arguments.output == "json")
        writeJson(report);
    else
        writeTable(report);
    return sayBroken(report.broken);
}

}  // namespace

DeclaredCommand declareSensitivity(CLI::App& app) {
    const auto arguments = std::make_shared<SensitivityArguments>();
    CLI::App* command =
        app.add_subcommand("sensitivity", "Find which parameters and choices the total time answers to");
    command->footer("\nExample, what a little more of everything is worth:\n"
                    "  ringside-cli sensitivity t-nlg/fc-2/tp8 --threads 2");
    command
        ->add_option("EXPERIMENT", arguments->experiment,
                     "A JSON file, - for standard input, or a preset MODEL/SUBLAYER/tpN")
        ->required();
    constexpr double kLeastStep = 0.1, kLargestStep = 90;
    cli::limitPercentage(*command->add_option("--step", arguments->step,
                                              "By how much each is changed, counts by whole ones (default: 10)"),
                         kLeastStep, kLargestStep);
    command->add_option("--seeds", arguments->seeds, "Seeds that each effect is a mean over (default: 5)")
        ->check(CLI::Range(1, 1000));
    cli::addSettings(*command, arguments->settings, "Set a parameter, units allowed (repeatable)");
    cli::limitThreads(*command->add_option("--threads", arguments->threads, "Threads (default: 1)"));
    cli::addForms(*command, arguments->output, {"json", "table"});
    return {command, [arguments] { return sensitivity(*arguments); }};
}

}  // namespace cli
