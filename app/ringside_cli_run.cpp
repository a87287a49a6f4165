#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_options.h"
#include "app/ringside_cli_report.h"
#include "app/ringside_cli_trace.h"
#include "app/ringside_cli_watch.h"
#include "data/laboratory/broken_invariants.h"

#include <algorithm>
#include <iostream>

// The commands over one experiment: run, compare, verify.

namespace cli {
namespace {

struct RunArguments : CommonArguments {
    std::vector<std::string> policies = kUsualPolicies;
    std::string trace;
    std::vector<std::string> traceWithout;
    bool perGpu = false;
};

/// The draft that EXPERIMENT and all --set make together; throws with every problem of both.
data::ExperimentDraft draftOf(const RunArguments& arguments) {
    data::DraftReading reading = readDraft(arguments.experiment, arguments.settings);
    if (reading.problems.empty())
        return std::move(reading.draft);
    // What could be read may have problems of its own; somebody who mends the one wants to know the other.
    for (engine::Problem& problem : data::expand(reading.draft).problems)
        reading.problems.push_back(std::move(problem));
    throw engine::InvalidExperiment(std::move(reading.problems));
}

engine::RunOptions optionsOf(const RunArguments& arguments) {
    engine::RunOptions options;
    options.threads = arguments.threads;
    options.perGpu = arguments.perGpu;
    options.recordTrace = !arguments.trace.empty();
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
    return sayBroken(broken);
}

int run(const RunArguments& arguments) {
    const data::ExperimentDraft draft = draftOf(arguments);
    const engine::Experiment experiment = data::expand(draft).experiment;
    if (!arguments.trace.empty() && engine::isIdeal(experiment.policy.preset))
        throw engine::InvalidExperiment({{"--trace", arguments.trace,
                                          std::string(engine::name(experiment.policy.preset)) +
                                              " is a formula and has no events; allowed: sequential, t3, t3-mca"}});
    TraceOutput trace(arguments.trace, arguments.traceWithout);
    engine::RunOptions options = optionsOf(arguments);
    options.attribution = canTellWhere(experiment);
    const data::LaboratoryRun done = watched(options, [&] { return data::Laboratory().run(draft, options); });
    if (done.result.trace)
        trace.write(done);
    writeRun(done, arguments.output, std::cout);
    return codeOf({done});
}

int compare(const RunArguments& arguments) {
    const data::ExperimentDraft draft = draftOf(arguments);
    engine::RunOptions options = optionsOf(arguments);
    options.attribution = canTellWhere(data::expand(draft).experiment);
    const auto runs = watched(options, [&] { return data::Laboratory().compare(draft, arguments.policies, options); });
    writeComparison(runs, arguments.output, std::cout);
    return codeOf(runs);
}

int verify(const RunArguments& arguments) {
    const data::ExperimentDraft draft = draftOf(arguments);
    sayRemovedSettings(draft);
    data::Expansion expansion = data::expand(draft);
    if (!expansion.runnable())
        throw engine::InvalidExperiment(std::move(expansion.problems));
    engine::RunOptions options = optionsOf(arguments);
    const auto checks = watched(options, [&] { return engine::verify(expansion.experiment, options); });
    writeChecks(expansion.experiment, checks, arguments.output, std::cout);
    const bool held = std::all_of(checks.begin(), checks.end(), [](const engine::Check& check) { return check.held; });
    return held ? kDone : kDoesNotHold;
}

void addOptions(CLI::App& command, RunArguments& arguments) {
    addExperiment(command, arguments,
                  "A JSON file (an experiment or a preset), - for standard input, or a preset MODEL/SUBLAYER/tpN such "
                  "as t-nlg/fc-2/tp8");
    addSettings(command, arguments, kSettingsHelp);
    addThreads(command, arguments);
    addForms(command, arguments.output);
}

}  // namespace

void declareRuns(Commands& commands) {
    const auto [running, one] = commands.add(
        "run", "Simulate one experiment",
        "\nExample:\n  ringside-cli run t-nlg/fc-2/tp8 --set policy=t3 --set link.bandwidth=75GB/s --output json", run);
    addOptions(running, one);
    running.add_option("--trace", one.trace, "Write the event log as Chrome Trace Event JSON (opens in Perfetto)")
        ->type_name("FILE");
    addTraceWithout(running, one.traceWithout);
    running.add_flag("--per-gpu", one.perGpu, "Also print the results of each GPU");

    const auto [comparing, several] = commands.add(
        "compare", "Simulate the same experiment under several policies",
        "\nExample:\n  ringside-cli compare t-nlg/fc-2/tp8 --policies sequential,t3,t3-mca,ideal-overlap", compare);
    addOptions(comparing, several);
    addPolicies(comparing, several.policies, "rows");
    comparing.add_flag("--per-gpu", several.perGpu, "Also give the results of each GPU (JSON)");

    const auto [verifying, checked] =
        commands.add("verify", "Check every invariant on an experiment and say which were checked",
                     "\nExample:\n  ringside-cli verify mega-gpt-2/op/tp16", verify);
    addOptions(verifying, checked);
}

}  // namespace cli
