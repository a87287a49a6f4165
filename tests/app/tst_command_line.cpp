// Drives the built ringside-cli as a script would: arguments in, exit code, standard output and standard error out.
// Usage: tests_app tst_command_line RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tests::command_line {

using Json = nlohmann::json;

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

// With interactive detail the whole file takes only a few seconds. The counts do not depend on the detail.
const std::string kCase = "t-nlg/fc-2/tp8 --set detail.level=interactive ";

void versionAndHelpSayWhatThisIs() {
    const Outcome version = run("--version");
    expect(version.code == 0 && contains(version.out, "engine ") && contains(version.out, "GPL-3.0-or-later"),
           "--version", version);
    const Outcome help = run("--help");
    expect(help.code == 0 && contains(help.out, "Example:") && contains(help.out, "compare"), "--help", help);
    for (const char* command : {"run", "compare", "verify", "list", "parameters"}) {
        const Outcome one = run(std::string(command) + " --help");
        expect(one.code == 0 && contains(one.out, "Example:\n  ringside-cli " + std::string(command)),
               "help has an example", one);
    }
}

void wrongUsageIsRefusedWithTwo() {
    expectRefused("", {"subcommand"});
    expectRefused("comapre x", {"comapre", "did you mean compare"});
    expectRefused("run", {"EXPERIMENT"});
    expectRefused("run " + kCase + "--output xml", {"xml"});
    expectRefused("run " + kCase + "--threads 0", {"--threads"});
    expectRefused("run " + kCase + "--frobnicate", {"--frobnicate"});
    expectRefused("list gpus", {"gpus"});
    expectRefused("run " + kCase + "--set policy=ideal-overlap --trace " + (g_folder / "t.json").string(),
                  {"--trace", "formula"});
}

void everyProblemOfTheInputIsListedOneALine() {
    const Outcome outcome = run("run t-nlg/fc-2/tp9 --set link.bandwith=3 --set tracker.entries=-1 --set cu.clock=nan");
    expect(outcome.code == 2 && lines(outcome.err) == 4, "four problems on four lines", outcome);
    for (const char* words : {"link.bandwith: 3: unknown parameter, did you mean link.bandwidth",
                              "tracker.entries: -1: below the minimum; allowed: 1 to 1048576",
                              "cu.clock: nan: not a number", "parallel.tp: 9: does not divide K"})
        expect(contains(outcome.err, words), words, outcome);
}

void badDocumentsAreRefused() {
    const auto refused = [](const std::string& document, const std::vector<std::string>& said) {
        const auto path = g_folder / "bad.json";
        write(path, document);
        expectRefused("run '" + path.string() + "'", said);
        expectRefused("run -", said.size() > 1 ? std::vector<std::string>{said.back()} : std::vector<std::string>{},
                      "'" + path.string() + "'");
    };
    refused("{\"seed\": NaN}", {"bad.json", "line 1, column"});
    refused("{\"seed\": 1, \"seed\": 2}", {"given twice"});
    refused("{\"machine\": \"t3-tabel-1\"}", {"did you mean t3-table-1"});
    refused("{\"parallel\": {\"tp\": 1}}", {"parallel.tp: 1: below the minimum"});
    refused("{\"gemm\": {\"tile_m\": 8192, \"tile_n\": 8192}}", {"parallel.tp", "only 1 tiles"});
    refused(std::string(200000, '['), {"nested too deeply"});
    refused("", {"not valid JSON"});
    expectRefused("run no-such-file.json", {"no-such-file.json", "cannot be opened"});
    expectRefused("run -", {"larger than the 16 MiB"}, "/dev/zero");
}

void threeMeansThatTheMachineFailed() {
    const Outcome full = run("run " + kCase + "--trace /dev/full");
    expect(full.code == 3 && contains(full.err, "/dev/full"), "a full disk under the trace", full);
    const Outcome folder = run("run " + kCase + "--trace '" + (g_folder / "none" / "t.json").string() + "'");
    expect(folder.code == 3 && contains(folder.err, "cannot be written"), "a folder that is not there", folder);
    const int status = std::system(("'" + g_program + "' list models >/dev/full 2>/dev/null").c_str());
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 3, "a full disk under standard output", {});
}

