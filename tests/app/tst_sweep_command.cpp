// Drives the commands for sweeps, and those that search in them, as a script would.
// Usage: tests_app tst_sweep_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tests::sweep_command {

using Json = nlohmann::json;

/// Returns the path of a store that does not exist yet.
std::string freshStore(const std::string& name) {
    for (const char* part : {"", "-wal", "-shm"})
        std::filesystem::remove(at(name + part));
    return at(name);
}

/// A sweep of ten points that take milliseconds. Two points are the same experiment under every policy, and two cannot
/// be run.
std::string smallSweep() {
    const std::string path = at("small.json");
    std::ofstream(path) << R"({
      "base": { "workload": { "hidden": 512, "sequence": 256, "batch": 1 }, "cu": { "count": 4 },
                "gemm": { "tile_m": 64, "tile_n": 64 } },
      "axes": [ { "path": "parallel.tp", "values": [4, 2, 3, 8, 16] } ],
      "policies": ["sequential", "t3"], "metrics": ["time_ps.total"] })";
    return path;
}

const std::string kSmall =
    "t-nlg/fc-2/tp4 --set workload.hidden=512 --set workload.sequence=256 --set workload.batch=1 "
    "--set cu.count=4 --set gemm.tile_m=64 --set gemm.tile_n=64 ";

void aSweepIsRunAndSaysWhatItTook() {
    const std::string store = freshStore("runs.sqlite");
    const Outcome first = run("sweep " + smallSweep() + " --db " + store + " --threads 2 --output json");
    const Json summary = parsed(first.out);
    expect(first.code == 0 && summary.is_object(), "a sweep is run", first);
    expect(summary.value("points", 0) == 10 && summary.value("ran", 0) == 8 && summary.value("unusable", 0) == 2 &&
               summary.value("failed", 1) == 0 && summary.value("reused", 1) == 0 && summary.value("threads", 0) == 2,
           "every point that can be run is run", first);
    expect(summary.value("baseline_runs", 0) > 0 && summary.value("baseline_hits", -1) >= 0 &&
               summary.value("wall_ns", 0) > 0 && summary.value("sweep", "").size() == 12,
           "baselines, time and id are told", first);
    expect(contains(first.err, "10 points: 0 kept, 2 cannot be run, 8 experiments to run, about "),
           "what is ahead is said", first);
    expect(contains(first.err, "2 points without a result, first parallel.tp=3 sequential: parallel.tp: 3: does not "),
           "why points have no result is said", first);
}

void aSecondStartNeedsResumeAndRepeatsNothing() {
    const std::string store = at("runs.sqlite"), sweep = "sweep " + smallSweep() + " --db " + store;
    expectRefused(sweep, {"--resume", "started here before, 10 of 10 points have ended"});
    const Json summary = json(sweep + " --resume");
    expect(summary.value("ran", 1) == 0 && summary.value("reused", 0) == 8, "nothing is run again", {});
}

void aDryRunRunsNothingAndLeavesNoFile() {
    const std::string store = freshStore("dry.sqlite");
    const Json outlook = json("sweep " + smallSweep() + " --db " + store + " --dry-run");
    expect(outlook.value("points", 0) == 10 && outlook.value("to_run", 0) == 8 && outlook.value("unusable", 0) == 2,
           "a dry run counts", {});
    expect(!std::filesystem::exists(store), "a dry run leaves no file", {});
}

void shardsShareTheWork() {
    int points = 0, ran = 0;
    for (const char* part : {"1/3", "2/3", "3/3"}) {
        const std::string store = freshStore("shard.sqlite");
        const Json summary = json("sweep " + smallSweep() + " --db " + store + " --shard " + part);
        points += summary.value("points", 0);
        ran += summary.value("ran", 0);
    }
    expect(points == 10 && ran == 8, "three shards are the whole", {});
    for (const char* part : {"0/3", "4/3", "1", "1/", "/3", "1/3x", "-1/3"})
        expectRefused("sweep " + smallSweep() + " --db " + freshStore("shard.sqlite") + " --shard " + part,
                      {"--shard: ", "allowed: i/n"});
}

