// The same mistake has the same exit code in every command of ringside-cli (app/ringside_cli_exit.h).
// Usage: tests_app tst_exit_codes RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace tests::exit_codes {

/// One command and its arguments. `input` is the document or the store that it reads.
struct Command {
    std::string name, input, options;
    bool takesSettings = false;  // --set and --threads
    bool writesStore = false;    // --db, a file that the command makes if it does not exist
    bool needsStore = false;
};

const std::string kTiny = "--set detail.level=interactive ";
const std::string kTipping = "--parameter link.bandwidth --from 1GB/s --to 1TB/s "
                             "--metric time_ps.exposed_communication --target 30us --tolerance 50 ";

const std::vector<Command>& commands() {
    static const std::vector<Command> kCommands{
        {"run", "experiment.json", "", true, false, false},
        {"compare", "experiment.json", "", true, false, false},
        {"lapse", "experiment.json", "--period 1us ", true, false, false},
        {"pair", "experiment.json", "--companion gemm ", true, false, false},
        {"verify", "experiment.json", "", true, false, false},
        {"sensitivity", "experiment.json", "--seeds 1 ", true, false, false},
        {"break-even", "experiment.json", kTipping, true, true, false},
        {"model", "t-nlg", "--tp 8 ", true, false, false},
        {"footprint", "t-nlg", "--tp 8 ", false, false, false},
        {"messages", "t-nlg", "--tp 8 ", false, false, false},
        {"divisions", "t-nlg", "--gpus 8 --sequences 8 ", false, false, false},
        {"advise", "t-nlg", "--tp 8 --set policy=t3-mca ", true, false, false},
        {"reproduce", "", kTiny, true, false, false},
        {"sweep", "sweep.json", "", true, true, true},
        {"best", "sweep.json", "--metric time_ps.total ", true, true, true},
        {"results", "", "", false, false, true},
        {"merge", "store.db", "", false, true, true},
        {"convert", "config.json", "", false, false, false},
        {"timetable", "tasks.json", "", false, false, false},
        {"trace", "trace.json", "", false, false, false},
        {"represent", "mega-gpt-2", "'" + at("lengths.csv") + "' --set parallel.tp=8 --set workload.batch=1 ", false,
         false, false},
        {"collectives tune", "tune.json", "", false, false, false},
        {"collectives import", "times.csv", "", false, false, false},
        {"deadlock", "calls.json", "", false, false, false},
        {"page", "experiment.json", "--out '" + at("page.html") + "' ", true, false, false},
        {"lesson check", "lesson.json", "", false, false, false},
        {"list", "models", "", false, false, false},
        {"parameters", "", "", false, false, false},
        {"completion", "bash", "", false, false, false}};
    return kCommands;
}

bool readsDocument(const Command& command) { return command.input.ends_with(".json") || command.name == "model"; }

void writeText(const std::string& name, const std::string& text) { std::ofstream(at(name), std::ios::binary) << text; }

std::string inQuotes(const std::string& word) { return "'" + word + "'"; }

/// Returns a word of `commands`; if it is a file name, as a path in the test's folder.
std::string placed(const std::string& input) { return input.find('.') == std::string::npos ? input : at(input); }

/// Returns the path of a store that does not exist yet.
std::string newStore() {
    static int count = 0;
    return at("new-" + std::to_string(++count) + ".db");
}

/// Returns the command line. An empty `input` or `store` is replaced by a correct one.
std::string line(const Command& command, const std::string& more = "", const std::string& input = "",
                 const std::string& store = "") {
    std::string text = command.name + " " + command.options;
    if (!input.empty())
        text += input + " ";
    else if (!command.input.empty())
        text += inQuotes(placed(command.input)) + " ";
    if (!store.empty())
        text += "--db " + store + " ";
    else if (command.needsStore)
        text += "--db " + (command.writesStore ? newStore() : at("store.db")) + " ";
    return text + more;
}

