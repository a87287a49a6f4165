#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/document/whole_file.h"
#include "data/laboratory/broken_invariants.h"
#include "data/lessons/lesson_library.h"
#include "data/page/page_controls.h"
#include "data/page/page_document.h"
#include "data/page/page_fit.h"
#include "data/page/site.h"
#include "data/page/web_engine_bytes.h"
#include "data/presets/preset_document.h"
#include "engine/api/quantity.h"

#include <iostream>

// The command page, which writes runs or a lesson as one HTML file, or all lessons as a site.

namespace cli {
namespace {

struct PageArguments : CommonArguments {
    std::vector<std::string> experiments, policies;
    std::string lesson;
    std::vector<std::string> controls;
    bool lessons = false, live = false;
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

/// Adds the problems of runs that the engine in a page cannot repeat, and of their controls.
void refuseBesideEngine(const std::vector<data::ExperimentDraft>& drafts, const std::vector<std::string>& controls,
                        engine::Problems& problems) {
    for (const data::ExperimentDraft& draft : drafts) {
        for (const data::OwnKind kind : data::kOwnKinds) {
            const auto named = draft.explicitValues.find(data::namingPath(kind));
            if (kind == data::OwnKind::experiment || named == draft.explicitValues.end())
                continue;
            const auto* preset = std::get_if<std::string>(&named->second);
            if (preset != nullptr && !data::isBundled(kind, *preset))
                problems.push_back(
                    {"--live", *preset, "a preset of your own, which the engine in a page does not have"});
        }
    }
    if (problems.empty())
        data::checkControls(drafts.front(), controls, problems);
}

std::string wordsOf(const data::Page& page, std::size_t runs) {
    return sizeText(page.html.size()) + ", " + std::to_string(runs) + (runs == 1 ? " run, " : " runs, ") +
           data::wordsOf(page.detail);
}

int writeRunsAsPage(const PageArguments& arguments, engine::Problems problems) {
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
    if (problems.empty() && arguments.live)
        refuseBesideEngine(drafts, arguments.controls, problems);
    data::refuseAny(std::move(problems));
    data::WholeFile file(arguments.out);
    data::PageRequest request{.runs = {},
                              .title = arguments.title,
                              .mostBytes = mostBytes,
                              .live = arguments.live,
                              .controls = arguments.controls};
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
    std::cout << arguments.out << ": " << wordsOf(page, request.runs.size()) << "\n";
    return sayBroken(broken);
}

/// Names the claims of a lesson that do not hold; returns whether all hold. A page would say something else than its runs.
bool sayFailures(const std::string& lesson, const std::vector<data::LessonVerdict>& failures) {
    for (const data::LessonVerdict& failure : failures)
        std::cerr << lesson << ": " << failure.path << ": " << describe(failure) << "\n";
    return failures.empty();
}

data::Lesson readLessonForPage(const std::string& nameOrFile) {
    data::LessonReading reading = data::readAnyLesson(nameOrFile);
    data::refuseAny(std::move(reading.problems));
    return std::move(reading.lesson);
}

int writeLessonAsPage(const PageArguments& arguments, std::size_t mostBytes) {
    const data::Lesson lesson = readLessonForPage(arguments.lesson);
    data::WholeFile file(arguments.out);
    data::LessonRuns runs;
    {
        const InterruptWatch watch;
        ProgressLine line;
        runs =
            data::runLesson(lesson, {.threads = arguments.threads, .stop = watch.token(), .progress = line.callback()});
    }
    if (!sayFailures(arguments.lesson, runs.failures))
        return kDoesNotHold;
    const data::Page page =
        data::lessonPageOf({.lesson = lesson, .runs = runs, .mostBytes = mostBytes, .live = arguments.live});
    file.write(page.html);
    file.keep();
    std::cout << arguments.out << ": " << wordsOf(page, runs.runs.size()) << "\n";
    return sayBroken(runs.broken);
}

int writeLessonsAsSite(const PageArguments& arguments, std::size_t mostBytes) {
    const std::vector<data::SiteLesson> site = data::bundledSite();
    data::SiteFolder folder(arguments.out);
    data::BrokenInvariants broken;
    std::size_t runs = 0, bytes = 0;
    const auto add = [&](const std::string& file, const std::string& html) {
        folder.write(file, html);
        bytes += html.size();
    };
    {
        const InterruptWatch watch;
        ProgressLine line;
        const auto progress = line.callback();
        for (std::size_t i = 0; i < site.size(); ++i) {
            const data::Lesson lesson = readLessonForPage(std::to_string(i + 1));
            data::LessonCheckOptions options{.threads = arguments.threads, .stop = watch.token()};
            options.progress = [&, i](double done) {
                progress((static_cast<double>(i) + done) / static_cast<double>(site.size()));
            };
            const data::LessonRuns ofLesson = data::runLesson(lesson, options);
            if (!sayFailures(site[i].file, ofLesson.failures))
                return kDoesNotHold;
            data::LessonPageRequest request{
                .lesson = lesson, .runs = ofLesson, .mostBytes = mostBytes, .live = arguments.live};
            data::addNeighbours(site, i, request);
            add(site[i].file, data::lessonPageOf(request).html);
            broken.add(ofLesson.broken);
            runs += ofLesson.runs.size();
        }
    }
    add("index.html", data::siteIndex(site));
    folder.keep();
    std::cout << arguments.out << ": " << sizeText(bytes) << ", " << site.size() << " lessons, " << runs << " runs\n";
    return sayBroken(broken);
}

int writePage(const PageArguments& arguments) {
    engine::Problems problems;
    const int kinds = (arguments.experiments.empty() ? 0 : 1) + (arguments.lesson.empty() ? 0 : 1) + arguments.lessons;
    if (kinds != 1)
        problems.push_back({"EXPERIMENT", "", "give one of EXPERIMENT, --lesson and --lessons"});
    const bool isOfLesson = arguments.lessons || !arguments.lesson.empty();
    const auto refuseBeside = [&](const char* option, bool isGiven) {
        if (isOfLesson && isGiven)
            problems.push_back({option, "", "a lesson has its own; allowed only with EXPERIMENT"});
    };
    refuseBeside("--policies", !arguments.policies.empty());
    refuseBeside("--set", !arguments.settings.empty());
    refuseBeside("--title", !arguments.title.empty());
    refuseBeside("--controls", !arguments.controls.empty());
    if (!arguments.controls.empty() && !arguments.live)
        problems.push_back({"--controls", arguments.controls.front(), "allowed only with --live"});
    if (arguments.live && data::webEngineBase64().empty())
        problems.push_back({"--live", "",
                            "this build has no web engine; configure with -DRINGSIDE_WEB_ENGINE=ON, which "
                            "needs emscripten (Debian: emscripten)"});
    if (!isOfLesson && kinds == 1)
        return writeRunsAsPage(arguments, std::move(problems));
    const std::size_t mostBytes = mostBytesOf(arguments, problems);
    data::refuseAny(std::move(problems));
    return arguments.lessons ? writeLessonsAsSite(arguments, mostBytes) : writeLessonAsPage(arguments, mostBytes);
}

}  // namespace

void declarePage(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "page", "Write runs or lessons as web pages that play them in any browser",
        "\nExample:\n  ringside-cli page t-nlg/fc-2/tp8 --set policy=t3-mca --out run.html\n"
        "  ringside-cli page t-nlg/fc-2/tp8 --policies sequential,t3,t3-mca --out compare.html\n"
        "  ringside-cli page t-nlg/fc-2/tp8 --live --out live.html\n"
        "  ringside-cli page --lesson 7 --out why.html\n"
        "  ringside-cli page --lessons --out site\n"
        "\nThe page is one file that loads nothing: it opens from a folder, a web server or a mail, without a network.\n",
        writePage);
    command
        .option("EXPERIMENT", arguments.experiments,
                "JSON files, - for standard input, or presets MODEL/SUBLAYER/tpN; two to four are compared")
        .type("EXPERIMENT");
    addText(command, "--lesson", arguments.lesson,
            "Write a lesson in place of runs: its number, its name or a file. Its claims are checked first", "LESSON");
    command.flag("--lessons", arguments.lessons,
                 "Write a site: a folder with a page for each lesson and a list of them");
    addText(command, "--out", arguments.out, "The file to write; with --lessons the folder", "FILE").required();
    command.option("--policies", arguments.policies, "Policies of one EXPERIMENT to compare, two to four")
        .separated()
        .type("A,B,...");
    command.flag("--live", arguments.live,
                 "Put the engine into the page, so that a reader can change parameters (0.6 MB more)");
    command
        .option(
            "--controls", arguments.controls,
            "Parameters that a live page offers (default: policy, links, memory, CUs, DMA, as far as they are read)")
        .separated()
        .type("PATH,...");
    addText(command, "--title", arguments.title, "Title of the page (default: the names of the runs)", "TEXT");
    addText(command, "--max-size", arguments.mostSize,
            "Largest size of the page (default: 1.5MB for each run); beyond it, spans become sums by period", "SIZE");
    addSettings(command, arguments, kSettingsHelp);
    addThreads(command, arguments);
}

}  // namespace cli