void problemsOfTheSweepAreAllListed() {
    std::ofstream(at("bad.json")) << R"({"axes": [{"path": "link.bandwith", "values": [1]}], "policies": ["t4"]})";
    expectRefused(
        "sweep " + at("bad.json") + " --db " + freshStore("bad.sqlite"),
        {"axes[0].path: link.bandwith: unknown parameter, did you mean link.bandwidth", "policies[0]: t4: unknown"});
    expectRefused("sweep " + smallSweep() + " --db x.sqlite --set parallel.tp=8", {"parallel.tp: 8: an axis"});
    expectRefused("sweep " + smallSweep() + " --db x.sqlite --set policy=t3", {"compared by the sweep"});
    expectRefused("sweep " + smallSweep(), {"--db"});
    expectRefused("sweep " + at("nowhere.json") + " --db x.sqlite", {"nowhere.json", "cannot be opened"});
    expect(!std::filesystem::exists(at("bad.sqlite")), "bad input leaves no file", {});
}

void valuesOfTheCommandLineGoIntoTheBase() {
    const std::string store = freshStore("set.sqlite");
    const Json first = json("sweep " + smallSweep() + " --db " + store + " --set link.latency=1us");
    const Json second = json("sweep " + smallSweep() + " --db " + store);
    expect(first.value("ran", 0) == 8 && second.value("ran", 0) == 8 && first["sweep"] != second["sweep"],
           "another base is another sweep", {});
}

void theBestPointIsTheBestOfAllPoints() {
    const std::string store = freshStore("best.sqlite");
    const Json answer = json("best " + smallSweep() + " --metric time_ps.total --db " + store);
    double least = 1e300;
    std::vector<double> totals;
    std::string where;
    for (const char* tp : {"2", "4", "8", "16"}) {
        for (const char* policy : {"sequential", "t3"}) {
            const Json one = json("run " + kSmall + "--set parallel.tp=" + tp + " --set policy=" + policy);
            const double total = one["time_ps"]["total"].get<double>();
            totals.push_back(total);
            if (total < least) {
                least = total;
                where = std::string(tp) + " " + policy;
            }
        }
    }
    expect(answer["number"] == least && answer["best"].size() == 1, "the number is the smallest", {});
    const Json& point = answer["best"][0];
    expect(std::to_string(point["values"]["parallel.tp"].get<int>()) + " " + point["policy"].get<std::string>() ==
               where,
           "and the point is the one that has it", {});
    expect(answer["compared"] == 8 && answer["failed_points"] == 2 && answer["sweep"]["ran"] == 8,
           "what was compared is counted", {});
    const auto near = std::count_if(totals.begin(), totals.end(), [&](double total) { return total <= least * 1.01; });
    expect(answer["near"] == near && answer["near_share"] == 0.01 && answer["cheapest"].empty(),
           "the points within 1 % are counted; a degree has no cost, so none is the cheapest", {});
    const Outcome table = run("best " + smallSweep() + " --metric time_ps.total --db " + store);
    expect(table.code == 0 &&
               contains(table.out, "smallest time_ps.total of 8 points; 2 failed or cannot be run; 0 runs"),
           "the second search runs nothing", table);
    expectRefused("best " + smallSweep() + " --metric shape.m --db " + store, {"--smallest or --largest"});
    expectRefused("best " + smallSweep() + " --metric time_ps.totl --db " + store, {"did you mean time_ps.total"});
}

