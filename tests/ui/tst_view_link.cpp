#include "tests/test_program.h"
#include "ui/compare/run_sync.h"

#include <QTest>

using data::TimeMap;
using data::TimeRange;
using ui::ViewLink;
using ui::ViewState;

namespace {

constexpr std::int64_t kUs = 1'000'000;

struct ViewLinkBench {
    ViewLinkBench() {
        leader.setRunEnd(1'000 * kUs);
        link.lead(same, {}, 1'000 * kUs);
        // Each half of the leader's run maps to a time as long as the leader's whole run.
        link.lead(slow, data::TimeMap({{500 * kUs, 1'000 * kUs}, {1'000 * kUs, 2'000 * kUs}}), 2'000 * kUs);
    }
    ViewState leader, same, slow;
    ViewLink link{leader};
};

}  // namespace

class TestViewLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRunKeepsItsOwnEnd() {
        ViewLinkBench bench;
        QCOMPARE(bench.same.runEnd(), 1'000 * kUs);
        QCOMPARE(bench.slow.runEnd(), 2'000 * kUs);
        QVERIFY(bench.slow.showsAll());
    }

    void theCursorStandsAtTheSamePointOfAllRuns() {
        ViewLinkBench bench;
        bench.leader.setCursor(250 * kUs);
        QCOMPARE(bench.same.cursor(), std::optional(250 * kUs));
        QCOMPARE(bench.slow.cursor(), std::optional(500 * kUs));
        bench.leader.setCursor(std::nullopt);
        QVERIFY(!bench.slow.cursor());
    }

    void zoomingOneViewMovesAll() {
        ViewLinkBench bench;
        bench.slow.setRange({500 * kUs, 1'500 * kUs});
        QCOMPARE(bench.leader.range(), (data::TimeRange{250 * kUs, 750 * kUs}));
        QCOMPARE(bench.same.range(), (data::TimeRange{250 * kUs, 750 * kUs}));
        QCOMPARE(bench.slow.range(), (data::TimeRange{500 * kUs, 1'500 * kUs}));
        bench.leader.showAll();
        QVERIFY(bench.slow.showsAll());
    }

    void aMomentOfOneRunIsAMomentOfTheLeaders() {
        ViewLinkBench bench;
        QCOMPARE(bench.link.leadersTime(bench.slow, 500 * kUs), 250 * kUs);
        QCOMPARE(bench.link.leadersTime(bench.same, 500 * kUs), 500 * kUs);
    }

    void chunkAndGpuAreTheSameEverywhere() {
        ViewLinkBench bench;
        bench.slow.setFollowedChunk(3);
        bench.same.setFocusedGpu(2);
        QCOMPARE(bench.leader.followedChunk(), std::optional(3U));
        QCOMPARE(bench.same.followedChunk(), std::optional(3U));
        QCOMPARE(bench.slow.focusedGpu(), 2U);
    }

    void atMostOneRunHasASelection() {
        ViewLinkBench bench;
        bench.same.selectSpan({0, 4, 5});
        bench.slow.selectSpan({0, 1, 2});
        QVERIFY(!bench.same.selectedSpan());
        QVERIFY(bench.slow.selectedSpan());
    }

    void aRunThatWasLetGoOfStaysWhereItIs() {
        ViewLinkBench bench;
        bench.link.letGo(bench.slow);
        bench.leader.setRange({0, 100 * kUs});
        QVERIFY(bench.slow.showsAll());
        bench.slow.setRange({0, 10 * kUs});
        QCOMPARE(bench.leader.range(), (data::TimeRange{0, 100 * kUs}));
    }

    void anotherWayToSetThemSideBySideHoldsAtOnce() {
        ViewLinkBench bench;
        bench.leader.setCursor(250 * kUs);
        bench.leader.setRunEnd(2'000 * kUs);
        bench.link.lead(bench.slow, {}, 2'000 * kUs);
        QCOMPARE(bench.slow.cursor(), std::optional(250 * kUs));
        QCOMPARE(bench.slow.runEnd(), 2'000 * kUs);
    }
};

RINGSIDE_CORE_TEST(TestViewLink)
#include "tst_view_link.moc"
