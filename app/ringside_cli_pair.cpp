#include "app/ringside_cli_break_even.h"
#include "app/ringside_cli_command.h"
#include "app/ringside_cli_companion.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/parameter_words.h"
#include "data/document/problem_list.h"
#include "data/questions/carrier_crossover.h"
#include "data/questions/companion_text.h"
#include "data/questions/degrees.h"
#include "data/questions/pair.h"
#include "data/results/companion_slowdown.h"
#include "data/results/result_json.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <iostream>
#include <optional>

// The command that runs an experiment and a companion under every rule, or so many copies of a GEMM at once.

namespace cli {
namespace {

using data::Pair;
using data::PairRow;
using engine::CompanionResult;
using engine::Duration;

struct PairArguments : CommonArguments {
    std::string companion;
    std::optional<std::int64_t> reserved;
    std::vector<std::int64_t> degrees;
    bool crossover = false;
};

/// The question of --crossover and its answer.
struct Crossover {
    data::BreakEvenQuestion question;
    data::BreakEven answer;
};

/// Returns the draft with the companion of --companion. Adds problems of both.
data::ExperimentDraft draftOf(const PairArguments& arguments, engine::Problems& problems) {
    data::DraftReading reading = readDraft(arguments.experiment, arguments.settings);
    sayRemovedSettings(reading.draft);
    data::append(problems, reading.problems);
    if (!arguments.companion.empty()) {
        for (const auto& [path, value] : data::companionSettings(arguments.companion, "--companion", problems))
            reading.draft.explicitValues.insert_or_assign(path, value);
    }
    return std::move(reading.draft);
}

data::PairQuestion questionOf(const PairArguments& arguments) {
    engine::Problems problems;
    data::PairQuestion question{draftOf(arguments, problems), arguments.reserved};
    // Without a readable companion the rows are unknown, and only the experiment is checked.
    data::append(problems, problems.empty() ? data::check(question) : data::expand(question.draft).problems);
    for (engine::Problem& problem : problems) {
        if (problem.path == "reserved")
            problem.path = "--reserved";
        if (problem.path == "companion.operation" && problem.value == "none")
            problem = {"--companion", "none",
                       "no companion runs beside the experiment; allowed: " + data::companionTextAllowed()};
    }
    data::refuseAny(std::move(problems));
    return question;
}

Duration longestOf(const Pair& pair) {
    Duration longest = pair.serial();
    for (const PairRow& row : pair.rows)
        longest = std::max(longest, row.result.last.time.total);
    return longest;
}

/// Returns "GEMM" for a GEMM of its own; other own work has more than one kernel.
std::string ownName(const Pair& pair) {
    return pair.experiment.workload.sublayer == engine::SubLayer::gemm ? "GEMM" : "own work";
}

std::string percentText(const std::optional<double>& value, std::string (*text)(double)) {
    return value ? text(*value) : "-";
}

void writeAdvice(const data::ReserveAdvice& advice, const TimeScale& scale) {
    const std::string unit(scale.unit);
    Table table({{"CUs reserved"},
                 {"own work alone", Align::right, unit},
                 {"companion alone", Align::right, unit},
                 {"", Align::left}});
    for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
        const data::ReserveCandidate& candidate = advice.candidates[i];
        table.addRow({std::to_string(candidate.reserved), scale.text(candidate.own), scale.text(candidate.companion),
                      i == advice.best ? "advised" : ""});
    }
    std::cout
        << "\nAdvised is the number for which the longer of two times is shortest: own work on the other CUs, and "
           "companion\non the reserved CUs.\n";
    table.write(std::cout);
}

void writeTable(const Pair& pair, const std::optional<Crossover>& crossover) {
    const TimeScale scale = TimeScale::forLongest(longestOf(pair));
    const std::string unit(scale.unit), own = ownName(pair);
    const auto alone = [&](Duration time) { return scale.text(time) + " " + unit; };
    const engine::Shape& shape = pair.rows.front().result.shape;
    std::cout << ownPhrase(pair.experiment, shape) << " beside " << companionPhrase(pair.experiment) << "; alone "
              << alone(pair.ownAlone()) << " and " << alone(pair.companionAlone()) << "; ideal speed-up over serial "
              << fixedText(pair.idealSpeedup(), 3) << "\n";
    Table table({{"rule", Align::left},
                 {"total", Align::right, unit},
                 {own + " ends", Align::right, unit},
                 {"companion ends", Align::right, unit},
                 {own + " waits", Align::right, unit},
                 {"companion waits", Align::right, unit},
                 {own + " slower"},
                 {"companion slower"},
                 {"speed-up over serial"},
                 {"of ideal"}});
    table.addRow({"serial", scale.text(pair.serial()), scale.text(pair.ownAlone()), scale.text(pair.serial()), "-", "-",
                  "-", "-", fixedText(1, 3), shareText(0)});
    for (const PairRow& row : pair.rows) {
        const CompanionResult& companion = row.result.companion.value();
        const data::BesideTime ownTime = data::ownBeside(companion), other = data::companionBeside(companion);
        table.addRow({row.how.name, scale.text(row.result.last.time.total), scale.text(companion.own),
                      scale.text(companion.time), scale.text(ownTime.waits), scale.text(other.waits),
                      percentText(ownTime.slowdown, longerText), percentText(other.slowdown, longerText),
                      fixedText(pair.speedupOf(row), 3), percentText(pair.fractionOfIdeal(row), shareText)});
    }
    table.write(std::cout);
    std::cout << "waits: until it has room on a CU; slower: from then on, compared with alone\n";
    if (const auto freed = pair.freedByCopies())
        std::cout << "copies by DMA leave free the " << freed->cus
                  << " CUs that the kernel of companion-first holds for " << scale.text(freed->time) << " " << unit
                  << ", " << shareText(freed->share) << " of the CU time of that run\n";
    if (std::ranges::any_of(pair.rows, [](const PairRow& row) { return row.how.inSwitch; }))
        std::cout << "in-switch: as companion-first, and the switch adds or copies the packets of the companion\n";
    if (crossover)
        std::cout << "sizes of the companion: " << data::carrierSentence(crossover->question, crossover->answer)
                  << "\n";
    if (pair.advice)
        writeAdvice(*pair.advice, scale);
    if (!pair.notices.empty())
        std::cout << "\n";
    writeNotices(pair.notices, std::cout);
}

Json rowJson(const Pair& pair, const PairRow& row) {
    const CompanionResult& companion = row.result.companion.value();
    Json json{{"name", row.how.name},
              {"rule", data::wordAt("dispatch.rule", row.how.rule)},
              {"by", data::wordAt("companion.by", row.how.by)}};
    if (engine::hasCompanionCollective(row.experiment))
        json["algorithm"] = data::wordAt("collective.algorithm", row.experiment.collective.algorithm);
    const auto add = [&](const char* key, const auto& value) {
        if (value)
            json[key] = *value;
    };
    add("reserved", row.how.reserved);
    json["experiment_hash"] = data::experimentHash(row.experiment);
    json["total_ps"] = row.result.last.time.total.ps;
    json["own_ps"] = companion.own.ps;
    json["companion_ps"] = companion.time.ps;
    json["own_waits_ps"] = data::ownBeside(companion).waits.ps;
    json["companion_waits_ps"] = data::companionBeside(companion).waits.ps;
    add("own_slowdown", companion.ownSlowdown);
    add("slowdown", companion.slowdown);
    json["speedup_over_serial"] = pair.speedupOf(row);
    add("fraction_of_ideal", pair.fractionOfIdeal(row));
    return json;
}

Json serialJson(const Pair& pair) {
    return {{"name", "serial"},
            {"total_ps", pair.serial().ps},
            {"own_ps", pair.ownAlone().ps},
            {"companion_ps", pair.serial().ps},
            {"speedup_over_serial", 1.0},
            {"fraction_of_ideal", 0.0}};
}

void writeJson(const Pair& pair, const std::optional<Crossover>& crossover) {
    Json document{{"engine_version", engine::engineVersion()},
                  {"name", pair.name},
                  {"own_alone_ps", pair.ownAlone().ps},
                  {"companion_alone_ps", pair.companionAlone().ps},
                  {"serial_ps", pair.serial().ps},
                  {"ideal_speedup", pair.idealSpeedup()}};
    if (pair.advice) {
        document["advice"]["reserved"] = pair.advice->reserved();
        document["advice"]["candidates"] = jsonList(pair.advice->candidates, [](const data::ReserveCandidate& each) {
            return Json{{"reserved", each.reserved}, {"own_ps", each.own.ps}, {"companion_ps", each.companion.ps}};
        });
    }
    if (const auto freed = pair.freedByCopies())
        document["freed_by_copies"] = {{"cus", freed->cus}, {"ps", freed->time.ps}, {"share", freed->share}};
    if (crossover)
        document["crossover"] = breakEvenJson(crossover->question, crossover->answer);
    document["rows"] = jsonList(pair.rows, [&](const PairRow& row) { return rowJson(pair, row); });
    document["rows"].insert(document["rows"].begin(), serialJson(pair));
    document["notices"] = data::noticesJson(pair.notices);
    printJson(document, std::cout);
}

data::DegreesQuestion degreesQuestionOf(const PairArguments& arguments) {
    engine::Problems problems;
    data::DegreesQuestion question{draftOf(arguments, problems), arguments.degrees};
    for (engine::Problem& problem : data::check(question)) {
        if (problem.path == "degrees")
            problem.path = "--degrees";
        problems.push_back(std::move(problem));
    }
    data::refuseAny(std::move(problems));
    return question;
}

std::string tileText(const engine::Tile& tile) { return std::to_string(tile.m) + "x" + std::to_string(tile.n); }

void writeDegreesTable(const data::Degrees& answer) {
    Duration longest = answer.alone;
    for (const data::DegreeRow& row : answer.rows)
        longest = std::max({longest, row.perKernel, row.estimate});
    const TimeScale scale = TimeScale::forLongest(longest);
    const std::string unit(scale.unit);
    Table table({{"degree"},
                 {"tile"},
                 {"per kernel", Align::right, unit},
                 {"over one after another"},
                 {"estimate", Align::right, unit},
                 {"", Align::left}});
    for (const data::DegreeRow& row : answer.rows)
        table.addRow({std::to_string(row.degree), tileText(row.tile), scale.text(row.perKernel),
                      fixedText(answer.overSequential(row), 3), scale.text(row.estimate), answer.markOf(row)});
    table.write(std::cout);
    std::cout << "degree: kernels at once; per kernel: the time of all, divided by their number; advised is the least "
                 "estimate\n";
    if (!answer.notices.empty())
        std::cout << "\n";
    writeNotices(answer.notices, std::cout);
}

void writeDegreesJson(const data::Degrees& answer) {
    Json document{{"engine_version", engine::engineVersion()}, {"name", answer.name}, {"alone_ps", answer.alone.ps}};
    document["degrees"] = jsonList(answer.rows, [&](const data::DegreeRow& row) {
        return Json{{"degree", row.degree},
                    {"tile_m", row.tile.m},
                    {"tile_n", row.tile.n},
                    {"per_kernel_ps", row.perKernel.ps},
                    {"over_sequential", answer.overSequential(row)},
                    {"estimate_ps", row.estimate.ps},
                    {"experiment_hash", data::experimentHash(row.experiment)}};
    });
    document["fastest"] = answer.fastest().degree;
    document["advised"] = answer.advised().degree;
    document["notices"] = data::noticesJson(answer.notices);
    printJson(document, std::cout);
}

int degrees(const PairArguments& arguments) {
    const data::DegreesQuestion question = degreesQuestionOf(arguments);
    data::PairOptions options;
    options.threads = arguments.threads;
    const data::Degrees answer = watched(options, [&] { return data::degreesOf(question, options); });
    if (arguments.output == Output::json)
        writeDegreesJson(answer);
    else
        writeDegreesTable(answer);
    return sayBroken(answer.broken);
}

/// Returns the question of --crossover, or an empty optional without that option.
std::optional<Crossover> crossoverOf(const PairArguments& arguments, const data::PairQuestion& question) {
    if (!arguments.crossover)
        return std::nullopt;
    std::optional<data::BreakEvenQuestion> asked = data::carrierQuestion(question.draft);
    if (!asked)
        data::refuseAny({{"--crossover", "",
                          "copies by DMA cannot carry this companion, so that there is no size to find; allowed: with "
                          "an all-gather or all-to-all, or with collective.reduction=nmc, around a ring or direct"}});
    data::refuseAny(data::check(*asked));
    return Crossover{std::move(*asked), {}};
}

void answerCrossover(Crossover& crossover, int threads) {
    data::BreakEvenOptions options;
    options.threads = threads;
    crossover.answer = watched(options, [&] { return data::breakEven(crossover.question, options); });
}

int pair(const PairArguments& arguments) {
    if (!arguments.degrees.empty())
        return degrees(arguments);
    const data::PairQuestion question = questionOf(arguments);
    std::optional<Crossover> crossover = crossoverOf(arguments, question);
    data::PairOptions options;
    options.threads = arguments.threads;
    const Pair answer = watched(options, [&] { return data::pairOf(question, options); });
    if (crossover)
        answerCrossover(*crossover, arguments.threads);
    if (arguments.output == Output::json)
        writeJson(answer, crossover);
    else
        writeTable(answer, crossover);
    return worse(sayBroken(answer.broken), crossover ? sayBroken(crossover->answer.broken) : kDone);
}

}  // namespace