void breakEvenFindsWhereItTips() {
    const std::string side = kSmall + "--set cu.residency=slots --set policy=sequential ";
    const std::string question = "break-even " + side +
                                 "--parameter link.bandwidth --from 1GB/s --to 1TB/s "
                                 "--metric time_ps.exposed_communication --db " +
                                 freshStore("break.sqlite");
    const Json answer = json(question + " --target 30us");
    expect(answer["crossings"].size() == 1 && answer["monotone"] == true, "there is one crossing", {});
    const auto exposedAt = [&](const Json& bandwidth) {
        return json("run " + side + "--set link.bandwidth=" + bandwidth.dump())["time_ps"]["exposed_communication"]
            .get<double>();
    };
    const Json& crossing = answer["crossings"][0];
    expect(exposedAt(crossing["from"]) > 30e6 && exposedAt(crossing["to"]) <= 30e6 && crossing["holds_after"] == true,
           "it tips between the two", {});
    const Outcome again = run(question + " --target 30us");
    expect(again.code == 0 && contains(again.out, "0 runs, ") && contains(again.out, " is at most 30.00 µs from "),
           "the same question runs nothing", again);
    const Outcome never = run(question + " --target 1ps");
    expect(never.code == 1 && contains(never.out, "at none of the 5 values that were tried from 1 GB/s") &&
               contains(never.out, "no break-even"),
           "no crossing means exit code 1, and is said with both ends", never);
    const Json against = json(question + " --against t3 --target 2 --tolerance 10");
    expect(against["against"] == "t3" && against["steps"].size() >= 5, "another policy may be the target", {});
}

void questionsThatMakeNoSenseAreRefused() {
    const std::string question = "break-even " + kSmall + "--parameter link.bandwidth --from 1GB/s --to 1TB/s ";
    expectRefused(question + "--metric time_ps.total", {"--target: missing"});
    expectRefused(question + "--metric time_ps.totl --target 1us --against t5",
                  {"--metric: time_ps.totl: unknown metric", "--against: t5: "});
    expectRefused(question + "--metric time_ps.total --target 5parsec", {"--target: 5parsec: ", "allowed"});
    expectRefused("break-even " + kSmall +
                      "--parameter link.bandwith --from 1 --to 2 --metric time_ps.total --target 1us",
                  {"--parameter: link.bandwith: unknown parameter, did you mean link.bandwidth"});
    expectRefused("break-even " + kSmall +
                      "--parameter parallel.tp --from 3 --to 4 --metric time_ps.total --target 1us",
                  {"parallel.tp: 3: does not divide"});
}

/// A sweep with one point that takes minutes and eight points that take milliseconds.
std::string longSweep() {
    const std::string path = at("long.json");
    std::ofstream(path) << R"({
      "base": { "workload": { "sublayer": "fc-2" } },
      "axes": [ { "zip": [
        { "path": "workload.model", "values": ["big", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"] },
        { "path": "workload.hidden", "values": [20480, 512, 512, 512, 512, 512, 512, 512, 512] },
        { "path": "workload.sequence", "values": [1024, 512, 513, 514, 515, 516, 517, 518, 519] },
        { "path": "workload.batch", "values": [2, 1, 1, 1, 1, 1, 1, 1, 1] },
        { "path": "parallel.tp", "values": [32, 4, 4, 4, 4, 4, 4, 4, 4] },
        { "path": "detail.level", "values": ["fine", "interactive", "interactive", "interactive", "interactive",
                                             "interactive", "interactive", "interactive", "interactive"] },
        { "path": "detail.mode", "values": ["full", "auto", "auto", "auto", "auto", "auto", "auto", "auto", "auto"] } ] } ],
      "policies": ["t3"] })";
    return path;
}

