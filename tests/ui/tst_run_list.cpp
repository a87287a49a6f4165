#include "tests/test_program.h"
#include "tests/ui/kept_runs.h"
#include "ui/runs/run_list.h"

#include <QTest>

using ui::RunList;

namespace {

const std::vector<std::string> kTotal{"time_ps.total"};

std::vector<std::int64_t> idsOf(const RunList& list) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < list.size(); ++i)
        ids.push_back(list.row(i).id);
    return ids;
}

/// Returns a list of runs 1 to 6. Runs 2, 4 and 5 are points of sweep 7, and run 6 is the only point of sweep 8.
RunList withSweeps(const std::optional<std::string>& chosen = {}) {
    const auto made = tests::snapshotOf(6, kTotal, [](std::size_t i, std::size_t) -> data::CatalogueValue {
        static const std::vector<double> kTotals{30, 10, 40, 20, 60, 50};
        return kTotals[i];
    });
    auto snapshot = std::make_shared<ui::CatalogueSnapshot>(*made);
    for (const std::size_t point : {1U, 3U, 4U})
        snapshot->rows[point].sweep = 7;
    snapshot->rows[5].sweep = 8;
    for (const std::int64_t key : {8, 7}) {
        data::StoredSweep sweep;
        sweep.id = "sweep" + std::to_string(key);
        sweep.label = "Entries";
        sweep.key = key;
        snapshot->sweeps.push_back(std::move(sweep));
    }
    snapshot->query.sweep = chosen;
    RunList list;
    list.setSnapshot(snapshot);
    return list;
}

std::vector<std::int64_t> linesOf(const RunList& list) {
    std::vector<std::int64_t> lines;
    for (std::size_t i = 0; i < list.size(); ++i)
        lines.push_back(list.idAt(i));
    return lines;
}

/// Returns a list of runs, newest first, with totals of 30, none, 10, 30, 20.
RunList sample() {
    RunList list;
    list.setSnapshot(tests::snapshotOf(5, kTotal, [](std::size_t i, std::size_t) -> data::CatalogueValue {
        static const std::vector<data::CatalogueValue> kValues{30.0, {}, 10.0, 30.0, 20.0};
        return kValues[i];
    }));
    return list;
}

std::optional<data::RunFilter> filter(const char* text) {
    std::string problem;
    auto read = data::RunFilter::parse(text, problem);
    if (!problem.empty())
        qFatal("%s", problem.c_str());
    return read;
}

using Ids = std::vector<std::int64_t>;

}  // namespace

