// Drives `ringside-cli trace` as a script would.
// Usage: tests_app tst_trace_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"
#include "tests/data/kineto_text.h"

#include <cmath>
#include <fstream>

namespace tests::trace_command {

using Json = nlohmann::json;

const std::string kExamples = RINGSIDE_EXAMPLES;
const std::string kRank0 = kExamples + "/trace-rank-0.json", kRank1 = kExamples + "/trace-rank-1.json";

void write(const std::string& name, const std::string& text) { std::ofstream(at(name), std::ios::binary) << text; }

std::string inQuotes(const std::string& name) { return " '" + at(name) + "'"; }

constexpr std::int64_t kUs = 1'000;  // nanoseconds

/// One rank of the example in the design: compute [100,150), [150,180), [190,220), all-reduce [160,200), [240,250), copy
/// [195,235), in µs.
KinetoText exampleText() {
    KinetoText trace;
    trace.kernel("a_gemm", 100 * kUs, 50 * kUs);
    trace.kernel("vectorized_elementwise_kernel", 150 * kUs, 30 * kUs);
    trace.kernel("my_kernel", 190 * kUs, 30 * kUs);
    trace.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 160 * kUs, 40 * kUs, {}, 8);
    trace.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 240 * kUs, 10 * kUs, {}, 8);
    trace.copy("Memcpy HtoD (Pinned -> Device)", 195 * kUs, 40 * kUs);
    return trace;
}

void oneRankIsDividedByIntervals() {
    write("rank-3.json", exampleText().text());
    const Outcome outcome = run("trace" + inQuotes("rank-3.json"));
    expect(outcome.code == 0 && outcome.err.empty() &&
               outcome.out.starts_with("rank    span  compute   comm  overlapped  exposed  memory  idle  overlap\n"
                                       "          µs       µs     µs          µs       µs      µs    µs\n"
                                       "3     150.00   110.00  50.00       30.00    20.00   15.00  5.00   60.0 %\n"),
           "the intervals of one rank", outcome);
    expect(contains(outcome.out, "kernel of class other") && contains(outcome.out, "my_kernel"),
           "names without a class are listed", outcome);
    expect(contains(outcome.out, "unknown  2 collectives have no size: the trace does not say how many elements"),
           "what is unknown is told with its reason", outcome);
    write("rank-3.json.gz", packed(exampleText().text()));
    expect(run("trace" + inQuotes("rank-3.json.gz")).out == outcome.out, "packed traces are read, too", outcome);
    const Outcome piped = run("trace -", "", at("rank-3.json"));
    expect(piped.code == 0 && contains(piped.out, "standard input  150.00"), "a trace may come from standard input",
           piped);
}

void ranksAreMatched() {
    const Json report = json("trace " + kRank0 + " " + kRank1);
    const Json rows = report.value("collectives", Json::array());
    const Outcome outcome{0, rows.dump(), ""};
    expect(rows.size() == 2 && rows[0].value("operation", "") == "all-reduce" &&
               rows[0].value("skew_ps", 0) == 200'000'000 && rows[0].value("least_ps", 0) == 300'000'000 &&
               rows[0].value("waiting_ps", 0) == 600'000'000 &&
               std::abs(rows[0].value("busbw", 0.0) - 223.696e9) < 1e6 && !rows[0].value("lower_bound", true),
           "an all-reduce of two ranks has its transfer, skew and bandwidth", outcome);
    const Json gemm = report.value("gemms", Json::array()).at(0);
    expect(gemm.value("stretch", 0.0) == 1.25 && gemm["waves"].value("waves", 0) == 8, "a GEMM has stretch and waves",
           {0, gemm.dump(), ""});
    const Json clock = report["ranks"][1].value("clock", Json::object());
    expect(clock.value("offset_us", "") == "250" && clock.value("applied", false), "a clock is corrected",
           {0, clock.dump(), ""});
}

void stepsAreChosen() {
    const auto spanOf = [](const std::string& steps) {
        return json("trace " + kRank0 + " --steps " + steps)["ranks"][0].value("span_ps", std::int64_t{0});
    };
    expect(spanOf("all") == 3'390'000'000 && spanOf("5") == 990'000'000 && spanOf("5-6") == 2'190'000'000 &&
               spanOf("all-but-last") == 2'190'000'000,
           "spans belong to the step of their launch", {});
    expectRefused("trace " + kRank0 + " --steps 9", {"trace-rank-0.json: 9", "the steps 5 to 7"});
    expectRefused("trace " + kRank0 + " --steps some", {"--steps: some", "all-but-last"});
}

