#include "app/ringside_cli_break_even.h"
#include "app/ringside_cli_convert.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_lesson.h"
#include "app/ringside_cli_model.h"
#include "app/ringside_cli_options.h"
#include "app/ringside_cli_report.h"
#include "app/ringside_cli_reproduce.h"
#include "app/ringside_cli_results.h"
#include "app/ringside_cli_sensitivity.h"
#include "app/ringside_cli_sweep.h"
#include "app/ringside_cli_trace.h"
#include "app/ringside_cli_watch.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/own_presets.h"
#include "data/laboratory/broken_invariants.h"
#include "data/laboratory/laboratory.h"
#include "data/store/store.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <system_error>

namespace {

using cli::kDoesNotHold;
using cli::kDone;
using cli::kInputWrong;

/// Disk, pipe or library let us down; the message names which.
class MachineFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Arguments {
    std::string experiment;
    std::vector<std::string> settings;
    std::vector<std::string> policies{"sequential", "t3", "t3-mca", "ideal-overlap"};
    std::string trace;
    std::vector<std::string> traceWithout;
    std::string kind;
    std::string output = "table";
    std::vector<std::string> items;
    std::optional<double> tolerance;
    int threads = 1;
    bool perGpu = false;
    cli::ResultsArguments results;
    cli::MergeArguments merge;
};

cli::Output outputNamed(const std::string& name) {
    if (name == "json")
        return cli::Output::json;
    if (name == "csv")
        return cli::Output::csv;
    if (name == "markdown")
        return cli::Output::markdown;
    return cli::Output::table;
}

/// The draft that EXPERIMENT and all --set make together; throws with every problem of both.
data::ExperimentDraft draftOf(const Arguments& arguments) {
    const data::OwnPresets own(data::usualPresetFolder());
    data::DraftReading reading = data::openDraft(arguments.experiment, &own);
    for (const std::string& setting : arguments.settings)
        data::applySetting(setting, reading.draft, reading.problems);
    reading.draft = data::withOwnPresets(reading.draft, own);
    if (reading.problems.empty())
        return std::move(reading.draft);
    // What could be read may have problems of its own; somebody who mends the one wants to know the other.
    for (engine::Problem& problem : data::expand(reading.draft).problems)
        reading.problems.push_back(std::move(problem));
    throw engine::InvalidExperiment(std::move(reading.problems));
}

engine::RunOptions optionsOf(const Arguments& arguments, const cli::InterruptWatch& watch,
                             cli::ProgressLine& progress) {
    engine::RunOptions options;
    options.threads = arguments.threads;
    options.perGpu = arguments.perGpu;
    options.recordTrace = !arguments.trace.empty();
    options.stop = watch.token();
    options.progress = progress.callback();
    return options;
}

bool canTellWhere(const engine::Experiment& experiment) {
    if (data::canAttribute(experiment))
        return true;
    std::cerr << "note: " << data::kTooManyToAttribute << "\n";
    return false;
}

/// The code of a command that did these runs and nothing else.
int codeOf(const std::vector<data::LaboratoryRun>& runs) {
    data::BrokenInvariants broken;
    for (const data::LaboratoryRun& run : runs)
        broken.add(run.experiment, run.result.invariants);
    return cli::sayBroken(broken);
}

int run(const Arguments& arguments) {
    const data::ExperimentDraft draft = draftOf(arguments);
    const engine::PolicyPreset policy = data::expand(draft).experiment.policy.preset;
    if (!arguments.trace.empty() && engine::isIdeal(policy))
        throw engine::InvalidExperiment(
            {{"--trace", arguments.trace,
              std::string(engine::name(policy)) + " is a formula and has no events; allowed: sequential, t3, t3-mca"}});
    cli::TraceOutput trace(arguments.trace, arguments.traceWithout);
    data::LaboratoryRun done;
    {
        const cli::InterruptWatch watch;
        cli::ProgressLine progress;
        engine::RunOptions options = optionsOf(arguments, watch, progress);
        options.attribution = canTellWhere(data::expand(draft).experiment);
        done = data::Laboratory().run(draft, options);
    }
    if (done.result.trace)
        trace.write(done);
    cli::writeRun(done, outputNamed(arguments.output), std::cout);
    return codeOf({done});
}

int compare(const Arguments& arguments) {
    const data::ExperimentDraft draft = draftOf(arguments);
    std::vector<data::LaboratoryRun> runs;
    {
        const cli::InterruptWatch watch;
        cli::ProgressLine progress;
        engine::RunOptions options = optionsOf(arguments, watch, progress);
        options.attribution = canTellWhere(data::expand(draft).experiment);
        runs = data::Laboratory().compare(draft, arguments.policies, options);
    }
    cli::writeComparison(runs, outputNamed(arguments.output), std::cout);
    return codeOf(runs);
}

int verify(const Arguments& arguments) {
    const data::ExperimentDraft draft = draftOf(arguments);
    cli::sayRemovedSettings(draft);
    data::Expansion expansion = data::expand(draft);
    if (!expansion.runnable())
        throw engine::InvalidExperiment(std::move(expansion.problems));
    std::vector<engine::Check> checks;
    {
        const cli::InterruptWatch watch;
        cli::ProgressLine progress;
        checks = engine::verify(expansion.experiment, optionsOf(arguments, watch, progress));
    }
    cli::writeChecks(expansion.experiment, checks, outputNamed(arguments.output), std::cout);
    const bool held = std::all_of(checks.begin(), checks.end(), [](const engine::Check& check) { return check.held; });
    return held ? kDone : kDoesNotHold;
}

int reproduce(const Arguments& arguments) {
    data::ReproduceOptions options;
    options.items = arguments.items;
    options.threads = arguments.threads;
    data::ExperimentDraft draft;
    engine::Problems problems = data::checkItems(arguments.items);
    for (const std::string& setting : arguments.settings)
        data::applySetting(setting, draft, problems);
    if (!problems.empty())
        throw engine::InvalidExperiment(std::move(problems));
    options.settings = draft.explicitValues;
    data::Reproduction reproduction;
    {
        const cli::InterruptWatch watch;
        cli::ProgressLine progress;
        options.stop = watch.token();
        options.progress = progress.callback();
        reproduction = data::reproduce(options);
    }
    cli::writeReproduction(reproduction, outputNamed(arguments.output), std::cout);
    const bool isWithin = !arguments.tolerance || cli::withinTolerance(reproduction, *arguments.tolerance);
    return cli::worse(isWithin ? kDone : kDoesNotHold, cli::sayBroken(reproduction.broken));
}

int list(const Arguments& arguments) {
    const data::OwnPresets own(data::usualPresetFolder());
    cli::writeList(arguments.kind, own, outputNamed(arguments.output), std::cout);
    for (const engine::Problem& problem : own.problems())
        std::cerr << engine::describe(problem) << "\n";
    return kDone;
}

int results(const Arguments& arguments) {
    cli::results(arguments.results, outputNamed(arguments.output), std::cout, std::cerr);
    return kDone;
}

int merge(const Arguments& arguments) {
    cli::merge(arguments.merge, outputNamed(arguments.output), std::cout, std::cerr);
    return kDone;
}

int parameters(const Arguments& arguments) {
    cli::writeParameters(outputNamed(arguments.output), std::cout);
    return kDone;
}

void addSettings(CLI::App& command, Arguments& arguments) {
    cli::addSettings(command, arguments.settings,
                     "Set a parameter, units allowed: link.bandwidth=75GB/s, policy=t3 (repeatable)");
    cli::limitThreads(*command.add_option("--threads", arguments.threads,
                                          "Threads to use (default: 1); the result does not depend on it"));
}

void addExperiment(CLI::App& command, Arguments& arguments) {
    command
        .add_option(
            "EXPERIMENT", arguments.experiment,
            "A JSON file (an experiment or a preset), - for standard input, or a preset MODEL/SUBLAYER/tpN such as "
            "t-nlg/fc-2/tp8")
        ->required();
    addSettings(command, arguments);
    cli::addForms(command, arguments.output, {"json", "table", "csv"});
}

using Command = std::function<int(const Arguments&)>;

/// Declares the commands of cli.md. Each carries an example in its help.
std::vector<std::pair<CLI::App*, Command>> declare(CLI::App& app, Arguments& arguments) {
    std::vector<std::pair<CLI::App*, Command>> commands;
    const auto add = [&](const char* name, const char* what, const char* example, const Command& work) -> CLI::App& {
        CLI::App* command = app.add_subcommand(name, what);
        command->footer(std::string("\nExample:\n  ringside-cli ") + example);
        commands.emplace_back(command, work);
        return *command;
    };
    CLI::App& running = add("run", "Simulate one experiment",
                            "run t-nlg/fc-2/tp8 --set policy=t3 --set link.bandwidth=75GB/s --output json", &run);
    addExperiment(running, arguments);
    running
        .add_option("--trace", arguments.trace, "Write the event log as Chrome Trace Event JSON (opens in Perfetto)")
        ->type_name("FILE");
    cli::addTraceWithout(running, arguments.traceWithout);
    running.add_flag("--per-gpu", arguments.perGpu, "Also print the results of each GPU");

    CLI::App& comparing = add("compare", "Simulate the same experiment under several policies",
                              "compare t-nlg/fc-2/tp8 --policies sequential,t3,t3-mca,ideal-overlap", &compare);
    addExperiment(comparing, arguments);
    comparing
        .add_option("--policies", arguments.policies,
                    "Policies, in the order of the rows (default: sequential,t3,t3-mca,ideal-overlap)")
        ->delimiter(',')
        ->type_name("A,B,...");
    comparing.add_flag("--per-gpu", arguments.perGpu, "Also give the results of each GPU (JSON)");

    CLI::App& verifying = add("verify", "Check every invariant on an experiment and say which were checked",
                              "verify mega-gpt-2/op/tp16", &verify);
    addExperiment(verifying, arguments);

    // Commands with arguments of their own stand in their own files.
    const auto addDeclared = [&](const cli::DeclaredCommand& declared) {
        commands.emplace_back(declared.first, [work = declared.second](const Arguments&) { return work(); });
    };
    for (const cli::DeclaredCommand& declared : cli::declareSweepCommands(app))
        addDeclared(declared);
    addDeclared(cli::declareBreakEven(app));
    addDeclared(cli::declareSensitivity(app));
    addDeclared(cli::declareConvert(app));
    addDeclared(cli::declareModel(app));
    addDeclared(cli::declareLesson(app));

    CLI::App& reproducing = add("reproduce", "The published evaluation, ours beside theirs",
                                "reproduce t3-mca-geomean dram-reduction-max --tolerance 5", &reproduce);
    reproducing.add_option("ITEM", arguments.items, "Published figures by id (default: all)");
    constexpr double kWidest = 1000;
    cli::limitPercentage(*reproducing.add_option("--tolerance", arguments.tolerance,
                                                 "Exit with 1 when a figure differs by more than this"),
                         0, kWidest);
    addSettings(reproducing, arguments);
    cli::addForms(reproducing, arguments.output, {"json", "table", "csv"});

    CLI::App& listing = add("list", "List presets, with where each number comes from, and what figures there are",
                            "list machines --output json", &list);
    listing.add_option("WHAT", arguments.kind, "What to list")->required()->check(CLI::IsMember(cli::listKinds()));
    cli::addForms(listing, arguments.output, {"json", "table", "csv"});

    CLI::App& table = add("parameters", "Print the parameter table: paths, defaults, ranges, sources",
                          "parameters --output markdown", &parameters);
    cli::addForms(table, arguments.output, {"json", "table", "csv", "markdown"});

    CLI::App& reading =
        add("results", "Read a store of results",
            "results --db sweep.sqlite --where \"policy=t3-mca link.bandwidth>=100GB/s\" --output csv", &results);
    cli::declareResults(reading, arguments.results);
    cli::addForms(reading, arguments.output, {"json", "table", "csv"});

    CLI::App& merging = add("merge", "Join stores into one; the same store again changes nothing",
                            "merge --db all.sqlite shard-1.sqlite shard-2.sqlite", &merge);
    cli::declareMerge(merging, arguments.merge);
    cli::addForms(merging, arguments.output, {"json", "table", "csv"});
    return commands;
}

std::string versionText() {
    return "ringside-cli " RINGSIDE_VERSION "\nengine " + std::string(engine::engineVersion()) +
           "\nlicence GPL-3.0-or-later";
}

/// What is wrong when a word is no command, or when one that has commands of its own stands alone; the parser would only
/// say that a command is missing.
std::optional<std::string> unknownCommand(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty() ? app.get_parent() == nullptr : words.front().starts_with('-'))
        return std::nullopt;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
        if (!words.empty() && words.front() == names.back())
            return unknownCommand(*command, {words.begin() + 1, words.end()});
    }
    if (names.empty())
        return std::nullopt;
    std::string text =
        words.empty() ? app.get_name() + ": a command of its own is missing" : words.front() + ": unknown command";
    const auto near = words.empty() ? std::vector<std::string>() : engine::nearestNames(words.front(), names);
    if (!near.empty())
        text += ", did you mean " + near.front() + "?";
    return text + "; allowed: " + (names.size() == 1 ? "" : "one of ") + data::joinedNames(names, ", ");
}