class TestRunList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSweepIsOneLineThatUnfolds() {
        RunList list = withSweeps();
        QCOMPARE(linesOf(list), (Ids{1, -7, 3, 6}));  // the only run of a sweep is listed as a run
        QCOMPARE(list.runCount(), std::size_t{6});
        QVERIFY(list.sweepAt(1) && !list.sweepAt(1)->open && !list.sweepAt(0));
        QCOMPARE(list.runsAt(1).size(), std::size_t{3});
        list.setOpen(7, true);
        QCOMPARE(linesOf(list), (Ids{1, -7, 2, 4, 5, 3, 6}));
        QVERIFY(list.isMember(2) && !list.isMember(1) && !list.isMember(5));
        list.setOpen(7, false);
        QCOMPARE(linesOf(list), (Ids{1, -7, 3, 6}));
    }

    void aSweepStandsWhereTheFirstOfItsRunsWouldAndTheyAreSortedWithinIt() {
        RunList list = withSweeps();
        list.setOpen(7, true);
        list.sortBy("time_ps.total", false);
        QCOMPARE(linesOf(list), (Ids{-7, 2, 4, 5, 1, 3, 6}));
        list.sortBy("time_ps.total", true);
        QCOMPARE(linesOf(list), (Ids{-7, 5, 4, 2, 6, 3, 1}));
    }

    void aFilterLeavesInASweepWhatItLetsThrough() {
        RunList list = withSweeps();
        list.setFilter(filter("time_ps.total<=20ps"));
        QCOMPARE(linesOf(list), (Ids{-7}));
        QCOMPARE(list.runCount(), std::size_t{2});
        list.setFilter(filter("time_ps.total<=10ps"));
        QCOMPARE(linesOf(list), (Ids{2}));
        list.setFilter({});
        list.hide({2, 4}, 1);
        QCOMPARE(linesOf(list), (Ids{1, 3, 5, 6}));
    }

    void aFoldedRunIsFoundAtItsSweep() {
        RunList list = withSweeps();
        QCOMPARE(list.positionOf(4), std::optional<std::size_t>(1));
        QCOMPARE(list.positionOf(-7), std::optional<std::size_t>(1));
        list.setOpen(7, true);
        QCOMPARE(list.positionOf(4), std::optional<std::size_t>(3));
    }

    void theRunsOfOneChosenSweepStandByThemselves() {
        QCOMPARE(linesOf(withSweeps("sweep7")), (Ids{1, 2, 3, 4, 5, 6}));
    }

    void comesAsTheSnapshotDoesNewestFirst() { QCOMPARE(idsOf(sample()), (Ids{1, 2, 3, 4, 5})); }

    void equalValuesKeepTheirOrderAndMissingOnesComeLastBothWays() {
        RunList list = sample();
        list.sortBy("time_ps.total", false);
        QCOMPARE(idsOf(list), (Ids{3, 5, 1, 4, 2}));
        list.sortBy("time_ps.total", true);
        QCOMPARE(idsOf(list), (Ids{1, 4, 5, 3, 2}));
    }

    void theFilterLeavesTheOrderAlone() {
        RunList list = sample();
        list.sortBy("time_ps.total", false);
        list.setFilter(filter("time_ps.total>=20"));
        QCOMPARE(idsOf(list), (Ids{5, 1, 4}));
        list.setFilter(std::nullopt);
        QCOMPARE(list.size(), std::size_t{5});
    }

    void aColumnThatIsNotReadYetSortsNothing() {
        RunList list = sample();
        list.sortBy("link.bandwidth", false);
        QCOMPARE(idsOf(list), (Ids{1, 2, 3, 4, 5}));
    }

    void aNoteIsSeenBeforeTheStoreHasIt() {
        RunList list = sample();
        data::CatalogueRow changed = list.row(1);
        changed.note = "look here";
        list.overlay(changed, 7);
        QCOMPARE(list.row(1).note, std::string("look here"));
        list.setFilter(filter("look"));
        QCOMPARE(idsOf(list), (Ids{2}));
        // A snapshot that was read before change 7 does not undo this change; one that was read after it replaces it.
        auto older = std::make_shared<ui::CatalogueSnapshot>(*list.snapshot());
        older->changes = 6;
        list.setSnapshot(older);
        QCOMPARE(idsOf(list), (Ids{2}));
        auto newer = std::make_shared<ui::CatalogueSnapshot>(*older);
        newer->changes = 7;
        list.setSnapshot(newer);
        QCOMPARE(list.size(), std::size_t{0});
    }

    void whatIsRemovedIsGoneAtOnceAndBackAtOnce() {
        RunList list = sample();
        list.hide({2, 3}, 1);
        QCOMPARE(idsOf(list), (Ids{1, 4, 5}));
        list.unhide({3});
        QCOMPARE(idsOf(list), (Ids{1, 3, 4, 5}));
        list.drop(1);
        QCOMPARE(idsOf(list), (Ids{1, 2, 3, 4, 5}));
    }

    void findsRunsByTheirNumberAlsoFilteredOnes() {
        RunList list = sample();
        list.setFilter(filter("time_ps.total<15"));
        QVERIFY(!list.positionOf(1));
        QCOMPARE(list.positionOf(3), std::optional<std::size_t>(0));
        QCOMPARE(list.find({5, 1, 99}).size(), std::size_t{2});
    }

    void withoutASnapshotThereIsNothing() {
        RunList list;
        list.sortBy("name", false);
        list.setFilter(filter("word"));
        list.hide({1}, 1);
        QCOMPARE(list.size(), std::size_t{0});
        QVERIFY(list.find({1}).empty());
    }
};

RINGSIDE_CORE_TEST(TestRunList)
#include "tst_run_list.moc"
