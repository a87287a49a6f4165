#include "app/ringside_cli_completion_script.h"
#include "data/document/names.h"
#include "data/document/shell_word.h"

#include <string_view>

// Zsh has a completion function of its own, _arguments; the script passes the arguments of each command to it.

namespace cli {
namespace {

using data::shellQuoted;

constexpr std::string_view kZshDriver = R"(
# Offers a value. $1: the number of its list; $2: "," if several words have commas between; $3: "files" if allowed.
<P>__value() {
    local -a list
    local -i failed=1
    if (($1)); then <P>__list_$1; fi
    if [[ $2 == , ]]; then
        compset -P '*,'
        compadd -S '' -a list && failed=0
    elif [[ $PREFIX == *=* ]]; then
        list=(${${(M)list:#${PREFIX%%=*}=?*}#*=})
        compset -P '*=' && compadd -a list && failed=0
    elif ((${#${(M)list:#*=}})); then
        list=(${(M)list:#*=})
        compadd -S '' -a list && failed=0
    else
        compadd -a list && failed=0
    fi
    if [[ $3 == files ]] && _files; then failed=0; fi
    return failed
}

compdef <P> <NAME>
# As a file of $fpath the script is the function that is called.
if [[ $funcstack[1] == _<NAME> ]]; then <P> "$@"; fi
)";

/// Returns the text as _arguments and _describe read a description.
std::string described(const std::string& text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '[' || letter == ']' || letter == ':' || letter == '\\')
            escaped += '\\';
        escaped += letter;
    }
    return escaped;
}

std::string zshCall(const ShellValue& value, const std::string& prefix, const script::WordLists& lists) {
    return prefix + "__value " + std::to_string(lists.numberOf(value)) + (value.list ? " ," : " -") +
           (value.files ? " files" : "");
}

/// The blank keeps _arguments from adding words of its own to the call.
std::string zshAction(const ShellValue& value, const std::string& prefix, const script::WordLists& lists) {
    return ":" + described(value.name) + ": " + zshCall(value, prefix, lists);
}

constexpr const char* kBetweenSpecs = " \\\n        ";

std::vector<std::string> zshOptions(const ShellCommand& command, const std::string& prefix,
                                    const script::WordLists& lists) {
    std::vector<std::string> specs;
    for (const ShellOption& option : command.options) {
        const std::string all = data::joined(option.names, " ");
        const std::string before = option.repeats ? "*" : option.names.size() > 1 ? "(" + all + ")" : "";
        for (const std::string& name : option.names)
            specs.push_back(before + name + (option.value && name.starts_with("--") ? "=" : "") + "[" +
                            described(option.what) + "]" +
                            (option.value ? zshAction(*option.value, prefix, lists) : ""));
    }
    return specs;
}

std::string zshArguments(const std::string& options, const std::vector<std::string>& specs) {
    return "_arguments -S" + options + (kBetweenSpecs + script::joinedQuoted(specs, kBetweenSpecs));
}

/// Returns the cases for the states of _arguments: `command` offers the names of commands and the program's argument,
/// `argument` calls the function of the command on the line.
std::string zshStates(const ShellCommand& command, const std::string& path, const std::string& prefix,
                      const script::WordLists& lists) {
    std::vector<std::string> names;
    std::string cases;
    for (const ShellCommand& below : command.commands) {
        names.push_back(below.name + ":" + described(below.what));
        cases +=
            "                " + shellQuoted(below.name) + ") " + script::functionOf(path + " " + below.name) + " ;;\n";
    }
    std::string text = "        command)\n            local -a commands=(" +
                       script::joinedQuoted(names, "\n                ") +
                       ")\n            _describe -t commands command commands && failed=0\n";
    if (!command.arguments.empty()) {
        text += "            " + zshCall(command.arguments.front(), prefix, lists) + " && failed=0\n";
        cases += "                *) " + zshArguments("", zshOptions(command, prefix, lists)) + " ;;\n";
    }
    return text + "            ;;\n        argument)\n            case $words[1] in\n" + cases +
           "            esac && failed=0\n            ;;\n";
}

/// Returns the function of a command. One with sub-commands uses the states of _arguments, see zshStates.
std::string zshCommand(const ShellCommand& command, const std::string& path, const std::string& prefix,
                       const script::WordLists& lists) {
    std::vector<std::string> specs = zshOptions(command, prefix, lists);
    const std::string begin = script::functionOf(path) + "() {\n    ";
    if (!command.commands.empty()) {
        specs.insert(specs.end(), {"(-)1: :->command", "(-)*:: :->argument"});
        return begin + "local context state state_descr line\n    typeset -A opt_args\n    local -i failed=1\n    " +
               zshArguments(" -C", specs) + " && failed=0\n    case $state in\n" +
               zshStates(command, path, prefix, lists) + "    esac\n    return failed\n}\n";
    }
    for (const ShellValue& argument : command.arguments)
        specs.push_back((argument.many ? "*" : "") + zshAction(argument, prefix, lists));
    return begin + zshArguments("", specs) + "\n}\n";
}

}  // namespace

std::string zshCompletion(const ShellCommand& program) {
    const script::WordLists lists(program);
    const std::string prefix = script::functionOf(program.name);
    std::string text = "#compdef " + program.name + "\n# Completion of " + program.name + " in zsh, as `" +
                       program.name + " completion zsh` prints it.\n";
    text += script::listFunctions(lists, prefix + "__list_");
    script::eachCommand(program, [&](const ShellCommand& command, const std::string& path) {
        text += "\n" + zshCommand(command, path, prefix, lists);
    });
    return text + script::driverOf(kZshDriver, program);
}

}  // namespace cli
