#include "app/ringside_cli_division_arguments.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/experiment/experiment_document.h"
#include "data/questions/divisions.h"
#include "data/results/result_json.h"
#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iostream>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cli {
namespace {

using data::Division;
using data::Divisions;
using data::DivisionsQuestion;

struct DivisionsArguments : CommonArguments {
    std::string model;
    std::int64_t gpus = 0, sequences = 0;
    std::string limit = "10";
    int simulate = 0;  ///< how many of the best divisions are simulated
};

/// Returns the rows to print.
std::span<const Division> shownRows(const Divisions& divisions, std::size_t limit) {
    return std::span(divisions.rows).first(std::min(limit, divisions.rows.size()));
}

std::size_t rowLimit(const DivisionsArguments& arguments, engine::Problems& problems) {
    const std::string& text = arguments.limit;
    if (text == "all")
        return std::string::npos;
    std::size_t limit = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
    if (error != std::errc() || end != text.data() + text.size() || limit == 0)
        problems.push_back({"--limit", text, "not a number of rows; allowed: 1 or more, or all"});
    return limit;
}

/// Refuses settings that the search chooses, and settings that a whole model ignores.
void refuseChosen(const DivisionsArguments& arguments, engine::Problems& problems) {
    engine::Problems ofSettings;  // readModel reports it
    const data::Settings set = readSettings(arguments.settings, ofSettings);
    for (const auto& [path, value] : data::settingsOf(Division{})) {
        if (const auto found = set.find(path); found != set.end())
            problems.push_back({path, engine::formatValue(*engine::findParameter(path), found->second),
                                "the search chooses it; leave it out"});
    }
}

DivisionsQuestion questionOf(const DivisionsArguments& arguments, engine::Problems& problems) {
    data::DraftReading reading = readModel(arguments.model, arguments.settings);
    data::append(problems, reading.problems);
    sayRemovedSettings(reading.draft);
    refuseUnread(reading.draft, problems);
    refuseChosen(arguments, problems);
    DivisionsQuestion question;
    reading.draft.explicitValues.emplace("detail.level", std::string("interactive"));
    question.base = wholeModelOf(reading.draft, problems);
    question.gpus = arguments.gpus;
    question.sequences = arguments.sequences;
    if (problems.empty())
        problems = data::divisionsProblems(question);
    for (engine::Problem& problem : problems) {
        for (const char* option : {"gpus", "sequences"}) {
            if (problem.path == option)
                problem.path = std::string("--") + option;
        }
    }
    return question;
}

/// "7.49 s", "31.20 ms", "4.50 µs".
std::string stepTimeText(engine::Duration time) {
    constexpr std::array<std::pair<double, const char*>, 3> kUnits{{{1e12, " s"}, {1e9, " ms"}, {1e6, " µs"}}};
    const auto ps = static_cast<double>(time.ps);
    if (time.ps == 0)
        return "0 s";
    const auto unit = std::find_if(kUnits.begin(), kUnits.end() - 1, [&](const auto& at) { return ps >= at.first; });
    return fixedText(ps / unit->first, 2) + unit->second;
}

/// Returns the word of one of a division's choices.
std::string choiceWord(const Division& division, const char* path) {
    return std::get<std::string>(data::settingsOf(division).at(path));
}

/// Returns whether any division has been simulated.
bool hasSteps(const Divisions& divisions) {
    return std::ranges::any_of(divisions.rows, [](const Division& row) { return row.step.has_value(); });
}

void writeDivisionTable(const DivisionsQuestion& question, const Divisions& divisions, std::size_t limit) {
    const bool limited = question.base.node.memory && divisions.fitting < divisions.rows.size();
    Table table({{"tp"}, {"pp"}, {"dp"}, {"batch"}, {"micro-batches"}, {"interleave"}});
    table.addColumn("sharding", Align::left);
    table.addColumn("recompute", Align::left);
    for (const char* heading : {"footprint", "compute", "bubble", "messages", "estimate"})
        table.addColumn(heading);
    const bool simulated = hasSteps(divisions);
    if (simulated)
        table.addColumn("step");
    if (limited)
        table.addColumn("fits", Align::left);
    for (const Division& row : shownRows(divisions, limit)) {
        constexpr double kPercent = 100;
        std::vector<std::string> cells;
        for (const std::int64_t number : {row.tp, row.pp, row.dp, row.batch, row.microbatches, row.interleave})
            cells.push_back(std::to_string(number));
        cells.insert(cells.end(),
                     {choiceWord(row, "division.sharding"), choiceWord(row, "operators.recompute"),
                      bytesText(row.footprint), stepTimeText(row.compute), fixedText(kPercent * row.bubble, 1) + " %",
                      stepTimeText(row.messages), stepTimeText(row.estimate)});
        if (simulated)
            cells.push_back(row.step ? stepTimeText(*row.step) : std::string("-"));
        if (limited)
            cells.emplace_back(row.fits ? "yes" : "no");
        table.addRow(std::move(cells));
    }
    table.write(std::cout);
}

std::string countedText(std::int64_t count, const char* one, const char* several) {
    return groupedText(static_cast<std::size_t>(count)) + (count == 1 ? one : several);
}

/// Prints the model and the GPUs, the number of rows, and the notices on what the numbers leave out.
void writeDivisionsSummary(const DivisionsQuestion& question, const Divisions& divisions) {
    const engine::Experiment& base = question.base;
    std::cout << base.workload.model << ", one training step of "
              << countedText(question.sequences, " sequence", " sequences") << " on "
              << countedText(question.gpus, " GPU", " GPUs") << ", machine " << base.machine << ": ";
    if (divisions.rows.empty())
        std::cout << "no division\n";
    else
        std::cout << countedText(static_cast<std::int64_t>(divisions.rows.size()), " division", " divisions")
                  << " searched, "
                  << (base.node.memory ? groupedText(divisions.fitting) + " fit into " + bytesText(*base.node.memory)
                                       : std::string("node.memory is unlimited"))
                  << "\n";
    for (const engine::Notice& notice : divisions.notices)
        std::cout << "notice  " << notice.path << ": " << notice.text << "\n";
}

Json divisionRowJson(const DivisionsQuestion& question, const Division& row) {
    Json json{{"tp", row.tp},
              {"pp", row.pp},
              {"dp", row.dp},
              {"batch", row.batch},
              {"microbatches", row.microbatches},
              {"interleave", row.interleave},
              {"sharding", choiceWord(row, "division.sharding")},
              {"recompute", choiceWord(row, "operators.recompute")},
              {"footprint_bytes", row.footprint.count},
              {"compute_ps", row.compute.ps},
              {"bubble", row.bubble},
              {"messages_ps", row.messages.ps},
              {"estimate_ps", row.estimate.ps}};
    if (question.base.node.memory)
        json["fits"] = row.fits;
    if (row.step)
        json["step_ps"] = row.step->ps;
    return json;
}

void writeDivisionsJson(const DivisionsQuestion& question, const Divisions& divisions, std::size_t limit) {
    const Json json{{"engine_version", engine::engineVersion()},
                    {"model", question.base.workload.model},
                    {"phase", engine::name(engine::ModelPhase::training)},
                    {"machine", question.base.machine},
                    {"gpus", question.gpus},
                    {"sequences", question.sequences},
                    {"searched", divisions.rows.size()},
                    {"fitting", divisions.fitting},
                    {"divisions", jsonList(shownRows(divisions, limit),
                                           [&](const Division& row) { return divisionRowJson(question, row); })},
                    {"notices", data::noticesJson(divisions.notices)}};
    printJson(json, std::cout);
}

void writeDivisionsCsv(const DivisionsQuestion& question, const Divisions& divisions, std::size_t limit) {
    const bool simulated = hasSteps(divisions);
    std::cout << "tp,pp,dp,batch,microbatches,interleave,sharding,recompute,footprint_bytes,compute_ps,bubble,"
                 "messages_ps,estimate_ps,fits"
              << (simulated ? ",step_ps" : "") << "\n";
    for (const Division& row : shownRows(divisions, limit)) {
        Json json = divisionRowJson(question, row);
        json.erase("step_ps");
        std::vector<std::string> cells;
        for (const Json& value : json)
            cells.push_back(value.is_string() ? value.get<std::string>() : value.dump());
        if (!question.base.node.memory)
            cells.emplace_back();
        if (simulated)
            cells.push_back(row.step ? std::to_string(row.step->ps) : std::string());
        std::cout << csvLine(cells);
    }
}

int divisions(const DivisionsArguments& arguments) {
    engine::Problems problems;
    const std::size_t limit = rowLimit(arguments, problems);
    DivisionsQuestion question = questionOf(arguments, problems);
    data::refuseAny(std::move(problems));
    Divisions found = watched(question, [&] { return data::divisionsOf(question); });
    if (arguments.simulate > 0)
        watched(question, [&] {
            data::simulateBest(question, static_cast<std::size_t>(arguments.simulate), arguments.threads, found);
            return 0;
        });
    if (arguments.output == Output::json) {
        writeDivisionsJson(question, found, limit);
    } else if (arguments.output == Output::csv) {
        writeDivisionsCsv(question, found, limit);
    } else {
        if (!found.rows.empty()) {
            writeDivisionTable(question, found, limit);
            std::cout << "\n";
        }
        writeDivisionsSummary(question, found);
    }
    return found.rows.empty() ? kDoesNotHold : kDone;
}

}  // namespace

