// Drives `ringside-cli deadlock` as a script would.
// Usage: tests_app tst_deadlock_command RINGSIDE_CLI FOLDER. It uses no Qt.

#include "tests/app/program_test.h"

#include <fstream>

namespace tests::deadlock_command {

using Json = nlohmann::json;

const std::string kExample = std::string(RINGSIDE_EXAMPLES) + "/two-libraries.json";

std::string fileOf(const std::string& name, const std::string& ranks) {
    std::ofstream(at(name)) << R"({"format": "ringside-calls", "version": 1,
        "libraries": {"mpi": "blocking", "nccl": "stream"}, "ranks": )"
                            << ranks << "}";
    return "'" + at(name) + "'";
}

void theCircleIsPrinted() {
    const Outcome outcome = run("deadlock " + kExample);
    expect(outcome.code == 1 && outcome.err.empty() &&
               outcome.out == "deadlock: 2 of 2 ranks never end\n"
                              "rank 0, call 1: mpi:a    waits for rank 1\n"
                              "rank 1, call 2: wait b   waits for rank 0\n",
           "the circle, and exit code 1", outcome);
}

void aProgramThatEndsSaysSo() {
    const Outcome outcome = run("deadlock " + fileOf("ends.json", R"([["mpi:a", "nccl:b"], ["mpi:a", "nccl:b"]])"));
    expect(outcome.code == 0 && outcome.out == "no deadlock: all 2 ranks end\n", "exit code 0", outcome);
}

void aMissingCallIsNamed() {
    const Outcome outcome = run("deadlock " + fileOf("missing.json", R"([["mpi:a"], []])"));
    expect(outcome.code == 1 && contains(outcome.out, "1 of 2 ranks never end") &&
               contains(outcome.out, "rank 1 never calls a") &&
               contains(outcome.out, "rank 0, call 1: mpi:a   never ends"),
           "who never calls what, and who waits", outcome);
}

void jsonHasTheSame() {
    const Outcome outcome = run("deadlock " + kExample + " --output json");
    const Json json = parsed(outcome.out);
    expect(outcome.code == 1 && json.value("deadlock", false) && json.value("ranks", 0) == 2 &&
               json["cycle"] == Json::parse(R"([{"rank": 0, "call": 1, "text": "mpi:a", "waits_for": 1},
                                                {"rank": 1, "call": 2, "text": "wait b", "waits_for": 0}])") &&
               json["never"].size() == 2 && json["missing"].empty(),
           "JSON", outcome);
}

void mistakesAreNamed() {
    expectRefused("deadlock", {"FILE"});
    expectRefused("deadlock no-such-file.json", {"no-such-file.json"});
    expectRefused("deadlock " + fileOf("wrong.json", R"([["ib:a"]])"), {"ranks[0][0]", "ib:a", "mpi, nccl"});
    expectRefused("deadlock " + std::string(RINGSIDE_EXAMPLES) + "/loop.json", {"a document of calls"});
}

void theExampleOfTheHelpRuns() {
    const std::string folder = "resources/examples";
    for (std::string example : examplesOf("deadlock")) {
        const std::size_t place = example.find(folder);
        expect(place != std::string::npos, "the example is bundled", {0, example, ""});
        if (place == std::string::npos)
            continue;
        const Outcome outcome = run(example.replace(place, folder.size(), RINGSIDE_EXAMPLES));
        expect(outcome.code == 1 && outcome.err.empty() && contains(outcome.out, "deadlock: 2 of 2"), example, outcome);
    }
}

const bool kAdded = tests::addProgramTest("tst_deadlock_command", [](int argc, char** argv) {
    return runTests(argc, argv,
                    {
                        {"the circle is printed", theCircleIsPrinted},
                        {"a program that ends says so", aProgramThatEndsSaysSo},
                        {"a missing call is named", aMissingCallIsNamed},
                        {"JSON has the same", jsonHasTheSame},
                        {"mistakes are named", mistakesAreNamed},
                        {"the example of the help runs", theExampleOfTheHelpRuns},
                    });
});

}  // namespace tests::deadlock_command