void expectCode(int code, const std::string& arguments, const std::string& said = "") {
    const Outcome outcome = run(arguments);
    expect(outcome.code == code, arguments + ": exit code " + std::to_string(code), outcome);
    expect(said.empty() || contains(outcome.err, said), arguments + " says: " + said, outcome);
}

void makeFiles() {
    writeText("experiment.json", R"({"workload": {"hidden": 512, "sequence": 256, "batch": 1}, "cu": {"count": 4},
        "gemm": {"tile_m": 64, "tile_n": 64}, "parallel": {"tp": 4}, "detail": {"level": "interactive"}})");
    writeText("sweep.json", R"({"base": {"workload": {"hidden": 512, "sequence": 256, "batch": 1}, "cu": {"count": 4},
        "gemm": {"tile_m": 64, "tile_n": 64}}, "axes": [{"path": "parallel.tp", "values": [4, 2]}],
        "policies": ["sequential", "t3"], "metrics": ["time_ps.total"]})");
    writeText("config.json", R"({"model_type": "llama", "hidden_size": 512, "intermediate_size": 1024,
        "num_hidden_layers": 2, "num_attention_heads": 8, "vocab_size": 1000, "max_position_embeddings": 512})");
    writeText("lesson.json", R"({"format": "ringside-lesson", "version": 1, "title": "t", "steps": [{"text": "{m} {l}",
        "experiment": {"workload": {"hidden": 512, "sequence": 256, "batch": 1}, "cu": {"count": 4},
        "gemm": {"tile_m": 64, "tile_n": 64}, "parallel": {"tp": 4}, "detail": {"level": "interactive"}},
        "claims": {"l": {"parameter": "link.bandwidth", "value": "150 GB/s"},
                   "m": {"metric": "time_ps.total", "value": "1 ms", "tolerance": "1 s"}}}]})");
    writeText("tasks.json", R"({"format": "ringside-tasks", "title": "t", "unit": "us", "pools": {"cores": 2},
        "loop": {"iterations": 4, "pieces": [{"parallel": 3}, {"sequential": 1}]}})");
    writeText("tune.json",
              R"({"format": "ringside-sweep", "version": 1, "base": {"workload": {"sublayer": "all-reduce"},
        "detail": {"level": "interactive"}, "policy": {"preset": "sequential"}}, "policies": ["sequential"],
        "axes": [{"path": "workload.bytes", "values": ["1 MiB", "2 MiB"]},
                 {"path": "collective.cu_count", "values": [8, 16]}]})");
    writeText("lengths.csv", "length,count\n8,2\n16,1\n");
    writeText("times.csv", "operation,gpus,bytes,seconds\nall-reduce,8,65536,0.00002\n");
    writeText("calls.json", R"({"format": "ringside-calls", "version": 1, "libraries": {"mpi": "blocking"},
        "ranks": [["mpi:a"], ["mpi:a"]]})");
    writeText("trace.json", R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7,
        "ts": 1.5, "dur": 2.5, "args": {"device": 0, "stream": 7}}]})");
    writeText("half.json", R"({"seed": )");
    writeText("text.db", std::string(4096, 'x'));
    expectCode(0, "sweep " + at("sweep.json") + " --db " + at("store.db"));
    const std::string whole = textOf(at("store.db"));
    writeText("damaged.db", whole.substr(0, whole.size() / 2));
}

void everyCommandIsInTheTable() {
    const std::string help = run("--help").out;
    const std::string all = help.substr(help.find("Subcommands:")), listed = all.substr(0, all.find("\n\n"));
    std::set<std::string> known;
    for (const Command& command : commands())
        known.insert(command.name.substr(0, command.name.find(' ')));
    const std::regex pattern("\n  ([a-z-]+) ");
    for (std::sregex_iterator found(listed.begin(), listed.end(), pattern), end; found != end; ++found)
        expect(known.contains((*found)[1]), (*found)[1].str() + " is tried by this test", {});
}