void theJsonOfARunHasTheCountsOfTheModel() {
    const Json t3 = json("run " + kCase + "--set policy=t3");
    const std::int64_t chunk = t3["shape"]["chunk_bytes"][0];
    expect(t3["dram_bytes"]["rs_read"] == 6 * chunk, "T3 on 8 GPUs reads N-2 = 6 chunks", {});
    expect(t3["dma"]["commands"] == t3["tracker"]["triggers"], "every command was triggered once", {});
    expect(!t3.contains("per_gpu"), "per_gpu is absent, not faked", {});
    const Json sequential = json("run " + kCase + "--set policy=sequential");
    expect(sequential["dram_bytes"]["rs_read"] == 15 * chunk, "sequential reads 2N-1 = 15 chunks", {});
    const Json& time = sequential["time_ps"];
    expect(time["total"] == time["gemm"].get<std::int64_t>() + time["reduce_scatter"].get<std::int64_t>() +
                                time["all_gather"].get<std::int64_t>(),
           "sequential: the parts are the total exactly", {});
    expect(sequential["speedup_over_sequential"] == 1.0, "sequential is its own measure", {});
}

void theJsonOfARunContainsTheAttribution() {
    const auto sum = [](const Json& causes) {
        std::int64_t all = 0;
        for (const char* key : {"compute", "memory", "link", "tracker_dma", "dependency", "dispatch"})
            all += causes.at(key).get<std::int64_t>();
        return all;
    };
    Json runs = json("compare " + kCase + "--policies sequential,t3,t3-mca,cu-split");
    runs.push_back(json("run " + kCase));
    runs.push_back(json("run collective/all-reduce/tp4 --set workload.bytes=1MB"));
    for (const Json& run : runs) {
        const Json &causes = run["attribution_ps"], &detail = run["attribution_detail_ps"];
        const std::int64_t total = run["time_ps"]["total"];
        expect(causes.size() == 6 && sum(causes) == total, "the six causes sum to the total", {});
        expect(causes["memory"] ==
                   detail["memory_own"].get<std::int64_t>() + detail["memory_contention"].get<std::int64_t>(),
               "memory is its own stream's and the other's", {});
        std::int64_t byPhase = 0, byGpu = 0;
        for (const Json& phase : detail["by_phase"])
            byPhase += sum(phase);
        for (const Json& gpu : detail["by_gpu"])
            byGpu += sum(gpu);
        expect(byPhase == total && byGpu == total, "by phase and by GPU it is the total again", {});
    }
    expect(runs[2]["attribution_ps"] == runs[4]["attribution_ps"], "compare and run tell the same", {});
    const std::filesystem::path trace = g_folder / "where.json";
    expect(json("run " + kCase + "--trace '" + trace.string() + "'")["attribution_ps"] == runs[4]["attribution_ps"],
           "with a trace it is the same", {});
    const Outcome table = run("run " + kCase);
    expect(contains(table.out, "where the time goes") && contains(table.out, "memory contention"),
           "a table says it too", table);
}

void boundsAndCollectivesAloneHaveNoForeignKeys() {
    const Json ideal = json("run " + kCase + "--set policy=ideal-overlap");
    for (const char* key : {"dram_bytes", "link_bytes", "tracker", "dma", "llc", "attribution_ps"})
        expect(!ideal.contains(key), std::string("a formula has no ") + key, {});
    const Json alone = json("run collective/all-reduce/tp4 --set workload.bytes=1MB --set policy=sequential");
    for (const char* key : {"isolated_ps", "speedup_over_sequential"})
        expect(!alone.contains(key), std::string("a collective alone has no ") + key, {});
    expect(alone["time_ps"]["gemm"] == 0 && alone["shape"]["m"] == 0, "a collective alone has no GEMM", {});
}

void aSecondRunGivesTheSameBytesButForWallTime() {
    const auto without = [](const std::string& key) {
        Json document = json("run " + kCase + "--threads " + (key == "threads" ? "2" : "1"));
        document.erase("wall_ns");
        document.erase("threads");
        return document.dump();
    };
    const std::string first = without("");
    expect(first == without(""), "the same run twice", {});
    expect(first == without("threads"), "one thread and two", {});
}

