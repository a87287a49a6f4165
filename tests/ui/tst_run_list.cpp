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

/// Newest first: totals of 30, nothing, 10, 30, 20.
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
        // A snapshot that was read before change 7 does not take it away, one that was read after it does.
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

QTEST_GUILESS_MAIN(TestRunList)
#include "tst_run_list.moc"
