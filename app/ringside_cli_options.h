#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace data {
struct DamagedRun;
struct ExperimentDraft;
}  // namespace data

namespace cli {

// Options that several commands have, with the same meaning and the same limits.

/// Makes every option and argument of the command line refuse an empty value, by its name: an unset variable of a script
/// must not mean "no store", "no trace" or "the whole sweep". Call after everything is declared. Left out are the texts
/// that may be empty: a filter, a note and tags.
void refuseEmptyValues(CLI::App& app);

/// Returns the words of the command line, with "--db=" as the two words that it means: an option and an empty value.
/// The parser would take the next word for the value.
std::vector<std::string> wordsOf(int argc, char** argv);

/// What an option allows whose number is a percentage: "5", "5%". Every option with a percentage is declared with this,
/// so that all have one unit; a number below 0.1 is taken for a ratio by mistake, and refused unless it has its sign.
void limitPercentage(CLI::Option& option, double least, double most);

/// `--set PATH=VALUE`, as often as wanted.
void addSettings(CLI::App& command, std::vector<std::string>& settings, const std::string& help);

/// What `--threads N` allows; `option` has been added by its command.
void limitThreads(CLI::Option& option);

/// `--output FORM`, one of `forms`.
void addForms(CLI::App& command, std::string& form, const std::vector<std::string>& forms);

/// Says on standard error which settings of earlier versions the draft's documents have, for commands whose output has no
/// notices.
void sayRemovedSettings(const data::ExperimentDraft& draft);

/// Names on standard error the damaged runs of a store that are run anew.
void sayRunAgain(const std::string& store, const std::vector<data::DamagedRun>& damaged);

}  // namespace cli
