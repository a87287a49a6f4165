#include "data/replay/busy_curve.h"
#include "tests/test_program.h"

#include <QTest>

#include <random>

class TestBusyCurve : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void busyTimeGrowsInsideAnIntervalAndStandsBetweenThem() {
        data::BusyCurve curve;
        curve.add({100}, {200});
        curve.add({300}, {350});
        QCOMPARE(curve.busyUntil(100), 0);
        QCOMPARE(curve.busyUntil(101), 1);
        QCOMPARE(curve.busyUntil(200), 100);
        QCOMPARE(curve.busyUntil(299), 100);
        QCOMPARE(curve.busyUntil(301), 101);
        QCOMPARE(curve.busyUntil(1'000), 150);
    }

    void beforeTheFirstAndOfNothingItIsZero() {
        const data::BusyCurve nothing;
        QCOMPARE(nothing.busyUntil(0), 0);
        QCOMPARE(nothing.busyUntil(1'000), 0);
        data::BusyCurve curve;
        curve.add({5}, {5});
        QVERIFY(curve.empty());
    }

    void itAgreesWithCountingEveryPicosecond() {
        std::mt19937_64 random(75);
        data::BusyCurve curve;
        std::vector<bool> busy(3'000, false);
        for (std::int64_t at = 0; at < 2'900;) {
            const auto length = static_cast<std::int64_t>(random() % 30);
            curve.add({at}, {at + length});
            for (std::int64_t ps = at; ps < at + length; ++ps)
                busy[static_cast<std::size_t>(ps)] = true;
            at += length + static_cast<std::int64_t>(random() % 2 == 0 ? 0 : random() % 40);
        }
        std::int64_t counted = 0;
        for (std::size_t ps = 0; ps < busy.size(); ++ps) {
            QCOMPARE(curve.busyUntil(static_cast<std::int64_t>(ps)), counted);
            counted += busy[ps] ? 1 : 0;
        }
    }

    void utilisationIsTheMeanOverAllResources() {
        data::Utilisation use;
        use.addResource().add({0}, {100});
        use.addResource();
        QCOMPARE(use.fraction(0, 100), 0.5);
        QCOMPARE(use.fraction(0, 200), 0.25);
        QCOMPARE(use.fraction(100, 200), 0.0);
    }
};

RINGSIDE_TEST(TestBusyCurve)
#include "tst_busy_curve.moc"
