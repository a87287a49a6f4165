#include "app/ringside_cli_command.h"
#include "app/ringside_cli_division_arguments.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/experiment/experiment_document.h"
#include "data/questions/length_sample.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The command that finds the few sequence lengths that stand for an epoch.

namespace cli {
namespace {

struct RepresentArguments : CommonArguments {
    std::string lengths, model;
    double error = 1;  // per cent
    int bins = 5;
    std::vector<std::string> against;  ///< values of another machine
};

/// The times of an epoch on one machine.
struct Epoch {
    engine::Experiment model;
    std::vector<data::TimedLength> times;

    /// Takes the times of the lengths; adds their runs that broke an invariant.
    void take(data::LengthTimes timed, data::BrokenInvariants& broken) {
        times = std::move(timed.times);
        broken.add(timed.broken);
    }
};

engine::Experiment modelOf(const RepresentArguments& arguments, const std::vector<std::string>& settings,
                           engine::Problems& problems) {
    data::DraftReading reading = readModel(arguments.model, settings);
    data::append(problems, reading.problems);
    sayRemovedSettings(reading.draft);
    refuseUnread(reading.draft, problems);
    reading.draft.explicitValues.emplace("detail.level", std::string("interactive"));
    return wholeModelOf(reading.draft, problems);
}

/// Reports problems of the other machine under the option that causes them.
void nameAgainst(engine::Problems& problems, std::size_t from) {
    for (std::size_t i = from; i < problems.size(); ++i)
        problems[i].path = "--against " + problems[i].path;
}

std::string signedError(double share) {
    constexpr double kPercent = 100;
    const std::string text = fixedText(std::abs(kPercent * share), 2);
    return (text.find_first_not_of("0.") == std::string::npos ? "" : share < 0 ? "-" : "+") + text + " %";
}

std::int64_t iterationsOf(const std::vector<data::TimedLength>& times) {
    std::int64_t sum = 0;
    for (const data::TimedLength& each : times)
        sum += each.length.count;
    return sum;
}

double reductionOf(const data::LengthSample& sample, const std::vector<data::TimedLength>& times) {
    return static_cast<double>(iterationsOf(times)) / static_cast<double>(sample.chosen.size());
}

std::string machineText(const RepresentArguments& arguments) {
    std::string text;
    for (const std::string& setting : arguments.against)
        text += (text.empty() ? "" : ", ") + setting;
    return text;
}

void printSample(const RepresentArguments& arguments, const data::LengthSample& sample, const Epoch& own,
                 const std::optional<Epoch>& other) {
    constexpr double kSecond = 1e12;
    std::cout << own.model.workload.model << ": " << groupedText(static_cast<std::int64_t>(own.times.size()))
              << " lengths, " << groupedText(iterationsOf(own.times)) << " iterations, "
              << spanText(sample.total / kSecond) << "\n"
              << sample.chosen.size() << " of them stand for all: " << spanText(sample.projected / kSecond) << ", "
              << signedError(sample.error()) << "; " << fixedText(reductionOf(sample, own.times), 0)
              << " times fewer iterations\n\n";
    engine::Duration longest;
    for (const data::ChosenLength& chosen : sample.chosen)
        longest = std::max(longest, chosen.time);
    const TimeScale scale = TimeScale::forLongest(longest);
    Table table({{"length"}, {"weight"}, {"time", Align::right, std::string(scale.unit)}});
    for (const data::ChosenLength& chosen : sample.chosen)
        table.addRow({std::to_string(chosen.length), groupedText(chosen.weight), scale.text(chosen.time)});
    table.write(std::cout);
    std::cout << "\n";
    Table alone({{"one length alone", Align::left}, {"length"}, {"error"}});
    for (const data::LoneLength& lone : data::loneLengths(own.times))
        alone.addRow({lone.name, std::to_string(lone.length), signedError(lone.error)});
    alone.write(std::cout);
    if (!other)
        return;
    const double projected = sample.projected / data::projectedWith(sample, other->times);
    const double all = sample.total / data::epochOf(other->times);
    std::cout << "\nspeed-up with " << machineText(arguments) << ": " << fixedText(projected, 4)
              << " from the chosen lengths, " << fixedText(all, 4) << " from all, " << signedError(projected / all - 1)
              << "\n";
}

Json sampleJson(const RepresentArguments& arguments, const data::LengthSample& sample, const Epoch& own,
                const std::optional<Epoch>& other) {
    Json json{{"model", own.model.workload.model},
              {"lengths", own.times.size()},
              {"iterations", iterationsOf(own.times)},
              {"total_ps", sample.total}};
    json["chosen"] = Json::array();
    for (const data::ChosenLength& chosen : sample.chosen)
        json["chosen"].push_back({{"length", chosen.length}, {"weight", chosen.weight}, {"time_ps", chosen.time.ps}});
    json["bins"] = sample.bins;
    json["projected_ps"] = sample.projected;
    json["error"] = sample.error();
    json["reduction"] = reductionOf(sample, own.times);
    json["others"] = Json::array();
    for (const data::LoneLength& lone : data::loneLengths(own.times))
        json["others"].push_back({{"name", lone.name}, {"length", lone.length}, {"error", lone.error}});
    json["machines"] = Json::array();
    if (other)
        json["machines"].push_back(
            {{"settings", arguments.against},
             {"total_ps", data::epochOf(other->times)},
             {"projected_ps", data::projectedWith(sample, other->times)},
             {"speedup", sample.total / data::epochOf(other->times)},
             {"projected_speedup", sample.projected / data::projectedWith(sample, other->times)}});
    return json;
}

int represent(const RepresentArguments& arguments) {
    constexpr double kPercent = 100;
    data::LengthReading reading = data::readLengthFile(arguments.lengths);
    engine::Problems problems = std::move(reading.problems);
    Epoch own{modelOf(arguments, arguments.settings, problems), {}};
    if (problems.empty())
        problems = data::lengthProblems(own.model, reading.lengths);
    std::optional<Epoch> other;
    if (!arguments.against.empty()) {
        const std::size_t before = problems.size();
        std::vector<std::string> settings = arguments.settings;
        settings.insert(settings.end(), arguments.against.begin(), arguments.against.end());
        other.emplace(Epoch{modelOf(arguments, settings, problems), {}});
        if (problems.size() == before)
            data::append(problems, data::lengthProblems(other->model, reading.lengths));
        nameAgainst(problems, before);
    }
    data::refuseAny(std::move(problems));
    data::LengthTimesOptions options;
    options.threads = arguments.threads;
    // One progress line for all machines.
    const double machines = other ? 2 : 1;
    struct Watched {
        std::stop_token stop;
        std::function<void(double)> progress;
    } watch;
    data::BrokenInvariants broken;
    watched(watch, [&] {
        options.stop = watch.stop;
        options.progress = [&](double done) { watch.progress(done / machines); };
        own.take(data::timesOfLengths(own.model, reading.lengths, options), broken);
        if (other) {
            options.progress = [&](double done) { watch.progress((1 + done) / machines); };
            other->take(data::timesOfLengths(other->model, reading.lengths, options), broken);
        }
        return 0;
    });
    const data::LengthSample sample =
        data::sampleOf(own.times, arguments.error / kPercent, static_cast<std::size_t>(arguments.bins));
    if (arguments.output == Output::json)
        printJson(sampleJson(arguments, sample, own, other), std::cout);
    else
        printSample(arguments, sample, own, other);
    return sayBroken(broken);
}

}  // namespace

void declareRepresent(Commands& commands) {
    constexpr int kMostBins = 1000;
    const auto [command, arguments] =
        commands.add("represent", "Find the few sequence lengths that stand for an epoch of training",
                     "\nExample:\n"
                     "  ringside-cli represent resources/examples/lengths-short.csv mega-gpt-2 --set parallel.tp=8 "
                     "--against machine=nvidia-h100",
                     represent);
    command
        .option("LENGTHS", arguments.lengths,
                "A CSV file with the columns length and count (iterations; may be missing), - for standard input")
        .required();
    command
        .option("MODEL", arguments.model,
                "A model preset, bundled or your own, or a preset file as `convert` writes it")
        .required();
    command.option("--error", arguments.error, "Largest error of the projected epoch (default: 1)").percentage(0, 100);
    command.option("--bins", arguments.bins, "Bins of lengths to begin with (default: 5)").between(1, kMostBins);
    command
        .option(
            "--against", arguments.against,
            "Project the speed-up with other values too, such as machine=nvidia-h100, and compare it with all lengths")
        .type("PATH=VALUE,...")
        .separated();
    addSettings(command, arguments,
                "Set a parameter, units allowed (repeatable); detail.level is interactive unless it is set");
    addThreads(command, arguments);
    addForms(command, arguments.output, {"json", "table"});
}

}  // namespace cli
