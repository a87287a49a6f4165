#include "data/document/value_places.h"
#include "data/tasks/task_result.h"
#include "data/trace/timetable_trace.h"
#include "tests/data/said.h"
#include "tests/data/trace_checker.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <string>
#include <vector>

using namespace data;

namespace {

TaskDocument exampleTasks(const char* name, const std::vector<std::string>& settings = {}) {
    TaskReading reading = readTaskFile(std::string(RINGSIDE_SOURCE "/resources/examples/") + name + ".json", settings);
    if (!reading.problems.empty())
        qFatal("%s", tests::described(reading.problems).c_str());
    return std::move(reading.document);
}

ResultJson numbersIn(const TaskDocument& document) { return taskResultJson(document, resultOf(document)); }

/// Returns the keys of a result in their order, with a blank between two.
std::string keysIn(const ResultJson& result) {
    std::string keys;
    for (const auto& [key, value] : result.items())
        keys += (keys.empty() ? "" : " ") + key;
    return keys;
}

TaskDocument delayedExample() {
    return exampleTasks("pipeline",
                        {"pipeline.schedule=delayed-pipelined", "pipeline.micro_batches=1", "pipeline.stages=3"});
}

std::string traceOf(const TaskDocument& document) {
    const engine::Timetable timetable = engine::timetableOf(document.graph);
    std::string text;
    writeTimetableTrace(document.graph, timetable,
                        {document.title, document.unit, psPerUnit(document.unit, timetable), TaskNames(document)},
                        [&](std::string_view piece) { text += piece; });
    return text;
}

}  // namespace