void noticesOfThePointsAreSaidWithTheNumbers() {
    const std::string store = freshStore("noticed.sqlite"), document = at("noticed.json");
    std::ofstream(document) << R"({
      "base": { "workload": { "hidden": 512, "sequence": 256, "batch": 1 }, "cu": { "count": 4 },
                "gemm": { "tile_m": 64, "tile_n": 64 }, "parallel": { "tp": 4 } },
      "axes": [ { "path": "tracker.entries", "values": [1, 256] } ],
      "policies": ["t3"], "metrics": ["time_ps.total"] })";
    const std::string words = "notice  tracker.held_bytes: 1 of 2 points, first tracker.entries=1 t3: up to ";
    const std::string limit = " of arriving updates waited on a GPU for a set of the tracker, in a buffer without a "
                              "limit\n";
    const Outcome swept = run("sweep " + document + " --db " + store);
    expect(contains(swept.out, words) && contains(swept.out, limit), "sweep", swept);
    const Outcome quiet = run("sweep " + document + " --db " + store + " --resume --output json");
    expect(parsed(quiet.out).is_object() && contains(quiet.err, words), "sweep as JSON, on standard error", quiet);
    const std::string id = parsed(quiet.out).value("sweep", "");
    const std::string results = "results --db " + store;
    const Outcome points = run(results + " --sweep " + id);
    expect(contains(points.out, words) && contains(points.out, limit), "results of a sweep", points);
    const Outcome csv = run(results + " --sweep " + id + " --output csv");
    expect(contains(csv.out, ",done,,\"tracker.held_bytes: up to ") || contains(csv.out, ",done,,tracker.held_bytes: "),
           "each point of CSV", csv);
    const Outcome runs = run(results);
    expect(contains(runs.out, "notice  tracker.held_bytes: 1 of 2 runs, first "), "results of runs", runs);
    const Outcome best = run("best " + document + " --metric time_ps.total --db " + store);
    expect(contains(best.out, words), "best", best);
    const std::string evaluation = at("noticed-evaluation.json");
    std::ofstream(evaluation) << R"({ "format": "ringside-evaluation", "version": 1, "title": "Mine", "source": "none",
      "sweeps": { "own": { "base": { "workload": { "hidden": 512, "sequence": 256, "batch": 1 }, "cu": { "count": 4 },
                "gemm": { "tile_m": 64, "tile_n": 64 }, "parallel": { "tp": 4 } },
      "axes": [ { "path": "tracker.entries", "values": [1, 256] } ], "policies": ["t3"] } },
      "items": [ { "id": "total", "what": "longest", "of": "own", "metric": "time_ps.total", "policy": "t3",
                   "as": "max", "role": "context" } ] })";
    const Outcome reproduced = run("reproduce " + evaluation + " --db " + store);
    expect(contains(reproduced.out, words), "reproduce", reproduced);
    const Json reproduction = json("reproduce " + evaluation + " --db " + store);
    expect(reproduction["notices"][0]["path"] == "tracker.held_bytes", "reproduce as JSON",
           {0, reproduction.dump(1), ""});
}

void ctrlCKeepsWhatHasEndedAndSaysHowToGoOn() {
    const std::string sweep = longSweep(), store = freshStore("long.sqlite");
    const pid_t child = fork();
    if (child == 0) {
        if (!std::freopen(at("out-long").c_str(), "w", stdout) || !std::freopen(at("err-long").c_str(), "w", stderr))
            _exit(99);
        execl(g_program.c_str(), g_program.c_str(), "sweep", sweep.c_str(), "--db", store.c_str(), "--threads", "2",
              "--output", "json", static_cast<char*>(nullptr));
        _exit(99);
    }
    // The eight short points end while the long one runs.
    int kept = 0;
    for (int i = 0; i < 100 && kept < 8; ++i) {
        usleep(100'000);
        kept = json("sweep " + sweep + " --db " + store + " --dry-run").value("kept", 0);
    }
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, textOf(at("out-long")), textOf(at("err-long"))};
    expect(outcome.code == 130, "Ctrl+C ends with exit code 130", outcome);
    expect(contains(outcome.err, "interrupted; 8 of 9 points are kept in ") &&
               contains(outcome.err, "ringside-cli sweep " + sweep + " --db " + store + " --resume"),
           "what is kept and how to go on is said", outcome);
    const Json summary = parsed(outcome.out);
    expect(summary.is_object() && summary.value("stopped", false) && summary.value("ran", 0) == 8,
           "and so does the summary", outcome);
    const Json outlook = json("sweep " + sweep + " --db " + store + " --dry-run");
    expect(outlook.value("kept", 0) == 8 && outlook.value("to_run", 0) == 1, "only the long one is missing", {});
}

