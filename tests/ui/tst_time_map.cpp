#include "data/replay/time_map.h"
#include "tests/test_program.h"

#include <QTest>

#include <random>

using data::TimeKnot;
using data::TimeMap;

namespace {

/// Returns knots in order. For some of them the time of one run does not rise, or falls.
std::vector<data::TimeKnot> randomKnots(std::mt19937_64& random) {
    std::vector<data::TimeKnot> knots;
    data::TimeKnot last;
    for (int i = 0; i < 40; ++i) {
        last.from += static_cast<std::int64_t>(random() % 90'000'000);
        last.to += static_cast<std::int64_t>(random() % 120'000'000) - 20'000'000;
        knots.push_back(last);
    }
    return knots;
}

}  // namespace

class TestTimeMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutKnotsTimeIsTheSame() {
        const data::TimeMap map;
        for (const std::int64_t ps : {-5LL, 0LL, 7LL, 1'000'000'000'000LL})
            QCOMPARE(map(ps), ps);
    }

    void betweenKnotsItIsStraight() {
        // The times 0 to 100 map to 0 to 300, and 100 to 300 map to 300 to 400.
        const data::TimeMap map({{100, 300}, {300, 400}});
        QCOMPARE(map(50), 150);
        QCOMPARE(map(200), 350);
        QCOMPARE(map.reversed()(350), 200);
    }

    void behindTheLastKnotBothClocksRunAlike() {
        const data::TimeMap map({{100, 300}});
        QCOMPARE(map(160), 360);
        QCOMPARE(map.reversed()(360), 160);
    }

    void itIsExactAtKnotsInBothDirections() {
        std::mt19937_64 random(7);
        for (int round = 0; round < 50; ++round) {
            const data::TimeMap map(randomKnots(random));
            QVERIFY(map.knots().size() > 5);
            for (const data::TimeKnot& knot : map.knots()) {
                QCOMPARE(map(knot.from), knot.to);
                QCOMPARE(map.reversed()(knot.to), knot.from);
                QCOMPARE(map.reversed()(knot.to), knot.from);
            }
        }
    }

    void itNeverFalls() {
        std::mt19937_64 random(8);
        const data::TimeMap map(randomKnots(random));
        std::int64_t before = map(0), back = map.reversed()(0);
        for (std::int64_t ps = 0; ps < 4'000'000'000; ps += 1'234'567) {
            QVERIFY(map(ps) >= before);
            QVERIFY(map.reversed()(ps) >= back);
            before = map(ps);
            back = map.reversed()(ps);
        }
    }

    void aKnotThatDoesNotRiseInBothIsLeftOut() {
        const data::TimeMap map({{100, 300}, {150, 300}, {150, 200}, {200, 500}});
        QCOMPARE(map.knots(), (std::vector<data::TimeKnot>{{0, 0}, {100, 300}, {200, 500}}));
    }

    void secondsDoNotOverflow() {
        constexpr std::int64_t kSecond = 1'000'000'000'000;
        const data::TimeMap map({{kSecond * 100, kSecond * 300}});
        QCOMPARE(map(kSecond * 50 + 1), kSecond * 150 + 3);
    }
};

RINGSIDE_CORE_TEST(TestTimeMap)
#include "tst_time_map.moc"
