#pragma once

// Functions that ask shells to complete a line with the script that a program prints.

#include "tests/app/program_test.h"

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tests {

using Words = std::vector<std::string>;

/// Returns what a shell command prints, including its standard error.
inline Outcome shellOutcome(const std::string& command) {
    const std::string line =
        "HOME='" + g_folder.string() + "' " + command + " >'" + at("shell.out") + "' 2>&1 </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, textOf(at("shell.out")), ""};
}

inline bool hasShell(const std::string& shell) {
    const bool there = shellOutcome("command -v " + shell).code == 0;
    if (!there)
        std::cout << "    " << shell << " is not installed; its script is not tried\n";
    return there;
}

/// Writes the script that the program prints for a shell to a file. Returns the path of that file.
inline std::string scriptFor(const std::string& shell) {
    const Outcome outcome = run("completion " + shell);
    expect(outcome.code == 0 && outcome.err.empty(), "a script for " + shell, outcome);
    std::ofstream(at("script." + shell)) << outcome.out;
    return at("script." + shell);
}

inline std::string inSingleQuotes(const std::string& word) { return "'" + word + "'"; }

/// Returns the completions that bash offers for the last of the words, using `function` of the script.
inline std::set<std::string> bashReplies(const std::string& function, const Words& words) {
    std::ofstream file(at("line.bash"));
    file << "source " << inSingleQuotes(at("script.bash")) << "\nCOMP_WORDS=(";
    for (const std::string& word : words)
        file << inSingleQuotes(word) << " ";
    file << ")\nCOMP_CWORD=" << words.size() - 1 << "\n" << function << "\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    file.close();
    std::istringstream lines(shellOutcome("bash --norc " + inSingleQuotes(at("line.bash"))).out);
    std::set<std::string> replies;
    for (std::string line; std::getline(lines, line);)
        replies.insert(line);
    replies.erase("");
    return replies;
}

inline void expectReplies(const std::string& function, const Words& words, const std::set<std::string>& wanted) {
    std::string line, said;
    for (const std::string& word : words)
        line += word + " ";
    const std::set<std::string> replies = bashReplies(function, words);
    for (const std::string& reply : replies)
        said += reply + " ";
    expect(replies == wanted, "bash completes " + line, {0, said, ""});
}

/// Returns the completions that fish offers for a line, without descriptions.
inline std::set<std::string> fishReplies(const std::string& line) {
    std::istringstream lines(
        shellOutcome("fish --no-config -c 'source \"" + at("script.fish") + "\"; complete -C \"" + line + "\"'").out);
    std::set<std::string> replies;
    for (std::string reply; std::getline(lines, reply);)
        replies.insert(reply.substr(0, reply.find('\t')));
    return replies;
}

/// Returns whether zsh, at a terminal, completes a line to `wanted` after a tab.
inline bool zshMakes(const std::string& line, const std::string& wanted) {
    std::ofstream(at("line.zsh")) << R"(zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PS1='>' TERM=dumb; autoload -U compinit; compinit -u -D; source '$1'; print READ''Y"
await() {
    local -i i
    local chunk
    for ((i = 0; i < 400; ++i)); do
        while zpty -r -t shell chunk; do out+=$chunk; done
        if [[ $out == *$1* ]]; then return 0; fi
        sleep 0.05
    done
    print -r -- "$out"
    return 1
}
out=''
await READY || exit 1
out=''
zpty -w -n shell "$2"$'\t'
await "$3"
)";
    return shellOutcome("zsh -f " + inSingleQuotes(at("line.zsh")) + " " + inSingleQuotes(at("script.zsh")) + " " +
                        inSingleQuotes(line) + " " + inSingleQuotes(wanted))
               .code == 0;
}

/// Returns the long options that a help text lists: each stands at the beginning of a line, before its description.
inline std::set<std::string> longOptions(const std::string& help) {
    static const std::regex line("\n +(-\\S+( \\S+)*)"), option("--[a-z-]+");
    std::set<std::string> options;
    for (std::sregex_iterator reported(help.begin(), help.end(), line), end; reported != end; ++reported) {
        const std::string names = (*reported)[1];
        for (std::sregex_iterator found(names.begin(), names.end(), option); found != end; ++found)
            options.insert(found->str());
    }
    return options;
}

/// Returns the part of a text from `begin` to the next `end`, or an empty text if it does not contain `begin`.
inline std::string partOf(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t at = text.find(begin);
    return at == std::string::npos ? "" : text.substr(at, text.find(end, at + begin.size()) - at);
}

/// Checks that the script of every shell has these options of a command; `path` begins with the program's name.
inline void expectOptions(const std::string& path, const std::set<std::string>& options) {
    std::string name = "_" + path, program = "_" + path.substr(0, path.find(' '));
    for (std::string* text : {&name, &program}) {
        for (char& letter : *text)
            letter = letter == ' ' || letter == '-' ? '_' : letter;
    }
    Words words;
    std::istringstream parts(path);
    for (std::string word; parts >> word;)
        words.push_back(word);
    words.emplace_back("--");
    expectReplies(program, words, options);
    const std::string zsh = partOf(textOf(at("script.zsh")), "\n" + name + "() {", "\n}\n");
    const std::string fish = textOf(at("script.fish"));
    for (const std::string& option : options) {
        expect(contains(zsh, option + "=[") || contains(zsh, option + "["), "zsh knows " + option + " of " + path, {});
        const std::regex line("complete [^\n]*_is \\\\'" + path + "\\\\'' [^\n]*-l " + option.substr(2) + " ");
        expect(std::regex_search(fish, line), "fish knows " + option + " of " + path, {});
    }
}

}  // namespace tests
