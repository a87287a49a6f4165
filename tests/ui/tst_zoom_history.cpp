#include "tests/test_program.h"
#include "ui/look/zoom_history.h"

#include <QTest>

using data::TimeRange;
using ui::ZoomHistory;

class TestZoomHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void backAndForwardVisitWhatWasInSight() {
        ZoomHistory history;
        history.restart({0, 100});
        history.record({10, 50}, 1'000);
        history.record({20, 30}, 3'000);
        QCOMPARE(*history.back(), (data::TimeRange{10, 50}));
        QCOMPARE(*history.back(), (data::TimeRange{0, 100}));
        QVERIFY(!history.back());
        QCOMPARE(*history.forward(), (data::TimeRange{10, 50}));
        QCOMPARE(*history.forward(), (data::TimeRange{20, 30}));
        QVERIFY(!history.forward());
    }

    void whatFollowsCloselyIsOneStep() {
        ZoomHistory history;
        history.restart({0, 100});
        history.record({10, 50}, 1'000);
        history.record({11, 51}, 1'000 + ZoomHistory::kPauseMs - 1);
        history.record({12, 52}, 1'000 + 2 * (ZoomHistory::kPauseMs - 1));
        QCOMPARE(*history.back(), (data::TimeRange{0, 100}));
        QCOMPARE(*history.forward(), (data::TimeRange{12, 52}));
    }

    void aPauseBeginsAnotherStep() {
        ZoomHistory history;
        history.restart({0, 100});
        history.record({10, 50}, 1'000);
        history.record({11, 51}, 1'000 + ZoomHistory::kPauseMs);
        QCOMPARE(*history.back(), (data::TimeRange{10, 50}));
    }

    void showingAnEntryAgainIsNoNewOneAndAnotherWayForgetsTheOldFuture() {
        ZoomHistory history;
        history.restart({0, 100});
        history.record({10, 50}, 1'000);
        history.record({20, 30}, 3'000);
        history.record(*history.back(), 3'001);
        QCOMPARE(*history.forward(), (data::TimeRange{20, 30}));
        history.back();
        history.record({60, 70}, 9'000);
        QVERIFY(!history.forward());
        QCOMPARE(*history.back(), (data::TimeRange{10, 50}));
    }

    void theOldestAreForgotten() {
        ZoomHistory history;
        history.restart({0, 1});
        for (std::int64_t i = 1; i <= 300; ++i)
            history.record({i, i + 1}, i * 10'000);
        int steps = 0;
        while (history.back())
            ++steps;
        QCOMPARE(steps, static_cast<int>(ZoomHistory::kMostEntries) - 1);
    }
};

RINGSIDE_TEST(TestZoomHistory)
#include "tst_zoom_history.moc"
