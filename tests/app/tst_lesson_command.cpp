// Tests `ringside-cli lesson check` with correct and wrong lessons.
// Usage: tests_app tst_lesson_command RINGSIDE_CLI FOLDER.

#include "tests/app/program_test.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace tests::lesson_command {

using Json = nlohmann::json;

std::string bundled(const std::string& name) { return "'" RINGSIDE_LESSONS "/" + name + "'"; }

/// Writes a lesson of one step to a file. `rest` follows `text` in the step.
std::string fileOf(const std::string& name, const std::string& text, const std::string& rest) {
    std::ofstream(at(name), std::ios::binary)
        << R"({"format":"ringside-lesson","version":1,"title":"Mine","experiment":{"workload":{"model":"t-nlg",)"
        << R"("sublayer":"fc-2"},"parallel":{"tp":8},"policy":{"preset":"t3"},"detail":{"level":"interactive"}},)"
        << R"("steps":[{"text":")" << text << "\"," << rest << "}]}";
    return "'" + at(name) + "'";
}

std::string claims(const std::string& bandwidth) {
    return R"("claims":{"link":{"parameter":"link.bandwidth","value":")" + bandwidth + R"("}})";
}

const std::string kTrue = "150 GB/s", kFalse = "170 GB/s";

void lessonsThatHoldEndWithZero() {
    const Outcome one = run("lesson check " + bundled("01-what-must-travel.json"));
    expect(one.code == 0 && one.err.empty(), "a bundled lesson holds, and nothing else is said", one);
    expect(contains(one.out, "What") && contains(one.out, "claims hold") && !contains(one.out, " no\n"),
           "title, claims and what became of them", one);
    const Outcome two =
        run("lesson check " + fileOf("a.json", "{link}", claims(kTrue)) + " " + bundled("02-ring-reduce-scatter.json"));
    expect(two.code == 0 && contains(two.out, "a.json: Mine") && contains(two.out, "1 of 1 claims hold") &&
               contains(two.out, "02-ring"),
           "several at once", two);
}

void aClaimThatDoesNotHoldIsReportedWithWhatSimulationGives() {
    const std::string file = fileOf("false.json", "{link}", claims(kFalse));
    const Outcome outcome = run("lesson check " + file);
    expect(outcome.code == 1 && contains(outcome.out, "0 of 1 claims hold"), "exit code 1", outcome);
    expect(contains(outcome.err,
                    "false.json: steps[0].claims.link.value: step 1 says 170 GB/s (link), simulation gives "
                    "150 GB/s; allowed: 169 GB/s to 171 GB/s"),
           "where, what is said, what is true, what is allowed", outcome);
    const Outcome among = run("lesson check " + fileOf("a.json", "{link}", claims(kTrue)) + " " + file);
    expect(among.code == 1 && contains(among.out, "1 of 1") && contains(among.out, "0 of 1"), "one of two", among);
    const Outcome measured = run(
        "lesson check " + fileOf("total.json", "{t}", R"("claims":{"t":{"metric":"time_ps.total","value":"1 ns"}})"));
    expect(measured.code == 1 && contains(measured.err, "step 1 says 1 ns (t), simulation gives 2"),
           "a number that is simulated", measured);
}

void jsonAndCsvHaveEveryClaim() {
    const std::string file = fileOf("false.json", "{link} is 41 %", claims(kFalse));
    const Outcome outcome = run("lesson check --output json " + file);
    const Json lesson = parsed(outcome.out)["lessons"][0];
    expect(outcome.code == 1 && lesson["holds"] == false && lesson["title"] == "Mine", "JSON", outcome);
    const Json claim = lesson["claims"][0];
    expect(claim["step"] == 1 && claim["name"] == "link" && claim["path"] == "steps[0].claims.link.value" &&
               claim["claimed"] == kFalse && claim["simulated"] == kTrue && claim["simulated_value"] == 150e9 &&
               claim["claimed_value"] == 170e9 && claim["tolerance"] == 1e9 && claim["holds"] == false,
           "of the claim", outcome);
    expect(lesson["notices"][0]["path"] == "steps[0].text" && contains(lesson["notices"][0]["text"], "41 %"),
           "and the notices", outcome);
    const Outcome csv = run("lesson check --output csv " + file);
    expect(csv.code == 1 && contains(csv.out, "lesson,step,claim,claimed,simulated,allowed,holds\n") &&
               contains(csv.out, ",1,link,170 GB/s,150 GB/s,169 GB/s to 171 GB/s,no\n"),
           "CSV", csv);
}