void theDocumentInAResultRunsAgainToTheSameResult() {
    const Json first = json("run " + kCase + "--set link.bandwidth=70GiB/s --set arbitration.share=2:1");
    const auto path = g_folder / "again.json";
    write(path, first["experiment"].dump());
    Json again = json("run '" + path.string() + "'");
    again["wall_ns"] = first["wall_ns"];
    expect(again == first, "the complete document gives the same result and hash", {});
}

void theOrderOfSettingsMakesNoDifference() {
    const Json one = json("run " + kCase + "--set link.bandwidth=100GB/s --set machine=t3-table-1-75");
    const Json two = json("run " + kCase + "--set machine=t3-table-1-75 --set link.bandwidth=100GB/s");
    expect(one["experiment_hash"] == two["experiment_hash"], "explicit values win over presets", {});
}

void numbersDoNotDependOnTheLocale() {
    const Outcome plain = run("run " + kCase + "--set policy=sequential --output csv", "LC_ALL=C");
    const Outcome german =
        run("run " + kCase + "--set policy=sequential --output csv", "LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8");
    expect(plain.code == 0 && plain.out == german.out, "the same bytes in C and in German", german);
}

void perGpuResultsAreThereOnRequest() {
    const Json document = json("run " + kCase + "--per-gpu");
    expect(document["per_gpu"].size() == 8, "mirrored gives N entries", {});
    for (const Json& gpu : document["per_gpu"])
        expect(gpu == document["per_gpu"][0], "all of them equal", {});
}

void comparingPrintsARowForEachPolicyInTheOrderAsked() {
    const Outcome table = run("compare " + kCase + "--policies sequential,t3,t3-mca,ideal-overlap");
    std::size_t place = 0;
    for (const char* policy : {"\nsequential ", "\nt3 ", "\nt3-mca ", "\nideal-overlap "}) {
        const std::size_t found = table.out.find(policy);
        expect(found != std::string::npos && found > place, std::string("a row for") + policy, table);
        place = found;
    }
    expect(table.code == 0 && contains(table.out, "µs") && contains(table.out, "MB"), "the table has units", table);
    const Json document = json("compare " + kCase + "--policies t3,sequential,ideal-overlap");
    expect(document.size() == 3, "as many results as policies", {});
    const auto total = [&](std::size_t i) { return document[i]["time_ps"]["total"].get<std::int64_t>(); };
    expect(total(1) > total(0) && total(0) > total(2), "sequential is slowest, the bound fastest", {});
    const Outcome csv = run("compare " + kCase + "--policies t3,sequential --output csv");
    expect(csv.code == 0 && lines(csv.out) == 3 && csv.out.starts_with("experiment,policy,"),
           "CSV: a heading and two rows", csv);
    expectRefused("compare " + kCase + "--policies t3,t4", {"policy.preset: t4: unknown, did you mean t3"});
}

void verifyingNamesWhatWasChecked() {
    const Outcome outcome = run("verify mega-gpt-2/op/tp16 --set detail.level=interactive");
    expect(outcome.code == 0 && contains(outcome.out, "invariants checked, all hold"), "all hold", outcome);
    for (const char* group : {"conservation", "counts", "bounds", "limits", "exclusivity", "determinism"})
        expect(contains(outcome.out, group), group, outcome);
    const Json document = json("verify " + kCase);
    expect(document["failed"] == 0 && document["checked"] == document["checks"].size(), "JSON counts them", {});
}