/// Parses, runs, and lets every failure through to the one place that turns it into an exit code.
int runCommand(int argc, char** argv) {
    Arguments arguments;
    CLI::App app(
        "Ringside simulates how much of a collective hides behind the GEMM that produces its data (T3, ASPLOS 2024).",
        "ringside-cli");
    app.set_version_flag("--version", versionText());
    app.footer(
        std::string(
            "\nExample:\n  ringside-cli compare t-nlg/fc-2/tp8 --policies sequential,t3,t3-mca,ideal-overlap\n\n") +
        cli::kExitHelp + "\n`ringside-cli COMMAND --help` explains a command.");
    app.require_subcommand(1);
    const auto commands = declare(app, arguments);
    cli::refuseEmptyValues(app);
    std::vector<std::string> words = cli::wordsOf(argc, argv);
    std::reverse(words.begin(), words.end());  // the parser takes them from the end
    try {
        app.parse(std::move(words));
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        std::cerr << "ringside-cli: " << (unknownCommand(app, {argv + 1, argv + argc}).value_or(error.what()))
                  << "\nTry `ringside-cli --help`.\n";
        return kInputWrong;
    }
    for (const auto& [command, work] : commands) {
        if (command->parsed())
            return work(arguments);
    }
    return kInputWrong;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int code = runCommand(argc, argv);
        std::cout.flush();
        if (!std::cout)
            throw MachineFailure("standard output could not be written; is the disk full?");
        return code;
    } catch (...) {
        const cli::Ending ending = cli::endingOf(std::current_exception(), "ringside-cli");
        std::cerr << ending.text << "\n";
        return ending.code;
    }
}
