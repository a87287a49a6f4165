#include "app/ringside_cli_completion_script.h"
#include "data/document/shell_word.h"

#include <cstddef>
#include <string_view>

// The script is data, functions of `case`, and one driver that walks over the words of the line.

namespace cli {
namespace {

using data::shellQuoted;
using script::joinedQuoted;

constexpr std::string_view kBashDriver = R"(
# Offers what the last call of <P>_value found for the word in $current.
<P>_offer() {
    local before='' rest word
    local -a list=()
    if [[ $listed && $current == *,* ]]; then before=${current%,*},; fi
    rest=${current#"$before"}
    if ((number)); then "<P>_list_$number"; fi
    for word in "${list[@]}"; do
        # The values of PATH= come once that is there.
        if [[ $rest == *=* && $word != *=?* || $rest != *=* && $word == *=?* ]]; then continue; fi
        if [[ $word == "$rest"* ]]; then COMPREPLY+=("$before$word"); fi
    done
    if [[ ${#COMPREPLY[@]} -eq 0 && $files ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
    elif [[ $listed || ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

# Offers those of the words that begin as $current does.
<P>_begun() {
    local word
    for word in "$@"; do
        if [[ $word == "$current"* ]]; then COMPREPLY+=("$word"); fi
    done
}

<P>() {
    local command='<NAME>' option='' word current joined='' number='' files='' listed='' many=''
    local -a words=() commands=() options=()
    local -i i position=0
    COMPREPLY=()
    # Bash cuts words at = and :, which are letters here.
    for ((i = 1; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if [[ ${#words[@]} -gt 0 && ($joined || $word == [=:]*) ]]; then words[-1]+=$word; else words+=("$word"); fi
        joined=''
        if [[ $word == [=:] ]]; then joined=1; fi
    done
    current=${words[-1]}
    unset 'words[-1]'
    <P>_command "$command"
    for word in "${words[@]}"; do
        if [[ $word == -* ]]; then
            option=''
            if <P>_value "$command $word"; then option=$word; fi
        elif [[ $option ]]; then
            if [[ ! $many ]]; then option=''; fi
        elif [[ $position -eq 0 && " ${commands[*]} " == *" $word "* ]]; then
            command+=" $word"
            <P>_command "$command"
        else
            position+=1
        fi
    done
    if [[ $current == --*=* ]]; then
        option=${current%%=*} current=${current#*=}
        if <P>_value "$command $option"; then <P>_offer; fi
    else
        if [[ $option ]]; then
            <P>_value "$command $option"
            <P>_offer
        fi
        if [[ $current == -* && (! $option || $many) ]]; then
            <P>_begun "${options[@]}"
        elif [[ ! $option || $many ]]; then
            if ((position == 0)); then <P>_begun "${commands[@]}"; fi
            if <P>_value "$command $position"; then <P>_offer; fi
        fi
    fi
    # For bash the word begins after the last = or :.
    for word in '=' ':'; do
        if [[ $COMP_WORDBREAKS == *"$word"* && $current == *"$word"* ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${current%"$word"*}$word"}")
        fi
    done
}
complete -F <P> <NAME>
)";

std::string bashValue(const std::string& pattern, const ShellValue& value, const script::WordLists& lists) {
    return "        " + pattern + ") number=" + std::to_string(lists.numberOf(value)) +
           (value.files ? " files=1" : "") + (value.list ? " listed=1" : "") + (value.many ? " many=1" : "") + " ;;\n";
}

std::string bashValues(const ShellCommand& command, const std::string& path, const script::WordLists& lists) {
    std::string lines;
    for (const ShellOption& option : command.options) {
        if (!option.value)
            continue;
        std::string pattern;
        for (const std::string& name : option.names)
            pattern += (pattern.empty() ? "" : " | ") + shellQuoted(path + " " + name);
        lines += bashValue(pattern, *option.value, lists);
    }
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
        const ShellValue& argument = command.arguments[i];
        const std::string position =
            argument.many ? shellQuoted(path + " ") + "[0-9]*" : shellQuoted(path + " " + std::to_string(i));
        lines += bashValue(position, argument, lists);
    }
    return lines;
}

std::string bashWords(const ShellCommand& command, const std::string& path) {
    std::vector<std::string> names, options;
    for (const ShellCommand& below : command.commands)
        names.push_back(below.name);
    for (const ShellOption& option : command.options)
        options.insert(options.end(), option.names.begin(), option.names.end());
    return "        " + shellQuoted(path) + ")\n            commands=(" + joinedQuoted(names) +
           ")\n            options=(" + joinedQuoted(options) + ")\n            ;;\n";
}

}  // namespace

std::string bashCompletion(const ShellCommand& program) {
    const script::WordLists lists(program);
    const std::string prefix = script::functionOf(program.name);
    std::string text =
        "# Completion of " + program.name + " in bash, as `" + program.name + " completion bash` prints it.\n";
    text += script::listFunctions(lists, prefix + "_list_");
    std::string words, values;
    script::eachCommand(program, [&](const ShellCommand& command, const std::string& path) {
        words += bashWords(command, path);
        values += bashValues(command, path, lists);
    });
    text += "\n# The commands and options of a command.\n" + prefix + "_command() {\n    case $1 in\n" + words +
            "    esac\n}\n\n# The value of an option, or the argument at a position; fails for a flag.\n" + prefix +
            "_value() {\n    number=0 files='' listed='' many=''\n    case $1 in\n" + values +
            "        *) return 1 ;;\n    esac\n}\n";
    return text + script::driverOf(kBashDriver, program);
}

}  // namespace cli