void ownPresetsAreListedAndRunAsTheBundledOnesDo() {
    const auto home = g_folder / "home", machines = home / "ringside" / "presets" / "machines";
    std::filesystem::create_directories(machines);
    write(machines / "mine.json", R"({"format": "ringside-preset", "version": 1, "kind": "machine",
        "cu": {"count": 120, "clock": "1.4 GHz", "tensor_efficiency": 0.88}, "llc": {"size": "16 MiB"},
        "memory": {"bandwidth": "2 TB/s"}, "link": {"bandwidth": "300 GB/s", "latency": "500 ns"}})");
    write(machines / "broken.json", "{");
    const std::string environment = "XDG_DATA_HOME='" + std::filesystem::absolute(home).string() + "'";
    const Outcome listed = run("list machines", environment);
    expect(listed.code == 0 && contains(listed.out, "t3-table-1") && contains(listed.out, "mine"), "listed", listed);
    expect(contains(listed.err, "broken.json") && contains(listed.err, "line 1"), "the broken one is told", listed);
    const Outcome ran = run("run " + kCase + "--set machine=mine --output json", environment);
    const Json result = Json::parse(ran.out, nullptr, false);
    expect(ran.code == 0 && !result.is_discarded() && result["experiment"]["cu"]["count"] == 120, "runs", ran);
    // The printed experiment contains every value of the machine, so it also runs where the machine's name is unknown.
    write(g_folder / "elsewhere.json", result["experiment"].dump());
    const Json again = json("run '" + (g_folder / "elsewhere.json").string() + "'");
    expect(again["experiment_hash"] == result["experiment_hash"], "the same experiment", {});
    expectRefused("run " + kCase + "--set machine=mine", {"machine: mine: unknown"});
    std::filesystem::remove_all(home);
}

/// Plants a named pipe that nobody writes to: a program that opened it would wait forever.
void aNamedPipeStopsNoCommand() {
    const auto home = g_folder / "piped", models = home / "ringside" / "presets" / "models";
    std::filesystem::create_directories(models);
    expect(::mkfifo((models / "pipe.json").c_str(), 0600) == 0, "a named pipe", {});
    const std::string environment = "XDG_DATA_HOME='" + std::filesystem::absolute(home).string() + "'";
    const Outcome listed = run("list models", environment);
    expect(listed.code == 0 && contains(listed.err, "models/pipe.json: not a regular file"), "told and skipped",
           listed);
    expect(run("run " + kCase, environment).code == 0, "an experiment runs beside it", {});
    expectRefused("run '" + (models / "pipe.json").string() + "'", {"pipe.json: not a regular file"});
    const Outcome traced = run("run " + kCase + "--trace '" + (models / "pipe.json").string() + "'");
    expect(traced.code == 3 && contains(traced.err, "pipe.json: cannot be written: it is a pipe"), "no target", traced);
    const Outcome streamed =
        run("run /dev/fd/3 --set detail.level=interactive 3<&0", "echo '{\"parallel\": {\"tp\": 4}}' |", "/dev/stdin");
    expect(streamed.code == 0, "a pipe that the shell has opened is read", streamed);
}

void documentsDoNotSteerTheTerminal() {
    const auto home = g_folder / "steered", machines = home / "ringside" / "presets" / "machines";
    std::filesystem::create_directories(machines);
    write(machines / "mine.json", R"({"format": "ringside-preset", "version": 1, "kind": "machine",
        "notes": "red \u001b[31m, C1 \u009b31m, turned \u202emroftalp",
        "cu": {"count": 120, "clock": "1.4 GHz", "tensor_efficiency": 0.8}, "llc": {"size": "16 MiB"},
        "link": {"bandwidth": "150 GB/s", "latency": "500 ns"}, "memory": {"bandwidth": "1 TB/s"}})");
    write(g_folder / "lesson.json", R"({"format": "ringside-lesson", "version": 1, "title": "t\u001b[2J", "steps":
        [{"text": "one", "experiment": {"detail": {"level": "interactive"}}}]})");
    const std::string environment = "XDG_DATA_HOME='" + std::filesystem::absolute(home).string() + "'";
    const auto isClean = [](const Outcome& outcome) {
        const std::string all = outcome.out + outcome.err;
        return !contains(all, "\x1b") && !contains(all, "\u009b") && !contains(all, "\u202e");
    };
    for (const char* form : {"table", "csv", "json"}) {
        const Outcome listed = run(std::string("list machines --output ") + form, environment);
        expect(listed.code == 0 && contains(listed.out, "mine") && isClean(listed), form, listed);
        expect(contains(listed.out, "\\u001b[31m") && contains(listed.out, "\\u202e"), "as escapes", listed);
    }
    const Json machines2 = parsed(run("list machines --output json", environment).out);
    expect(contains(machines2.dump(), "\u202e"), "JSON means the same", {});
    expect(isClean(run("lesson check '" + at("lesson.json") + "'")), "a lesson's title", {});
    const Outcome refused = run("run 'a\u009b31m\u202e/fc-2/tp8'");
    expect(refused.code == 2 && isClean(refused), "a message", refused);
}

