#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/document/whole_file.h"
#include "data/laboratory/broken_invariants.h"
#include "data/page/page_document.h"
#include "data/page/page_fit.h"
#include "engine/api/quantity.h"

#include <iostream>

// The command page, which writes runs as one HTML file.

namespace cli {
namespace {

struct PageArguments : CommonArguments {
    std::vector<std::string> experiments, policies;
    std::string out, title, mostSize;
};

/// Returns the drafts of the runs of a page, with all problems of the arguments.
std::vector<data::ExperimentDraft> draftsOf(const PageArguments& arguments, engine::Problems& problems) {
    std::vector<data::ExperimentDraft> drafts;
    for (const std::string& experiment : arguments.experiments) {
        data::DraftReading reading = readDraft(experiment, arguments.settings);
        for (engine::Problem& problem : reading.problems) {
            if (arguments.experiments.size() > 1)
                problem.path = experiment + ": " + problem.path;
            problems.push_back(std::move(problem));
        }
        drafts.push_back(std::move(reading.draft));
    }
    const std::string most = std::to_string(data::kMostPageRuns);
    if (drafts.size() > data::kMostPageRuns)
        problems.push_back({"EXPERIMENT", std::to_string(drafts.size()), "too many runs; allowed: 1 to " + most});
    if (arguments.policies.empty())
        return drafts;
    if (drafts.size() > 1)
        problems.push_back({"--policies", arguments.policies.front(), "only with one EXPERIMENT"});
    if (arguments.policies.size() > data::kMostPageRuns)
        problems.push_back(
            {"--policies", std::to_string(arguments.policies.size()), "too many runs; allowed: 1 to " + most});
    std::vector<data::ExperimentDraft> ofPolicies;
    for (const std::string& policy : arguments.policies) {
        data::ExperimentDraft draft = drafts.front();
        data::applySetting("policy=" + policy, draft, problems);
        ofPolicies.push_back(std::move(draft));
    }
    return ofPolicies;
}

/// Returns the bytes of "--max-size"; 0 if it was not given.
std::size_t mostBytesOf(const PageArguments& arguments, engine::Problems& problems) {
    if (arguments.mostSize.empty())
        return 0;
    std::string_view unit = arguments.mostSize;
    const auto number = engine::readDecimal(unit);
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    const auto factor =
        unit.empty() ? std::optional<std::int64_t>(1) : engine::unitFactor(engine::ParameterUnit::bytes, unit);
    if (number && !number->negative && factor) {
        const engine::WholeNumber bytes = engine::timesFactor(*number, *factor);
        if (bytes.state != engine::WholeNumber::State::tooLarge && bytes.value > 0)
            return static_cast<std::size_t>(bytes.value);
    }
    problems.push_back({"--max-size", arguments.mostSize, "not a size; allowed: more than 0, such as 1.5MB"});
    return 0;
}

std::string sizeText(std::size_t bytes) { return fixedText(static_cast<double>(bytes) / 1e6, 1) + " MB"; }

int writeRunsAsPage(const PageArguments& arguments) {
    engine::Problems problems;
    const std::vector<data::ExperimentDraft> drafts = draftsOf(arguments, problems);
    for (const data::ExperimentDraft& draft : drafts) {
        data::Expansion expansion = data::expand(draft);
        data::append(problems, expansion.problems);
        if (expansion.runnable() && !data::canAttribute(expansion.experiment))
            problems.push_back(
                {"detail.level", std::string(engine::name(expansion.experiment.detail.level)),
                 "the run has too many events for a page; allowed: a coarser detail, or a smaller workload"});
        sayRemovedSettings(draft);
    }
    const std::size_t mostBytes = mostBytesOf(arguments, problems);
    data::refuseAny(std::move(problems));
    data::WholeFile file(arguments.out);
    data::PageRequest request{.runs = {}, .title = arguments.title, .mostBytes = mostBytes};
    data::Laboratory laboratory;
    data::BrokenInvariants broken;
    const InterruptWatch watch;
    ProgressLine line;
    const auto progress = line.callback();
    for (const data::ExperimentDraft& draft : drafts) {
        engine::RunOptions options{.recordTrace = true, .attribution = true, .threads = arguments.threads};
        options.stop = watch.token();
        options.progress = [&, done = request.runs.size()](double fraction) {
            progress((static_cast<double>(done) + fraction) / static_cast<double>(drafts.size()));
        };
        request.runs.push_back(laboratory.run(draft, options));
        broken.add(request.runs.back().experiment, request.runs.back().result.invariants);
    }
    const data::Page page = data::pageOf(request);
    file.write(page.html);
    file.keep();
    const std::size_t runs = request.runs.size();
    std::cout << arguments.out << ": " << sizeText(page.html.size()) << ", " << runs << (runs == 1 ? " run" : " runs")
              << ", " << data::wordsOf(page.detail) << "\n";
    return sayBroken(broken);
}

}  // namespace

void declarePage(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "page", "Write runs as a web page that plays them in any browser",
        "\nExample:\n  ringside-cli page t-nlg/fc-2/tp8 --set policy=t3-mca --out run.html\n"
        "  ringside-cli page t-nlg/fc-2/tp8 --policies sequential,t3,t3-mca --out compare.html\n"
        "\nThe page is one file that loads nothing: it opens from a folder, a web server or a mail, without a network.\n",
        writeRunsAsPage);
    command
        .option("EXPERIMENT", arguments.experiments,
                "JSON files, - for standard input, or presets MODEL/SUBLAYER/tpN; two to four are compared")
        .type("EXPERIMENT")
        .required();
    addText(command, "--out", arguments.out, "The file to write", "FILE").required();
    command.option("--policies", arguments.policies, "Policies of one EXPERIMENT to compare, two to four")
        .separated()
        .type("A,B,...");
    addText(command, "--title", arguments.title, "Title of the page (default: the names of the runs)", "TEXT");
    addText(command, "--max-size", arguments.mostSize,
            "Largest size of the page (default: 1.5MB for each run); beyond it, spans become sums by period", "SIZE");
    addSettings(command, arguments, kSettingsHelp);
    addThreads(command, arguments);
}

}  // namespace cli