void zeroMeansDone() {
    for (const Command& command : commands())
        expectCode(0, line(command));
}

void wrongUsageMeansTwo() {
    for (const Command& command : commands()) {
        expectCode(2, line(command, "--frobnicate"), "--frobnicate");
        if (command.name != "convert" && command.name != "page")
            expectCode(2, line(command, "--output xml"), "xml");
        if (!command.takesSettings)
            continue;
        for (const char* threads : {"0", "nan", "1.5", "-1"})
            expectCode(2, line(command, std::string("--threads ") + threads), "--threads");
        expectCode(2, line(command, "--set link.bandwith=3"), "did you mean link.bandwidth");
        expectCode(2, line(command, "--set link.bandwidth=0"), "link.bandwidth: 0: below the minimum");
        expectCode(2, line(command, "--set abc"), "--set: abc: not of the form PATH=VALUE");
    }
}

void aDocumentThatCannotBeReadMeansTwo() {
    for (const Command& command : commands()) {
        if (!readsDocument(command))
            continue;
        expectCode(2, line(command, "", at("none.json")), "none.json");
        expectCode(2, line(command, "", at("half.json")), "not valid JSON");
        expectCode(2, line(command, "", inQuotes(g_folder.string())), "a folder, but a file is expected");
    }
}

/// Returns the names of the command's options that take a file, according to its help.
std::set<std::string> fileOptions(const std::string& command) {
    const std::string help = run(command + " --help").out;
    const std::regex pattern("(--[a-z-]+) FILE");
    std::set<std::string> names;
    for (std::sregex_iterator found(help.begin(), help.end(), pattern), end; found != end; ++found)
        names.insert((*found)[1]);
    return names;
}

void anEmptyNameIsRefusedByName() {
    std::size_t tried = 0;
    for (const Command& command : commands()) {
        for (const std::string& option : fileOptions(command.name)) {
            const std::string store = option == "--db" ? "" : line(command);
            const std::string start = option == "--db" ? command.name + " " + command.options + command.input : store;
            for (const std::string& empty : {option + " ''", option + "="}) {
                expectCode(2, start + " " + empty, option + ": the file name is empty");
                ++tried;
            }
        }
        if (!command.input.empty())
            expectCode(2, line(command, "", "''"), "is empty");
    }
    expect(tried >= 14, "--db of five commands, --trace and --output of convert were tried", {});
    expectCode(2, "sweep " + at("sweep.json") + " --db " + newStore() + " --shard ''", "--shard: the value is empty");
    expectCode(2, "model t-nlg --tp ''", "--tp: the value is empty");
    expectCode(2, "convert " + at("config.json") + " --name ''", "--name: the value is empty");
    expectCode(0, "results --db " + at("store.db") + " --where ''");
    expectCode(0, "results --db " + at("store.db") + " --note 1 ''");
}

void aStoreThatIsNotThereMeansTwoWhereItIsRead() {
    expectCode(2, "results --db " + at("none.db"), "none.db: there is no such file");
    expectCode(2, "results --sweeps --db " + at("none.db"), "none.db: there is no such file");
    expectCode(2, "results --db " + at("none.db") + " --note 1 x", "none.db: there is no such file");
    expectCode(2, "merge --db " + newStore() + " " + at("none.db"), "none.db: there is no such file");
    expect(!std::filesystem::exists(at("none.db")), "and no store is made", {});
}

void aStoreThatIsDamagedOrNoneMeansThree() {
    for (const Command& command : commands()) {
        if (!command.needsStore && !command.writesStore)
            continue;
        expectCode(3, line(command, "", "", at("damaged.db")), "damaged");
        expectCode(3, line(command, "", "", at("text.db")), "not a Ringside store");
        expectCode(2, line(command, "", "", inQuotes(g_folder.string())), "not a file");
    }
    expectCode(3, "merge --db " + newStore() + " " + at("damaged.db"), "damaged");
    expectCode(3, "merge --db " + newStore() + " " + at("text.db"), "not a Ringside store");
    expectCode(3, "sweep --dry-run " + at("sweep.json") + " --db " + at("damaged.db"), "damaged");
    expectCode(3, "merge --db " + newStore() + " " + at("damaged.db") + " " + at("none.db"), "damaged");
}

