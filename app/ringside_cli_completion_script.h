#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// What a shell offers where a value is expected.
struct ShellValue {
    std::string name;                ///< what the help calls it: "EXPERIMENT"
    std::vector<std::string> words;  ///< in the order they are offered; "PATH=VALUE" is offered once "PATH=" is there
    bool files = false;              ///< the name of a file or folder, beside the words
    bool list = false;               ///< several words with commas between them
    bool many = false;               ///< several values, one after the other
};

/// An option or a flag.
struct ShellOption {
    std::vector<std::string> names;  ///< "-h", "--help"
    std::string what;                ///< its line of the help
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

/// Returns the script that completes the words of `program`. It calls no program: everything that it offers is in it.
std::string bashCompletion(const ShellCommand& program);
std::string zshCompletion(const ShellCommand& program);
std::string fishCompletion(const ShellCommand& program);

/// A shell that completion is there for.
struct Shell {
    std::string_view name;
    std::string (*script)(const ShellCommand& program);
};
std::span<const Shell> shells();

/// What writers of scripts share.
namespace script {

/// Names the lists of words of a program, so that each is in a script once, whoever uses it.
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

/// Returns functions as bash and zsh read them, `begin` and the list's number by name: each sets `list`.
std::string listFunctions(const WordLists& lists, const std::string& begin);

/// Returns a part of a script that has "<P>" for its function and "<NAME>" for the program's name.
std::string driverOf(std::string_view text, const ShellCommand& program);

/// Returns the text in single quotes, as bash and zsh read them.
std::string quoted(const std::string& text);

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
