#include "app/ringside_cli_completion_script.h"

#include "data/document/shell_word.h"

#include <algorithm>
#include <array>

namespace cli {

std::span<const Shell> shells() {
    static constexpr std::array kShells{Shell{"bash", bashCompletion}, Shell{"zsh", zshCompletion},
                                        Shell{"fish", fishCompletion}};
    return kShells;
}

namespace script {

std::size_t WordLists::numberOf(const ShellValue& value) const {
    if (value.words.empty())
        return 0;
    return static_cast<std::size_t>(std::find(m_lists.begin(), m_lists.end(), value.words) - m_lists.begin()) + 1;
}

void WordLists::add(const ShellCommand& command) {
    for (const ShellOption& option : command.options) {
        if (option.value)
            add(*option.value);
    }
    for (const ShellValue& argument : command.arguments)
        add(argument);
    for (const ShellCommand& below : command.commands)
        add(below);
}

void WordLists::add(const ShellValue& value) {
    if (!value.words.empty() && std::find(m_lists.begin(), m_lists.end(), value.words) == m_lists.end())
        m_lists.push_back(value.words);
}

std::string functionOf(std::string path) {
    std::ranges::replace(path, '-', '_');
    std::ranges::replace(path, ' ', '_');
    return "_" + path;
}

std::string listFunctions(const WordLists& lists, const std::string& begin) {
    std::string text;
    for (std::size_t i = 0; i < lists.all().size(); ++i)
        text += begin + std::to_string(i + 1) + "() {\n    list=(" + joinedQuoted(lists.all()[i], "\n          ") +
                ")\n}\n";
    return text;
}

std::string driverOf(std::string_view text, const ShellCommand& program) {
    std::string driver;
    for (std::size_t mark = text.find('<'); mark != std::string_view::npos; mark = text.find('<')) {
        const bool isPrefix = text.substr(mark).starts_with("<P>"), isName = text.substr(mark).starts_with("<NAME>");
        driver += text.substr(0, mark);
        driver += isPrefix ? functionOf(program.name) : isName ? program.name : "<";
        text.remove_prefix(mark + (isPrefix ? 3 : isName ? 6 : 1));
    }
    return driver + std::string(text);
}

std::string joinedQuoted(const std::vector<std::string>& words, const std::string& between) {
    std::string joined;
    for (const std::string& word : words)
        joined += (joined.empty() ? "" : between) + data::shellQuoted(word);
    return joined;
}

}  // namespace script
}  // namespace cli