void aFileThatCannotBeWrittenMeansExitCodeThree() {
    const std::string nowhere = (g_folder / "nowhere" / "x").string();
    for (const Command& command : commands()) {
        const std::string shell = inQuotes(g_program) + " " + line(command) + " >/dev/full 2>/dev/null </dev/null";
        const int status = std::system(shell.c_str());
        expect(WIFEXITED(status) && WEXITSTATUS(status) == 3, command.name + ": standard output on a full disk", {});
        if (command.writesStore)
            expectCode(3, line(command, "", "", nowhere), "its folder does not exist");
    }
    for (const std::string& start :
         {"run " + at("experiment.json") + " --trace ", "convert " + at("config.json") + " --output "}) {
        expectCode(3, start + nowhere, "cannot be written");
        expectCode(3, start + "/dev/full", "cannot be written");
    }
}

void aDeadlockMeansTwo() {
    for (const Command& command : commands()) {
        if (!command.takesSettings)
            continue;
        const bool one = command.input == "experiment.json";
        expectCode(2, line(command, "--set tracker.ways=0 " + std::string(one ? "--set policy=t3" : "")),
                   "no event is left");
    }
    const std::string store = newStore(),
                      again = "sweep " + at("sweep.json") + " --db " + store + " --set tracker.ways=0 --output json ";
    const Outcome first = run(again);
    expect(first.code == 2 && parsed(first.out).value("ran", 0) == 2 && parsed(first.out).value("failed", 0) == 2,
           "the points that can end are run and kept all the same", first);
    expect(contains(first.err, "2 points could not end (deadlock)"), "what became of the others is said", first);
    expectCode(2, again + "--resume", "2 points could not end (deadlock)");
}

void aSweepMayHaveCornersThatCannotBeRun() {
    const std::string base = R"({"base": {"workload": {"hidden": 512, "sequence": 256, "batch": 1}, "cu": {"count": 4},
        "gemm": {"tile_m": 64, "tile_n": 64}}, "policies": ["t3"], "axes": [{"path": "parallel.tp", "values": )";
    writeText("corner.json", base + "[3, 4]}]}");
    writeText("corners.json", base + "[3, 5]}]}");
    for (const std::string& command : {std::string("sweep "), std::string("best --metric time_ps.total ")}) {
        expectCode(0, command + at("corner.json") + " --db " + newStore(), "does not divide");
        expectCode(2, command + at("corners.json") + " --db " + newStore(), "no point of the sweep can be run");
    }
}

void aFailedCheckMeansExitCodeOne() {
    const std::string question = "break-even " + at("experiment.json") +
                                 " --parameter link.bandwidth --from 1GB/s "
                                 "--to 1TB/s --metric time_ps.exposed_communication --tolerance 50 --target ";
    expectCode(0, question + "30us");
    expectCode(1, question + "1ps");
    expectCode(1, question + "1s");
    expectCode(1, "reproduce t3-geomean --tolerance 0 " + kTiny);
    expectCode(1, "divisions gpt-3 --gpus 13 --sequences 25");
    const std::string trace = textOf(at("trace.json"));
    writeText("cut-trace.json", trace.substr(0, trace.size() - 1));
    expectCode(1, "trace '" + at("cut-trace.json") + "'", "read in part: ends at event 1, byte ");
    writeText("ideal.json", R"({"axes": [{"path": "parallel.tp", "values": [8]}], "policies": ["ideal-overlap"]})");
    expectCode(1, "best " + at("ideal.json") + " --metric dram_bytes.total --db " + newStore());
}

