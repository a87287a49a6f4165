#include "data/tasks/task_document.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace data;
using tests::described;
using tests::saysAt;

namespace {

using Texts = std::vector<std::string>;

std::string taskText(const std::string& rest) {
    return R"({ "format": "ringside-tasks", "version": 1, "title": "T", "unit": "us", )" + rest + " }";
}

engine::Problems taskProblems(const std::string& rest, const Texts& settings = {}) {
    return readTasks(taskText(rest), "test", settings).problems;
}

TaskDocument taskDocument(const std::string& rest, const Texts& settings = {}) {
    TaskReading reading = readTasks(taskText(rest), "test", settings);
    if (!reading.problems.empty())
        qFatal("%s", described(reading.problems).c_str());
    return std::move(reading.document);
}

const std::string kLoop = R"("pools": { "cores": 16 }, "loop": { "on": "cores", "iterations": 100,
    "pieces": [ { "parallel": 100 }, { "sequential": 5 } ], "latency": 75 })";
const std::string kPipeline = R"("pipeline": { "stages": 4, "micro_batches": 8, "forward": 10, "backward": 20 })";
const std::string kTwoTasks = R"("pools": { "cores": 2, "link": 1 }, "tasks": [ { "id": "a", "on": "cores", "time": 7 },
    { "id": "b", "on": "cores[1]", "time": 7, "after": ["a", { "task": "a", "latency": 2 }] } ])";

std::string ofTasks(const std::string& list) { return R"("pools": { "cores": 2 }, "tasks": [)" + list + "]"; }

const Texts kDelayed{"pipeline.schedule=delayed", "pipeline.micro_batches=1"};

Texts delayedAnd(const std::string& setting) { return {kDelayed[0], kDelayed[1], setting}; }

}  // namespace

class TestTaskDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wrongSettingsAreReportedUpToTheLimitOfProblems() {
        const std::string rest = R"("pools": { "cores": 1 }, "tasks": [ { "id": "a", "on": "cores", "time": 1 } ])";
        const auto reported = [&](std::size_t count) {
            Texts settings;
            for (std::size_t i = 0; i < count; ++i)
                settings.push_back("nowhere" + std::to_string(i) + "=1");
            return taskProblems(rest, settings).size();
        };
        QCOMPARE(reported(kMostProblems), kMostProblems);
        QCOMPARE(reported(kMostProblems + 1), kMostProblems);
    }

    void aLoopAPipelineAndAListOfTasksAreRead() {
        const TaskDocument loop = taskDocument(kLoop);
        const auto& shape = std::get<TaskLoop>(loop.work).shape;
        QVERIFY(shape.cores == 16 && shape.iterations == 100 && shape.latency == 75 && shape.pieces.size() == 2);
        QVERIFY(!shape.pieces[0].sequential && shape.pieces[1].sequential);
        QCOMPARE(std::get<TaskLoop>(loop.work).coverage, 1.0);
        QCOMPARE(loop.graph.tasks.size(), std::size_t{200});

        const TaskDocument pipeline = taskDocument(kPipeline, {"pipeline.weights=3", "pipeline.send=1"});
        const TaskPipeline& work = std::get<TaskPipeline>(pipeline.work);
        QVERIFY(work.shape.schedule == engine::PipelineSchedule::oneForwardOneBackward && work.shape.chunks == 1);
        QVERIFY(work.times.weights == 3 && work.times.send == 1);
        QCOMPARE(pipeline.graph.tasks.size(), std::size_t{64});

        const TaskDocument list = taskDocument(kTwoTasks);
        QVERIFY(std::get<TaskList>(list.work).ids == (Texts{"a", "b"}));
        QCOMPARE(std::get<TaskList>(list.work).lookahead, std::int64_t{1});
        QVERIFY(list.graph.tasks[1].place == 1 && list.graph.tasks[0].place == engine::Task::kAnyPlace);
        QVERIFY(list.graph.edges == (std::vector<engine::TaskEdge>{{0, 1, 0}, {0, 1, 2}}));
    }

    void everyBundledDocumentOfTasksIsRead() {
        std::size_t documents = 0;
        for (const auto& entry : std::filesystem::directory_iterator(RINGSIDE_SOURCE "/resources/examples")) {
            const TaskReading reading = readTaskFile(entry.path().string());
            const bool isOther =
                entry.path().extension() != ".json" ||
                (!reading.problems.empty() && reading.problems.front().text.starts_with("not a task document"));
            if (isOther)
                continue;
            ++documents;
            QVERIFY2(reading.problems.empty(), described(reading.problems).c_str());
        }
        QCOMPARE(documents, std::size_t{3});
    }

    void exactlyOneKindOfWorkIsExpected() {
        QVERIFY(saysAt(taskProblems(R"("pools": { "cores": 1 })"), "tasks", "exactly one of loop, pipeline and tasks"));
        QVERIFY(saysAt(taskProblems(kLoop + ", " + kPipeline), "pipeline", "exactly one"));
        QVERIFY(saysAt(taskProblems(kLoop + R"(, "lookahead": 2)"), "lookahead", "only a list of tasks"));
        QVERIFY(saysAt(taskProblems(kPipeline + R"(, "pools": { "a": 1 })"), "pools", "are its pools"));
    }

    void aCycleIsNamedByItsTasks() {
        const engine::Problems problems = taskProblems(ofTasks(R"({ "id": "a", "time": 1, "after": ["b"] },
            { "id": "b", "time": 1, "after": ["a"] }, { "id": "c", "time": 1, "after": ["b"] })"));
        QVERIFY(saysAt(problems, "tasks", "a cycle"));
        QCOMPARE(problems.front().value, std::string("a, b, a"));
        QCOMPARE(taskProblems(ofTasks(R"({ "id": "a", "time": 1, "after": ["a"] })")).front().value,
                 std::string("a, a"));
    }

    void aTaskThatTheLookAheadHoldsBackForEverIsNamed() {
        const std::string two =
            ofTasks(R"({ "id": "a", "time": 1, "after": ["b"] }, { "id": "b", "time": 1 })") + R"(, "lookahead": )";
        QVERIFY(saysAt(taskProblems(two + "1"), "tasks[0]", "waits for b"));
        QVERIFY(taskProblems(two + "2").empty());
        QVERIFY(taskProblems(two + "\"unlimited\"").empty());
        QVERIFY(saysAt(taskProblems(two + "0"), "lookahead", "from 1 on"));
        QVERIFY(saysAt(taskProblems(two + "\"all\""), "lookahead", "unlimited"));
    }

    void unknownNamesAndPlacesAreRefused() {
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[0].on=gpu"}), "tasks[0].on", "not a pool of the document"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[1].after[0]=z"}), "tasks[1].after[0]", "not a task"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[1].after[1].task=z"}), "tasks[1].after[1].task", "not a task"));
        QVERIFY(taskProblems(kTwoTasks, {"tasks[0].on=cores[0]"}).empty());
        for (const char* place : {"cores[2]", "cores[-1]", "cores[", "cores[1", "cores[1]x", "cores[]"})
            QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[0].on=" + std::string(place)}), "tasks[0].on",
                           "cores[0] to cores[1]"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[1].id=a"}), "tasks[1].id", "two tasks have this id"));
        QVERIFY(saysAt(taskProblems(kLoop, {"loop.on=cores[1]"}), "loop.on", "name the pool alone"));
        QVERIFY(saysAt(taskProblems(R"("pools": { "a": 1, "b": 1 }, "tasks": [ { "id": "x", "time": 1 } ])"),
                       "tasks[0].on", "allowed: a, b"));
    }

    void onlyWholeNumbersFromZeroOnAreTimes() {
        for (const char* time : {"-1", "1.5", "1e3", "x", "4611686018427387905", "99999999999999999999"}) {
            const std::string text = "=" + std::string(time);
            QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[0].time" + text}), "tasks[0].time", "0 to 2^62"));
            QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[1].after[1].latency" + text}), "tasks[1].after[1].latency",
                           "0 to 2^62"));
            QVERIFY(saysAt(taskProblems(kLoop, {"loop.latency" + text}), "loop.latency", "0 to 2^62"));
            QVERIFY(saysAt(taskProblems(kPipeline, {"pipeline.send" + text}), "pipeline.send", "0 to 2^62"));
        }
        QVERIFY(taskProblems(kTwoTasks, {"tasks[0].time=0"}).empty());
    }

    void sumsOfTimesAreBounded() {
        // 2^62 - 9: the other time is 7, and the latency 2.
        QVERIFY(taskProblems(kTwoTasks, {"tasks[0].time=4611686018427387895"}).empty());
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[0].time=4611686018427387896"}), "tasks", "2^62"));
        QVERIFY(saysAt(taskProblems(kLoop, {"loop.pieces[0].parallel=46116860184273880"}), "loop", "2^62"));
        QVERIFY(saysAt(taskProblems(kLoop, {"loop.iterations=1", "loop.latency=4611686018427387904"}), "loop", "2^62"));
        QVERIFY(saysAt(taskProblems(kPipeline, {"pipeline.backward=4611686018427387904"}), "pipeline", "2^62"));
    }

    void documentsWithTooManyTasksAreRefusedBeforeTheyAreMade() {
        QVERIFY(taskProblems(kLoop, {"loop.iterations=500000"}).empty());
        QVERIFY(saysAt(taskProblems(kLoop, {"loop.iterations=500001"}), "loop", "up to 1000000"));
        QVERIFY(saysAt(taskProblems(kPipeline, {"pipeline.stages=1000000", "pipeline.micro_batches=1000000"}),
                       "pipeline", "up to 1000000"));
        QVERIFY(saysAt(taskProblems(kPipeline, delayedAnd("pipeline.stages=1000000")), "pipeline", "up to 1000000"));
        QVERIFY(saysAt(taskProblems(kLoop, {"loop.iterations=1000001"}), "loop.iterations", "1 to 1000000"));
        QVERIFY(saysAt(taskProblems(kLoop, {"pools.cores=1000001"}), "pools.cores", "1 to 1000000"));
        QVERIFY(saysAt(taskProblems(R"("pools": { "a": 1000000, "b": 1 }, "tasks": [])"), "pools.b", "in all pools"));
        QVERIFY(readTasks(taskText(kLoop), "test", {}, 200).problems.empty());
        QVERIFY(saysAt(readTasks(taskText(kLoop), "test", {}, 199).problems, "loop", "up to 199"));
    }

    void aLoopNeedsPiecesAndAShareOfTheProgram() {
        QVERIFY(saysAt(taskProblems(R"("pools": { "c": 1 }, "loop": { "iterations": 1, "pieces": [] })"), "loop.pieces",
                       "at least one piece"));
        QVERIFY(saysAt(taskProblems(R"("pools": { "c": 1 }, "loop": { "iterations": 1, "pieces": [ {} ] })"),
                       "loop.pieces[0]", "exactly one of parallel and sequential"));
        for (const char* share : {"-0.1", "1.1", "x"})
            QVERIFY(saysAt(taskProblems(kLoop, {"loop.coverage=" + std::string(share)}), "loop.coverage", "0 to 1"));
        QCOMPARE(std::get<TaskLoop>(taskDocument(kLoop, {"loop.coverage=0.25"}).work).coverage, 0.25);
    }

    void timesOfAPipelineMustDivide() {
        const Texts chunks{"pipeline.interleave=2"};
        QVERIFY(taskProblems(kPipeline, chunks).empty());
        QVERIFY(saysAt(taskProblems(kPipeline, {chunks[0], "pipeline.forward=11"}), "pipeline.forward",
                       "2 chunks of a stage"));
        QVERIFY(saysAt(taskProblems(kPipeline, {chunks[0], "pipeline.backward=21"}), "pipeline.backward",
                       "2 chunks of a stage"));
        QVERIFY(saysAt(taskProblems(kPipeline, {chunks[0], "pipeline.micro_batches=6"}), "pipeline.micro_batches",
                       "not a multiple of the 4 stages"));
        QVERIFY(taskProblems(kPipeline, kDelayed).empty());
        QVERIFY(saysAt(taskProblems(kPipeline, delayedAnd("pipeline.forward=11")), "pipeline.forward",
                       "2 modules of stage 0"));
        QVERIFY(taskProblems(kPipeline, {"pipeline.weights=20"}).empty());
        QVERIFY(saysAt(taskProblems(kPipeline, {"pipeline.weights=21"}), "pipeline.weights", "0 to 20"));
    }

    void schedulesRefuseWhatTheyCannotPlay() {
        QVERIFY(saysAt(taskProblems(kPipeline, {"pipeline.schedule=gpipe"}), "pipeline.schedule", "all-forward"));
        QVERIFY(saysAt(taskProblems(kPipeline, {"pipeline.schedule=zb-h1", "pipeline.interleave=2"}),
                       "pipeline.interleave", "not zb-h1"));
        QVERIFY(saysAt(taskProblems(kPipeline, delayedAnd("pipeline.stages=1")), "pipeline.stages", "several stages"));
        QVERIFY(saysAt(taskProblems(kPipeline, {kDelayed[0]}), "pipeline.micro_batches", "is one micro-batch"));
        QVERIFY(
            saysAt(taskProblems(kPipeline, delayedAnd("pipeline.interleave=2")), "pipeline.interleave", "not delayed"));
    }

    void aSettingReplacesOneValueByItsPath() {
        QCOMPARE(std::get<TaskLoop>(taskDocument(kLoop, {"loop.latency=10"}).work).shape.latency, std::int64_t{10});
        QCOMPARE(std::get<TaskLoop>(taskDocument(kLoop, {"loop.pieces[0].parallel=9"}).work).shape.pieces[0].time,
                 std::int64_t{9});
        QCOMPARE(taskDocument(kTwoTasks, {"tasks[1].time=3"}).graph.tasks[1].time, std::int64_t{3});
        QCOMPARE(taskDocument(kTwoTasks, {"title=A = B"}).title, std::string("A = B"));
        QCOMPARE(std::get<TaskList>(taskDocument(kTwoTasks, {"lookahead=unlimited"}).work).lookahead,
                 engine::kUnlimitedLookahead);
    }

    void aSettingThatLeadsNowhereIsRefused() {
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[2].time=3"}), "tasks", "[0] to [1]"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[0].tim=3"}), "tasks[0].tim", "did you mean time?"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"loop.latency=3"}), "loop", "not in the document"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"tasks[0]=3"}), "tasks[0]", "only one value can be set"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"title.a=3"}), "title", "is no object"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"title[0]=3"}), "title", "is no list"));
        QVERIFY(saysAt(taskProblems(kTwoTasks, {"=3"}), "--set", "KEY=VALUE"));
        for (const char* path : {"tasks[0", "tasks[x].time", "[0]", "tasks..time", "tasks[0]time", "."})
            QVERIFY(saysAt(taskProblems(kTwoTasks, {path + std::string("=3")}), path, "not a path in the document"));
    }

    void aDocumentOfAnotherKindIsNamed() {
        QVERIFY(
            saysAt(readTasks(R"({ "format": "ringside-sweep" })", "test").problems, "format", "not a task document"));
        QVERIFY(saysAt(readTasks("{}", "test").problems, "test", "ringside-tasks"));
        QVERIFY(saysAt(readTasks(R"({ "format": "ringside-tasks", "version": 2 })", "t").problems, "version",
                       "allowed: 1"));
    }
};

RINGSIDE_TEST(TestTaskDocument)
#include "tst_task_document.moc"
