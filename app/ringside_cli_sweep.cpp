#include "app/ringside_cli_command.h"
#include "app/ringside_cli_draft.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "app/ringside_cli_watch.h"
#include "data/document/problem_list.h"
#include "data/document/shell_word.h"
#include "data/experiment/own_presets.h"
#include "data/questions/best_of.h"
#include "data/results/metrics.h"
#include "data/store/store.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <map>
#include <sched.h>
#include <thread>

namespace cli {
namespace {

/// Counts the processors that this process may use: a job of a cluster often gets a part of a machine.
int usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// Arguments that the commands over a sweep share.
struct SweepArguments : CommonArguments {
    SweepArguments() { threads = usableCores(); }

    std::string sweep;
    std::string store;
    std::string shard;
    bool resume = false;
    bool retryFailed = false;
    bool dryRun = false;
    std::string metric;
    bool smallest = false, largest = false;
};

/// Reads "2/8", the second of eight shards, counted from 1 as array jobs and people do.
data::Shard shardOf(const std::string& text) {
    if (text.empty())
        return {};
    std::size_t part = 0, count = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, part);
    const auto second = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/'
                            ? std::from_chars(first.ptr + 1, end, count)
                            : std::from_chars_result{text.data(), std::errc::invalid_argument};
    constexpr std::size_t kMostShards = 100'000;
    if (second.ec != std::errc{} || second.ptr != end || part < 1 || part > count || count > kMostShards)
        throw engine::InvalidExperiment(
            {{"--shard", text, "not a shard; allowed: i/n with i from 1 to n, such as 2/8"}});
    return {part - 1, count};
}

/// Sets the values of the command line in the base of the sweep.
std::string numberOf(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

void announce(const data::SweepPlan& plan, const data::SweepOutlook& outlook, const SweepArguments& arguments) {
    std::string text = numberOf(outlook.points, "point", "points");
    if (plan.points.size() != plan.whole)
        text += " of " + std::to_string(plan.whole);
    text += ": " + std::to_string(outlook.kept) + " kept";
    if (outlook.failed > 0)
        text += ", " + std::to_string(outlook.failed) + " failed before" +
                (arguments.retryFailed ? "" : " (--retry-failed tries them again)");
    if (outlook.unusable > 0)
        text += ", " + std::to_string(outlook.unusable) + " cannot be run";
    text += ", " + numberOf(outlook.toRun, "experiment", "experiments") + " to run";
    if (outlook.toRun > 0)
        text += ", about " + spanText(std::chrono::duration<double>(outlook.estimate).count()) + " on " +
                numberOf(static_cast<std::size_t>(arguments.threads), "thread", "threads");
    if (outlook.others.points > 0)
        text += "\n" + numberOf(outlook.others.points, "point was", "points were") + " run by engine " +
                data::joinedNames({outlook.others.versions.begin(), outlook.others.versions.end()}, " and ") +
                " before and " + (outlook.others.points == 1 ? "runs" : "run") + " anew, because this is engine " +
                std::string(engine::engineVersion()) + "; the older results stay in the store";
    std::cerr << text << std::endl;
    sayRunAgain(arguments.store, outlook.damaged);
}

/// Refuses a sweep that was started before, unless --resume is given: a second start by mistake would otherwise look
/// like a first one.
void refuseSecondStart(const std::string& sweepId, const SweepArguments& arguments) {
    std::error_code error;
    if (arguments.resume || !std::filesystem::exists(arguments.store, error))
        return;
    data::Store store(arguments.store);
    const auto begun = data::SweepStore(store).sweepWithId(sweepId);
    if (!begun)
        return;
    const std::size_t ended = begun->done + begun->failed;
    const bool ofThisEngine = begun->engineVersion == engine::engineVersion();
    throw engine::InvalidExperiment(
        {{arguments.store, sweepId,
          "this sweep was started here before, " + std::to_string(ended) + " of " + std::to_string(begun->points) +
              " points have ended" +
              (ofThisEngine ? "; --resume runs only what is missing"
                            : " under engine " + begun->engineVersion + "; --resume runs them anew under engine " +
                                  std::string(engine::engineVersion()))}});
}

void showProgress(const data::SweepProgress& progress, ProgressLine& line) {
    const double done =
        progress.toRun == 0 ? 1 : static_cast<double>(progress.done) / static_cast<double>(progress.toRun);
    line.show(done, fixedText(progress.perSecond, progress.perSecond < 10 ? 1 : 0) + " points/s",
              std::chrono::duration<double>(progress.left).count());
}

data::SweepOptions optionsOf(const SweepArguments& arguments, const InterruptWatch& watch, ProgressLine& line) {
    data::SweepOptions options;
    options.threads = arguments.threads;
    options.retryFailed = arguments.retryFailed;
    options.stop = watch.token();
    options.progress = [&line](const data::SweepProgress& progress) { showProgress(progress, line); };
    return options;
}

Json outlookJson(const data::SweepPlan& plan, const data::SweepOutlook& outlook, const SweepArguments& arguments) {
    return {{"sweep", plan.id},
            {"points", outlook.points},
            {"kept", outlook.kept},
            {"failed", outlook.failed},
            {"unusable", outlook.unusable},
            {"to_run", outlook.toRun},
            {"damaged", outlook.damaged.size()},
            {"run_by_other_engines", outlook.others.points},
            {"estimate_ns", outlook.estimate.count()},
            {"threads", arguments.threads}};
}

std::size_t unusableIn(const data::SweepPlan& plan) {
    return static_cast<std::size_t>(std::count_if(
        plan.points.begin(), plan.points.end(), [](const data::SweepPoint& point) { return !point.problem.empty(); }));
}

/// Returns the number of points that failed. The summary also counts the points that cannot be run as failed.
std::size_t failedIn(const data::SweepPlan& plan, const data::SweepSummary& summary) {
    return summary.failed - std::min(summary.failed, unusableIn(plan));
}

Json summaryJson(const data::SweepPlan& plan, const data::SweepSummary& summary, const SweepArguments& arguments) {
    return {{"sweep", plan.id},
            {"points", plan.points.size()},
            {"ran", summary.ran},
            {"reused", summary.reused},
            {"failed", failedIn(plan, summary)},
            {"unusable", unusableIn(plan)},
            {"baseline_runs", summary.baselineRuns},
            {"baseline_hits", summary.baselineHits},
            {"stopped", summary.stopped},
            {"wall_ns", summary.wall.count()},
            {"threads", arguments.threads}};
}

void writeSummary(const data::SweepPlan& plan, const data::SweepSummary& summary, const SweepArguments& arguments) {
    if (arguments.output == Output::json)
        return printJson(summaryJson(plan, summary, arguments), std::cout);
    Table table({{"sweep", Align::left}});
    for (const char* column : {"points", "ran", "reused", "failed", "unusable", "baselines run", "shared", "time"})
        table.addColumn(column);
    table.addRow({plan.id, std::to_string(plan.points.size()), std::to_string(summary.ran),
                  std::to_string(summary.reused), std::to_string(failedIn(plan, summary)),
                  std::to_string(unusableIn(plan)), std::to_string(summary.baselineRuns),
                  std::to_string(summary.baselineHits), spanText(std::chrono::duration<double>(summary.wall).count())});
    table.write(std::cout);
}

/// Prints why points have no result: each reason once, with its count and its first point.
void explainFailures(const data::SweepPlan& plan, const SweepArguments& arguments) {
    constexpr std::size_t kMostReasons = 10;
    data::Store store(arguments.store);
    const auto known = data::SweepStore(store).known(plan);
    std::map<std::string, std::pair<std::size_t, const data::SweepPoint*>> reasons;
    for (const data::SweepPoint& point : plan.points) {
        const auto found = known.find(point.hash);
        const std::string& reason =
            !point.problem.empty() || found == known.end() ? point.problem : found->second.failure;
        if (!reason.empty())
            ++reasons.try_emplace(reason, 0, &point).first->second.first;
    }
    std::size_t shown = 0;
    for (const auto& [reason, where] : reasons) {
        if (++shown > kMostReasons) {
            std::cerr << "… and " << reasons.size() - kMostReasons << " more reasons; they are kept in the store\n";
            return;
        }
        const data::PointDetails point = plan.details(*where.second);
        std::cerr << numberOf(where.first, "point", "points") << " without a result, first "
                  << data::pointText(plan.sweep, point.at, point.policy) << ": " << reason << "\n";
    }
}

void sayHowToGoOn(const char* command, const data::SweepPlan& plan, const SweepArguments& arguments) {
    data::Store store(arguments.store);
    const auto known = data::SweepStore(store).known(plan);
    const auto kept = std::count_if(plan.points.begin(), plan.points.end(), [&](const data::SweepPoint& point) {
        return known.find(point.hash) != known.end();
    });
    std::cerr << "interrupted; " << kept << " of " << plan.points.size() << " points are kept in " << arguments.store
              << ". Continue with:\n  ringside-cli " << command << " " << data::shellWord(arguments.sweep) << " --db "
              << data::shellWord(arguments.store);
    for (const std::string& setting : arguments.settings)
        std::cerr << " --set " << data::shellWord(setting);
    if (!arguments.shard.empty())
        std::cerr << " --shard " << data::shellWord(arguments.shard);
    if (arguments.metric.empty()) {
        std::cerr << " --resume";
    } else {
        std::cerr << " --metric " << data::shellWord(arguments.metric) << (arguments.smallest ? " --smallest" : "")
                  << (arguments.largest ? " --largest" : "");
    }
    std::cerr << std::endl;
}

/// Returns the sweep of SWEEP with all --set; throws with all problems of both.
data::Sweep sweepOf(const SweepArguments& arguments) {
    const data::OwnPresets own(data::usualPresetFolder());
    data::SweepReading reading = data::readSweepFile(arguments.sweep, own);
    data::setInBase(readSettings(arguments.settings, reading.problems), reading.sweep, reading.problems);
    if (reading.problems.empty() && !arguments.settings.empty()) {
        reading.sweep = data::withOwnPresets(reading.sweep, own);
        reading.problems = data::check(reading.sweep);
    }
    data::refuseAny(std::move(reading.problems));
    sayRemovedSettings(reading.sweep.base);
    return std::move(reading.sweep);
}

/// Returns options for planning, whose progress `line` shows.
data::PlanningOptions planningOptions(const InterruptWatch& watch, CountLine& line) {
    return {watch.token(), [&line](std::size_t done, std::size_t whole) { line.show(done, whole); }};
}

data::SweepPlan plan(data::Sweep sweep, const SweepArguments& arguments, const InterruptWatch& watch) {
    CountLine line("planning", "points");
    return data::planOf(std::move(sweep), shardOf(arguments.shard), planningOptions(watch, line));
}

data::SweepOutlook outlook(const data::SweepPlan& plan, const SweepArguments& arguments, const InterruptWatch& watch) {
    CountLine line("estimating the time", "experiments");
    return data::outlookOf(plan, arguments.store, arguments.threads, planningOptions(watch, line));
}

/// Prints the points without a result and returns the exit code. Points that cannot be run are announced and left out.
/// A deadlock of one point is the same mistake as in `run`, and so is a sweep without any point that can be run.
/// Results of the other points are kept in any case.
ExitCode endOf(const char* command, const data::SweepPlan& plan, const data::SweepSummary& summary,
               const SweepArguments& arguments) {
    ExitCode code = kDone;
    if (summary.failed > 0)
        explainFailures(plan, arguments);
    data::Store store(arguments.store);
    writeNotices(data::noticesOf(data::SweepStore(store).table(plan)),
                 arguments.output == Output::json ? std::cerr : std::cout);
    if (const std::size_t deadlocked = failedIn(plan, summary); deadlocked > 0) {
        std::cerr << "ringside-cli: " << numberOf(deadlocked, "point", "points")
                  << " could not end (deadlock); the results of the others are kept in " << arguments.store << "\n";
        code = kInputWrong;
    } else if (!plan.points.empty() && unusableIn(plan) == plan.points.size()) {
        std::cerr << "ringside-cli: no point of the sweep can be run\n";
        code = kInputWrong;
    }
    code = worse(code, sayBroken(summary.broken));
    if (!summary.stopped)
        return code;
    sayHowToGoOn(command, plan, arguments);
    return kInterrupted;
}

int sweep(const SweepArguments& arguments) {
    data::Sweep document = sweepOf(arguments);
    if (!arguments.dryRun)
        refuseSecondStart(data::sweepId(document), arguments);
    data::SweepPlan planned;
    data::SweepSummary summary;
    {
        const InterruptWatch watch;
        planned = plan(std::move(document), arguments, watch);
        const data::SweepOutlook expected = outlook(planned, arguments, watch);
        announce(planned, expected, arguments);
        if (arguments.dryRun) {
            if (arguments.output == Output::json)
                printJson(outlookJson(planned, expected, arguments), std::cout);
            return kDone;
        }
        ProgressLine line;
        summary = data::runSweep(planned, arguments.store, optionsOf(arguments, watch, line));
    }
    writeSummary(planned, summary, arguments);
    return endOf("sweep", planned, summary, arguments);
}

/// Returns whether larger values are better: as requested, or otherwise as defined by the metric. Throws if neither
/// decides.
bool larger(const SweepArguments& arguments) {
    const data::Metric* metric = data::findMetric(arguments.metric);
    if (arguments.smallest || arguments.largest || metric == nullptr)
        return arguments.largest;
    if (metric->better == data::Better::neither)
        throw engine::InvalidExperiment(
            {{"--metric", arguments.metric,
              "neither smaller nor larger values are better; allowed: with --smallest or --largest"}});
    return metric->better == data::Better::larger;
}

Json pointJson(const data::SweepTable& table, const data::SweepRow& row) {
    const data::Sweep& sweep = table.sweep;
    Json values = Json::object();
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        for (const data::AxisColumn& column : sweep.axes[i].columns)
            values[column.path] = jsonOf(column.values[row.at[i]]);
    }
    Json metrics = Json::object();
    for (std::size_t i = 0; i < table.metrics.size(); ++i) {
        if (row.values[i])
            metrics[table.metrics[i]] = *row.values[i];
    }
    Json point{{"index", row.index}};
    if (data::isTimed(sweep.of))
        point["policy"] = sweep.policies[row.policy];
    point["values"] = std::move(values);
    point["metrics"] = std::move(metrics);
    return point;
}

void writeBestJson(const data::BestSearch& search, const data::SweepPlan& plan, const SweepArguments& arguments,
                   bool wantLarger) {
    const data::BestOf& best = search.best;
    const auto rowJson = [&](std::size_t row) { return pointJson(search.table, search.table.rows[row]); };
    printJson({{"metric", arguments.metric},
               {"wanted", wantLarger ? "largest" : "smallest"},
               {"number", best.number ? Json(*best.number) : Json(nullptr)},
               {"best", jsonList(best.best, rowJson)},
               {"near_share", data::kEquallyGood},
               {"near", best.near.size()},
               {"cheapest", jsonList(best.cheapest, rowJson)},
               {"compared", best.compared},
               {"failed_points", best.failed},
               {"without_number", best.without},
               {"missing", best.missing},
               {"sweep", summaryJson(plan, search.summary, arguments)}},
              std::cout);
}

void writePoints(const data::SweepTable& table, const std::vector<std::size_t>& rows) {
    const data::PointTexts texts(table);
    Table points = tableOfPoints(table);
    for (const std::size_t row : rows)
        points.addRow(cellsOf(table, texts, table.rows[row], ""));
    points.write(std::cout);
}

/// Prints the points that cost least among those that are about as good as the best one.
void writeCheapest(const data::BestSearch& search) {
    const data::BestOf& best = search.best;
    if (best.near.size() < 2 || best.cheapest.empty())
        return;
    std::cout << "\n"
              << best.near.size() << " points are within " << fixedText(data::kEquallyGood * 100, 0)
              << " %; the cheapest"
              << (best.cheapest.size() > 1 ? " are, with no other one smaller on every axis:" : " is:") << "\n\n";
    writePoints(search.table, best.cheapest);
}

void writeBestTable(const data::BestSearch& search, const SweepArguments& arguments, bool wantLarger) {
    const data::BestOf& best = search.best;
    if (best.number)
        writePoints(search.table, best.best);
    else
        std::cout << "no point has " << arguments.metric << "\n";
    std::cout << "\n"
              << (wantLarger ? "largest " : "smallest ") << arguments.metric << " of "
              << numberOf(best.compared, "point", "points");
    if (best.best.size() > 1)
        std::cout << ", shared by " << best.best.size();
    for (const auto& [count, what] :
         {std::pair{best.failed, " failed or cannot be run"}, std::pair{best.without, " without this number"},
          std::pair{best.missing, " missing"}}) {
        if (count > 0)
            std::cout << "; " << count << what;
    }
    std::cout << "; " << numberOf(search.summary.ran, "run", "runs") << ", " << search.summary.reused << " reused\n";
    writeCheapest(search);
}

int best(const SweepArguments& arguments) {
    const bool wantLarger = larger(arguments);
    data::Sweep document = sweepOf(arguments);
    data::SweepPlan planned;
    data::BestSearch search;
    {
        const InterruptWatch watch;
        planned = plan(std::move(document), arguments, watch);
        ProgressLine line;
        search =
            data::bestOf(planned, arguments.store, arguments.metric, wantLarger, optionsOf(arguments, watch, line));
    }
    sayRunAgain(arguments.store, search.summary.damaged);
    if (arguments.output == Output::json) {
        writeBestJson(search, planned, arguments, wantLarger);
    } else {
        writeBestTable(search, arguments, wantLarger);
    }
    return worse(search.best.number ? kDone : kDoesNotHold, endOf("best", planned, search.summary, arguments));
}

void addCommon(const Command& command, SweepArguments& arguments) {
    command.option("SWEEP", arguments.sweep, "A sweep document (JSON), - for standard input").required();
    addText(command, "--db", arguments.store, "Store in which runs are saved and looked up", "FILE").required();
    addSettings(command, arguments, "Set a parameter of the base, units allowed (repeatable)");
    addThreads(command, arguments, "Threads to use (default: all cores)");
    command.flag("--retry-failed", arguments.retryFailed, "Also run points that failed before");
    addForms(command, arguments.output, {"json", "table"});
}

}  // namespace

