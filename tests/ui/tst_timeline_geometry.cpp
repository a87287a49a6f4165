#include "tests/test_program.h"
#include "ui/look/timeline_geometry.h"

#include <QTest>

#include <cmath>
#include <random>

using data::TimeRange;
using ui::TimelineGeometry;

class TestTimelineGeometry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRangesEdgesLieOnThePicturesEdges() {
        const TimelineGeometry geometry{{1'000, 5'000}, 100, 400, 1};
        QCOMPARE(geometry.xOf(1'000), 100.0);
        QCOMPARE(geometry.xOf(5'000), 500.0);
        QCOMPARE(geometry.timeAt(100), 1'000);
        QCOMPARE(geometry.timeAt(500), 5'000);
    }

    void aPixelBeginsExactlyAtItsFirstPicosecond() {
        // 4000 ps on 400 pixels: 10 ps a pixel, so pixel 101 holds 1010 to 1019.
        const TimelineGeometry geometry{{1'000, 5'000}, 100, 400, 1};
        QCOMPARE(geometry.columnOf(1'009), 100.0);
        QCOMPARE(geometry.columnOf(1'010), 101.0);
        QCOMPARE(geometry.columnOf(1'019), 101.0);
        QCOMPARE(geometry.columnOf(1'020), 102.0);
    }

    void columnsAreHalfPointsAtDoubleScale() {
        const TimelineGeometry geometry{{1'000, 5'000}, 100, 400, 0.5};
        QCOMPARE(geometry.columnOf(1'004), 100.0);
        QCOMPARE(geometry.columnOf(1'005), 100.5);
    }

    void aPicosecondLateInALongRunIsStillItsOwn() {
        const std::int64_t late = 900'000'000'000'000;  // 15 minutes
        const TimelineGeometry geometry{{late, late + 10'000}, 0, 1'000, 1};
        for (std::int64_t ps = late; ps < late + 100; ++ps)
            QCOMPARE(geometry.timeAt(geometry.xOf(ps)), ps);
    }

    void zoomingKeepsTheMomentUnderThePointer() {
        std::mt19937_64 random(20240427);  // seed of this property
        const std::int64_t end = 2'000'000'000;
        for (int i = 0; i < 2'000; ++i) {
            TimelineGeometry geometry{{400'000'000, 1'600'000'000}, 120, 1'100, 1};
            const double x = 120 + static_cast<double>(random() % 1'100);
            const double factor = std::pow(1.2, static_cast<int>(random() % 31) - 2);
            const std::int64_t before = geometry.timeAt(x);
            geometry.range = geometry.zoomed(x, factor, end);
            if (geometry.range.start == 0 || geometry.range.end == end)
                continue;  // clamped to the edge
            QVERIFY2(std::abs(geometry.xOf(before) - x) < 0.51,
                     "the moment under the pointer moved by more than half a pixel");
        }
    }

    void zoomingNeverLeavesTheRun() {
        const TimelineGeometry geometry{{0, 1'000'000}, 0, 1'000, 1};
        QCOMPARE(geometry.zoomed(900, 0.5, 1'000'000), (data::TimeRange{0, 1'000'000}));
        const data::TimeRange left = geometry.zoomed(0, 2, 1'000'000);
        QCOMPARE(left, (data::TimeRange{0, 500'000}));
        const data::TimeRange right = geometry.zoomed(1'000, 2, 1'000'000);
        QCOMPARE(right, (data::TimeRange{500'000, 1'000'000}));
    }

    void zoomingStopsAtTheShortestRange() {
        TimelineGeometry geometry{{0, 20'000}, 0, 1'000, 1};
        geometry.range = geometry.zoomed(500, 1'000, 1'000'000);
        QCOMPARE(geometry.range.span(), ui::TimelineGeometry::kShortestRange);
    }

    void panningStopsAtTheRunsEdges() {
        const TimelineGeometry geometry{{100, 200}, 0, 100, 1};
        QCOMPARE(geometry.panned(50, 1'000), (data::TimeRange{150, 250}));
        QCOMPARE(geometry.panned(-500, 1'000), (data::TimeRange{0, 100}));
        QCOMPARE(geometry.panned(5'000, 1'000), (data::TimeRange{900, 1'000}));
    }
};

RINGSIDE_TEST(TestTimelineGeometry)
#include "tst_timeline_geometry.moc"
