#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The words that a shell offers for a value.
struct ShellValue {
    std::string name;                ///< its name in the help: "EXPERIMENT"
    std::vector<std::string> words;  ///< in the order of the offer; "PATH=VALUE" is offered once "PATH=" has been typed
    bool files = false;              ///< file and folder names are offered as well
    bool list = false;               ///< several words, separated by commas
    bool many = false;               ///< several values, one after the other
};

/// An option or a flag.
struct ShellOption {
    std::vector<std::string> names;  ///< "-h", "--help"
    std::string what;                ///< its line in the help
    std::optional<ShellValue> value;
    bool repeats = false;
};

/// A program, or one of its commands.
struct ShellCommand {
    std::string name;
    std::string what;
    std::vector<ShellOption> options;
    std::vector<ShellValue> arguments;  ///< by position
    std::vector<ShellCommand> commands;
};

/// Returns the script that completes the words of `program`. The script contains everything that it offers and calls no
/// program.
std::string bashCompletion(const ShellCommand& program);
std::string zshCompletion(const ShellCommand& program);
std::string fishCompletion(const ShellCommand& program);

/// A shell with completion.
struct Shell {
    std::string_view name;
    std::string (*script)(const ShellCommand& program);
};
std::span<const Shell> shells();

/// Functions that the writers of scripts share.
namespace script {

/// Numbers the lists of words of a program, so that a script contains each list only once.
class WordLists {
public:
    explicit WordLists(const ShellCommand& program) { add(program); }

    /// Returns the number of the list from 1, or 0 for a value without words.
    std::size_t numberOf(const ShellValue& value) const;
    const std::vector<std::vector<std::string>>& all() const { return m_lists; }

private:
    void add(const ShellCommand& command);
    void add(const ShellValue& value);

    std::vector<std::vector<std::string>> m_lists;
};

/// Returns "_ringside_cli_run" for "ringside-cli run": the name of a function.
std::string functionOf(std::string path);

/// Returns shell functions for bash and zsh, one for each list. A function is named `begin` plus the number of its
/// list, and sets the variable `list`.
std::string listFunctions(const WordLists& lists, const std::string& begin);

/// Returns a part of a script that has "<P>" for its function and "<NAME>" for the program's name.
std::string driverOf(std::string_view text, const ShellCommand& program);

/// Returns the words in single quotes with `between` between them.
std::string joinedQuoted(const std::vector<std::string>& words, const std::string& between = " ");

/// Calls `visit` with the command and with the commands below it, each with its words from the program's name on.
template <typename Visit>
void eachCommand(const ShellCommand& command, const Visit& visit, const std::string& above = {}) {
    const std::string path = above.empty() ? command.name : above + " " + command.name;
    visit(command, path);
    for (const ShellCommand& below : command.commands)
        eachCommand(below, visit, path);
}

}  // namespace script
}  // namespace cli