void aForeignFolderIsNotEmptied() {
    const auto somebodys = g_folder / "somebodys", file = somebodys / "notes.txt";
    std::filesystem::create_directories(somebodys);
    write(file, "kept");
    expect(!emptyFolder(somebodys) && textOf(file) == "kept", "it is refused", {});
    std::filesystem::remove(file);
    expect(emptyFolder(somebodys), "an empty one is taken", {});
    write(file, "of a test");
    expect(emptyFolder(somebodys) && !std::filesystem::exists(file), "what a test left there is deleted", {});
}

void listsNameTheirSources() {
    for (const char* kind : {"models", "sublayers", "machines", "policies"}) {
        const Json list = json(std::string("list ") + kind);
        expect(!list.empty(), kind, {});
        for (const Json& preset : list)
            expect(!preset["source"].get<std::string>().empty() && preset.contains("label"), "each has a source", {});
    }
    expect(json("list experiments").size() == 28, "the published cases", {});
    const nlohmann::json figures = json("list figures");
    expect(figures.size() == 31 && figures[1].value("name", "") == "sublayer-speedup" && figures[1].contains("what"),
           "the figures of the gallery", {});
    for (const char* form : {"table", "csv"})
        expect(run(std::string("list models --output ") + form).code == 0, form, {});
}

void theParameterTableIsComplete() {
    const Json table = json("parameters");
    std::set<std::string> paths;
    for (const Json& parameter : table)
        paths.insert(parameter["path"]);
    for (const char* path : {"machine", "link.bandwidth", "policy.preset", "detail.mode", "seed"})
        expect(paths.count(path) == 1, path, {});
    const Outcome markdown = run("parameters --output markdown");
    for (const std::string& path : paths)
        expect(contains(markdown.out, "| `" + path + "` |"), "the reference page has " + path, {});
}

void noTwoSpansOfATraceOverlapOnAThread() {
    const auto path = g_folder / "trace.json";
    const Outcome outcome = run("run " + kCase + "--trace '" + path.string() + "'");
    expect(outcome.code == 0, "the trace is written", outcome);
    const Json trace = Json::parse(textOf(path), nullptr, false);
    expect(!trace.is_discarded(), "the trace is JSON", outcome);
    std::map<std::pair<int, int>, std::map<std::int64_t, std::int64_t>> threads;  // start to end
    int spans = 0, collisions = 0;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] != "X")
            continue;
        ++spans;
        const auto start = std::llround(event["ts"].get<double>() * 1e6);
        const auto end = start + std::llround(event["dur"].get<double>() * 1e6);
        auto& thread = threads[{event["pid"], event["tid"]}];
        const auto [place, added] = thread.emplace(start, end);
        collisions += !added;
        if (added && place != thread.begin() && std::prev(place)->second > start)
            ++collisions;
        if (added && std::next(place) != thread.end() && std::next(place)->first < end)
            ++collisions;
    }
    expect(spans > 1000 && collisions == 0,
           std::to_string(collisions) + " collisions among " + std::to_string(spans) + " spans", {});
}