void classesAreATable() {
    const auto communicationOf = [](const std::string& more) {
        return json("trace" + inQuotes("classes.json") + more)["ranks"][0].value("communication_ps", std::int64_t{0});
    };
    KinetoText trace;
    trace.kernel("two_shot_all_reduce_kernel", 0, 10 * kUs);
    trace.kernel("my_own_collective", 20 * kUs, 5 * kUs);
    write("classes.json", trace.text());
    write("own.json", R"({"format": "ringside-kernel-classes", "classes":
        [{"match": ["^my_own"], "class": "communication", "operation": "all-to-all"}]})");
    expect(communicationOf("") == 10'000'000 && communicationOf(" --classes hta") == 0 &&
               communicationOf(" --classes" + inQuotes("own.json")) == 15'000'000,
           "a table decides what is communication", {});
    // A table in the folder of presets is asked without being named.
    const std::filesystem::path presets = std::filesystem::absolute(g_folder) / "home/ringside/presets";
    std::filesystem::create_directories(presets);
    std::filesystem::copy_file(at("own.json"), presets / "kernel-classes.json");
    const Outcome outcome = run("trace" + inQuotes("classes.json") + " --output json",
                                "XDG_DATA_HOME='" + presets.parent_path().parent_path().string() + "'");
    expect(parsed(outcome.out)["ranks"][0].value("communication_ps", 0) == 15'000'000, "an own table is found",
           outcome);
    write("wrong.json", R"({"format": "ringside-kernel-classes", "classes": [{"match": ["a"], "class": "gem"}]})");
    expectRefused("trace" + inQuotes("classes.json") + " --classes" + inQuotes("wrong.json"),
                  {"classes[0].class: gem", "gemm"});
}

void csvHasOneHeading() {
    const Outcome outcome = run("trace " + kRank0 + " " + kRank1 + " --output csv");
    std::istringstream lines(outcome.out);
    std::string line;
    std::getline(lines, line);
    expect(line.starts_with("kind,rank,name,"), "a heading", outcome);
    std::map<std::string, int> kinds;
    while (std::getline(lines, line))
        ++kinds[line.substr(0, line.find(','))];
    expect(outcome.code == 0 &&
               kinds == std::map<std::string, int>{{"rank", 2}, {"collective", 2}, {"gemm", 2}, {"kernel", 1}},
           "a line for each rank, collective, GEMM and kernel", outcome);
}

void ranksAreGivenByHand() {
    write("a.json", exampleText().text());
    write("b.json", exampleText().text());
    expectRefused("trace" + inQuotes("a.json") + inQuotes("b.json"), {"a.json", "b.json", "FILE:RANK"});
    expectRefused("trace '" + at("a.json") + ":1' '" + at("b.json") + ":1'", {"the same rank as", "a.json"});
    const Outcome outcome = run("trace '" + at("a.json") + ":4' '" + at("b.json") + ":2'");
    expect(outcome.code == 0 && contains(outcome.out, "\n2     150.00") && contains(outcome.out, "\n4     150.00"),
           "ranks behind file names, sorted", outcome);
    write("a.json:7", exampleText().text());
    expect(run("trace '" + at("a.json:7") + "'").code == 0, "a file's own name may have a colon", {});
    KinetoText other = exampleText();
    other.rank(3, 8);
    write("other.json", other.text());
    expectRefused("trace " + kRank0 + inQuotes("other.json"),
                  {"other.json: 8", "trace-rank-0.json is of a world of 2"});
}