void aBrokenInvariantMeansOneAndIsSaidLast() {
    const std::string sound = g_program;
    g_program = RINGSIDE_BROKEN;
    for (const Command& command : commands()) {
        const bool runs = command.takesSettings || command.name == "lesson check" || command.name == "represent" ||
                          command.name == "collectives tune";
        if (!runs || command.name == "verify")  // verify checks the invariants itself
            continue;
        const Outcome outcome = run(line(command, command.name == "page" ? "" : "--output json"));
        const std::string last = outcome.err.substr(0, outcome.err.find_last_not_of('\n') + 1);
        expect(outcome.code == 1, command.name + ": a broken invariant means exit code 1", outcome);
        expect(contains(outcome.err, "broken invariant: ") && contains(outcome.err, "/tp") &&
                   contains(outcome.err, "conservation: bytes sent = bytes received (1 = 2)"),
               command.name + ": it is named with its run", outcome);
        expect(contains(last.substr(last.rfind('\n') + 1), "these numbers are not to be trusted"),
               command.name + ": and said last", outcome);
        // A page tells its size in a sentence.
        expect(command.name == "page" ? contains(outcome.out, "page.html: ") : nlohmann::json::accept(outcome.out),
               command.name + ": the output is there all the same", outcome);
    }
    const Outcome all = run("model all --tp 8 --phase prompt --policies t3");
    expect(all.code == 1, "and among all models", all);
    g_program = sound;
}

void anInterruptMeans130() {
    const std::vector<std::string> large{"--set", "detail.level=fine", "--set", "detail.mode=full"};
    writeText("large.json", R"({"base": {"workload": {"model": "mt-nlg"}, "parallel": {"tp": 32}},
        "axes": [{"path": "link.bandwidth", "values": ["75 GB/s"]}], "policies": ["t3"]})");
    const std::string store = newStore();
    const std::vector<std::vector<std::string>> asked{
        {"run", "mt-nlg/fc-2/tp32"},
        {"compare", "mt-nlg/fc-2/tp32"},
        {"pair", "mt-nlg/fc-2/tp32", "--companion", "gemm"},
        {"verify", "mt-nlg/fc-2/tp32"},
        {"sensitivity", "mt-nlg/fc-2/tp32"},
        {"break-even", "mt-nlg/fc-2/tp32", "--parameter", "link.bandwidth", "--from", "1GB/s", "--to", "1TB/s",
         "--metric", "time_ps.total", "--target", "1us"},
        {"model", "mt-nlg", "--tp", "32"},
        {"reproduce"},
        {"sweep", at("large.json"), "--db", store},
        {"best", at("large.json"), "--db", store, "--metric", "time_ps.total"}};
    for (std::vector<std::string> arguments : asked) {
        arguments.insert(arguments.end(), large.begin(), large.end());
        const Outcome outcome = interrupted(arguments, SIGINT);
        expect(outcome.code == 130 && contains(outcome.err, "interrupted"), arguments.front() + " is interrupted",
               outcome);
    }
}

void percentagesHaveOneUnitAndAreNumbers() {
    const std::string tipping = "break-even " + at("experiment.json") +
                                " --parameter link.bandwidth --from 1GB/s "
                                "--to 1TB/s --metric time_ps.exposed_communication --target 30us --tolerance ";
    const std::string changed = "sensitivity " + at("experiment.json") + " --seeds 1 --step ";
    const std::string published = "reproduce t3-geomean " + kTiny + "--tolerance ";
    for (const std::string& start : {tipping, changed, published}) {
        for (const char* wrong : {"nan", "inf", "-inf", "-1", "-0.5", "1e9", "abc", "5x", "''", "0x10", "'5 5'"})
            expectCode(2, start + wrong, start.substr(start.rfind("--", start.size() - 1), 6));
        expectCode(2, start + "0.05", "--");
    }
    expectCode(2, tipping + "0.01",
               "0.01: looks like a ratio, and a percentage is expected; write 1 for 1 %, or 0.01% for");
    expectCode(2, published + "0.05",
               "0.05: looks like a ratio, and a percentage is expected; write 5 for 5 %, or 0.05% for");
    expectCode(2, tipping + "1000", "1000: out of range; allowed: 0.0001 to 100 per cent");
    expectCode(2, tipping + "0", "0: out of range");
    expectCode(2, changed + "0", "0: out of range; allowed: 0.1 to 90 per cent");
    for (const char* right : {"1", "50%", "'50 %'", "0.5", "0.01%"})
        expectCode(0, tipping + right);
    expectCode(0, changed + "10%");
    expectCode(1, published + "0");
    expectCode(0, published + "50%");
}

