#include "app/ringside_cli_command.h"

#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/store/store.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
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

Option Option::required() const {
    m_option->required();
    return *this;
}

Option Option::type(const std::string& name) const {
    m_option->type_name(name);
    return *this;
}

Option Option::among(const std::vector<std::string>& words) const {
    m_option->check(CLI::IsMember(words));
    return *this;
}

Option Option::between(int least, int most) const {
    m_option->check(CLI::Range(least, most));
    return *this;
}

Option Option::separated() const {
    m_option->delimiter(',');
    return *this;
}

Option Option::repeatable() const {
    m_option->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return *this;
}

Option Option::words(int least, int most) const {
    m_option->expected(least, most);
    return *this;
}

Option Option::excludes(const Option& other) const {
    m_option->excludes(other.m_option);
    return *this;
}

Option Option::percentage(double least, double most) const {
    m_option->type_name("PERCENT")->transform(CLI::Validator(
        [least, most](std::string& text) {
            std::string problem = problemOfPercentage(text, least, most);
            if (problem.empty())
                text.erase(text.find_last_not_of(" %") + 1);
            return problem;
        },
        std::string()));
    return *this;
}

template <typename Value>
Option Command::option(const char* name, Value& value, const std::string& what) const {
    return Option(m_command->add_option(name, value, what));
}
template Option Command::option(const char*, std::string&, const std::string&) const;
template Option Command::option(const char*, int&, const std::string&) const;
template Option Command::option(const char*, double&, const std::string&) const;
template Option Command::option(const char*, std::int64_t&, const std::string&) const;
template Option Command::option(const char*, std::optional<double>&, const std::string&) const;
template Option Command::option(const char*, std::optional<std::int64_t>&, const std::string&) const;
template Option Command::option(const char*, std::vector<std::string>&, const std::string&) const;
template Option Command::option(const char*, std::vector<std::int64_t>&, const std::string&) const;

Option Command::option(const char* name, const std::function<void(const std::string&)>& take,
                       const std::string& what) const {
    return Option(m_command->add_option_function<std::string>(name, take, what));
}

Option Command::flag(const char* name, bool& value, const std::string& what) const {
    return Option(m_command->add_flag(name, value, what));
}

Command Command::subcommand(const char* name, const char* what) const {
    return Command(m_command->add_subcommand(name, what));
}

void Command::requireSubcommand() const { m_command->require_subcommand(1); }

void Command::footer(const std::string& text) const { m_command->footer(text); }

bool Command::isParsed() const { return m_command->parsed(); }

const CLI::App* Command::parent() const { return m_command->get_parent(); }

void addExperiment(const Command& command, CommonArguments& arguments, const char* help) {
    command.option("EXPERIMENT", arguments.experiment, help).required();
}

Option addModel(const Command& command, std::string& model) {
    return command.option("MODEL", model,
                          "A model preset, bundled or your own, or a preset file as `convert` writes it");
}

void addPhase(const Command& command, std::string& phase) {
    command.option("--phase", phase, "training (default), prompt (prefill) or generation (decode)")
        .among({"training", "prompt", "generation"})
        .type("PHASE");
}

void addSettings(const Command& command, CommonArguments& arguments, const char* help) {
    command.option("--set", arguments.settings, help).type("PATH=VALUE").repeatable();
}

void addThreads(const Command& command, CommonArguments& arguments, const char* help) {
    constexpr int kMostThreads = 1024;
    command.option("--threads", arguments.threads, help).between(1, kMostThreads).type("N");
}

void addForms(const Command& command, Output& output, const std::vector<std::string>& forms) {
    static const std::map<std::string, Output> kForms{{"table", Output::table},
                                                      {"json", Output::json},
                                                      {"csv", Output::csv},
                                                      {"markdown", Output::markdown},
                                                      {"latex", Output::latex}};
    command
        .option(
            "--output", [&output](const std::string& form) { output = kForms.at(form); },
            "Output format (default: table)")
        .among(forms)
        .type("FORM");
}

void addPolicies(const Command& command, std::vector<std::string>& policies, const std::string& places) {
    command
        .option("--policies", policies,
                "Policies, in the order of the " + places + " (default: " + data::joined(policies, ",") + ")")
        .separated()
        .type("A,B,...");
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
