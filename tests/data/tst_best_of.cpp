#include "data/questions/best_of.h"
#include "data/results/metrics.h"
#include "data/store/run_seal.h"
#include "data/store/store.h"
#include "tests/test_program.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QtTest>

#include <QTemporaryDir>

using namespace data;

namespace {

SweepTable tableOf(std::vector<std::optional<double>> numbers) {
    SweepTable table;
    table.metrics = {"time_ps.gemm", "time_ps.total"};
    for (const auto& number : numbers) {
        SweepRow row;
        row.index = table.rows.size();
        row.state = PointState::done;
        row.values = {std::nullopt, number};
        table.rows.push_back(row);
    }
    return table;
}

/// Returns a table with one axis and one number for each of its values.
SweepTable tableOver(const char* path, const std::vector<std::int64_t>& values,
                     const std::vector<std::optional<double>>& numbers) {
    SweepTable table = tableOf(numbers);
    table.sweep.axes = {{{{path, {values.begin(), values.end()}, {}}}}};
    for (SweepRow& row : table.rows)
        row.at = {row.index};
    return table;
}

/// Returns a sweep that takes milliseconds to simulate.
Sweep smallSweep() {
    Sweep sweep;
    sweep.base.explicitValues = {{"workload.hidden", std::int64_t{512}}, {"workload.sequence", std::int64_t{256}},
                                 {"workload.batch", std::int64_t{1}},    {"parallel.tp", std::int64_t{4}},
                                 {"gemm.tile_m", std::int64_t{64}},      {"gemm.tile_n", std::int64_t{64}},
                                 {"cu.count", std::int64_t{4}}};
    sweep.axes = {{{{"link.bandwidth", {std::int64_t{10'000'000'000}, std::int64_t{100'000'000'000}}, {}}}},
                  {{{"parallel.tp", {std::int64_t{4}, std::int64_t{3}, std::int64_t{8}}, {}}}}};
    sweep.policies = {"sequential", "t3", "ideal-overlap"};
    sweep.metrics = {"time_ps.total"};
    return sweep;
}

}  // namespace

