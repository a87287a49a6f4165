// Drives `ringside-cli represent` as a script would.
// Usage: tests_app tst_represent_command RINGSIDE_CLI FOLDER. It uses no Qt.

#include "tests/app/program_test.h"

#include <cmath>
#include <fstream>

namespace tests::represent_command {

using Json = nlohmann::json;

/// Twelve lengths of a small model, so that the test takes a second.
std::string lengths() {
    std::ofstream file(at("lengths.csv"));
    file << "length,count\n";
    for (int length = 64; length <= 64 * 12; length += 64)
        file << length << "," << 1 + length % 7 << "\n";
    return "'" + at("lengths.csv") + "'";
}

const std::string kSmall = " mega-gpt-2 --set parallel.tp=8 --set workload.batch=1 "
                           "--set workload.layers=2 ";

void theChosenLengthsStandForAll() {
    const Json json = tests::json("represent " + lengths() + kSmall);
    const Outcome outcome{0, json.dump(), ""};
    std::int64_t weights = 0;
    double projected = 0;
    for (const Json& chosen : json["chosen"]) {
        weights += chosen.value("weight", 0);
        projected += chosen.value("weight", 0.0) * chosen.value("time_ps", 0.0);
    }
    expect(json.value("lengths", 0) == 12 && weights == json.value("iterations", 0), "weights are all iterations",
           outcome);
    expect(std::abs(projected / json.value("projected_ps", 1.0) - 1) < 1e-12, "the projection is their sum", outcome);
    expect(std::abs(json.value("projected_ps", 0.0) / json.value("total_ps", 1.0) - 1 - json.value("error", 1.0)) <
                   1e-9 &&
               std::abs(json.value("error", 1.0)) <= 0.01,
           "the error is within 1 %", outcome);
    expect(json["others"].size() == 4 && json["machines"].empty(), "four lengths alone, no other machine", outcome);
}

void anotherMachineIsProjectedAndCompared() {
    const Outcome text = run("represent " + lengths() + kSmall + "--against memory.bandwidth=2TB/s");
    expect(text.code == 0 && contains(text.out, "12 lengths") && contains(text.out, "most frequent") &&
               contains(text.out, "speed-up with memory.bandwidth=2TB/s"),
           "the table", text);
    const Json json = tests::json("represent " + lengths() + kSmall + "--against memory.bandwidth=2TB/s");
    const Json machine = json["machines"].empty() ? Json::object() : json["machines"][0];
    const Outcome outcome{0, json.dump(), ""};
    expect(machine.value("speedup", 0.0) > 1 &&
               std::abs(machine.value("projected_speedup", 0.0) / machine.value("speedup", 1.0) - 1) < 0.02,
           "the projected speed-up is that of all lengths", outcome);
}

void mistakesAreNamed() {
    expectRefused("represent", {"LENGTHS"});
    expectRefused("represent no-such-file.csv mega-gpt-2", {"no-such-file.csv"});
    expectRefused("represent " + lengths() + " no-such-model", {"no-such-model"});
    expectRefused("represent " + lengths() + kSmall + "--against memory.bandwith=2TB/s", {"memory.bandwith"});
    std::ofstream(at("wrong.csv")) << "length\n0\n";
    expectRefused("represent '" + at("wrong.csv") + "'" + kSmall, {"wrong.csv:2", "1 to 1048576"});
}

void theExampleOfTheHelpRuns() {
    const std::string folder = "resources/examples";
    for (std::string example : examplesOf("represent")) {
        const std::size_t place = example.find(folder);
        expect(place != std::string::npos, "the example is bundled", {0, example, ""});
        if (place == std::string::npos)
            continue;
        // With a tiny model: the example itself takes longer than a test should.
        const Outcome outcome =
            run(example.replace(place, folder.size(), RINGSIDE_EXAMPLES) + " --set workload.batch=1");
        expect(outcome.code == 0 && contains(outcome.out, "stand for all"), example, outcome);
    }
}

const bool kAdded = tests::addProgramTest("tst_represent_command", [](int argc, char** argv) {
    return runTests(argc, argv,
                    {
                        {"the chosen lengths stand for all", theChosenLengthsStandForAll},
                        {"another machine is projected and compared", anotherMachineIsProjectedAndCompared},
                        {"mistakes are named", mistakesAreNamed},
                        {"the example of the help runs", theExampleOfTheHelpRuns},
                    });
});

}  // namespace tests::represent_command
