#include "data/evaluations/evaluation_rows.h"
#include "data/evaluations/reproduce.h"
#include "data/evaluations/task_items.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace data;

namespace {

const std::string kLoopTasks = R"("loop": { "unit": "cycles", "pools": { "cores": 16 },
    "loop": { "iterations": 100, "pieces": [ { "parallel": 100 }, { "sequential": 5 } ] } })";

/// Returns an evaluation with a loop and these items; `more` stands before the items.
std::string withTaskItems(const std::string& items, const std::string& more = {}) {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": "T", "tasks": { )" + kLoopTasks + " }, " +
           more + R"("items": [ )" + items + " ] }";
}

/// Returns an item that asks for the interval of the loop, with more keys at its end.
std::string intervalItem(const std::string& more, const std::string& metric = "initiation_interval") {
    return R"({ "id": "x", "what": "w", "of": "loop", "metric": ")" + metric + "\"" + (more.empty() ? "" : ", ") +
           more + " }";
}

std::string keyWith(const std::string& key, const std::string& text) { return "\"" + key + "\": \"" + text + "\""; }

const std::string kExact = R"("label": "derived", "role": "exact")";

/// Returns an item with an id of its own that sets values of the loop.
std::string loopItem(const std::string& id, const std::string& set) {
    return "{ " + keyWith("id", id) + R"(, "what": "w", "of": "loop", "metric": "work", "role": "context", "set": { )" +
           set + " } }";
}

Reproduction reproducedTasks(const std::string& item) {
    const EvaluationReading reading = readEvaluation(withTaskItems(item), "test");
    if (!reading.problems.empty())
        qFatal("%s", tests::described(reading.problems).c_str());
    return reproduce(reading.evaluation, {});
}

bool refusesTasks(const std::string& item, const std::string& path, const std::string& text) {
    return tests::saysAt(readEvaluation(withTaskItems(item), "test").problems, path, text);
}

}  // namespace