void aNumberWithoutAClaimIsANoteAndNoMistake() {
    const Outcome outcome = run("lesson check " + fileOf("loose.json", "{link}, 41 % of T3's", claims(kTrue)));
    expect(outcome.code == 0 && contains(outcome.err, "note: ") &&
               contains(outcome.err, "steps[0].text: step 1 says 41 % without a claim that is checked") &&
               std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1,
           "one note", outcome);
    const Outcome none = run("lesson check " + fileOf("none.json", "words", R"("highlight":"tracker")"));
    expect(none.code == 0 && contains(none.out, "no claims"), "a lesson without claims says so", none);
}

void aFileThatIsNotALessonIsRejectedWithThePath() {
    const std::string wrong = fileOf("wrong.json", "{lonk}", claims("fast"));
    expectRefused("lesson check " + wrong, {"steps[0].text: {lonk}", "steps[0].claims.link.value: fast: not a number"});
    expectRefused("lesson check " + fileOf("a.json", "{link}", claims(kFalse)) + " " + wrong,
                  {"wrong.json: steps[0].text: {lonk}"});
    expectRefused("lesson check '" + at("nowhere.json") + "'", {"nowhere.json: cannot be opened"});
    expectRefused("lesson check", {"FILE"});
    expectRefused("lesson", {"lesson: a sub-command is missing; allowed: check"});
    expectRefused("lesson chek x", {"chek: unknown command, did you mean check?"});
    fileOf("piped.json", "{link}", claims(kFalse));
    const Outcome piped = run("lesson check -", "", "'" + at("piped.json") + "'");
    expect(piped.code == 1 && contains(piped.err, "standard input: steps[0]"), "standard input", piped);
}

void anInterruptEndsItWith130() {
    const std::string file = fileOf("long.json", "{t}", R"("experiment":{"workload":{"model":"mt-nlg"},
        "parallel":{"tp":32},"detail":{"level":"fine","mode":"full"}},
        "claims":{"t":{"metric":"time_ps.total","value":"1 ms"}})");
    const Outcome outcome = interrupted({"lesson", "check", at("long.json")}, SIGINT);
    expect(!file.empty() && outcome.code == 130 && outcome.out.empty() && contains(outcome.err, "interrupted"),
           "Ctrl+C", outcome);
}

// Runs the example of the help word for word, in the folder for which it is written.
void theExampleOfTheHelpRuns() {
    for (const char* command : {"lesson", "lesson check"}) {
        for (std::string example : examplesOf(command)) {
            const std::string folder = "resources/lessons/";
            expect(contains(example, folder), "of a lesson that comes along", {0, example, ""});
            example.replace(example.find(folder), folder.size(), RINGSIDE_LESSONS "/");
            const Outcome outcome = run(example);
            expect(outcome.code == 0 && contains(outcome.out, "claims hold"), example, outcome);
        }
    }
}

const NamedTests kTests{
    {"lessons that hold end with 0", lessonsThatHoldEndWithZero},
    {"a claim that does not hold is reported with the simulated number",
     aClaimThatDoesNotHoldIsReportedWithWhatSimulationGives},
    {"JSON and CSV have every claim", jsonAndCsvHaveEveryClaim},
    {"a number without a claim is a note and no mistake", aNumberWithoutAClaimIsANoteAndNoMistake},
    {"a file that is not a lesson is rejected with the path", aFileThatIsNotALessonIsRejectedWithThePath},
    {"an interrupt ends it with 130", anInterruptEndsItWith130},
    {"the example of the help runs", theExampleOfTheHelpRuns},
};

const bool kAdded =
    tests::addProgramTest("tst_lesson_command", [](int argc, char** argv) { return runTests(argc, argv, kTests); });

}  // namespace tests::lesson_command