class TestTaskResult : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersOfSentencesAreGroupedAndSharesThatRoundToZeroHaveNoSign() {
        QCOMPARE(groupedNumber(999), std::string("999"));
        QCOMPARE(groupedNumber(1000), std::string("1,000"));
        QCOMPARE(groupedNumber(-999), std::string("-999"));
        QCOMPARE(groupedNumber(-1'234'567), std::string("-1,234,567"));
        QCOMPARE(percentText(0.2512), std::string("25.1 %"));
        QCOMPARE(percentText(-0.0004), std::string("0.0 %"));
        QCOMPARE(percentText(-0.0006), std::string("-0.1 %"));
    }

    void aLoopHasItsTimetableAndTheFormulasOfALongLoop() {
        const ResultJson result = numbersIn(exampleTasks("loop", {"loop.latency=10", "loop.coverage=0.5"}));
        QCOMPARE(keysIn(result), std::string("unit makespan work span lower_bound speedup initiation_interval "
                                             "speedup_long program_speedup pools"));
        QCOMPARE(result["makespan"].dump(), std::string("150090"));
        QCOMPARE(result["initiation_interval"].dump(), std::string("15"));
        QCOMPARE(result["speedup_long"].dump(), std::string("7"));
        QVERIFY(std::abs(result["program_speedup"].get<double>() - 1 / (0.5 + 0.5 / 7)) < 1e-12);
    }

    void aPipelineHasItsBubbleAndWhatIsInFlight() {
        const ResultJson result = numbersIn(exampleTasks("pipeline"));
        QCOMPARE(keysIn(result), std::string("unit makespan work span lower_bound mini_batch bubble_share "
                                             "bubble_over_ideal in_flight pools"));
        QCOMPARE(result["mini_batch"].dump(), std::string("330"));
        QCOMPARE(result["bubble_over_ideal"].dump(), std::string("0.375"));
        QCOMPARE(result["in_flight"].dump(), std::string("[4,3,2,1]"));
        QCOMPARE(result["pools"][3]["busy"].dump(), std::string("240"));
    }

    void aDelayedPipelineAlsoHasStalenessAndStableSteps() {
        const ResultJson result = numbersIn(delayedExample());
        QCOMPARE(result["mini_batch"].dump(), std::string("30"));
        QCOMPARE(result["staleness"].dump(), std::string("[3,2,1,0]"));
        QVERIFY(std::abs(result["stable_step"][0].get<double>() - 0.445) < 0.0005);
        QVERIFY(result["makespan"].get<std::int64_t>() > 30);
    }

    void tasksWithoutLookAheadOnOnePoolHaveAnUpperBound() {
        const ResultJson bound = numbersIn(exampleTasks("firing"));
        QCOMPARE(keysIn(bound), std::string("unit makespan work span lower_bound speedup pools"));
        TaskReading free =
            readTasks(R"({ "format": "ringside-tasks", "title": "T", "unit": "us", "pools": { "cores": 2 },
            "lookahead": "unlimited", "tasks": [ { "id": "a", "time": 1 }, { "id": "b", "time": 1, "after": ["a"] },
            { "id": "c", "time": 3, "after": ["a"] }, { "id": "d", "time": 2 } ] })",
                      "test");
        QVERIFY(free.problems.empty());
        const ResultJson result = numbersIn(free.document);
        QCOMPARE(result["makespan"].dump(), std::string("5"));
        QCOMPARE(result["lower_bound"].dump(), std::string("4"));
        QCOMPARE(result["upper_bound"].dump(), std::string("5.5"));
    }

    void aResultWithoutTimeHasNoSpeedUp() {
        const ResultJson result = numbersIn(
            exampleTasks("firing", {"tasks[0].time=0", "tasks[1].time=0", "tasks[2].time=0", "tasks[3].time=0"}));
        QVERIFY(!result.contains("speedup"));
        QCOMPARE(result["makespan"].dump(), std::string("0"));
    }

    void everyNumberOfAResultIsFoundByItsKey() {
        for (const TaskDocument& document : {exampleTasks("loop"), exampleTasks("firing"), delayedExample()}) {
            const ResultJson result = numbersIn(document);
            for (const auto& [key, value] : result.items()) {
                if (key == "unit")
                    continue;
                const std::string first = value.is_array() ? key + "[0]" + (key == "pools" ? ".busy" : "") : key;
                QVERIFY2(numberAt(result, first).has_value(), first.c_str());
                QVERIFY2(!otherTaskKeys(document, first), first.c_str());
            }
        }
    }

    void whatIsNoNumberOfADocumentNamesThoseThatAre() {
        const TaskDocument document = delayedExample();
        const ResultJson result = numbersIn(document);
        QVERIFY(!otherTaskKeys(document, "in_flight[2]") && !otherTaskKeys(document, "staleness[3]"));
        for (const char* key : {"in_flight[3]", "staleness[4]", "in_flight", "makespan[0]", "speedup", "unit",
                                "pools[0]", "pools[0].name", "in_flight[", "in_flight[x]", ""}) {
            QVERIFY2(!numberAt(result, key), key);
            QVERIFY2(tests::contains(otherTaskKeys(document, key).value_or(""), "in_flight[0] to in_flight[2]"), key);
        }
    }

    void tasksAreNamedByIdByPassAndByIteration() {
        const TaskDocument firing = exampleTasks("firing"), loop = exampleTasks("loop");
        QCOMPARE(TaskNames(firing)(1), std::string("r"));
        QCOMPARE(TaskNames(loop)(25), std::string("iteration 12, piece 2"));
        const TaskDocument chunks = exampleTasks("pipeline", {"pipeline.interleave=2"});
        QCOMPARE(TaskNames(chunks)(0), std::string("F 1"));
        QCOMPARE(TaskNames(chunks)(4), std::string("F 1.2"));
    }

    void aTraceHasAProcessForEachPoolAndAThreadForEachPlaceThatWorks() {
        tests::TraceChecker checker;
        const std::string text = traceOf(exampleTasks("loop", {"loop.iterations=3"}));
        QVERIFY2(checker.check(text).empty(), text.c_str());
        QCOMPARE(checker.processes.at(1), std::string("cores"));
        QCOMPARE(checker.threads.size(), std::size_t{3});
        QCOMPARE(checker.names.at("iteration 2, piece 1"), std::int64_t{1});
        QVERIFY2(tests::contains(text, R"("unit":"cycles","ps_per_unit":1000000)"), text.c_str());

        tests::TraceChecker pipeline;
        QVERIFY(pipeline.check(traceOf(exampleTasks("pipeline", {"pipeline.schedule=zb-h1"}))).empty());
        QCOMPARE(pipeline.processes.size(), std::size_t{4});
        for (const char* pass : {"F 8", "B 8", "W 8"})
            QCOMPARE(pipeline.names.at(pass), std::int64_t{4});
    }

    void aTaskWithoutTimeIsAnInstantOfTheTrace() {
        tests::TraceChecker checker;
        const std::string text = traceOf(exampleTasks("firing", {"tasks[2].time=0", "tasks[2].id=a \"b\""}));
        QVERIFY2(checker.check(text).empty(), text.c_str());
        QVERIFY(tests::contains(text, R"("ph":"i")"));
        QVERIFY(tests::contains(text, R"(\"b\")"));
    }

    void aUnitThatIsATimeHasItsLengthInATrace() {
        engine::Timetable timetable;
        timetable.makespan = 1000;
        QCOMPARE(psPerUnit("ns", timetable), std::int64_t{1'000});
        QCOMPARE(psPerUnit("ms", timetable), std::int64_t{1'000'000'000});
        QCOMPARE(psPerUnit("cycles", timetable), std::int64_t{1'000'000});
        timetable.makespan = engine::kMostTaskTime;
        QCOMPARE(psPerUnit("cycles", timetable), std::int64_t{1});
        timetable.makespan = engine::kMostTaskTime / 10 + 1;
        QCOMPARE(psPerUnit("cycles", timetable), std::int64_t{1});
        timetable.makespan = engine::kMostTaskTime / 10;
        QCOMPARE(psPerUnit("cycles", timetable), std::int64_t{10});
    }
};

RINGSIDE_TEST(TestTaskResult)
#include "tst_task_result.moc"
