#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_watch.h"
#include "data/collectives/collective_log.h"
#include "data/collectives/collective_tuning.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/experiment/own_presets.h"
#include "data/store/store.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The commands about collectives: which settings are fastest at which size, as rules and as files of tuners; and
// measured times as lines of a table.

namespace cli {
namespace {

constexpr double kPercentOf = 100;
constexpr std::array kTuningForms{std::pair{"table", data::TuningForm::table},
                                  std::pair{"nccl", data::TuningForm::nccl}, std::pair{"ompi", data::TuningForm::ompi},
                                  std::pair{"ompi-classic", data::TuningForm::ompiClassic}};

struct TuneArguments : CommonArguments {
    std::string sweep, store;
    std::string form = "table";
    double hysteresis = 2;  // per cent
};

/// The arguments of all commands about collectives; `import` is the chosen command or not.
struct CollectiveArguments {
    TuneArguments tune;
    std::vector<std::string> logs;
    std::optional<std::int64_t> gpus;
    std::string operation;
    bool inPlace = false;
    Output output = Output::table;
    std::optional<Command> import;
};

std::vector<std::string> formWords() {
    std::vector<std::string> words;
    for (const auto& [word, form] : kTuningForms)
        words.emplace_back(word);
    return words;
}

data::Sweep tunedSweep(const TuneArguments& arguments) {
    data::SweepReading reading = data::readSweepFile(arguments.sweep, data::OwnPresets(data::usualPresetFolder()));
    engine::Problems problems = std::move(reading.problems);
    for (const auto& [path, value] : readSettings(arguments.settings, problems)) {
        if (data::isAmong(data::axisPaths(reading.sweep), path))
            problems.push_back({path, engine::formatValue(*engine::findParameter(path), value),
                                "an axis of the sweep; change its values there"});
        reading.sweep.base.explicitValues.insert_or_assign(path, value);
    }
    if (problems.empty())
        problems = data::check(reading.sweep);
    if (problems.empty())
        problems = data::tuningProblems(reading.sweep);
    data::refuseAny(std::move(problems));
    data::addOnce(reading.sweep.metrics, std::string("time_ps.total"));
    return std::move(reading.sweep);
}

/// Runs the missing points of the sweep and returns the times of all. Throws engine::RunStopped if it is interrupted.
data::Tuning tuned(const TuneArguments& arguments, data::BrokenInvariants& broken, std::string& failed) {
    const InterruptWatch watch;
    ProgressLine line;
    const data::SweepPlan plan = data::planOf(tunedSweep(arguments), {}, {watch.token(), {}});
    data::Store store(arguments.store.empty() ? ":memory:" : arguments.store);
    data::SweepOptions options;
    options.threads = arguments.threads;
    options.stop = watch.token();
    options.progress = [&](const data::SweepProgress& progress) {
        line.show(progress.toRun == 0 ? 1 : static_cast<double>(progress.done) / static_cast<double>(progress.toRun),
                  "", std::chrono::duration<double>(progress.left).count());
    };
    const data::SweepSummary summary = data::runSweep(plan, store, options);
    if (summary.stopped)
        throw engine::RunStopped();
    broken = summary.broken;
    if (summary.failed > 0)
        failed = std::to_string(summary.failed) + (summary.failed == 1 ? " point" : " points") +
                 " of the sweep could not be run and do not compete\n";
    const std::array<std::string, 1> wanted{"time_ps.total"};
    return data::tuningOf(data::SweepStore(store).table(plan.id, wanted));
}

Json tuningJson(const data::Tuning& tuning, const std::vector<data::TunedRule>& rules) {
    Json json{{"machine", tuning.machine}};
    json["rules"] = Json::array();
    for (const data::TunedRule& rule : rules) {
        Json settings = Json::object();
        for (const auto& [path, value] : tuning.settings[rule.setting].values)
            settings[path] = value;
        json["rules"].push_back({{"operation", rule.operation}, {"gpus", rule.gpus}, {"from_bytes", rule.from}});
        if (rule.to)
            json["rules"].back()["to_bytes"] = *rule.to;
        json["rules"].back()["settings"] = std::move(settings);
    }
    json["times"] = Json::array();
    for (const data::TunedCase& one : tuning.cases)
        for (std::size_t size = 0; size < one.sizes.size(); ++size)
            for (std::size_t setting = 0; setting < tuning.settings.size(); ++setting)
                if (const auto time = one.times[size][setting])
                    json["times"].push_back({{"operation", one.operation},
                                             {"gpus", one.gpus},
                                             {"bytes", one.sizes[size]},
                                             {"setting", tuning.settings[setting].text()},
                                             {"time_ps", static_cast<std::int64_t>(*time)}});
    return json;
}

int tune(const TuneArguments& arguments) {
    data::BrokenInvariants broken;
    std::string failed;
    const data::Tuning tuning = tuned(arguments, broken, failed);
    const double hysteresis = arguments.hysteresis / kPercentOf;
    if (arguments.output == Output::json) {
        printJson(tuningJson(tuning, data::rulesOf(tuning, hysteresis)), std::cout);
    } else {
        const auto* const form =
            std::ranges::find(kTuningForms, arguments.form, [](const auto& each) { return std::string(each.first); });
        data::TuningText text = data::tuningText(tuning, hysteresis, form->second);
        data::refuseAny(std::move(text.problems));
        std::cout << text.text;
        std::cerr << text.comments;
    }
    std::cerr << failed;
    return sayBroken(broken);
}

Json timeJson(const data::CollectiveTime& time) {
    return {{"operation", engine::name(time.operation)},
            {"gpus", time.gpus},
            {"bytes", time.bytes.count},
            {"time_ps", time.time.ps}};
}

/// Prints the measured times of logs as lines of a table.
int importLogs(const CollectiveArguments& arguments) {
    data::CollectiveLogOptions options{arguments.gpus, {}, arguments.inPlace};
    if (!arguments.operation.empty())
        options.operation = engine::sublayerNamed(arguments.operation);
    std::vector<data::CollectiveTime> times;
    engine::Problems problems;
    for (const std::string& log : arguments.logs) {
        data::CollectiveLogReading reading = data::readCollectiveLogFile(log, options);
        data::append(problems, reading.problems);
        times.insert(times.end(), reading.times.begin(), reading.times.end());
    }
    const std::string lines = data::measuredLines(times, problems);
    data::refuseAny(std::move(problems));
    if (arguments.output == Output::json)
        printJson({{"times", jsonList(times, timeJson)}, {"table", lines}}, std::cout);
    else
        std::cout << lines;
    return 0;
}

int collectives(const CollectiveArguments& arguments) {
    return arguments.import->isParsed() ? importLogs(arguments) : tune(arguments.tune);
}

void declareImport(const Command& command, CollectiveArguments& arguments) {
    Command import = command.subcommand(
        "import", "Read logs of nccl-tests or of OSU's micro-benchmarks, or CSV, and print lines for a table");
    import.footer(
        "\nExample:\n  ringside-cli collectives import resources/examples/all-reduce-8.log\n"
        "  ringside-cli collectives import resources/examples/osu-allgather.log --gpus 8\n\nThe lines are those of "
        "collective.table, which `ringside-cli model --table=LINES.txt` reads.");
    import.option("FILE", arguments.logs, "Logs, - for standard input").required();
    import.option("--gpus", arguments.gpus, "GPUs of a log that does not say how many took part").type("N");
    import.option("--operation", arguments.operation, "Collective of a log that does not name it")
        .among({"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
        .type("OP");
    import.flag("--in-place", arguments.inPlace, "Take the times in place of nccl-tests, not those out of place");
    addForms(import, arguments.output, {"json", "table"});
    arguments.import = import;
}

}  // namespace

void declareCollectives(Commands& commands) {
    const std::string example =
        "\nExample:\n  ringside-cli collectives tune resources/examples/tune-a100.json --format nccl";
    const auto [command, all] =
        commands.add("collectives", "Find the fastest settings of collectives by size, or read measured times",
                     example + "\n  ringside-cli collectives import resources/examples/all-reduce-8.log", collectives);
    command.requireSubcommand();
    TuneArguments& arguments = all.tune;
    Command tuning =
        command.subcommand("tune", "Run a sweep of collectives and print which settings are fastest at which size");
    tuning.footer(example);
    tuning
        .option("SWEEP", arguments.sweep,
                "A sweep document (JSON) with the axis workload.bytes and an axis of settings, - for standard input")
        .required();
    addText(tuning, "--db", arguments.store, "Store in which runs are saved and looked up (default: none)", "FILE");
    tuning
        .option("--hysteresis", arguments.hysteresis,
                "The fastest setting of the size below stays if it takes at most this much longer (default: 2)")
        .percentage(0, kPercentOf);
    tuning.option("--format", arguments.form, "Form of the rules: " + data::joinedNames(formWords(), ", "))
        .among(formWords())
        .type("FORM");
    addForms(tuning, arguments.output, {"json", "table"});
    addSettings(tuning, arguments, "Set a parameter of the base, units allowed (repeatable)");
    addThreads(tuning, arguments);
    declareImport(command, all);
}

}  // namespace cli
