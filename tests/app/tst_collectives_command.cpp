// Drives `ringside-cli collectives` as a script would.
// Usage: tests_app tst_collectives_command RINGSIDE_CLI FOLDER. It uses no Qt.

#include "tests/app/program_test.h"

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
        expect(outcome.code == 0 && contains(outcome.out, "allreduce"), example, outcome);
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
                        {"mistakes are named", mistakesAreNamed},
                        {"the example of the help runs", theExampleOfTheHelpRuns},
                    });
});

}  // namespace tests::collectives_command
