#include "app/ringside_cli_options.h"

#include "data/experiment_document.h"
#include "data/store.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace cli {

void addSettings(CLI::App& command, std::vector<std::string>& settings, const std::string& help) {
    command.add_option("--set", settings, help)
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void limitThreads(CLI::Option& option) {
    constexpr int kMostThreads = 1024;
    option.check(CLI::Range(1, kMostThreads))->type_name("N");
}

void addForms(CLI::App& command, std::string& form, const std::vector<std::string>& forms) {
    command.add_option("--output", form, "How to print it (default: table)")
        ->check(CLI::IsMember(forms))
        ->type_name("FORM");
}

void sayRemovedSettings(const data::ExperimentDraft& draft) {
    for (const engine::Notice& notice : data::noticesOfRemoved(draft))
        std::cerr << "note: " << notice.path << ": " << notice.text << "\n";
}

void sayRunAgain(const std::string& store, const std::vector<data::DamagedRun>& damaged) {
    if (!damaged.empty())
        std::cerr << store << ": " << data::describe(damaged) << "; what this needs of them is run again" << std::endl;
}

}  // namespace cli
