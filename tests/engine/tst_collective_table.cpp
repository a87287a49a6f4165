#include "engine/api/collective_table.h"
#include "engine/api/runner.h"
#include "tests/test_program.h"

#include <QTest>

#include <string>

using namespace engine;

namespace {

CollectiveTable tableOf(const std::string& text) {
    CollectiveTableReading reading = readCollectiveTable(text);
    if (!reading.problems.empty())
        qFatal("%s", describe(reading.problems.front()).c_str());
    return std::move(reading.table);
}

std::string problemOf(const std::string& text) {
    const CollectiveTableReading reading = readCollectiveTable(text);
    return reading.problems.empty() ? std::string() : describe(reading.problems.front());
}

bool says(const std::string& text, const std::string& part) { return problemOf(text).find(part) != std::string::npos; }

}  // namespace

class TestCollectiveTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstLineThatFitsHolds() {
        const CollectiveTable table = tableOf("all-reduce 8 0..1000: collective.algorithm=direct\n"
                                              "all-reduce 500..: collective.algorithm=double-tree # any number\n"
                                              "all-gather 8 0..: collective.cu_count=4 collective.staging=3");
        const auto line = [&](SubLayer which, std::int64_t gpus, std::int64_t bytes) {
            const CollectiveRule* rule = table.find(which, gpus, {bytes});
            return rule == nullptr ? std::string("none") : rule->settings.front().second;
        };
        QCOMPARE(line(SubLayer::allReduce, 8, 0), std::string("direct"));
        QCOMPARE(line(SubLayer::allReduce, 8, 1000), std::string("direct"));
        QCOMPARE(line(SubLayer::allReduce, 8, 1001), std::string("double-tree"));
        QCOMPARE(line(SubLayer::allReduce, 4, 499), std::string("none"));
        QCOMPARE(line(SubLayer::allReduce, 4, 500), std::string("double-tree"));
        QCOMPARE(line(SubLayer::allGather, 8, 1), std::string("4"));
        QCOMPARE(line(SubLayer::allGather, 4, 1), std::string("none"));
        QCOMPARE(line(SubLayer::allToAll, 8, 1), std::string("none"));
        QCOMPARE(table.rules.back().text, std::string("all-gather 8 0..: collective.cu_count=4 collective.staging=3"));
    }

    void aRuleWritesItsSettings() {
        Experiment experiment;
        applyRule(
            tableOf("all-gather 8 0..: collective.cu_count=4 dma.engines=3 collective.algorithm=direct").rules.front(),
            experiment);
        Experiment expected;
        expected.collective.cuCount = experiment.collective.cuCount;
        expected.dma.engines = 3;
        expected.collective.algorithm = CollectiveAlgorithm::direct;
        QCOMPARE(collectiveCus(experiment), std::int64_t{4});
        QVERIFY(experiment == expected);
    }

    void measuredTimesAreInterpolatedInLogarithms() {
        const CollectiveTable table = tableOf("all-reduce 8: measured 1000=10us 4000=20us 16000=80us");
        const CollectiveRule& rule = table.rules.front();
        const auto at = [&](std::int64_t bytes) { return measuredTime(rule, {bytes}).ps; };
        QCOMPARE(at(1000), std::int64_t{10'000'000});
        QCOMPARE(at(4000), std::int64_t{20'000'000});
        QCOMPARE(at(16000), std::int64_t{80'000'000});
        // Halfway in the logarithm: the geometric means.
        QCOMPARE(at(2000), std::int64_t{14'142'136});
        QCOMPARE(at(8000), std::int64_t{40'000'000});
        QCOMPARE(at(1), std::int64_t{10'000'000});
        QCOMPARE(at(999), std::int64_t{10'000'000});
        QCOMPARE(at(32000), std::int64_t{160'000'000});
        // A GEMM does not feed what was measured alone.
        QVERIFY(table.find(SubLayer::allReduce, 8, {1000}) != nullptr);
        QVERIFY(table.find(SubLayer::allReduce, 8, {1000}, false) == nullptr);
    }

    void mistakesAreNamedWithLineAndColumn() {
        QVERIFY(says("", "no rule"));
        QVERIFY(says("# nothing", "no rule"));
        QVERIFY(says("broadcast 8 0..: collective.algorithm=ring", "line 1, column 1: no collective"));
        QVERIFY(says("fc-2 8 0..: collective.algorithm=ring", "no collective"));
        QVERIFY(says("all-reduce eight 0..: collective.algorithm=ring", "line 1, column 12: no number of GPUs"));
        QVERIFY(says("\nall-reduce 8 10..5: collective.algorithm=ring", "line 2, column 14: the range is backward"));
        QVERIFY(says("all-reduce 8 0..x: collective.algorithm=ring", "no range of bytes"));
        QVERIFY(says("all-reduce 8 0..: collective.operation=all-gather", "no setting of a collective"));
        QVERIFY(says("all-reduce 8 0..: collective.table=none", "no setting of a collective"));
        QVERIFY(says("all-reduce 8 0..: link.latency=1us", "no setting of a collective"));
        QVERIFY(says("all-reduce 8 0..: collective.algorithm=rings", "line 1, column 40"));
        QVERIFY(says("all-reduce 8 0..: collective.staging=1 collective.staging=3", "set twice"));
        QVERIFY(says("all-reduce 8 0..:", "no setting"));
        QVERIFY(says("all-reduce 8:", "settings hold for a range"));
        QVERIFY(says("all-reduce 8: measured", "no time"));
        QVERIFY(says("all-reduce 8: measured 10=5", "no time"));
        QVERIFY(says("all-reduce 8: measured 10=5us 10=6us", "measured twice"));
        QVERIFY(says("all-reduce 8: measured 10=5us 9=6us", "do not ascend"));
        QVERIFY(says("all-reduce 8 0..: measured 10=5us", "leave out the range"));
        QVERIFY(says("all-reduce 0 0..: collective.algorithm=ring", "no number of GPUs"));
        QCOMPARE(problemOf("none"), std::string());
    }

    void aTableIsTheSameWithoutCommentsAndSpareBlanks() {
        Experiment experiment;
        experiment.collective.table = " all-reduce  8 0..:   collective.staging=3 # x\n\n";
        QCOMPARE(withAutomaticValues(experiment).collective.table,
                 std::string("all-reduce 8 0..: collective.staging=3"));
    }
};

RINGSIDE_TEST(TestCollectiveTable)
#include "tst_collective_table.moc"
