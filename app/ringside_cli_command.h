#pragma once

#include <CLI/CLI.hpp>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// The commands of the command line, each with what it does once it was chosen; that returns the exit code.
class Commands {
public:
    explicit Commands(CLI::App& app) : m_app(app) {}

    /// Declares a command. Its arguments live as long as the commands; `footer` has an example.
    template <typename Arguments>
    std::pair<CLI::App&, Arguments&> add(const char* name, const char* what, const std::string& footer,
                                         int (*work)(const Arguments&)) {
        const auto arguments = std::make_shared<Arguments>();
        CLI::App* command = m_app.add_subcommand(name, what);
        command->footer(footer);
        m_works.emplace_back(command, [arguments, work] { return work(*arguments); });
        return {*command, *arguments};
    }

    /// Does what was chosen. Precondition: the command line is parsed, and one of them was.
    int run() const {
        for (const auto& [command, work] : m_works) {
            if (command->parsed())
                return work();
        }
        return 0;
    }

private:
    CLI::App& m_app;
    std::vector<std::pair<CLI::App*, std::function<int()>>> m_works;
};

// Each declares the commands of one file.
void declareRuns(Commands& commands);
void declareSweeps(Commands& commands);
void declareBreakEven(Commands& commands);
void declareSensitivity(Commands& commands);
void declareConvert(Commands& commands);
void declareModel(Commands& commands);
void declareLesson(Commands& commands);
void declareReproduce(Commands& commands);
void declareReference(Commands& commands);
void declareResults(Commands& commands);

/// All of them, in the order of the help.
inline constexpr std::array kDeclarations{declareRuns,      declareSweeps, declareBreakEven, declareSensitivity,
                                          declareConvert,   declareModel,  declareLesson,    declareReproduce,
                                          declareReference, declareResults};

}  // namespace cli
