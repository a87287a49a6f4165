#pragma once

#include "data/document/json_reading.h"
#include "engine/api/parameters.h"

#include <nlohmann/json.hpp>

#include <array>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// The parser, CLI11, is a header of many templates: only the sources that declare or read its objects include it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace data {
struct DamagedRun;
struct ExperimentDraft;
}  // namespace data

namespace cli {

/// An option or a positional argument while it is declared. The functions return the same option.
class Option {
public:
    explicit Option(CLI::Option* option) : m_option(option) {}

    Option required() const;
    /// Names the value in the help.
    Option type(const std::string& name) const;
    /// Accepts only these words.
    Option among(const std::vector<std::string>& words) const;
    Option between(int least, int most) const;
    /// Accepts several values, separated by commas.
    Option separated() const;
    /// May be given several times, with one word each time.
    Option repeatable() const;
    /// Accepts this number of words.
    Option words(int least, int most) const;
    Option excludes(const Option& other) const;
    /// Accepts a percentage: "5", "5%". Every option with a percentage is declared with this function, so that all have
    /// one unit. A number below 0.1 is probably a ratio by mistake; it is refused unless it has a percent sign.
    Option percentage(double least, double most) const;

private:
    CLI::Option* m_option;
};

/// A command while its options and arguments are declared. Their values must exist as long as the parser.
class Command {
public:
    explicit Command(CLI::App* command) : m_command(command) {}

    /// Declares an option or a positional argument. `Value` is one of the types in ringside_cli_command.cpp.
    template <typename Value>
    Option option(const char* name, Value& value, const std::string& what) const;
    /// Declares an option whose value is passed to a function.
    Option option(const char* name, const std::function<void(const std::string&)>& take, const std::string& what) const;
    Option flag(const char* name, bool& value, const std::string& what) const;
    Command subcommand(const char* name, const char* what) const;
    void requireSubcommand() const;
    void footer(const std::string& text) const;
    bool isParsed() const;
    const CLI::App* parent() const;

private:
    CLI::App* m_command;
};

/// The commands of the command line, each with the function that runs it and returns the exit code.
class Commands {
public:
    explicit Commands(CLI::App& app) : m_program(&app) {}

    /// Declares a command. Its arguments exist as long as the commands; `footer` has an example.
    template <typename Arguments>
    std::pair<Command, Arguments&> add(const char* name, const char* what, const std::string& footer,
                                       int (*work)(const Arguments&)) {
        const auto arguments = std::make_shared<Arguments>();
        const Command command = m_program.subcommand(name, what);
        command.footer(footer);
        m_works.emplace_back(command, [arguments, work] { return work(*arguments); });
        return {command, *arguments};
    }

    /// Runs the chosen command. Precondition: the command line is parsed and has a command.
    int run() const {
        for (const auto& [command, work] : m_works) {
            if (command.isParsed())
                return work();
        }
        return 0;
    }

private:
    Command m_program;
    std::vector<std::pair<Command, std::function<int()>>> m_works;
};

// Each function declares the commands of one file.
void declareRuns(Commands& commands);
void declareLapse(Commands& commands);
void declarePair(Commands& commands);
void declareSweeps(Commands& commands);
void declareBreakEven(Commands& commands);
void declareSensitivity(Commands& commands);
void declareConvert(Commands& commands);
void declareModel(Commands& commands);
void declareFootprint(Commands& commands);
void declareMessages(Commands& commands);
void declareDivisions(Commands& commands);
void declareAdvise(Commands& commands);
void declareTimetable(Commands& commands);
void declareTrace(Commands& commands);
void declareCollectives(Commands& commands);
void declareRepresent(Commands& commands);
void declareDeadlock(Commands& commands);
void declareLesson(Commands& commands);
void declarePage(Commands& commands);
void declareReproduce(Commands& commands);
void declareReference(Commands& commands);
void declareResults(Commands& commands);
void declareCompletion(Commands& commands);

/// The functions that declare all commands, in the order of the help.
inline constexpr std::array kDeclarations{
    declareRuns,        declareLapse,     declarePair,      declareSweeps,   declareBreakEven, declareSensitivity,
    declareConvert,     declareModel,     declareFootprint, declareMessages, declareDivisions, declareAdvise,
    declareCollectives, declareRepresent, declareTimetable, declareTrace,    declareDeadlock,  declareLesson,
    declarePage,        declareReproduce, declareReference, declareResults,  declareCompletion};

// Options that several commands share, with the same meaning and the same limits.

enum class Output { table, json, csv, markdown, latex };

/// The arguments that most commands have.
struct CommonArguments {
    std::string experiment;             ///< as EXPERIMENT was written
    std::vector<std::string> settings;  ///< as --set was written
    int threads = 1;
    Output output = Output::table;
};

/// Makes every option and argument of the command line refuse an empty value, and name itself in the message: an unset
/// variable of a script must not mean "no store", "no trace" or "the whole sweep". Call it after everything is
/// declared. Exceptions are the texts that may be empty: a filter, a note and tags.
void refuseEmptyValues(CLI::App& app);

/// Returns the words of the command line with "--db=" replaced by two words, the option and an empty value. The parser
/// would otherwise take the next word as the value.
std::vector<std::string> wordsOf(int argc, char** argv);

/// Declares an option whose value is a text; `type` is the name of the value in the help.
inline Option addText(const Command& command, const char* name, std::string& value, const char* what,
                      const char* type) {
    return command.option(name, value, what).type(type);
}

/// Declares the required argument `EXPERIMENT`.
void addExperiment(const Command& command, CommonArguments& arguments,
                   const char* help = "A JSON file, - for standard input, or a preset MODEL/SUBLAYER/tpN");

/// Declares the argument `MODEL`.
Option addModel(const Command& command, std::string& model);

/// Declares `--phase PHASE`, one of the phases of a model.
void addPhase(const Command& command, std::string& phase);

/// The help of `--set PATH=VALUE`, and the declaration of the option, which may be repeated.
inline constexpr const char* kSettingsHelp =
    "Set a parameter, units allowed: link.bandwidth=75GB/s, policy=t3 (repeatable)";
void addSettings(const Command& command, CommonArguments& arguments,
                 const char* help = "Set a parameter, units allowed (repeatable)");

/// Declares `--threads N`.
void addThreads(const Command& command, CommonArguments& arguments,
                const char* help = "Threads to use (default: 1); the result does not depend on it");

/// Declares `--output FORM`, one of `forms`.
void addForms(const Command& command, Output& output, const std::vector<std::string>& forms = {"json", "table", "csv"});

/// Declares `--policies A,B,...`.
void addPolicies(const Command& command, std::vector<std::string>& policies, const std::string& places);

/// The policies that are compared by default.
inline const std::vector<std::string> kUsualPolicies{"sequential", "t3", "t3-mca", "ideal-overlap"};

/// Prints on standard error the settings of earlier versions in the draft's documents, for commands whose output has no
/// notices.
void sayRemovedSettings(const data::ExperimentDraft& draft);

/// Prints notices of results, one in each line.
void writeNotices(const engine::Notices& notices, std::ostream& out);

/// Prints on standard error the damaged runs of a store that are simulated again.
void sayRunAgain(const std::string& store, const std::vector<data::DamagedRun>& damaged);

/// A JSON value whose keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

inline Json jsonOf(const engine::ParameterValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

using data::jsonList;

/// Prints a document in the format of all commands.
inline void printJson(const Json& document, std::ostream& out) {
    constexpr int kIndent = 2;
    out << document.dump(kIndent) << "\n";
}

}  // namespace cli
