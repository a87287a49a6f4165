// Drives `ringside-cli collectives` as a script would.
// Usage: tests_app tst_collectives_command RINGSIDE_CLI FOLDER. It uses no Qt.

#include "tests/app/program_test.h"

#include <fstream>
#include <sstream>

namespace tests::collectives_command {

using Json = nlohmann::json;

const std::string kExample = std::string(RINGSIDE_EXAMPLES) + "/tune-a100.json";
const std::string kTune = "collectives tune " + kExample + " ";

void rulesArePrintedForEverySize() {
    const Outcome outcome = run(kTune);
    expect(outcome.code == 0 && outcome.out.starts_with("all-reduce 8 0..") &&
               contains(outcome.out, "collective.algorithm=") && contains(outcome.out, "..: "),
           "the first rule begins at 0 and the last one is open", outcome);
}

void jsonHasRulesAndTimes() {
    const Json json = tests::json(kTune);
    const Outcome outcome{0, json.dump(), ""};
    expect(json.value("machine", "") == "nvidia-a100" && !json["rules"].empty() && json["times"].size() == 48 &&
               !json["rules"].back().contains("to_bytes"),
           "rules, and a time for each size and algorithm", outcome);
}

void theFilesOfTunersAreWritten() {
    const Outcome nccl = run(kTune + "--format nccl");
    expect(nccl.code == 0 && nccl.out.starts_with("# nvidia-a100, 8 GPUs, simulated; size = whole buffer\n") &&
               contains(nccl.out,
                        "not in this form: collective.algorithm=direct; collective.algorithm=halving-doubling") &&
               contains(nccl.out, "allreduce,0,") && contains(nccl.out, "17179869184") &&
               contains(nccl.out, ",simple,-1,1,8,-1,-1\n"),
           "NCCL's CSV", nccl);
    const Outcome ompi = run(kTune + "--format ompi");
    expect(ompi.code == 0 && parsed(ompi.out).contains("collectives") &&
               contains(ompi.err, "# all-reduce, not in this form: "),
           "Open MPI's JSON, and what it cannot name on standard error", ompi);
    const Outcome classic = run(kTune + "--format ompi-classic");
    expect(classic.code == 0 &&
               contains(classic.out, "1 # collectives\n2 # all-reduce\n1 # communicator size\n8 # ranks\n"),
           "Open MPI's older rules", classic);
}

void aStoreKeepsTheRuns() {
    const std::string store = "--db '" + at("tune.db") + "'";
    const Outcome first = run(kTune + store), again = run(kTune + store);
    expect(first.code == 0 && again.code == 0 && first.out == again.out, "the same rules", again);
}

void aSmallerHysteresisHasNoFewerRules() {
    const auto rules = [](const std::string& hysteresis) {
        std::istringstream stream(run(kTune + "--hysteresis " + hysteresis).out);
        std::size_t lines = 0;
        for (std::string line; std::getline(stream, line);)
            ++lines;
        return lines;
    };
    expect(rules("0%") >= rules("50%") && rules("50%") >= 1, "fewer rules with a larger hysteresis", {});
}

void aLogBecomesLinesOfATable() {
    const std::string folder = std::string(RINGSIDE_EXAMPLES) + "/";
    const Outcome nccl = run("collectives import " + folder + "all-reduce-8.log");
    expect(nccl.code == 0 && nccl.out ==
                                 "all-reduce 8: measured 65536=21.4us 262144=25.6us 1048576=40us 4194304=78.1us "
                                 "16777216=188us\n",
           "the times out of place", nccl);
    const Outcome inPlace = run("collectives import " + folder + "all-reduce-8.log --in-place");
    expect(inPlace.code == 0 && contains(inPlace.out, "65536=21.1us"), "the times in place", inPlace);
    const Outcome osu = run("collectives import " + folder + "osu-allgather.log --gpus 8");
    expect(osu.code == 0 && osu.out.starts_with("all-gather 8: measured 8192=12.31us "), "sizes of the whole buffer",
           osu);
    const Json json = tests::json("collectives import " + folder + "all-reduce-8.log");
    expect(json["times"].size() == 5 && json["table"] == nccl.out, "times, and the lines", {0, json.dump(), ""});
    // A model reads the lines.
    const std::string file = at("measured.txt");
    std::ofstream(file) << nccl.out;
    const Json model = tests::json("model alexnet --tp 8 --table '" + file + "'");
    bool used = false;
    for (const Json& each : model["operators"])
        used = used || (each.contains("table_line") && each["table_line"].get<std::string>() + "\n" == nccl.out);
    expect(used, "an all-reduce uses the line", {0, model["operators"].dump(), ""});
}

void mistakesOfLogsAreNamed() {
    const std::string folder = std::string(RINGSIDE_EXAMPLES) + "/";
    expectRefused("collectives import", {"FILE"});
    expectRefused("collectives import no-such.log", {"no-such.log"});
    expectRefused("collectives import " + folder + "osu-allgather.log", {"--gpus"});
    expectRefused("collectives import " + folder + "all-reduce-8.log --gpus 16", {"all-reduce-8.log:18", "16 GPUs"});
    expectRefused("collectives import " + folder + "all-reduce-8.log --operation broadcast",
                  {"broadcast", "all-reduce"});
    expectRefused("model alexnet --table no-such.txt", {"no-such.txt"});
    expectRefused("model alexnet --table " + folder + "tune-a100.json", {"collective.table", "line 1"});
}

void mistakesAreNamed() {
    expectRefused("collectives tune", {"SWEEP"});
    expectRefused("collectives tune no-such-file.json", {"no-such-file.json"});
    expectRefused("collectives tune " + std::string(RINGSIDE_EXAMPLES) + "/sawtooth.json", {"workload.bytes"});
    expectRefused(kTune + "--format csv", {"csv", "nccl"});
    expectRefused(kTune + "--set workload.bytes=1MiB", {"workload.bytes", "an axis of the sweep"});
    expectRefused(kTune + "--set workload.sublayer=all-to-all --format nccl", {"--format"});
}

void theExampleOfTheHelpRuns() {
    const std::string folder = "resources/examples";
    for (std::string example : examplesOf("collectives")) {
        const std::size_t place = example.find(folder);
        expect(place != std::string::npos, "the example is bundled", {0, example, ""});
        if (place == std::string::npos)
            continue;
        const Outcome outcome = run(example.replace(place, folder.size(), RINGSIDE_EXAMPLES));
        expect(outcome.code == 0 && (contains(outcome.out, "allreduce") || contains(outcome.out, ": measured ")),
               example, outcome);
    }
}

const bool kAdded = tests::addProgramTest("tst_collectives_command", [](int argc, char** argv) {
    return runTests(argc, argv,
                    {
                        {"rules are printed for every size", rulesArePrintedForEverySize},
                        {"JSON has rules and times", jsonHasRulesAndTimes},
                        {"the files of tuners are written", theFilesOfTunersAreWritten},
                        {"a store keeps the runs", aStoreKeepsTheRuns},
                        {"a smaller hysteresis has no fewer rules", aSmallerHysteresisHasNoFewerRules},
                        {"a log becomes lines of a table", aLogBecomesLinesOfATable},
                        {"mistakes are named", mistakesAreNamed},
                        {"mistakes of logs are named", mistakesOfLogsAreNamed},
                        {"the example of the help runs", theExampleOfTheHelpRuns},
                    });
});

}  // namespace tests::collectives_command
