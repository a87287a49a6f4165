#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_report.h"
#include "app/ringside_cli_requests.h"
#include "app/ringside_cli_watch.h"
#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/document/whole_file.h"
#include "data/laboratory/broken_invariants.h"
#include "data/trace/chrome_trace.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

// The commands over one experiment: run, compare, verify.

namespace cli {
namespace {

constexpr std::int64_t kLargeTrace = 200'000'000;

std::vector<std::string> partNames() { return data::namesOf(data::traceParts(), &data::TracePart::name); }

std::string megabytes(std::int64_t bytes) {
    return std::to_string(std::llround(static_cast<double>(bytes) / 1e6)) + " MB";
}

/// Returns a hint that names the two largest parts of the trace, and the size of the file without them.
std::string smallerWay(const data::LaboratoryRun& run, const data::TraceChoice& choice, std::int64_t size) {
    std::vector<std::pair<std::int64_t, const data::TracePart*>> shares;
    for (const data::TracePart& part : data::traceParts()) {
        data::TraceChoice without = choice;
        data::choose(without, part, false);
        if (data::isChosen(choice, part))
            shares.emplace_back(size - data::estimatedTraceSize(run, without), &part);
    }
    std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (shares.size() < 2)
        return {};
    const std::int64_t left = std::max<std::int64_t>(0, size - shares[0].first - shares[1].first);
    return "; --trace-without " + std::string(shares[0].second->name) + "," + std::string(shares[1].second->name) +
           " would make it " + megabytes(left);
}

/// The file of --trace. It is opened before the run, so that a mistyped folder does not cost a run; a run that fails or
/// a write that is interrupted leaves no incomplete file.
class TraceOutput {
public:
    /// Writes nothing for an empty path. Throws data::FileError and engine::InvalidExperiment (for an unknown part).
    TraceOutput(const std::string& path, const std::vector<std::string>& without) {
        const std::vector<std::string> names = partNames();
        engine::Problems problems;
        for (const std::string& name : without) {
            const auto part = std::find(names.begin(), names.end(), name);
            if (part != names.end()) {
                data::choose(m_choice, data::traceParts()[static_cast<std::size_t>(part - names.begin())], false);
                continue;
            }
            problems.push_back(
                {"--trace-without", name, "not a part of a trace; allowed: " + data::joinedNames(names, ", ")});
        }
        if (path.empty() && !without.empty())
            problems.push_back({"--trace-without", without.front(), "only together with --trace"});
        data::refuseAny(std::move(problems));
        if (!path.empty())
            m_file.emplace(path);
    }

    /// Announces a large file, and how to make it smaller, before writing it. Throws engine::RunStopped on Ctrl+C.
    void write(const data::LaboratoryRun& run) {
        const std::int64_t size = data::estimatedTraceSize(run, m_choice);
        if (size >= kLargeTrace)
            std::cerr << "the trace takes about " << megabytes(size) << smallerWay(run, m_choice, size) << '\n';
        const InterruptWatch interrupt;
        ProgressLine progress;
        data::writeChromeTrace(run, [this](std::string_view piece) { m_file->write(piece); }, m_choice,
                               {interrupt.token(), progress.callback()});
        m_file->keep();
    }

private:
    std::optional<data::WholeFile> m_file;
    data::TraceChoice m_choice;
};

struct RunArguments : CommonArguments {
    std::vector<std::string> policies = kUsualPolicies;
    std::string trace;
    std::vector<std::string> traceWithout;
    RequestArguments requests;
    bool perGpu = false;
};

/// Returns the draft of EXPERIMENT with all --set; throws with all problems of both.
data::ExperimentDraft draftOf(const RunArguments& arguments) {
    data::DraftReading reading = readDraft(arguments.experiment, arguments.settings);
    if (reading.problems.empty())
        return std::move(reading.draft);
    // The part that could be read may have problems, too; a person wants to see all of them at once.
    data::append(reading.problems, data::expand(reading.draft).problems);
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

/// Returns the exit code of a command that did only these runs.
int codeOf(const std::vector<data::LaboratoryRun>& runs) {
    data::BrokenInvariants broken;
    for (const data::LaboratoryRun& run : runs)
        broken.add(run.experiment, run.result.invariants);
    return sayBroken(broken);
}

int run(const RunArguments& arguments) {
    data::ExperimentDraft draft = draftOf(arguments);
    engine::RunOptions options = optionsOf(arguments);
    readRequests(arguments.requests, draft, options);
    const engine::Experiment experiment = data::expand(draft).experiment;
    prepareWriting(arguments.requests, experiment, options);
    if (!arguments.trace.empty() && engine::isIdeal(experiment.policy.preset))
        throw engine::InvalidExperiment({{"--trace", arguments.trace,
                                          std::string(engine::name(experiment.policy.preset)) +
                                              " is a formula and has no events; allowed: sequential, t3, t3-mca"}});
    TraceOutput trace(arguments.trace, arguments.traceWithout);
    options.attribution = canTellWhere(experiment);
    const data::LaboratoryRun done = watched(options, [&] { return data::Laboratory().run(draft, options); });
    if (!arguments.trace.empty())
        trace.write(done);
    writeRequests(arguments.requests, done);
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
    data::refuseAny(std::move(expansion.problems));
    engine::RunOptions options = optionsOf(arguments);
    const auto checks = watched(options, [&] { return engine::verify(expansion.experiment, options); });
    writeChecks(expansion.experiment, checks, arguments.output, std::cout);
    const bool held = std::all_of(checks.begin(), checks.end(), [](const engine::Check& check) { return check.held; });
    return held ? kDone : kDoesNotHold;
}

void addOptions(const Command& command, RunArguments& arguments) {
    addExperiment(command, arguments,
                  "A JSON file (an experiment or a preset), - for standard input, or a preset MODEL/SUBLAYER/tpN such "
                  "as t-nlg/fc-2/tp8, or gemm/MxNxK");
    addSettings(command, arguments, kSettingsHelp);
    addThreads(command, arguments);
    addForms(command, arguments.output);
}

}  // namespace

void declareRuns(Commands& commands) {
    const auto [running, one] = commands.add(
        "run", "Simulate one experiment",
        "\nExample:\n  ringside-cli run t-nlg/fc-2/tp8 --set policy=t3 --set link.bandwidth=75GB/s --output json\n"
        "  ringside-cli run access --set detail.level=fine --set access.stride=64KiB\n",
        run);
    addOptions(running, one);
    addText(running, "--trace", one.trace, "Write the event log as Chrome Trace Event JSON (opens in Perfetto)",
            "FILE");
    running
        .option("--trace-without", one.traceWithout,
                "Parts to leave out of the trace, to make it smaller: " + data::joinedNames(partNames(), ", "))
        .separated()
        .type("PART,...");
    addRequestFiles(running, one.requests);
    running.flag("--per-gpu", one.perGpu, "Also print the results of each GPU");

    const auto [comparing, several] = commands.add(
        "compare", "Simulate the same experiment under several policies",
        "\nExample:\n  ringside-cli compare t-nlg/fc-2/tp8 --policies sequential,t3,t3-mca,ideal-overlap", compare);
    addOptions(comparing, several);
    addPolicies(comparing, several.policies, "rows");
    comparing.flag("--per-gpu", several.perGpu, "Also give the results of each GPU (JSON)");

    const auto [verifying, checked] =
        commands.add("verify", "Check every invariant on an experiment and list the checks",
                     "\nExample:\n  ringside-cli verify mega-gpt-2/op/tp16", verify);
    addOptions(verifying, checked);
}

}  // namespace cli
