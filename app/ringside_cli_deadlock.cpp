#include "app/ringside_cli_command.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "data/document/problem_list.h"
#include "data/questions/wait_for.h"

#include <algorithm>
#include <iostream>
#include <string>

// The command that finds out whether the calls of several communication libraries can wait for each other for ever.

namespace cli {
namespace {

struct DeadlockArguments : CommonArguments {
    std::string file;
};

/// Returns "rank 0, call 1: mpi:a", with the calls counted from 1.
std::string placeText(const data::CallProgram& program, std::size_t rank, std::size_t call) {
    return "rank " + std::to_string(rank) + ", call " + std::to_string(call + 1) + ": " +
           program.textOf(program.ranks[rank][call]);
}

void printWaits(const data::CallProgram& program, const data::WaitOutcome& outcome, std::ostream& out) {
    const std::string ranks = std::to_string(program.ranks.size());
    if (outcome.isDeadlock())
        out << "deadlock: " << outcome.never.size() << " of " << ranks << " ranks never end\n";
    else
        out << "no deadlock: all " << ranks << " ranks end\n";
    std::size_t widest = 0;
    for (const data::WaitStep& step : outcome.cycle)
        widest = std::max(widest, placeText(program, step.rank, step.call).size());
    for (const data::WaitStep& step : outcome.cycle) {
        const std::string place = placeText(program, step.rank, step.call);
        out << place << std::string(widest - place.size(), ' ') << "   waits for rank " << step.waitsFor << "\n";
    }
    for (const data::MissingCall& missing : outcome.missing)
        out << "rank " << missing.rank << " never calls " << program.operations[missing.operation].name << "\n";
    if (outcome.isDeadlock() && outcome.cycle.empty())
        for (const data::StuckRank& stuck : outcome.never)
            out << placeText(program, stuck.rank, stuck.call) << "   never ends\n";
}

Json waitsJson(const data::CallProgram& program, const data::WaitOutcome& outcome) {
    const auto callJson = [&](std::size_t rank, std::size_t call) {
        return Json{{"rank", rank}, {"call", call + 1}, {"text", program.textOf(program.ranks[rank][call])}};
    };
    Json json{{"deadlock", outcome.isDeadlock()}, {"ranks", program.ranks.size()}};
    json["cycle"] = Json::array();
    for (const data::WaitStep& step : outcome.cycle) {
        json["cycle"].push_back(callJson(step.rank, step.call));
        json["cycle"].back()["waits_for"] = step.waitsFor;
    }
    json["never"] = Json::array();
    for (const data::StuckRank& stuck : outcome.never)
        json["never"].push_back(callJson(stuck.rank, stuck.call));
    json["missing"] = Json::array();
    for (const data::MissingCall& missing : outcome.missing)
        json["missing"].push_back({{"rank", missing.rank}, {"operation", program.operations[missing.operation].name}});
    return json;
}

int deadlock(const DeadlockArguments& arguments) {
    const data::CallReading reading = data::readCallFile(arguments.file);
    data::refuseAny(reading.problems);
    const data::WaitOutcome outcome = data::waitOutcomeOf(reading.program);
    if (arguments.output == Output::json)
        printJson(waitsJson(reading.program, outcome), std::cout);
    else
        printWaits(reading.program, outcome, std::cout);
    return outcome.isDeadlock() ? kDoesNotHold : kDone;
}

}  // namespace

void declareDeadlock(Commands& commands) {
    const auto [command, arguments] =
        commands.add("deadlock", "Find out whether calls of communication libraries wait for each other for ever",
                     "\nExample:\n  ringside-cli deadlock resources/examples/two-libraries.json", deadlock);
    command.option("FILE", arguments.file, "A document of calls, - for standard input").required();
    addForms(command, arguments.output, {"json", "table"});
}

}  // namespace cli