/// A sweep of a million points. Planning its values takes many seconds.
std::string millionPoints() {
    const std::string path = at("million.json");
    std::ofstream(path) << R"({ "axes": [ { "path": "link.bandwidth", "range":
      { "from": "50 GB/s", "to": "1 TB/s", "count": 1000000 } } ], "policies": ["t3"] })";
    return path;
}

void aMillionPointsSayHowFarTheyArePlannedAndCanBeInterrupted() {
    const std::string sweep = millionPoints(), store = freshStore("million.sqlite");
    const pid_t child = fork();
    if (child == 0) {
        if (!std::freopen(at("err-million").c_str(), "w", stderr))
            _exit(99);
        execl(g_program.c_str(), g_program.c_str(), "sweep", sweep.c_str(), "--db", store.c_str(),
              static_cast<char*>(nullptr));
        _exit(99);
    }
    for (int i = 0; i < 1000 && !contains(textOf(at("err-million")), "points\n"); ++i)
        usleep(20'000);
    kill(child, SIGINT);
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", textOf(at("err-million"))};
    expect(outcome.code == 130 && contains(outcome.err, "interrupted"), "planning ends with exit code 130", outcome);
    expect(contains(outcome.err, "planning: ") && contains(outcome.err, " of 1,000,000 points\n"),
           "how far it is was said", outcome);
    constexpr long kMostKilobytes = 1'000'000;
    expect(used.ru_maxrss < kMostKilobytes, "in less than 1 GB", outcome);
    expect(!std::filesystem::exists(store), "nothing was made", outcome);
}

/// A sweep of the footprint: six points of a small model. Weights cannot be sharded over pipeline stages.
std::string footprints() {
    const std::string path = at("footprints.json");
    std::ofstream(path) << R"({ "of": "footprint",
      "base": { "workload": { "model": "t-nlg", "hidden": 512, "heads": 4, "layers": 4, "sequence": 256, "batch": 1 },
                "parallel": { "tp": 4 } },
      "axes": [ { "path": "division.pp", "values": [1, 2] },
                { "path": "division.sharding", "values": ["none", "optimizer", "weights"] } ],
      "metrics": ["footprint_bytes.total"] })";
    return path;
}

void aSweepOfFootprintsIsKeptAndReadWithoutPolicies() {
    const std::string store = freshStore("footprints.sqlite");
    const Outcome swept = run("sweep " + footprints() + " --db " + store + " --output json");
    const Json summary = parsed(swept.out);
    expect(swept.code == 0 && summary.value("ran", 0) == 5 && summary.value("unusable", 0) == 1 &&
               summary.value("baseline_runs", 1) == 0,
           "five points are computed and nothing is simulated", swept);
    expect(contains(swept.err, "first division.pp=2 division.sharding=weights: division.sharding: weights: "),
           "the other one says why, without a policy", swept);
    const std::string id = summary["sweep"];
    const Json points = json("results --db " + store + " --sweep " + id);
    const Json footprint = json("footprint t-nlg --tp 4 --set workload.hidden=512 --set workload.heads=4 "
                                "--set workload.layers=4 --set workload.sequence=256 --set workload.batch=1");
    expect(points.size() == 5 && points[0]["of"] == "footprint" &&
               points[0]["footprint_bytes"] == footprint["columns"][0]["footprint_bytes"],
           "a point holds what footprint says", {});
    const Outcome csv = run("results --db " + store + " --sweep " + id + " --columns messages.count,fits --output csv");
    expect(csv.code == 0 &&
               csv.out.starts_with("division.pp,division.sharding,messages.count,fits,state,reason,notices\n"),
           "columns are those of the subject", csv);
    expectRefused("results --db " + store + " --sweep " + id + " --columns time_ps.total",
                  {"time_ps.total: not a number of footprint but of run"});
    const Outcome some = run("results --db " + store + " --sweep " + id + " --where division.pp=2 --output csv");
    expect(contains(some.out, "\n2,none,") && !contains(some.out, "\n1,none,"), "a filter chooses points", some);
    expect(json("results --db " + store).empty(), "a list of runs has no points of models", {});
    const Json best = json("best " + footprints() + " --metric footprint_bytes.total --db " + store);
    expect(best["best"].size() == 2 && !best["best"][0].contains("policy") && best["sweep"]["ran"] == 0,
           "one replica shares its optimizer with nobody: both best points are told, without a policy", {});
    expectRefused("best " + footprints() + " --metric time_ps.total --db " + store, {"not a number of footprint"});
}

