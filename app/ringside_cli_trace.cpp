#include "app/ringside_cli_command.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/document_body.h"
#include "data/document/problem_list.h"
#include "data/document/value_places.h"
#include "data/experiment/own_presets.h"
#include "data/measured/measured_report.h"
#include "data/measured/measured_report_json.h"
#include "data/measured/trace_pair.h"
#include "data/measured/trace_reading.h"
#include "engine/api/runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

// The command that evaluates traces of a profiler.

namespace cli {
namespace {

struct TraceArguments : CommonArguments {
    std::vector<std::string> files;
    std::string steps = "all", classes, pair;
};

constexpr const char* kUnknown = "unknown";

/// A file and the rank that was written behind it.
struct RankFile {
    std::string path;
    std::optional<std::int64_t> rank;
};

/// Splits "FILE:RANK". A file that exists under the whole name is meant as a whole.
RankFile rankFileOf(const std::string& word) {
    std::error_code error;
    const std::size_t colon = word.rfind(':');
    if (colon == std::string::npos || std::filesystem::exists(word, error))
        return {word, {}};
    std::int64_t rank = 0;
    const char* end = word.data() + word.size();
    const auto read = std::from_chars(word.data() + colon + 1, end, rank);
    const bool isRank = read.ec == std::errc{} && read.ptr == end && rank >= 0;
    return isRank ? RankFile{word.substr(0, colon), rank} : RankFile{word, {}};
}

/// Reads all files. Every problem of every file is reported.
std::vector<data::MeasuredTrace> tracesOf(const TraceArguments& arguments) {
    data::KernelClassesReading classes = data::kernelClassesNamed(arguments.classes, data::usualPresetFolder());
    data::refuseAny(std::move(classes.problems));
    data::MeasuredOptions options;
    options.classes = std::move(classes.classes);
    std::vector<data::MeasuredTrace> traces;
    engine::Problems problems;
    const auto read = [&] {
        const std::function<void(double)> whole = options.progress;
        for (std::size_t i = 0; i < arguments.files.size(); ++i) {
            options.progress = [&, i](double done) {
                whole((static_cast<double>(i) + done) / static_cast<double>(arguments.files.size()));
            };
            const RankFile file = rankFileOf(arguments.files[i]);
            data::MeasuredReading reading = data::readMeasuredFile(file.path, options);
            if (options.stop.stop_requested())
                throw engine::RunStopped();
            data::append(problems, reading.problems);
            if (file.rank)
                reading.trace.rank = file.rank;
            traces.push_back(std::move(reading.trace));
        }
        return 0;
    };
    watched(options, read);
    data::refuseAny(std::move(problems));
    data::refuseAny(data::orderRanks(traces));
    return traces;
}

std::string rateText(const std::optional<double>& rate, double unit, int decimals, bool lowerBound = false) {
    return rate ? (lowerBound ? "≥ " : "") + fixedText(*rate / unit, decimals) : kUnknown;
}

std::string numberText(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : kUnknown;
}

std::string timeText(const TimeScale& scale, const std::optional<std::int64_t>& time) {
    return time ? scale.text({*time}) : kUnknown;
}

TimeScale scaleOf(const data::MeasuredReport& report) {
    std::int64_t longest = 0;
    for (const data::MeasuredRank& rank : report.ranks)
        longest = std::max(longest, rank.intervals.span);
    return TimeScale::forLongest({longest});
}

void printRanks(const data::MeasuredReport& report, const TimeScale& scale, std::ostream& out) {
    const std::string unit(scale.unit);
    Table table({{"rank", Align::left}});
    for (const char* heading : {"span", "compute", "comm", "overlapped", "exposed", "memory", "idle"})
        table.addColumn(heading, Align::right, unit);
    table.addColumn("overlap");
    for (const data::MeasuredRank& rank : report.ranks) {
        std::vector<std::string> cells{rank.rank ? std::to_string(*rank.rank) : rank.file};
        const data::IntervalReport& times = rank.intervals;
        for (const std::int64_t time : {times.span, times.compute, times.communication, times.overlapped, times.exposed,
                                        times.memory, times.idle})
            cells.push_back(scale.text({time}));
        cells.push_back(rank.overlap ? data::percentText(*rank.overlap) : kUnknown);
        table.addRow(std::move(cells));
    }
    table.write(out);
}

void printCollectives(const data::MeasuredReport& report, const TimeScale& scale, std::ostream& out) {
    if (report.collectives.empty())
        return;
    const std::string unit(scale.unit);
    Table table({{"collective", Align::left},
                 {"ranks"},
                 {"group", Align::left},
                 {"size"},
                 {"n"},
                 {"least", Align::right, unit},
                 {"median", Align::right, unit},
                 {"skew", Align::right, unit},
                 {"hidden"},
                 {"algbw", Align::right, "GB/s"},
                 {"busbw", Align::right, "GB/s"}});
    constexpr double kGiga = 1e9;
    for (const data::CollectiveRow& row : report.collectives) {
        std::string name(wordOf(row.operation));
        if (row.carrier == data::SpanKind::copy)
            name += " by copy engine";
        if (row.assumed)
            name += " (assumed)";
        table.addRow({name, numberText(row.groupSize), row.group, row.bytes ? data::messageText(*row.bytes) : kUnknown,
                      std::to_string(row.count), scale.text({row.least}), scale.text({row.median}),
                      timeText(scale, row.skew), row.hidden() ? data::percentText(*row.hidden()) : kUnknown,
                      rateText(row.algbw, kGiga, 2, row.lowerBound), rateText(row.busbw, kGiga, 2, row.lowerBound)});
    }
    out << "\n";
    table.write(out);
}

void printGemms(const data::MeasuredReport& report, const TimeScale& scale, std::ostream& out) {
    if (report.gemms.empty())
        return;
    constexpr std::size_t kLongestName = 40;
    constexpr double kTera = 1e12;
    const std::string unit(scale.unit);
    Table table({{"GEMM", Align::left},
                 {"n"},
                 {"alone", Align::right, unit},
                 {"beside", Align::right, unit},
                 {"stretch"},
                 {"TFLOP/s"},
                 {"tiles"},
                 {"waves"},
                 {"wave efficiency"},
                 {"kernel", Align::left}});
    for (const data::KernelRow& row : report.gemms) {
        const auto efficiency = row.waves.efficiency();
        std::string name = row.name;
        if (name.size() > kLongestName)
            name = name.substr(0, kLongestName - 3) + "...";
        table.addRow(
            {row.shape ? row.shape->text() : "unknown shape", std::to_string(row.count), timeText(scale, row.alone),
             timeText(scale, row.beside), row.stretch() ? fixedText(*row.stretch(), 3) : kUnknown,
             rateText(row.flopRate(), kTera, 1), numberText(row.waves.tiles), numberText(row.waves.waves),
             efficiency ? data::percentText(*efficiency) + (row.waves.assumed ? " (assumed)" : "") : kUnknown, name});
    }
    out << "\n";
    table.write(out);
}

void printRest(const data::MeasuredReport& report, const TimeScale& scale, std::ostream& out) {
    if (!report.unclassed.empty()) {
        Table table({{"kernel of class other", Align::left}, {"n"}, {"sum", Align::right, std::string(scale.unit)}});
        constexpr std::size_t kLongestName = 80;
        for (const data::UnclassedKernel& kernel : report.unclassed) {
            const std::string name = kernel.name.empty() ? "(no name)" : kernel.name.substr(0, kLongestName);
            table.addRow({name, std::to_string(kernel.count), scale.text({kernel.total})});
        }
        out << "\n";
        table.write(out);
    }
    if (!report.unknowns.empty() || !report.notices.empty())
        out << "\n";
    for (const data::MeasuredUnknown& unknown : report.unknowns)
        out << "unknown  " << textOf(unknown) << "\n";
    for (const std::string& notice : report.notices)
        out << "note     " << notice << "\n";
}

/// A pair of the traces, as it was simulated.
struct PairOutcome {
    data::TracePair pair;
    std::vector<data::SimulatedPair> simulated;
};

/// Finds the pair of --pair and simulates it.
PairOutcome outcomeOf(const TraceArguments& arguments, const std::vector<data::MeasuredTrace>& traces,
                      const data::RankMatch& match, const data::MeasuredReport& report) {
    engine::Problems problems;
    const data::MeasuredChoice choice = data::choiceNamed(traces, report, arguments.pair, problems);
    data::refuseAny(problems);
    PairOutcome outcome{data::tracePairOf(traces, match, report, choice), {}};
    if (!outcome.pair.refusal.empty())
        data::refuseAny({{"--pair", arguments.pair, outcome.pair.refusal}});
    for (const std::string& policy : data::policiesOf(outcome.pair.kind)) {
        data::ExperimentDraft draft = outcome.pair.draft(problems);
        data::applySetting("policy.preset=" + policy, draft, problems);
        data::refuseAny(problems);
        engine::RunOptions options;
        const engine::RunResult result =
            watched(options, [&] { return engine::run(data::runnableExperiment(draft), options); });
        outcome.simulated.push_back({policy, data::simulatedTimes(result, outcome.pair.kind)});
    }
    return outcome;
}

void printPair(const PairOutcome& outcome, std::ostream& out) {
    const data::TracePair& pair = outcome.pair;
    std::vector<std::int64_t> times{pair.measured.together};
    for (const data::SimulatedPair& each : outcome.simulated)
        times.push_back(each.times.together);
    const TimeScale scale = TimeScale::forLongest({*std::ranges::max_element(times)});
    const std::string unit(scale.unit);
    out << "\npair     " << pair.name << "\n";
    for (const data::PairValue& value : pair.values)
        out << "value    " << value.path << "=" << value.value << "  (" << (value.assumed ? "assumed; " : "")
            << value.from << ")\n";
    for (const std::string& missing : pair.missing)
        out << "default  " << missing << "\n";
    for (const std::string& remark : pair.remarks)
        out << "note     " << remark << "\n";
    out << "\n";
    Table table({{"pair", Align::left},
                 {"GEMM", Align::right, unit},
                 {"collective", Align::right, unit},
                 {"together", Align::right, unit},
                 {"interaction", Align::right, unit},
                 {"difference", Align::right, unit},
                 {"by parts", Align::right, unit},
                 {"by interaction", Align::right, unit}});
    const auto row = [&](const std::string& name, const data::PairTimes& each, bool simulated) {
        std::vector<std::string> cells{name};
        for (const std::int64_t time : {each.gemm, each.collective, each.together, each.interaction(pair.kind)})
            cells.push_back(scale.text({time}));
        const data::PairDifference difference = data::differenceOf(pair.measured, each, pair.kind);
        for (const std::int64_t time : {difference.total, difference.parts, difference.interaction})
            cells.push_back(simulated ? scale.text({time}) : "");
        table.addRow(std::move(cells));
    };
    row("measured", pair.measured, false);
    for (const data::SimulatedPair& each : outcome.simulated)
        row(each.policy, each.times, true);
    table.write(out);
}

int trace(const TraceArguments& arguments) {
    const auto steps = data::stepChoiceOf(arguments.steps);
    if (!steps)
        data::refuseAny(
            {{"--steps", arguments.steps, "no steps; allowed: all, all-but-last, a step (4) or a range (4-6)"}});
    const std::vector<data::MeasuredTrace> traces = tracesOf(arguments);
    data::refuseAny(data::checkSteps(traces, *steps));
    if (!arguments.pair.empty() && arguments.output == Output::csv)
        data::refuseAny({{"--pair", arguments.pair, "a pair is printed as a table or as JSON (--output)"}});
    const data::RankMatch match = data::matchRanks(traces, *steps);
    const data::MeasuredReport report = data::measuredReportOf(traces, *steps, match);
    const std::optional<PairOutcome> pair =
        arguments.pair.empty() ? std::nullopt : std::optional(outcomeOf(arguments, traces, match, report));
    if (arguments.output == Output::json) {
        nlohmann::ordered_json json = data::measuredReportJson(report);
        if (pair)
            json["pair"] = data::tracePairJson(pair->pair, pair->simulated);
        printJson(json, std::cout);
    } else if (arguments.output == Output::csv) {
        for (const std::vector<std::string>& line : data::measuredReportLines(report))
            std::cout << csvLine(line);
    } else {
        const TimeScale scale = scaleOf(report);
        printRanks(report, scale, std::cout);
        printCollectives(report, scale, std::cout);
        printGemms(report, scale, std::cout);
        printRest(report, scale, std::cout);
        if (pair)
            printPair(*pair, std::cout);
    }
    std::cout.flush();
    int code = kDone;
    for (const data::MeasuredRank& rank : report.ranks) {
        if (rank.endsEarly.empty())
            continue;
        std::cerr << rank.file << ": read in part: " << rank.endsEarly << "\n";
        code = kDoesNotHold;
    }
    return code;
}

}  // namespace

void declareTrace(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "trace", "Evaluate the overlap in traces of PyTorch's profiler (Kineto), one file for each rank",
        "\nExample:\n  ringside-cli trace resources/examples/trace-rank-0.json resources/examples/trace-rank-1.json",
        trace);
    command
        .option("FILE", arguments.files,
                "Chrome traces, .json or .json.gz; FILE:RANK for one that does not say its rank, - for standard input")
        .required();
    addText(command, "--steps", arguments.steps, "Steps to evaluate: all (default), all-but-last, 4 or 4-6", "STEPS");
    addText(
        command, "--classes", arguments.classes,
        "Classes of kernels: a table (JSON) to ask before the bundled one, or hta for those of Holistic Trace Analysis",
        "FILE");
    addText(command, "--pair", arguments.pair,
            "A GEMM and the collective nearest to it, to be simulated: 4096x4096x1024,all-reduce; either may be empty",
            "GEMM,COLLECTIVE");
    addForms(command, arguments.output);
}

}  // namespace cli