void declareSweeps(Commands& commands) {
    const auto [sweeping, running] = commands.add(
        "sweep", "Run every point of a sweep into a store",
        "\nExample:\n  ringside-cli sweep resources/examples/link-by-policy.json --db sweep.sqlite\n\n"
        "A run that the store has is never simulated again. --resume continues a sweep that was interrupted.",
        sweep);
    addCommon(sweeping, running);
    sweeping.flag("--resume", running.resume, "Continue a sweep that was started in this store before");
    addText(sweeping, "--shard", running.shard,
            "Run only this part of the points, to share a sweep between machines: 2/8", "i/n");
    sweeping.flag("--dry-run", running.dryRun, "Only print what would be run and how long it would take");

    const auto [finding, searching] = commands.add(
        "best", "Find the best point of a sweep, after running the points that are missing",
        "\nExample:\n  ringside-cli best resources/examples/link-by-policy.json --metric time_ps.total --db sweep.sqlite",
        best);
    addCommon(finding, searching);
    addText(finding, "--metric", searching.metric,
            "Metric of the points; for runs a number of `run --output json`, such as time_ps.total", "PATH")
        .required();
    const Option small =
        finding.flag("--smallest", searching.smallest, "The smallest value is best (default for times and bytes)");
    finding.flag("--largest", searching.largest, "The largest value is best (default for speed-up and rates)")
        .excludes(small);
}

}  // namespace cli
