#include "app/ringside_cli_completion_script.h"
#include "data/document/shell_word.h"

#include <cstddef>
#include <string_view>

// Fish evaluates the condition of each line of the script; one function walks over the words and returns the answer.

namespace cli {
namespace {

constexpr std::string_view kFishDriver = R"(
# Whether the words belong to this command and the next one is its argument at POSITION, or at one after it with "more".
function <P>_is --argument-names command position more
    set -l at <NAME>
    set -l place 0
    set -l option
    set -l tokens (commandline -opc)
    set -e tokens[1]
    for token in $tokens
        if string match -q -- '-*' $token
            set option
            if contains -- "$at $token" $<P>_valued
                set option $token
            end
        else if set -q option[1]
            if not contains -- "$at $option" $<P>_many
                set option
            end
        else if test $place -eq 0; and contains -- "$at $token" $<P>_commands
            set at "$at $token"
        else
            set place (math $place + 1)
        end
    end
    test "$at" = "$command"; or return 1
    test -z "$position"; or test $place -eq $position; or begin
        test -n "$more"; and test $place -gt $position
    end
end

# Offers the list of this number; with "listed" several of its words with commas between them.
function <P>_words --argument-names number listed
    set -l token (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l words (<P>_list_$number)
    if test -n "$listed"
        set -l before (string match -r -- '.*,' "$token"; or echo)
        printf '%s\n' $before$words
    else if string match -q -- '*=*' "$token"
        string match -r -- '.+=.+' $words
    else
        string match -v -r -- '.+=.+' $words
    end
end

complete -c <NAME> -f
)";

/// Returns the text in single quotes, as fish reads them.
std::string fishQuoted(const std::string& text) {
    std::string inside;
    for (const char letter : text) {
        if (letter == '\'' || letter == '\\')
            inside += '\\';
        inside += letter;
    }
    return "'" + inside + "'";
}

std::string fishJoined(const std::vector<std::string>& words) {
    std::string joined;
    for (const std::string& word : words)
        joined += " \\\n        " + fishQuoted(word);
    return joined;
}

/// Returns the flags of `complete` for a value: `-r` and `-x` are for values of options.
std::string fishValue(const ShellValue& value, bool ofOption, const std::string& prefix,
                      const script::WordLists& lists) {
    std::string text = value.files ? " -F" : "";
    if (ofOption)
        text = value.files ? " -r -F" : " -x";
    if (const std::size_t number = lists.numberOf(value); number > 0)
        text += " -a '(" + prefix + "_words " + std::to_string(number) + (value.list ? " listed" : "") + ")'";
    return text;
}

std::string fishCommand(const ShellCommand& command, const std::string& path, const std::string& prefix,
                        const std::string& program, const script::WordLists& lists) {
    const std::string is = prefix + "_is " + data::shellQuoted(path), begin = "complete -c " + program + " -n ";
    std::string lines;
    for (const ShellCommand& below : command.commands)
        lines +=
            begin + fishQuoted(is + " 0") + " -a " + fishQuoted(below.name) + " -d " + fishQuoted(below.what) + "\n";
    for (const ShellOption& option : command.options) {
        lines += begin + fishQuoted(is);
        for (const std::string& name : option.names)
            lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        lines += (option.value ? fishValue(*option.value, true, prefix, lists) : "") + " -d " +
                 fishQuoted(option.what) + "\n";
    }
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
        const ShellValue& argument = command.arguments[i];
        if (argument.files || !argument.words.empty())
            lines += begin + fishQuoted(is + " " + std::to_string(i) + (argument.many ? " more" : "")) +
                     fishValue(argument, false, prefix, lists) + "\n";
    }
    return lines;
}

}  // namespace

std::string fishCompletion(const ShellCommand& program) {
    const script::WordLists lists(program);
    const std::string prefix = script::functionOf(program.name);
    std::string text =
        "# Completion of " + program.name + " in fish, as `" + program.name + " completion fish` prints it.\n";
    for (std::size_t i = 0; i < lists.all().size(); ++i)
        text += "function " + prefix + "_list_" + std::to_string(i + 1) + "\n    printf '%s\\n'" +
                fishJoined(lists.all()[i]) + "\nend\n";
    std::vector<std::string> commands, valued, many;
    std::string lines;
    script::eachCommand(program, [&](const ShellCommand& command, const std::string& path) {
        for (const ShellCommand& below : command.commands)
            commands.push_back(path + " " + below.name);
        for (const ShellOption& option : command.options) {
            for (const std::string& name : option.names) {
                if (option.value)
                    valued.push_back(path + " " + name);
                if (option.value && option.value->many)
                    many.push_back(path + " " + name);
            }
        }
        lines += fishCommand(command, path, prefix, program.name, lists);
    });
    text += "\n# Commands, options with a value, and options that take several.\nset -g " + prefix + "_commands" +
            fishJoined(commands) + "\nset -g " + prefix + "_valued" + fishJoined(valued) + "\nset -g " + prefix +
            "_many" + fishJoined(many) + "\n";
    return text + script::driverOf(kFishDriver, program) + lines;
}

}  // namespace cli