/// Returns the paragraph of a manual page's section EXIT STATUS about a code, on one line.
std::string exitStatusOf(const std::string& manual, const std::string& code) {
    const std::string page = textOf(std::filesystem::path(RINGSIDE_MANUALS) / manual);
    const std::size_t begin = page.find(".SH EXIT STATUS"), end = page.find("\n.SH", begin + 1);
    const std::string part = page.substr(begin, end - begin);
    const std::size_t paragraph = part.find("\n.B " + code + "\n");
    if (begin == std::string::npos || paragraph == std::string::npos)
        return {};
    std::string text = part.substr(paragraph, part.find("\n.TP", paragraph) - paragraph);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

void theManualNamesEachMistakeUnderItsCode() {
    const std::vector<std::pair<const char*, const char*>> named{{"1", "broken invariant"},
                                                                 {"1", "break-even"},
                                                                 {"1", "divisions"},
                                                                 {"2", "not there"},
                                                                 {"2", "empty"},
                                                                 {"2", "deadlock"},
                                                                 {"2", "every command"},
                                                                 {"3", "damaged"},
                                                                 {"3", "cannot be written"},
                                                                 {"130", "kept"}};
    for (const auto& [code, mistake] : named) {
        std::string text = exitStatusOf("ringside-cli.1.in", code);
        text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());
        expect(contains(text, mistake), std::string("the manual page has under ") + code + ": " + mistake,
               {0, text, {}});
    }
    for (const char* code : {"0", "2", "3", "130"})
        expect(!exitStatusOf("ringside.1.in", code).empty(), std::string("ringside(1) has ") + code, {});
}

const NamedTests kTests{
    {"the files that are tried", makeFiles},
    {"every command is in the table", everyCommandIsInTheTable},
    {"0 means done", zeroMeansDone},
    {"wrong usage means 2", wrongUsageMeansTwo},
    {"a document that cannot be read means 2", aDocumentThatCannotBeReadMeansTwo},
    {"an empty name is refused by name", anEmptyNameIsRefusedByName},
    {"a store that is not there means 2 where it is read", aStoreThatIsNotThereMeansTwoWhereItIsRead},
    {"a store that is damaged or none means 3", aStoreThatIsDamagedOrNoneMeansThree},
    {"a file that cannot be written means exit code 3", aFileThatCannotBeWrittenMeansExitCodeThree},
    {"a deadlock means 2", aDeadlockMeansTwo},
    {"a sweep may have corners that cannot be run", aSweepMayHaveCornersThatCannotBeRun},
    {"a failed check means exit code 1", aFailedCheckMeansExitCodeOne},
    {"a broken invariant means 1 and is said last", aBrokenInvariantMeansOneAndIsSaidLast},
    {"an interrupt means 130", anInterruptMeans130},
    {"percentages have one unit and are numbers", percentagesHaveOneUnitAndAreNumbers},
    {"the manual names each mistake under its code", theManualNamesEachMistakeUnderItsCode},
};

const bool kAdded =
    tests::addProgramTest("tst_exit_codes", [](int argc, char** argv) { return tests::runTests(argc, argv, kTests); });

}  // namespace tests::exit_codes