void machinesOnWhichNoRunCanEndAreTheInputsFault() {
    expectRefused("run " + kCase + "--set tracker.ways=0",
                  {"no event is left", "GPU 0: the GEMM has stored", "the tracker has", "held back", "tracker.ways = 0",
                   "the DMA engine waits"});
    expectRefused("run " + kCase + "--set parallel.tp=1", {"parallel.tp: 1: below the minimum; allowed: 2 to 64"});
    expectRefused("run " + kCase + "--set link.bandwidth=0", {"link.bandwidth: 0", "allowed: 100 MB/s"});
    expectRefused("run " + kCase + "--set memory.bandwidth=0GB/s", {"memory.bandwidth: 0", "allowed: 1 GB/s"});
    expectRefused("run collective/all-gather/tp8 --set workload.bytes=64GiB --set link.bandwidth=100MB/s "
                  "--set variation.gpu=0 --set variation.link_factor=0.001",
                  {"variation.link_factor: 0.001: a link would be busy for 1374390 s", "raise it or link.bandwidth"});
    // Rows are printed if all of their runs have ended.
    const Outcome stuck = run("reproduce --set tracker.ways=0");
    expect(stuck.code == 2 && contains(stuck.err, "tracker.ways = 0"), "an evaluation that gets stuck ends with 2",
           stuck);
}

void thePublishedEvaluationStandsBesideOurs() {
    const std::string reproduce = "reproduce --set detail.level=interactive --threads 2 ";
    const Json document = json(reproduce);
    expect(document["items"].size() == 16, "every published figure", {});
    for (const Json& item : document["items"])
        for (const char* key : {"id", "what", "value", "published", "difference", "label"})
            expect(item.contains(key), key, {});
    expect(document["cases"].size() == 80, "16 cases under five policies", {});
    for (const Json& one : document["cases"]) {
        for (const char* key : {"model", "sublayer", "tp", "policy", "speedup", "time_ps"})
            expect(one.contains(key), key, {});
        const bool formula = contains(one["policy"], "ideal");
        expect(one.contains("dram_bytes") != formula, "traffic of all but the bounds", {});
    }
    const Json one = json(reproduce + "t3-mca-geomean");
    expect(one["items"].size() == 1 && one["items"][0]["id"] == "t3-mca-geomean", "only what was asked for", {});
    const Outcome table = run(reproduce);
    for (const char* words : {"t3-mca-geomean", "ASPLOS", "mega-gpt-2/op/tp16", "t-nlg/fc-2/tp8 sequential"})
        expect(table.code == 0 && contains(table.out, words), words, table);
    expect(run(reproduce + "--output csv").code == 0, "CSV", {});
}

void aToleranceThatIsExceededMeansOne() {
    const std::string reproduce = "reproduce t3-geomean t3-mca-geomean --set detail.level=interactive --tolerance ";
    const Outcome none = run(reproduce + "0");
    expect(none.code == 1 && contains(none.out, "t3-mca-geomean"), "no figure is met to the last digit", none);
    const Outcome wide = run(reproduce + "50");
    expect(wide.code == 0, "both are within 50 %", wide);
    expectRefused(reproduce + "-1", {"--tolerance"});
}