void declarePair(Commands& commands) {
    const auto [command, arguments] =
        commands.add("pair", "Simulate an experiment beside a companion under every rule of dispatch",
                     "\nExamples:\n  ringside-cli pair t-nlg/fc-2/tp8 --companion \"all-gather 64MiB\" --threads 2\n"
                     "  ringside-cli pair gemm/4096x1024x1024 --degrees 1,2,4,8 --set machine=amd-mi100\n"
                     "With a row for the switch, and the size from which copies are faster, handed over 2 us apart:\n"
                     "  ringside-cli pair gemm/2048x2048x1024 --companion \"all-gather 4MiB\" --set "
                     "machine=nvidia-h100 --set detail.level=interactive --set collective.algorithm=direct --set "
                     "companion.issue=2us --crossover",
                     pair);
    addExperiment(command, arguments);
    addText(
        command, "--companion", arguments.companion,
        "Work that runs beside the experiment: \"all-gather 896MiB\", \"gemm\" (as its own GEMM, with the same batch), \"gemm "
        "4096x1024x1024 x3\" (three copies); short for --set companion.*",
        "TEXT");
    const Option reserved = command.option(
        "--reserved", arguments.reserved,
        "CUs that the row `reserved` keeps for the collective (default: the advised one of 4, 8, 16, ... up to half)");
    const Option degrees =
        command
            .option("--degrees", arguments.degrees,
                    "Instead of rules, compare how many copies of a GEMM run at once, each time with the tile that is "
                    "fastest there: 1,2,4,8")
            .separated()
            .excludes(reserved);
    command
        .flag(
            "--crossover", arguments.crossover,
            "Also find the sizes of the companion for which a kernel is at least as fast as copies by DMA (from 64 KiB "
            "to 64 MiB, or to its own size)")
        .excludes(degrees);
    addSettings(command, arguments, kSettingsHelp);
    addThreads(command, arguments);
    addForms(command, arguments.output, {"json", "table"});
}

}  // namespace cli