void declareDivisions(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "divisions", "Search the divisions of a model over GPUs for those that fit, and sort them by estimated time",
        "\nExample:\n"
        "  ringside-cli divisions gpt-3 --gpus 512 --sequences 1536 --set machine=nvidia-h100 --set "
        "workload.sequence=2048\n"
        "  ringside-cli divisions t-nlg --gpus 64 --sequences 64 --simulate 3 --threads 2\n\n"
        "Divisions that fit come first, sorted by an estimate of the time. It ignores overlap: use it to compare "
        "divisions,\nnot to predict a time.\n"
        "The exit code is 1 when there is no division at all.",
        divisions);
    addModel(command, arguments.model).required();
    command.option("--gpus", arguments.gpus, "GPUs of every division: tp x dp x pp").required().type("N");
    command
        .option("--sequences", arguments.sequences,
                "Sequences of one step over all replicas: dp x batch x micro-batches")
        .required()
        .type("N");
    addText(command, "--limit", arguments.limit, "Rows to print, or all (default: 10)", "K");
    constexpr int kMostSimulated = 1000;
    command
        .option("--simulate", arguments.simulate,
                "Simulate the step of the best K divisions under sequential, and order these by its time")
        .type("K")
        .between(1, kMostSimulated);
    addThreads(command, arguments);
    addSettings(command, arguments,
                "Set a parameter, units allowed (repeatable); parameters that the search chooses are refused");
    addForms(command, arguments.output);
}

}  // namespace cli
