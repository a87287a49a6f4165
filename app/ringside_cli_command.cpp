#include "app/ringside_cli_command.h"

#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/store/store.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

namespace cli {
namespace {

constexpr double kLikelyRatio = 0.1;  // 0.05 may be meant as 5 %

bool mayBeEmpty(const CLI::Option& option) {
    constexpr std::array<std::string_view, 3> kTexts{"--where", "--note", "--tag"};
    return data::isAmong(kTexts, option.get_name());
}

/// Returns the number in "5", "5%" or "5 %", whatever the locale.
std::optional<double> percentageOf(std::string_view text) {
    if (text.ends_with('%'))
        text.remove_suffix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::string shortText(double number) {
    constexpr int kDigits = 6;
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, kDigits);
    return {text.data(), end.ptr};
}

/// Returns what is wrong with a percentage; empty if it is allowed.
std::string problemOfPercentage(const std::string& text, double least, double most) {
    const auto number = percentageOf(text);
    const std::string allowed = "; allowed: " + shortText(least) + " to " + shortText(most) + " per cent";
    if (!number)
        return text + ": not a percentage" + allowed;
    if (!(*number >= least && *number <= most))
        return text + ": out of range" + allowed;
    if (*number != 0 && *number < kLikelyRatio && !text.ends_with('%'))
        return text + ": looks like a ratio, and a percentage is expected; write " + shortText(*number * 100) +
               " for " + shortText(*number * 100) + " %, or " + text + "% for a percentage this small";
    return {};
}

}  // namespace

void refuseEmptyValues(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0 || mayBeEmpty(*option))
            continue;
        const std::string what = option->get_type_name() == "FILE" ? "the file name is empty" : "the value is empty";
        // Runs before all other checks, because those of an option would only say "not in range".
        option->transform(CLI::Validator(
            [what](const std::string& value) { return value.empty() ? what : std::string(); }, std::string()));
    }
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        refuseEmptyValues(*command);
}

std::vector<std::string> wordsOf(int argc, char** argv) {
    std::vector<std::string> words;
    bool areOptions = true;
    for (int i = 1; i < argc; ++i) {
        std::string word = argv[i];
        areOptions = areOptions && word != "--";
        const bool isEmpty = areOptions && word.starts_with("--") && word.find('=') == word.size() - 1;
        if (isEmpty)
            word.pop_back();
        words.push_back(std::move(word));
        if (isEmpty)
            words.emplace_back();
    }
    return words;
}

void limitPercentage(CLI::Option& option, double least, double most) {
    option.type_name("PERCENT")->transform(CLI::Validator(
        [least, most](std::string& text) {
            std::string problem = problemOfPercentage(text, least, most);
            if (problem.empty())
                text.erase(text.find_last_not_of(" %") + 1);
            return problem;
        },
        std::string()));
}

void addExperiment(CLI::App& command, CommonArguments& arguments, const char* help) {
    command.add_option("EXPERIMENT", arguments.experiment, help)->required();
}

void addSettings(CLI::App& command, CommonArguments& arguments, const char* help) {
    command.add_option("--set", arguments.settings, help)
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addThreads(CLI::App& command, CommonArguments& arguments, const char* help) {
    constexpr int kMostThreads = 1024;
    command.add_option("--threads", arguments.threads, help)->check(CLI::Range(1, kMostThreads))->type_name("N");
}

void addForms(CLI::App& command, Output& output, const std::vector<std::string>& forms) {
    static const std::map<std::string, Output> kForms{
        {"table", Output::table}, {"json", Output::json}, {"csv", Output::csv}, {"markdown", Output::markdown}};
    command
        .add_option_function<std::string>(
            "--output", [&output](const std::string& form) { output = kForms.at(form); },
            "Output format (default: table)")
        ->check(CLI::IsMember(forms))
        ->type_name("FORM");
}

void addPolicies(CLI::App& command, std::vector<std::string>& policies, const std::string& places) {
    command
        .add_option("--policies", policies,
                    "Policies, in the order of the " + places + " (default: " + CLI::detail::join(policies, ",") + ")")
        ->delimiter(',')
        ->type_name("A,B,...");
}

void sayRemovedSettings(const data::ExperimentDraft& draft) {
    for (const engine::Notice& notice : data::noticesOfRemoved(draft))
        std::cerr << "note: " << notice.path << ": " << notice.text << "\n";
}

void writeNotices(const engine::Notices& notices, std::ostream& out) {
    for (const engine::Notice& notice : notices)
        out << "notice  " << notice.path << ": " << notice.text << "\n";
}

void sayRunAgain(const std::string& store, const std::vector<data::DamagedRun>& damaged) {
    if (!damaged.empty())
        std::cerr << store << ": " << data::describe(damaged) << "; those that this command needs are run again"
                  << std::endl;
}

}  // namespace cli