class TestTaskItems : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anItemHasANumberOfTheTimetableThatItsSettingsGive() {
        const std::string at75 = R"("set": { "loop.latency": 75 }, "published": "80", "tolerance": "0", )" + kExact;
        const ReproducedItem row = reproducedTasks(intervalItem(at75)).items.front();
        QCOMPARE(row.value, 80.0);
        QCOMPARE(row.valueText, std::string("80"));
        QVERIFY(row.holds() == true && row.difference == 0 && row.points.empty());
        const ReproducedItem plain =
            reproducedTasks(intervalItem(R"("published": "80", "tolerance": "0", )" + kExact)).items.front();
        QCOMPARE(plain.value, 6.5625);
        QVERIFY(plain.holds() == false);
    }

    void aWholeNumberWithToleranceZeroMustBeMetExactly() {
        const std::string next = R"("set": { "loop.latency": 75 }, "published": "81", )" + kExact;
        QVERIFY(reproducedTasks(intervalItem(next)).items.front().holds() == true);
        QVERIFY(reproducedTasks(intervalItem(R"("tolerance": "0", )" + next)).items.front().holds() == false);
    }

    void anItemWithoutAPublishedNumberIsShownAsContext() {
        const ReproducedItem row = reproducedTasks(intervalItem(R"("role": "context")")).items.front();
        QCOMPARE(row.valueText, std::string("6.562"));
        QCOMPARE(row.note, std::string("no published value yet"));
        QVERIFY(row.verdict == RowVerdict::unpublished);
        QCOMPARE(reproducedTasks(intervalItem(R"("role": "context")", "work")).items.front().valueText,
                 std::string("10500"));
    }

    void theOnlyDocumentNeedNotBeNamed() {
        const std::string item = R"({ "id": "x", "what": "w", "metric": "work", "role": "context" })";
        QCOMPARE(reproducedTasks(item).items.front().value, 10'500.0);
    }

    void itemsThatSetTheSameShareATimetable() {
        const std::string set = R"("loop.latency": 5)";
        const EvaluationReading reading =
            readEvaluation(withTaskItems(loopItem("a", set) + ", " + loopItem("b", set)), "t");
        QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
        QCOMPARE(reading.evaluation.tasks.size(), std::size_t{2});  // as it is written, and with the setting
        QVERIFY(reading.evaluation.items[0].tasks == reading.evaluation.items[1].tasks);
    }

    void aNumberThatTheDocumentDoesNotHaveIsRefused() {
        const std::string context = R"("role": "context")";
        QVERIFY(refusesTasks(intervalItem(context, "in_flight[0]"), "items[0].metric", "initiation_interval"));
        QVERIFY(refusesTasks(intervalItem(context, "pools[1].busy"), "items[0].metric", "pools[0].busy"));
        QVERIFY(refusesTasks(R"({ "id": "x", "what": "w", "of": "loop", "role": "context" })", "items[0].metric",
                             "missing"));
        // A loop is bound to its cores, so that Graham's bound does not hold for it.
        QCOMPARE(reproducedTasks(intervalItem(context, "upper_bound")).items.front().note,
                 std::string("the timetable has no upper_bound"));
    }

    void keysOfOtherItemsAreRefused() {
        for (const std::string key : {"policy", "where", "over", "as"})
            QVERIFY(refusesTasks(intervalItem(keyWith(key, "t3") + ", " + keyWith("role", "context")),
                                 "items[0]." + key, "unknown key"));
        for (const char* role : {"blind", "calibrated"})
            QVERIFY(refusesTasks(intervalItem(R"("published": "1", "label": "derived", )" + keyWith("role", role)),
                                 "items[0].role", "exact, visible, context"));
    }

    void aSettingThatIsWrongIsNamedInTheItem() {
        const std::string more = R"(, "role": "context")";
        QVERIFY(refusesTasks(intervalItem(R"("set": { "loop.latenc": 1 })" + more), "items[0].set.loop.latenc",
                             "did you mean latency?"));
        QVERIFY(refusesTasks(intervalItem(R"("set": { "loop.latency": -1 })" + more), "items[0].set.loop.latency",
                             "0 to 2^62"));
        QVERIFY(refusesTasks(intervalItem(R"("set": { "loop.latency": {} })" + more), "items[0].set.loop.latency",
                             "a number or a text"));
        QVERIFY(refusesTasks(intervalItem(R"("set": { "loop.pieces[2].parallel": 1 })" + more),
                             "items[0].set.loop.pieces", "[0] to [1]"));
    }

    void documentsAreCheckedWhereTheyStand() {
        const auto problems = [](const std::string& tasks) {
            return readEvaluation(R"({ "format": "ringside-evaluation", "version": 1, "title": "T", "tasks": )" +
                                      tasks + R"(, "items": [] })",
                                  "test")
                .problems;
        };
        QVERIFY(tests::saysAt(problems("{}"), "tasks", "at least one task document"));
        QVERIFY(tests::saysAt(problems(R"({ "a": 1 })"), "tasks.a", "a task document {...}"));
        QVERIFY(tests::saysAt(problems(R"({ "a": { "unit": "us" } })"), "tasks.a.tasks", "exactly one of"));
        QVERIFY(tests::saysAt(problems(R"({ "../a": {} })"), "tasks.../a", "not a valid name"));
    }

    void aDocumentMayNotHaveTheNameOfASweep() {
        const std::string sweep = R"("sweeps": { "loop": { "axes": [ { "path": "seed", "values": [1, 2] } ],
            "policies": ["t3"] } }, )";
        const EvaluationReading reading =
            readEvaluation(withTaskItems(intervalItem(R"("role": "context")"), sweep), "t");
        QVERIFY(tests::saysAt(reading.problems, "tasks.loop", "a sweep or a table has this name"));
    }

    void allTimetablesTogetherAreBounded() {
        std::string items;
        for (const std::string digit : {"1", "2", "3"})
            items += (items.empty() ? "" : ", ") + loopItem(digit, R"("loop.iterations": 20000)" + digit);
        const EvaluationReading reading = readEvaluation(withTaskItems(items), "test");
        QVERIFY(tests::saysAt(reading.problems, "items[1].set.loop", "too many"));
    }

    void everyRowOfPipelinesLoopsAndFiringHolds() {
        for (const auto& [name, rows] : {std::pair{"pipelines", 34}, {"loops", 10}, {"firing", 8}}) {
            const Evaluation* evaluation = findEvaluation(name);
            QVERIFY2(evaluation != nullptr, name);
            const Reproduction reproduction = reproduce(*evaluation, {});
            QCOMPARE(static_cast<int>(reproduction.items.size()), rows);
            for (const ReproducedItem& row : reproduction.items) {
                const bool isExact = row.role == EvaluationRole::exact;
                QVERIFY2(isExact ? row.holds() == true : row.published.id == "helix-rc-mean", row.published.id.c_str());
            }
        }
    }

    void rowsWithoutTimetablesHaveNotBeenRun() {
        const Evaluation& firing = *findEvaluation("firing");
        for (const ReproducedItem& row : rowsOf(firing, {}, {}, true, {}))
            QVERIFY(row.verdict == RowVerdict::notRun && std::isnan(row.value));
    }
};

RINGSIDE_TEST(TestTaskItems)
#include "tst_task_items.moc"