void aSweepOfWholeModelsHasTheNumbersOfModel() {
    const std::string path = at("prompts.json"), store = freshStore("prompts.sqlite");
    std::ofstream(path) << R"({ "of": "prompt",
      "base": { "workload": { "model": "t-nlg", "hidden": 512, "heads": 4, "layers": 2, "sequence": 256, "batch": 1 } },
      "axes": [ { "path": "parallel.tp", "values": [2, 4] } ], "policies": ["sequential", "t3"],
      "metrics": ["model_ps.total"] })";
    const Json summary = json("sweep " + path + " --db " + store + " --threads 2");
    const Json points = json("results --db " + store + " --sweep " + summary["sweep"].get<std::string>());
    const Json model = json("model t-nlg --phase prompt --tp 4 --policies sequential,t3 --set workload.hidden=512 "
                            "--set workload.heads=4 --set workload.layers=2 --set workload.sequence=256 "
                            "--set workload.batch=1");
    expect(points.size() == 4, "four points", {});
    for (std::size_t i = 0; i < 2; ++i) {
        Json times = model["policies"][i]["time_ps"];
        times["exposed"] = model["policies"][i]["exposed_ps"];
        expect(points[2 + i]["model_ps"] == times, "times are those of model", {});
        expect(points[2 + i]["model_speedup_over_sequential"] == model["policies"][i]["speedup_over_sequential"],
               "and the speed-up too", {});
    }
}

void helpHasAnExample() {
    for (const char* command : {"sweep", "best", "break-even"}) {
        const Outcome help = run(std::string(command) + " --help");
        expect(help.code == 0 && contains(help.out, std::string("  ringside-cli ") + command), "help has an example",
               help);
    }
}

const NamedTests kTests{
    {"a sweep is run and reports its cost", aSweepIsRunAndSaysWhatItTook},
    {"a second start needs --resume and repeats nothing", aSecondStartNeedsResumeAndRepeatsNothing},
    {"a dry run runs nothing and leaves no file", aDryRunRunsNothingAndLeavesNoFile},
    {"shards share the work", shardsShareTheWork},
    {"problems of the sweep are all listed", problemsOfTheSweepAreAllListed},
    {"values of the command line go into the base", valuesOfTheCommandLineGoIntoTheBase},
    {"the best point is the best of all points", theBestPointIsTheBestOfAllPoints},
    {"break-even finds where it tips", breakEvenFindsWhereItTips},
    {"questions that make no sense are refused", questionsThatMakeNoSenseAreRefused},
    {"notices of the points are said with the numbers", noticesOfThePointsAreSaidWithTheNumbers},
    {"Ctrl+C keeps the points that have ended and says how to continue", ctrlCKeepsWhatHasEndedAndSaysHowToGoOn},
    {"a million points say how far they are planned and can be interrupted",
     aMillionPointsSayHowFarTheyArePlannedAndCanBeInterrupted},
    {"a sweep of footprints is kept and read without policies", aSweepOfFootprintsIsKeptAndReadWithoutPolicies},
    {"a sweep of whole models has the numbers of model", aSweepOfWholeModelsHasTheNumbersOfModel},
    {"help has an example", helpHasAnExample},
};

const bool kAdded = tests::addProgramTest("tst_sweep_command",
                                          [](int argc, char** argv) { return tests::runTests(argc, argv, kTests); });

}  // namespace tests::sweep_command
