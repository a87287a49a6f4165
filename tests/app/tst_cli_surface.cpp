// Checks the names that scripts use: the commands, options and JSON keys of the command line. None of them may
// disappear.
// Usage: tests_app tst_cli_surface RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"
#include "tests/surface_list.h"

#include <cctype>
#include <regex>

namespace tests::cli_surface {

using Json = nlohmann::json;

std::vector<std::string> commandsIn(const std::string& help) {
    static const std::regex command(R"(^  ([a-z-]+) {2,}\S)");
    std::vector<std::string> commands;
    std::istringstream lines(help.substr(help.find("Subcommands:")));
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, match, command))
            commands.push_back(match[1]);
    }
    return commands;
}

void addOptions(SurfaceList& list, const std::string& command, const std::string& help) {
    static const std::regex option(R"(^ +(?:-\w,)?(--[a-z-]+))");
    std::istringstream lines(help);
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, match, option))
            list.add("option " + command + " " + match[1].str());
    }
}

// Adds the paths of all keys. A key that begins with a capital letter or contains a dot or a slash is the name of
// something, not a fixed key, and is left out.
void addKeys(SurfaceList& list, const Json& value, const std::string& path) {
    if (value.is_array()) {
        for (const Json& entry : value)
            addKeys(list, entry, path + "[]");
        return;
    }
    list.add("json " + path);
    if (!value.is_object())
        return;
    for (const auto& [key, part] : value.items()) {
        const bool isName =
            key.find_first_of("./ ") != std::string::npos || std::isupper(static_cast<unsigned char>(key[0]));
        addKeys(list, part, path + "/" + (isName ? "*" : key));
    }
}

void whatScriptsKnowIsStillThere() {
    SurfaceList list(RINGSIDE_SURFACE "/cli_surface.txt");
    const std::string help = run("--help").out;
    addOptions(list, "ringside-cli", help);
    for (const std::string& command : commandsIn(help)) {
        list.add("command " + command);
        addOptions(list, command, run(command + " --help").out);
    }
    const std::string fast = " --set detail.level=interactive";
    for (const std::string policy : {"sequential", "t3-mca", "ideal-overlap"})
        addKeys(list, json("run t-nlg/fc-2/tp8 --per-gpu --set policy=" + policy + fast), "run");
    addKeys(list,
            json("run t-nlg/fc-2/tp8 --set memory.model=banks --set variation.gpu=3 --set variation.clock_factor=0.8" +
                 fast),
            "run");
    addKeys(list, json("run collective/reduce-scatter/tp8 --set workload.sublayer=all-to-all" + fast), "run");
    addKeys(list, json("compare t-nlg/fc-2/tp8" + fast), "compare");
    const std::string beside = " --set policy=sequential --set companion.operation=";
    addKeys(list, json("run t-nlg/fc-2/tp8 --per-gpu" + beside + "all-gather" + fast), "run");
    // In turn neither kernel waits for a CU, so that the slow-downs while both run are there.
    addKeys(list,
            json("run t-nlg/fc-2/tp8 --set workload.sublayer=gemm --set dispatch.rule=round-robin" + beside + "gemm" +
                 fast),
            "run");
    addKeys(list, json("pair t-nlg/op/tp8 --set companion.operation=all-gather" + fast), "pair");
    addKeys(list, json("pair gemm/512x512x512 --companion 'all-gather 1MiB' --crossover" + fast), "pair");
    addKeys(list, json("pair gemm/512x512x512 --degrees 1,2" + fast), "pair");
    const std::string channels = " --period 100us --set detail.channels=2 --set memory.model=banks";
    for (const std::string by : {"channel", "bank", "cu"})
        addKeys(list, json("lapse t-nlg/fc-2/tp8 --by " + by + channels + fast), "lapse");
    addKeys(list, json("run t-nlg/fc-2/tp8 --per-gpu --set detail.channels=2" + fast), "run");
    addKeys(list, json("verify t-nlg/fc-2/tp8" + fast), "verify");
    const std::string tasks = std::string("timetable ") + RINGSIDE_EXAMPLES;
    const std::string delayed = "/pipeline.json --set pipeline.schedule=delayed --set pipeline.micro_batches=1";
    for (const std::string& document : {std::string("/loop.json"), delayed, std::string("/firing.json")})
        addKeys(list, json(tasks + document), "timetable");
    const std::string ofRank = std::string(" ") + RINGSIDE_EXAMPLES + "/trace-rank-";
    addKeys(list, json("trace" + ofRank + "0.json" + ofRank + "1.json"), "trace");
    addKeys(list, json("trace" + ofRank + "0.json"), "trace");
    // Kernels and collectives of which nothing is known, cut at the end.
    std::ofstream(at("unknown.json")) << R"([{"ph": "X", "cat": "kernel", "name": "gemm", "ts": 0, "dur": 1},
        {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic", "ts": 1, "dur": 1},
        {"ph": "X", "cat": "kernel", "name": "mystery", "ts": 2, "dur": 1},)";
    addKeys(list, parsed(run("trace '" + at("unknown.json") + "' --output json").out), "trace");
    addKeys(list, json(std::string("collectives tune ") + RINGSIDE_EXAMPLES + "/tune-a100.json"), "collectives tune");
    addKeys(list, json(std::string("collectives import ") + RINGSIDE_EXAMPLES + "/all-reduce-8.log"),
            "collectives import");
    std::ofstream(at("lengths.csv")) << "length\n8\n16\n";
    addKeys(list,
            json("represent '" + at("lengths.csv") +
                 "' mega-gpt-2 --set parallel.tp=8 --set workload.batch=1 "
                 "--against memory.bandwidth=2TB/s" +
                 fast),
            "represent");
    // A deadlock, whose exit code is 1, with a circle and a missing call.
    std::ofstream(at("calls.json")) << R"({"format": "ringside-calls", "version": 1, "libraries": {"m": "blocking"},
                                          "ranks": [["m:a", "m:b"], ["m:b", "m:a"], ["m:a"]]})";
    addKeys(list, parsed(run("deadlock '" + at("calls.json") + "' --output json").out), "deadlock");
    addKeys(list, json("sensitivity t-nlg/op/tp8" + fast), "sensitivity");
    addKeys(list, json("model t-nlg --tp 8 --phase prompt" + fast), "model");
    addKeys(list, json("model t-nlg --tp 8 --project-from mega-gpt-2/tp8" + fast), "model");
    for (const std::string command : {"footprint", "messages"})
        addKeys(list, json(command + " t-nlg --tp 8 --dp 2 --set node.memory=80GB"), command);
    addKeys(list, json("divisions t-nlg --gpus 8 --sequences 8 --set node.memory=80GB"), "divisions");
    addKeys(list, json("advise t-nlg --tp 8 --set workload.vocabulary=51201"), "advise");
    for (const std::string what :
         {"models", "sublayers", "machines", "policies", "experiments", "figures", "evaluations"})
        addKeys(list, json("list " + what), "list " + what);
    addKeys(list, json("parameters"), "parameters");
    const std::set<std::string> missing = list.missing();
    std::string gone;
    for (const std::string& line : missing)
        gone += "\n" + line;
    expect(missing.empty(), "no longer there:" + gone, {});
}

const bool kAdded = tests::addProgramTest("tst_cli_surface", [](int argc, char** argv) {
    return runTests(argc, argv, {{"what scripts know is still there", whatScriptsKnowIsStillThere}});
});

}  // namespace tests::cli_surface
