#include "data/replay/busy_grid.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <random>

class TestBusyGrid : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void atTheEdgesOfItsBucketsItIsExact() {
        std::mt19937_64 random(9);
        constexpr std::int64_t kEnd = 1'000'000;
        data::BusyGrid grid(kEnd, 4'000);
        std::vector<std::int64_t> depth(kEnd + 1, 0);
        for (int i = 0; i < 4'000; ++i) {
            const auto start = static_cast<std::int64_t>(random() % kEnd);
            const std::int64_t end = std::min<std::int64_t>(kEnd, start + static_cast<std::int64_t>(random() % 9'000));
            grid.add(start, end);
            ++depth[static_cast<std::size_t>(start)];
            --depth[static_cast<std::size_t>(end)];
        }
        grid.finish();
        std::int64_t busy = 0, running = 0;
        for (std::int64_t ps = 0; ps < kEnd; ++ps) {
            if (ps % grid.bucket() == 0)
                QCOMPARE(grid.busyUntil(ps), busy);
            running += depth[static_cast<std::size_t>(ps)];
            busy += running;
        }
        QCOMPARE(grid.busyUntil(kEnd * 2), busy);
    }

    void withinABucketItIsEven() {
        data::BusyGrid grid(1'000'000, 1);
        const std::int64_t bucket = grid.bucket();
        grid.add(0, bucket / 2);  // the first half of the first bucket
        grid.finish();
        QCOMPARE(grid.busyUntil(bucket), bucket / 2);
        QCOMPARE(grid.busyUntil(bucket / 2), bucket / 4);
        QCOMPARE(grid.busyUntil(0), 0);
        QCOMPARE(grid.busyUntil(-5), 0);
    }

    void ofNothingItIsZeroEverywhere() {
        const data::BusyGrid nothing;
        QVERIFY(nothing.empty());
        QCOMPARE(nothing.busyUntil(1'000), 0);
    }
};

RINGSIDE_TEST(TestBusyGrid)
#include "tst_busy_grid.moc"
