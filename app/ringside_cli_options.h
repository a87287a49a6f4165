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
}

namespace cli {

// Options that several commands have, with the same meaning and the same limits.

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
