#include "engine/kernel/rate.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;

class TestRate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatComesInATimeIsRoundedUpAndNeverOverflows() {
        QCOMPARE(amountIn({1000}, 1'000'000'000), std::int64_t{1});
        QCOMPARE(amountIn({1001}, 1'000'000'000), std::int64_t{2});
        QCOMPARE(amountIn({0}, 1'000'000'000), std::int64_t{0});
        QCOMPARE(amountIn({std::int64_t{1} << 60}, std::int64_t{1} << 60), std::int64_t{1} << 62);
    }

    void cyclesAreConvertedInOneMultiplication() {
        // 1.755 GHz: a truncated period of 569 ps times 1,000,000 cycles would say 569,000,000 ps.
        // The whole count gives floor(10^18 / 1.755*10^9) = 569,800,569 ps.
        QCOMPARE(timeAtRate(1'000'000, 1'755'000'000), Duration{569'800'569});
    }

    void aTimeIsRoundedDownToTheWholePicosecond() {
        // 2 bytes at 3 bytes/s take 666,666,666,666.67 ps.
        QCOMPARE(timeAtRate(2, 3), Duration{666'666'666'666});
        QCOMPARE(timeAtRate(3, 3), Duration{1'000'000'000'000});
    }

    void largeAmountsDoNotOverflow() {
        // 10^12 bytes at 10^12 bytes/s take one second; amount times 10^12 alone needs 80 bits.
        QCOMPARE(timeAtRate(1'000'000'000'000, 1'000'000'000'000), Duration{1'000'000'000'000});
    }

    void packetsOneAfterTheOtherTakeAsLongAsTheirSum() {
        // 4096 B at 150 GB/s take 27,306.67 ps. Three take 81,920 ps exactly; truncating each would lose 2 ps.
        CarryingRate rate(150'000'000'000);
        QCOMPARE(rate.take(4096), Duration{27'306});
        QCOMPARE(rate.take(4096), Duration{27'307});
        QCOMPARE(rate.take(4096), Duration{27'307});
    }

    void aMillionPacketsDoNotDrift() {
        CarryingRate rate(149'999'999'989);
        Duration sum;
        for (int i = 0; i < 1'000'000; ++i)
            sum += rate.take(4096 + i % 7);
        std::int64_t bytes = 0;
        for (int i = 0; i < 1'000'000; ++i)
            bytes += 4096 + i % 7;
        QCOMPARE(sum, timeAtRate(bytes, 149'999'999'989));
    }

    void amountsPastSixtyFourBitsAreCarriedExactlyToo() {
        // 20,000,000 B times 10^12 exceeds 2^64; at 3 B/s that is 6,666,666,666,666,666,666.67 ps, past the range of a
        // time, so take a rate of 7 * 10^9 B/s: 2,857,142,857.14 ps each, 20,000,000,000 for seven.
        CarryingRate rate(7'000'000'000);
        Duration sum;
        for (int i = 0; i < 7; ++i)
            sum += rate.take(20'000'000);
        QCOMPARE(sum, Duration{20'000'000'000});
    }
};

RINGSIDE_TEST(TestRate)
#include "tst_rate.moc"
