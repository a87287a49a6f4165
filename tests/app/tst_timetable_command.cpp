// Drives `ringside-cli timetable` as a script would.
// Usage: tests_app tst_timetable_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not
// built.

#include "tests/app/program_test.h"

#include <fstream>

namespace tests::timetable_command {

using Json = nlohmann::json;

const std::string kExamples = RINGSIDE_EXAMPLES;
const std::string kLoop = "timetable " + kExamples + "/loop.json ";
const std::string kPipeline = "timetable " + kExamples + "/pipeline.json ";
const std::string kFiring = "timetable " + kExamples + "/firing.json ";

void expectText(const std::string& arguments, const std::string& text) {
    const Outcome outcome = run(arguments);
    expect(outcome.code == 0 && outcome.out == text && outcome.err.empty(), arguments + " prints: " + text, outcome);
}

void aLoopIsToldInTwoSentences() {
    expectText(kLoop + "--set loop.latency=10",
               "10,000 iterations of 105 cycles on 16 cores: 150,090 cycles, 6.996 x; a long loop 7.000 x\n"
               "one iteration every 15 cycles, bound by the sequential piece 2 (5 + 10)\n");
    expectText(kLoop + "--set loop.latency=0 --set loop.iterations=1600 --set loop.coverage=0.5",
               "1,600 iterations of 105 cycles on 16 cores: 10,575 cycles, 15.887 x; a long loop 16.000 x\n"
               "one iteration every 6.5625 cycles, bound by the 16 cores\n"
               "a program that spends 50.0 % of its time in the loop: 1.882 x\n");
}

void aPipelineSaysItsBubbleAndWhatIsInFlight() {
    expectText(kPipeline, "8 micro-batches through 4 stages, 1f1b: 330 ms; bubble 27.3 %, 37.5 % over the ideal time\n"
                          "in flight at most, by stage: 4, 3, 2, 1\n");
    expectText(kPipeline + "--set pipeline.schedule=delayed-pipelined --set pipeline.micro_batches=1 "
                           "--set pipeline.stages=3 --set pipeline.send=3",
               "3 stages, delayed-pipelined: one mini-batch every 33 ms; bubble 9.1 %, 10.0 % over the ideal time\n"
               "in flight at most, by stage: 2.5, 3, 2\n"
               "staleness by module: 3, 2, 1, 0; largest stable step of descent on a quadratic: 0.445, 0.618, 1.000, "
               "2.000\n");
}

void tasksSayWhatDecides() {
    expectText(kFiring + "--set lookahead=1", "4 tasks, look-ahead 1: 27 us; no order takes less than 21 us\n"
                                              "busy: compute 21 us (77.8 %), link 6 us (22.2 %)\n"
                                              "critical chain: a, r, w, n\n");
    expectText(kFiring, "4 tasks, look-ahead 2: 21 us; no order takes less than 21 us\n"
                        "busy: compute 21 us (100.0 %), link 6 us (28.6 %)\n"
                        "critical chain: a, w, n\n");
}

void jsonHasTheNumbersAndCsvTheTasks() {
    const Json result = json(kPipeline + "--set pipeline.schedule=zb-h1");
    const Outcome outcome{0, result.dump(), ""};
    expect(result.value("unit", "") == "ms" && result.value("mini_batch", 0) == 270 &&
               result.value("in_flight", Json()) == Json({4, 4, 4, 4}) && !result.contains("staleness"),
           "the numbers of a pipeline", outcome);
    expectText(kFiring + "--output csv", "task,pool,place,begin,end\n"
                                         "a,compute,0,0,10\n"
                                         "r,link,0,10,16\n"
                                         "w,compute,0,10,20\n"
                                         "n,compute,0,20,21\n");
}

void aTraceIsWritten() {
    const Outcome outcome = run(kFiring + "--trace '" + at("trace.json") + "'");
    const Json trace = parsed(textOf(at("trace.json")));
    std::size_t tasks = 0;
    for (const Json& event : trace.value("traceEvents", Json::array()))
        tasks += event.value("ph", "") == "X" ? 1 : 0;
    expect(outcome.code == 0 && tasks == 4, "a trace has an event for each task", outcome);
    const Outcome nowhere = run(kFiring + "--trace '" + at("no-such-folder/trace.json") + "'");
    expect(nowhere.code == 3, "a trace that cannot be written ends with exit code 3", nowhere);
}

void mistakesAreNamedWithTheirPlace() {
    expectRefused("timetable", {"FILE"});
    expectRefused("timetable no-such-file.json", {"no-such-file.json"});
    expectRefused(kLoop + "--set loop.latenc=3", {"loop.latenc", "did you mean latency?"});
    expectRefused(kLoop + "--set latency", {"--set", "KEY=VALUE"});
    expectRefused(kLoop + "--set loop.iterations=500001", {"1000002 tasks", "up to 1000000"});
    expectRefused(kFiring + "--set 'tasks[1].after[0]=n'", {"r, n, r: a cycle"});
    expectRefused("timetable " + kExamples + "/sawtooth.json", {"not a task document", "ringside-tasks"});
}

void aDocumentMayComeFromStandardInput() {
    const Outcome outcome = run("timetable - --set loop.latency=10", "", kExamples + "/loop.json");
    expect(outcome.code == 0 && contains(outcome.out, "150,090 cycles"), "standard input", outcome);
}

void theExampleOfTheHelpRuns() {
    const std::string folder = "resources/examples";
    for (std::string example : examplesOf("timetable")) {
        const std::size_t place = example.find(folder);
        expect(place != std::string::npos, "the example is bundled", {0, example, ""});
        if (place == std::string::npos)
            continue;
        const Outcome outcome = run(example.replace(place, folder.size(), kExamples));
        expect(outcome.code == 0 && outcome.err.empty() && contains(outcome.out, "150,090 cycles"), example, outcome);
    }
}

const bool kAdded = tests::addProgramTest("tst_timetable_command", [](int argc, char** argv) {
    return runTests(argc, argv,
                    {
                        {"a loop is told in two sentences", aLoopIsToldInTwoSentences},
                        {"a pipeline says its bubble and what is in flight", aPipelineSaysItsBubbleAndWhatIsInFlight},
                        {"tasks say what decides", tasksSayWhatDecides},
                        {"JSON has the numbers and CSV the tasks", jsonHasTheNumbersAndCsvTheTasks},
                        {"a trace is written", aTraceIsWritten},
                        {"mistakes are named with their place", mistakesAreNamedWithTheirPlace},
                        {"a document may come from standard input", aDocumentMayComeFromStandardInput},
                        {"the example of the help runs", theExampleOfTheHelpRuns},
                    });
});

}  // namespace tests::timetable_command