class TestBestOf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSmallestOrTheLargestWithEveryTie() {
        const BestOf smallest = bestIn(tableOf({3, 1, 2, 1}), "time_ps.total", false);
        QCOMPARE(smallest.number, std::optional<double>(1));
        QCOMPARE(smallest.best, (std::vector<std::size_t>{1, 3}));
        QCOMPARE(smallest.compared, std::size_t{4});
        const BestOf largest = bestIn(tableOf({3, 1, 2, 1}), "time_ps.total", true);
        QCOMPARE(largest.best, std::vector<std::size_t>{0});
    }

    void whatHasNoNumberIsCountedAndNeverBest() {
        SweepTable table = tableOf({5, std::nullopt, 1, 2, 7});
        table.rows[2].state = PointState::failed;
        table.rows[3].state = PointState::missing;
        const BestOf best = bestIn(table, "time_ps.total", false);
        QCOMPARE(best.best, std::vector<std::size_t>{0});
        QCOMPARE(best.compared, std::size_t{2});
        QCOMPARE(best.without, std::size_t{1});
        QCOMPARE(best.failed, std::size_t{1});
        QCOMPARE(best.missing, std::size_t{1});
    }

    void whereNoPointHasTheNumberThereIsNone() {
        const BestOf best = bestIn(tableOf({std::nullopt}), "time_ps.total", true);
        QVERIFY(!best.number && best.best.empty());
    }

    void pointsWithinOnePercentAreEquallyGood() {
        QCOMPARE(bestIn(tableOf({100, 101, 101.1}), "time_ps.total", false).near, (std::vector<std::size_t>{0, 1}));
        QCOMPARE(bestIn(tableOf({100, 99, 98.9}), "time_ps.total", true).near, (std::vector<std::size_t>{0, 1}));
    }

    void theCheapestHasTheSmallestValueOfTheMachine() {
        const SweepTable entries = tableOver("tracker.entries", {64, 128, 256, 512}, {130, 100.5, 100, 100});
        const BestOf best = bestIn(entries, "time_ps.total", false);
        QCOMPARE(best.best, (std::vector<std::size_t>{2, 3}));
        QCOMPARE(best.cheapest, std::vector<std::size_t>{1});
        // A short latency is expensive.
        QCOMPARE(bestIn(tableOver("link.latency", {100, 200, 400}, {100, 100, 103}), "time_ps.total", false).cheapest,
                 std::vector<std::size_t>{1});
    }

    void aFreeChoiceHasNoCost() {
        const BestOf best = bestIn(tableOver("dma.block_tiles", {1, 2, 4}, {100, 100, 100}), "time_ps.total", false);
        QCOMPARE(best.near.size(), std::size_t{3});
        QVERIFY(best.cheapest.empty());
    }

    void ofPointsThatCostTheSameTheBetterOneIsTheCheapest() {
        SweepTable table = tableOver("tracker.entries", {64, 64, 128}, {100.5, 100.2, 100});
        table.sweep.axes.front().columns.front().values = {std::int64_t{64}, std::int64_t{128}};
        table.rows[1].at = {0};
        table.rows[2].at = {1};
        QCOMPARE(bestIn(table, "time_ps.total", false).cheapest, std::vector<std::size_t>{1});
    }

    void twoPointsAreCheapestIfEachSavesOnAnotherAxis() {
        SweepTable table = tableOver("tracker.entries", {64, 128}, {100, 100});
        table.sweep.axes.push_back({{{"cu.count", {std::int64_t{40}, std::int64_t{80}}, {}}}});
        table.rows[0].at = {0, 1};
        table.rows[1].at = {1, 0};
        QCOMPARE(bestIn(table, "time_ps.total", false).cheapest, (std::vector<std::size_t>{0, 1}));
        table.rows[1].at = {1, 1};
        QCOMPARE(bestIn(table, "time_ps.total", false).cheapest, std::vector<std::size_t>{0});
    }

    void aPointOfAnotherEngineIsNeverTheBest() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("store.sqlite").toStdString();
        const SweepPlan plan = planOf(smallSweep());
        bestOf(plan, path, "time_ps.total", false, {});
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET engine_version = '0.0.9'");
            sealRuns(database, ToSeal::all);
        }
        std::stop_source stopped;
        stopped.request_stop();
        SweepOptions atOnce;
        atOnce.stop = stopped.get_token();
        const BestSearch search = bestOf(plan, path, "time_ps.total", false, atOnce);
        QVERIFY(search.summary.stopped);
        QVERIFY(!search.best.number && search.best.best.empty());
    }

    void theSearchRunsTheSweepOnceAndKeepsItsRuns() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("store.sqlite").toStdString();
        const SweepPlan plan = planOf(smallSweep());
        const BestSearch first = bestOf(plan, path, "time_ps.total", false, {});
        // 3 does not divide 2048, so the points on three GPUs cannot be run: two bandwidths under three policies.
        QCOMPARE(first.best.failed, std::size_t{6});
        QCOMPARE(first.best.compared, std::size_t{12});
        QVERIFY(first.summary.ran > 0 && first.summary.ran <= 12);
        const SweepRow& best = first.table.rows[first.best.best.front()];
        Store store(path);
        QCOMPARE(static_cast<double>(store.resultOf(*best.runId).last.time.total.ps), *first.best.number);
        for (const SweepRow& row : first.table.rows)
            QVERIFY(row.state == PointState::failed || *row.values[first.best.column] >= *first.best.number);

        const BestSearch again = bestOf(plan, path, "time_ps.gemm", false, {});
        QCOMPARE(again.summary.ran, std::size_t{0});
        QCOMPARE(again.best.compared, std::size_t{12});
    }

    void anUnknownMetricIsRefusedBeforeAnythingRuns() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("store.sqlite").toStdString();
        QVERIFY_EXCEPTION_THROWN(bestOf(planOf(smallSweep()), path, "time_ps.totl", false, {}),
                                 engine::InvalidExperiment);
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
    }
};

RINGSIDE_TEST(TestBestOf)
#include "tst_best_of.moc"
