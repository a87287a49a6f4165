#include "app/ringside_cli_command.h"
#include "app/ringside_cli_completion_script.h"
#include "app/ringside_cli_completion_values.h"
#include "app/ringside_cli_exit.h"
#include "data/document/names.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <iostream>
#include <sstream>
#include <string_view>

// Reads the data for completion from the declarations of the command line: every declared command and option
// is completed.

namespace cli {
namespace {

struct CompletionArguments {
    std::string shell;
    const CLI::App* program = nullptr;
};

/// Returns the words between the braces of "FORM:{json,table,csv}", in which CLI::IsMember lists them.
std::vector<std::string> allowedWords(const std::string& type) {
    std::vector<std::string> words;
    const std::size_t open = type.find('{'), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos)
        return words;
    std::istringstream text(type.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(text, word, ',');)
        words.push_back(word);
    return words;
}

ShellValue valueOf(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const bool isArgument = option.get_positional();
    const std::string name = isArgument ? option.get_single_name() : type.substr(0, type.find(':'));
    ShellValue value = shellValueOf(isArgument ? "" : "--" + option.get_single_name(), name);
    if (std::vector<std::string> words = allowedWords(type); !words.empty()) {
        value.words = std::move(words);
        value.files = false;
    }
    value.list = option.get_delimiter() != '\0';
    value.many = option.get_items_expected_max() > 1 && option.get_allow_extra_args();
    return value;
}

ShellOption optionOf(const CLI::Option& option) {
    ShellOption shown;
    for (const std::string& name : option.get_snames())
        shown.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        shown.names.push_back("--" + name);
    shown.what = option.get_description();
    if (option.get_items_expected_max() > 0)
        shown.value = valueOf(option);
    shown.repeats = option.get_items_expected_max() > 1;
    return shown;
}

ShellCommand commandOf(const CLI::App& app) {
    ShellCommand command{app.get_name(), app.get_description(), {}, {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional())
            command.arguments.push_back(valueOf(*option));
        else
            command.options.push_back(optionOf(*option));
    }
    for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
        command.commands.push_back(commandOf(*below));
    return command;
}

int completion(const CompletionArguments& arguments) {
    const Shell& shell = *data::findNamed(shells(), &Shell::name, std::string_view(arguments.shell));
    std::cout << shell.script(commandOf(*arguments.program));
    return kDone;
}

}  // namespace

void declareCompletion(Commands& commands) {
    const auto [command, arguments] =
        commands.add("completion", "Print the script that lets a shell complete commands, options and their values",
                     "\nExample, for the bash that is running:\n  source <(ringside-cli completion bash)\n\n"
                     "The script contains the names that your own presets have when it is printed.",
                     completion);
    arguments.program = command.parent();
    command.option("SHELL", arguments.shell, "The shell").required().among(data::namesOf(shells(), &Shell::name));
}

}  // namespace cli
