// Drives `ringside-cli page` as a script would.
// Usage: tests_app tst_page_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"

#include <fstream>

namespace tests::page_command {

using Json = nlohmann::json;

const std::string kSmall = " --set detail.level=interactive --set workload.hidden=1024 --set workload.batch=1 ";

/// Returns the document in a page.
Json documentOf(const std::string& page) {
    const std::string mark = "id=\"page\">";
    const std::size_t begin = page.find(mark);
    if (begin == std::string::npos)
        return Json::object();
    const std::size_t from = begin + mark.size();
    return parsed(page.substr(from, page.find("</script>", from) - from));
}

void aPageHasTheNumbersOfRun() {
    const Outcome outcome = run("page t-nlg/fc-2/tp4" + kSmall + "--set policy=t3 --out '" + at("run.html") + "'");
    expect(outcome.code == 0 && outcome.err.empty() && contains(outcome.out, "run.html: 0.") &&
               contains(outcome.out, " MB, 1 run, every span exact\n"),
           "one line tells the size and what is exact", outcome);
    Json printed = json("run t-nlg/fc-2/tp4" + kSmall + "--set policy=t3");
    printed.erase("wall_ns");
    printed.erase("threads");
    const Json page = documentOf(textOf(at("run.html")));
    expect(page.value("kind", "") == "run" && page["runs"].size() == 1 && page["runs"][0]["result"] == printed,
           "the result is what run prints", {0, page.dump(), printed.dump()});
}

void policiesAndSeveralExperimentsMakeAComparison() {
    const Outcome policies =
        run("page t-nlg/fc-2/tp4" + kSmall + "--policies sequential,t3-mca,ideal-overlap --out '" + at("a.html") + "'");
    expect(policies.code == 0 && contains(policies.out, "3 runs, every span exact"), "three policies", policies);
    const Json page = documentOf(textOf(at("a.html")));
    expect(page.value("kind", "") == "compare" && page["runs"].size() == 3 && page["runs"][2]["block"].is_null(),
           "a bound has no block", {0, page.dump(), ""});
    const Outcome experiments = run("page t-nlg/fc-2/tp4 t-nlg/op/tp4" + kSmall +
                                    "--threads 2 --title 'FC-2 & OP' --out '" + at("b.html") + "'");
    expect(experiments.code == 0 && contains(textOf(at("b.html")), "<title>FC-2 &amp; OP</title>"),
           "two experiments under a title", experiments);
}

void thePageDoesNotDependOnTheThreads() {
    const std::string command = "page t-nlg/fc-2/tp4" + kSmall;
    const Outcome one = run(command + "--threads 1 --out '" + at("one.html") + "'");
    run(command + "--threads 2 --out '" + at("two.html") + "'");
    expect(one.code == 0 && !textOf(at("one.html")).empty() && textOf(at("one.html")) == textOf(at("two.html")),
           "the same bytes", one);
}

void aSmallerPageSaysWhatIsNotExact() {
    const std::string command =
        "page mega-gpt-2/op/tp4 --set detail.level=interactive --out '" + at("small.html") + "' --max-size ";
    run(command + "9MB");
    const std::uintmax_t exact = std::filesystem::file_size(at("small.html"));
    const Outcome outcome = run(command + std::to_string(exact - 1));
    expect(outcome.code == 0 && contains(outcome.out, "sums of 4,096 periods for loads, all else exact"),
           "loads become sums first", outcome);
    expect(std::filesystem::file_size(at("small.html")) < exact, "the page is smaller", outcome);
    std::filesystem::remove(at("small.html"));
    expectRefused(command + "20kB", {"--max-size", "the page has ", "allowed: "});
    expectRefused(command + "big", {"--max-size: big: not a size; allowed: more than 0, such as 1.5MB"});
    expectRefused(command + "-1MB", {"--max-size"});
    expectRefused(command + "0", {"--max-size"});
    expect(!std::filesystem::exists(at("small.html")), "a page that does not fit leaves no file", outcome);
}

void mistakesAreNamedAndLeaveNoFile() {
    const std::string out = " --out '" + at("none.html") + "'";
    expectRefused("page t-nlg/fc-2/tp8", {"--out"});
    expectRefused("page" + out, {"EXPERIMENT"});
    expectRefused("page nobody/fc-2/tp8" + out, {"nobody"});
    expectRefused("page t-nlg/fc-2/tp8 --set link.bandwidth=fast" + out, {"link.bandwidth", "fast"});
    expectRefused("page t-nlg/fc-2/tp8 --policies t3,best" + out, {"best"});
    expectRefused("page t-nlg/fc-2/tp8 t-nlg/op/tp8 --policies t3" + out, {"--policies: t3: only with one EXPERIMENT"});
    expectRefused("page t-nlg/op/tp8 t-nlg/op/tp8 t-nlg/op/tp8 t-nlg/op/tp8 t-nlg/op/tp8" + out,
                  {"EXPERIMENT: 5: too many runs; allowed: 1 to 4"});
    expectRefused("page t-nlg/op/tp8 --policies t3,t3,t3,t3,t3" + out,
                  {"--policies: 5: too many runs; allowed: 1 to 4"});
    expectRefused("page t-nlg/op/tp8 --title ''" + out, {"--title"});
    expectRefused("page t-nlg/op/tp8 --lesson 7" + out, {"give one of EXPERIMENT, --lesson and --lessons"});
    expectRefused("page --lesson 7 --lessons" + out, {"give one of EXPERIMENT, --lesson and --lessons"});
    expectRefused("page --lesson 7 --set policy=t3 --title x --policies t3" + out,
                  {"--policies: ", "--set: ", "--title: a lesson has its own; allowed only with EXPERIMENT"});
    expectRefused("page --lesson no-such" + out, {"no-such"});
    expectRefused("page --lesson 99" + out, {"99"});
    const Outcome folder = run("page t-nlg/fc-2/tp4" + kSmall + "--out '" + at("no/such/folder.html") + "'");
    expect(folder.code == 3 && contains(folder.err, "no/such/folder.html"), "a folder that is not there", folder);
    expect(!std::filesystem::exists(at("none.html")), "a refused command writes no file", folder);
}

void aLessonIsCheckedBeforeItIsWritten() {
    const std::string lesson = R"({"format":"ringside-lesson","version":1,"title":"Own","experiment":{"workload":{
        "model":"mega-gpt-2","sublayer":"op"},"parallel":{"tp":4},"detail":{"level":"interactive"}},"steps":[{"text":
        "It takes {t}.","claims":{"t":{"parameter":"parallel.tp","value":")";
    std::ofstream(at("right.json")) << lesson + "4\"}}}]}";
    std::ofstream(at("wrong.json")) << lesson + "7\"}}}]}";
    const Outcome right = run("page --lesson '" + at("right.json") + "' --out '" + at("lesson.html") + "'");
    expect(right.code == 0 && contains(right.out, "lesson.html: 0.") && contains(right.out, "1 run, every span exact"),
           "a lesson of a file", right);
    const Json page = documentOf(textOf(at("lesson.html")));
    expect(page.value("kind", "") == "lesson" && page["lesson"]["steps"][0]["runs"] == Json::array({0}),
           "the step has its run", {0, page.dump(), ""});
    std::filesystem::remove(at("lesson.html"));
    const Outcome wrong = run("page --lesson '" + at("wrong.json") + "' --out '" + at("lesson.html") + "'");
    expect(wrong.code == 1 &&
               contains(wrong.err, "wrong.json: steps[0].claims.t.value: step 1 says 7 (t), simulation gives 4") &&
               !std::filesystem::exists(at("lesson.html")),
           "a wrong claim is named, and no file is written", wrong);
}

void aSiteReplacesNothingElse() {
    std::filesystem::create_directories(at("thesis"));
    std::ofstream(at("thesis/chapter.html")) << "mine";
    const Outcome outcome = run("page --lessons --out '" + at("thesis") + "'");
    expect(outcome.code == 3 && contains(outcome.err, "is there and is no site") &&
               textOf(at("thesis/chapter.html")) == "mine",
           "a folder with other files stays", outcome);
}

void theExamplesRun() {
    for (const std::string& example : examplesOf("page")) {
        if (contains(example, "--lessons"))
            continue;  // it takes a minute: web/tests/lesson.page.test.ts runs it
        const Outcome outcome = run(example.substr(0, example.find("--out")) + "--out '" + at("example.html") + "'");
        // A build without the web engine says how to get it.
        if (contains(example, "--live") && outcome.code == 2 && contains(outcome.err, "-DRINGSIDE_WEB_ENGINE=ON"))
            continue;
        expect(outcome.code == 0 && contains(outcome.out, "example.html: "), example, outcome);
        std::filesystem::remove(at("example.html"));
    }
}

const bool kAdded = tests::addProgramTest("tst_page_command", [](int argc, char** argv) {
    return runTests(
        argc, argv,
        {{"a page has the numbers of run", aPageHasTheNumbersOfRun},
         {"policies and several experiments make a comparison", policiesAndSeveralExperimentsMakeAComparison},
         {"the page does not depend on the threads", thePageDoesNotDependOnTheThreads},
         {"a smaller page says what is not exact", aSmallerPageSaysWhatIsNotExact},
         {"mistakes are named and leave no file", mistakesAreNamedAndLeaveNoFile},
         {"a lesson is checked before it is written", aLessonIsCheckedBeforeItIsWritten},
         {"a site replaces nothing else", aSiteReplacesNothingElse},
         {"the examples of the help run", theExamplesRun}});
});

}  // namespace tests::page_command