void whatIsNoTraceIsRefusedAndAPartIsReported() {
    expectRefused("trace", {"FILE"});
    expectRefused("trace no-such.json", {"no-such.json"});
    expectRefused("trace " + kExamples + "/loop.json", {"not a trace", "Kineto"});
    write("cpu.json", R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1, "dur": 1}]})");
    expectRefused("trace" + inQuotes("cpu.json"), {"recorded without CUDA activity?"});
    const std::string text = exampleText().text();
    write("cut.json", text.substr(0, text.size() - 20));
    const Outcome cut = run("trace" + inQuotes("cut.json"));
    expect(cut.code == 1 && contains(cut.out, "overlap") && contains(cut.err, "read in part: ends at event 5, byte "),
           "a trace that was cut is evaluated as far as it goes", cut);
    KinetoText large;
    for (int i = 0; i < 30'000; ++i)
        large.kernel("k" + std::to_string(i * 7919 % 10'007), i * 11, 10);
    const std::string bytes = packed(large.text());
    write("cut.json.gz", bytes.substr(0, bytes.size() / 2));
    const Outcome packedCut = run("trace" + inQuotes("cut.json.gz") + " --output json");
    expect(packedCut.code == 1 && nlohmann::json::accept(packedCut.out) &&
               contains(packedCut.err, "the gzip data are cut off"),
           "and so is a packed one", packedCut);
}

void namesOfKernelsCannotSteerTheTerminal() {
    KinetoText trace;
    trace.raw(R"({"ph": "X", "cat": "kernel", "name": "gemm\u001b[31m\nred", "pid": 0, "tid": 7, "ts": 0, "dur": 1})");
    write("escape.json", trace.text());
    const Outcome outcome = run("trace" + inQuotes("escape.json"));
    expect(outcome.code == 0 && outcome.out.find('\x1b') == std::string::npos, "control characters are escaped",
           outcome);
}

void aPairIsSimulatedAndItsDifferenceAddsUp() {
    const std::string traces = "trace " + kRank0 + " " + kRank1;
    const std::string pairOf = traces + " --pair 4096x4096x1024,all-gather";
    const Json pair = json(pairOf).value("pair", Json::object());
    const Outcome outcome{0, pair.dump(), ""};
    expect(pair.value("name", "") == "4096x4096x1024 beside all-gather of 32 MiB" && pair.contains("remarks"),
           "the pair has a name", outcome);
    expect(pair["measured"].value("gemm_ps", 0) == 100'000'000 &&
               pair["measured"].value("collective_ps", 0) == 165'000'000 &&
               pair["measured"].value("together_ps", 0) == 175'000'000,
           "the GEMM that runs beside the all-gather is taken", outcome);
    const Json simulated = pair["simulated"].at(0);
    const Json difference = simulated["difference"];
    expect(difference.value("total_ps", 0) == difference.value("parts_ps", 0) + difference.value("interaction_ps", 0) &&
               difference.value("total_ps", 0) == 175'000'000 - simulated.value("together_ps", 0),
           "the difference is that of the parts and of their interaction", outcome);
    const Outcome table = run(pairOf);
    expect(table.code == 0 && contains(table.out, "value    machine=nvidia-h100") &&
               contains(table.out, "by interaction"),
           "the table has values and times", table);
    const Outcome unknown = run(traces + " --pair 1x1x1,all-gather");
    expect(unknown.code == 2 && contains(unknown.err, "there are: ") && contains(unknown.err, "4096x4096x1024"),
           "an unknown shape is refused with those that are there", unknown);
    const Outcome alone = run(traces + " --pair all-gather");
    expect(alone.code == 2 && contains(alone.err, "a GEMM and an operation are expected"), "both words are expected",
           alone);
    const Outcome csv = run(pairOf + " --output csv");
    expect(csv.code == 2 && contains(csv.err, "a pair is printed as a table or as JSON"), "CSV has no pair", csv);
}

void theExampleOfTheHelpRuns() {
    const std::string folder = "resources/examples";
    for (std::string example : examplesOf("trace")) {
        for (std::size_t place = 0; (place = example.find(folder, place)) != std::string::npos;
             place += kExamples.size())
            example.replace(place, folder.size(), kExamples);
        const Outcome outcome = run(example);
        expect(outcome.code == 0 && outcome.err.empty() && contains(outcome.out, "all-reduce"), example, outcome);
    }
}

const bool kAdded = tests::addProgramTest("tst_trace_command", [](int argc, char** argv) {
    return runTests(
        argc, argv,
        {
            {"one rank is divided by intervals", oneRankIsDividedByIntervals},
            {"ranks are matched", ranksAreMatched},
            {"steps are chosen", stepsAreChosen},
            {"classes are a table", classesAreATable},
            {"CSV has one heading", csvHasOneHeading},
            {"ranks are given by hand", ranksAreGivenByHand},
            {"what is no trace is refused and a part is reported", whatIsNoTraceIsRefusedAndAPartIsReported},
            {"names of kernels cannot steer the terminal", namesOfKernelsCannotSteerTheTerminal},
            {"a pair is simulated and its difference adds up", aPairIsSimulatedAndItsDifferenceAddsUp},
            {"the example of the help runs", theExampleOfTheHelpRuns},
        });
});

}  // namespace tests::trace_command
