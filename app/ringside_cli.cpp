#include "app/ringside_cli_command.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_output.h"
#include "data/document/document_body.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <stdexcept>

namespace {

/// A disk, a pipe or a library failed; the message names which.
class MachineFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

std::string versionText() {
    return "ringside-cli " RINGSIDE_VERSION "\nengine " + std::string(engine::engineVersion()) +
           "\nlicence GPL-3.0-or-later";
}

/// Returns what is wrong if a word is not a command, or if a command that has sub-commands stands alone; the parser
/// would only say that a command is missing.
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
        words.empty() ? app.get_name() + ": a sub-command is missing" : words.front() + ": unknown command";
    const auto near = words.empty() ? std::vector<std::string>() : engine::nearestNames(words.front(), names);
    if (!near.empty())
        text += ", did you mean " + near.front() + "?";
    return text + "; allowed: " + (names.size() == 1 ? "" : "one of ") + data::joinedNames(names, ", ");
}

/// Parses and runs a command line; every exception goes on to the one place that turns it into an exit code.
int runCommand(int argc, char** argv) {
    CLI::App app(
        "Ringside simulates how much of a collective hides behind the GEMM that produces its data (T3, ASPLOS 2024).",
        "ringside-cli");
    app.set_version_flag("--version", versionText());
    app.footer(
        std::string(
            "\nExample:\n  ringside-cli compare t-nlg/fc-2/tp8 --policies sequential,t3,t3-mca,ideal-overlap\n\n") +
        cli::kExitHelp + "\n`ringside-cli COMMAND --help` explains a command.");
    app.require_subcommand(1);
    cli::Commands commands(app);
    for (const auto declare : cli::kDeclarations)
        declare(commands);
    cli::refuseEmptyValues(app);
    std::vector<std::string> words = cli::wordsOf(argc, argv);
    std::reverse(words.begin(), words.end());  // the parser reads them from the end
    try {
        app.parse(std::move(words));
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        std::cerr << "ringside-cli: " << (unknownCommand(app, {argv + 1, argv + argc}).value_or(error.what()))
                  << "\nTry `ringside-cli --help`.\n";
        return cli::kInputWrong;
    }
    return commands.run();
}

}  // namespace

int main(int argc, char** argv) {
    const cli::EscapedOutput escaped;
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