/// Returns an evaluation of one small run, with `published` as its published number.
std::string smallEvaluation(const std::string& published, const std::string& role = "exact") {
    return R"({"format": "ringside-evaluation", "version": 1, "title": "Small", "sweeps": {"a": {"base": {"workload":
        {"model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512, "batch": 1}, "parallel": {"tp": 4}},
        "policies": ["sequential", "t3-mca"]}}, "items": [{"id": "reads", "what": "reads, times fewer", "policy":
        "sequential", "metric": "dram_bytes.rs_read", "over": {"policy": "t3-mca"}, "label": "derived", "published": ")" +
           published + R"(", "role": ")" + role + "\"}]}";
}

std::string evaluationFile(const std::string& text) {
    const std::string path = at("small-evaluation.json");
    std::ofstream(path) << text;
    return path;
}

void anEvaluationIsNamedOrAFileAndItsExactRowsMustHold() {
    const Outcome plain = run("reproduce t3-geomean --set detail.level=interactive --output csv");
    const Outcome named = run("reproduce t3 t3-geomean --set detail.level=interactive --output csv");
    expect(named.code == 0 && named.out == plain.out, "the evaluation of T3 is the one without a name", named);
    expect(contains(plain.out, "id,value,published,difference,label,what,role\n"), "the role is the last column",
           plain);
    // RS reads (2N-1) chunks in sequence and N-2 under T3-MCA: 7/2 on four GPUs.
    const Outcome holds = run("reproduce " + evaluationFile(smallEvaluation("3.5")));
    expect(holds.code == 0 && contains(holds.out, "3.500      3.500       0.0 %  exact"), "an exact row holds", holds);
    const Outcome fails = run("reproduce " + evaluationFile(smallEvaluation("3.0")));
    expect(fails.code == 1 && contains(fails.err, "reads: 3.500, published is 3.000; allowed: 2.9000 to 3.1000"),
           "an exact row that does not hold means 1", fails);
    const Outcome changed = run("reproduce " + evaluationFile(smallEvaluation("3.0")) + " --set link.bandwidth=75GB/s");
    expect(changed.code == 0, "with --set no row has to hold", changed);
    const Json document = json("reproduce " + evaluationFile(smallEvaluation("3.5")));
    const Json& item = document["items"][0];
    expect(item["role"] == "exact" && item["holds"] == true && item["value"] == 3.5, "role and verdict in JSON", {});
    expect(document["constants"].get<std::string>().size() == 12, "the constants have a name", {});
    expectRefused("reproduce " + evaluationFile(smallEvaluation("3.5", "right")),
                  {"items[0].role: right: unknown role; allowed: exact, calibrated, visible, blind, context"});
    expectRefused("reproduce t3 t3-geomaen", {"t3-geomaen: not an item of the evaluation", "t3-geomean"});
    expectRefused("reproduce nowhere.json", {"nowhere.json"});
}

void allEvaluationsAreRunAndListed() {
    const Json listed = json("list evaluations");
    // With large K-steps a GEMM takes a quarter of the events, and no tile is searched for. The second command reads the
    // kept runs of the first instead of simulating them.
    const std::string reproduce = "reproduce --all --set detail.level=interactive --set gemm.k_step=128 "
                                  "--set tiles.choice=fixed "
                                  "--set cu.local_memory=4MiB --db '" +
                                  at("all.sqlite") + "' ";
    const Json all = json(reproduce + "--threads 2");
    expect(listed.size() == all["evaluations"].size(), "as many as are listed", {});
    for (std::size_t i = 0; i < listed.size(); ++i)
        expect(listed[i]["name"] == all["evaluations"][i]["evaluation"], "in their order", {});
    const Outcome csv = run(reproduce + "--output csv");
    expect(csv.code == 0 && csv.out.starts_with("evaluation,id,value") && contains(csv.out, "\nt3,t3-geomean,"), "CSV",
           csv);
    expectRefused("reproduce --all t3", {"--all: t3"});
    expect(contains(run("list evaluations").out, "How much of a reduce-scatter hides"), "its question", {});
}

void anEvaluationKeepsItsRuns() {
    const std::string store = at("evaluation.sqlite");
    std::filesystem::remove(store);
    const std::string reproduce =
        "reproduce " + evaluationFile(smallEvaluation("3.5")) + " --output json --db " + store;
    const Outcome first = run(reproduce), again = run(reproduce);
    expect(first.code == 0 && first.out == again.out, "what is kept comes to the same", again);
    expect(json("results --db " + store).size() == 2, "both runs are kept", {});
}

void figuresThatWereNotPublishedAreRefusedWithTheNearestName() {
    expectRefused("reproduce t3-mca-geomeen", {"t3-mca-geomeen: not an item of the evaluation", "t3-mca-geomean"});
    expectRefused("reproduce --set link.bandwith=1GB/s", {"link.bandwidth"});
}

void sensitivitiesAreSortedByTheirEffect() {
    const Json report = json("sensitivity " + kCase + "--seeds 2 --threads 2");
    double last = -1;
    for (const Json& parameter : report["parameters"]) {
        const auto effect = parameter["effect"].get<double>();
        expect(effect >= last, "what helps most first, what hurts most last", {});
        last = effect;
    }
    const auto isChoice = [](const Json& parameter) { return parameter["choice"] == true; };
    expect(std::any_of(report["parameters"].begin(), report["parameters"].end(), isChoice), "choices too", {});
    expect(report["parameters"][0]["effect"] < 0, "more of what matters most makes it faster", {});
    expect(report["runs"] == 2 * (report["parameters"].size() + 1), "each parameter with each seed", {});
    const Outcome table = run("sensitivity " + kCase + "--seeds 1");
    expect(table.code == 0 && contains(table.out, "cu.clock") && contains(table.out, "1.54 GHz"), "a table", table);
    expectRefused("sensitivity " + kCase + "--set policy=ideal-overlap", {"ideal-overlap", "formula"});
    expectRefused("sensitivity " + kCase + "--seeds 0", {"--seeds"});
}

void anInterruptedRunEndsWith130() {
    for (const auto& [signal, what] : {std::pair{SIGINT, "Ctrl+C"}, std::pair{SIGTERM, "a batch system's SIGTERM"}}) {
        const Outcome outcome =
            interrupted({"run", "mt-nlg/fc-2/tp32", "--set", "detail.level=fine", "--set", "detail.mode=full"}, signal);
        expect(outcome.code == 130 && outcome.out.empty() && contains(outcome.err, "interrupted"), what, outcome);
    }
}

const NamedTests kTests{
    {"--version and --help say what this is", versionAndHelpSayWhatThisIs},
    {"wrong usage is refused with exit code 2", wrongUsageIsRefusedWithTwo},
    {"every problem of the input is listed, one a line", everyProblemOfTheInputIsListedOneALine},
    {"bad documents are refused", badDocumentsAreRefused},
    {"exit code 3 means that the machine failed", threeMeansThatTheMachineFailed},
    {"the JSON of a run has the counts of the model", theJsonOfARunHasTheCountsOfTheModel},
    {"the JSON of a run contains the attribution", theJsonOfARunContainsTheAttribution},
    {"bounds and collectives alone have no foreign keys", boundsAndCollectivesAloneHaveNoForeignKeys},
    {"a second run gives the same bytes but for wall time", aSecondRunGivesTheSameBytesButForWallTime},
    {"the document in a result runs again to the same result", theDocumentInAResultRunsAgainToTheSameResult},
    {"the order of settings makes no difference", theOrderOfSettingsMakesNoDifference},
    {"numbers do not depend on the locale", numbersDoNotDependOnTheLocale},
    {"results of each GPU are there on request", perGpuResultsAreThereOnRequest},
    {"comparing prints a row for each policy in the order asked", comparingPrintsARowForEachPolicyInTheOrderAsked},
    {"verifying names what was checked", verifyingNamesWhatWasChecked},
    {"a named pipe stops no command", aNamedPipeStopsNoCommand},
    {"documents do not steer the terminal", documentsDoNotSteerTheTerminal},
    {"a foreign folder is not emptied", aForeignFolderIsNotEmptied},
    {"lists name their sources", listsNameTheirSources},
    {"own presets are listed and run as the bundled ones do", ownPresetsAreListedAndRunAsTheBundledOnesDo},
    {"the parameter table is complete", theParameterTableIsComplete},
    {"no two spans of a trace overlap on a thread", noTwoSpansOfATraceOverlapOnAThread},
    {"machines on which no run can end are the input's fault", machinesOnWhichNoRunCanEndAreTheInputsFault},
    {"the published evaluation stands beside ours", thePublishedEvaluationStandsBesideOurs},
    {"a tolerance that is exceeded means exit code 1", aToleranceThatIsExceededMeansOne},
    {"figures that were not published are refused with the nearest name",
     figuresThatWereNotPublishedAreRefusedWithTheNearestName},
    {"an evaluation is named or a file, and its exact rows must hold",
     anEvaluationIsNamedOrAFileAndItsExactRowsMustHold},
    {"all evaluations are run and listed", allEvaluationsAreRunAndListed},
    {"an evaluation keeps its runs", anEvaluationKeepsItsRuns},
    {"sensitivities are sorted by their effect", sensitivitiesAreSortedByTheirEffect},
    {"an interrupted run ends with exit code 130", anInterruptedRunEndsWith130},
};

const bool kAdded = tests::addProgramTest("tst_command_line",
                                          [](int argc, char** argv) { return tests::runTests(argc, argv, kTests); });

}  // namespace tests::command_line
