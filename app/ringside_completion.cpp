#include "app/ringside_completion.h"

#include "app/display.h"
#include "app/ringside_arguments.h"
#include "app/ringside_cli_completion_script.h"
#include "app/ringside_cli_completion_values.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_figure_arguments.h"
#include "data/document/names.h"

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {
namespace {

using cli::ShellCommand;
using cli::ShellOption;
using cli::ShellValue;

ShellOption optionOf(const OptionText& text) {
    ShellOption option;
    for (const QString& name : QString::fromUtf8(text.names).split(u','))
        option.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
    option.what = text.help;
    if (text.value[0] == '\0')
        return option;
    ShellValue value = cli::shellValueOf(option.names.front(), text.value);
    if (text.words != nullptr)
        value.words = text.words();
    value.list = text.list;
    option.repeats = std::string_view(text.value) == "PATH=VALUE";  // settings add up
    option.value = value;
    return option;
}

ShellCommand commandOf(const char* name, const char* what, const char* argument, std::span<const OptionText> options) {
    ShellCommand command{name, what, {}, {cli::shellValueOf("", argument)}, {}};
    for (const OptionText& option : options)
        command.options.push_back(optionOf(option));
    return command;
}

std::vector<std::string> shellNames() { return data::namesOf(cli::shells(), &cli::Shell::name); }

ShellCommand program() {
    ShellCommand window = commandOf("ringside", "", "EXPERIMENT", windowOptions());
    window.commands.push_back(commandOf("figure", "Makes figures without the window", "WHAT", figureOptions()));
    window.commands.push_back(commandOf("completion", "Prints the script for completion in a shell", "SHELL", {}));
    window.commands.back().arguments.front().words = shellNames();
    return window;
}

}  // namespace

bool asksForCompletion(const QStringList& words) { return words.size() > 1 && words[1] == QLatin1String("completion"); }

int completionMain(const QStringList& words) {
    const std::string name = words.size() == 3 ? words[2].toStdString() : words.mid(2).join(u' ').toStdString();
    const cli::Shell* shell = data::findNamed(cli::shells(), &cli::Shell::name, std::string_view(name));
    if (shell == nullptr) {
        say(stderr, QString::fromStdString("completion: " + name + ": no such shell; allowed: one of " +
                                           data::joined(shellNames(), ", ")));
        return cli::kInputWrong;
    }
    say(stdout, QString::fromStdString(shell->script(program())));
    return cli::kDone;
}

}  // namespace app
