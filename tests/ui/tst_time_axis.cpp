#include "data/document/value_places.h"
#include "tests/test_program.h"
#include "ui/look/format.h"
#include "ui/look/timeline_geometry.h"

#include <QTest>

class TestTimeAxis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ticksAreRoundNumbersInOneUnit() {
        const auto ticks = ui::timeTicks({0, 2'000'000'000}, 10);
        QCOMPARE(ticks.size(), std::size_t(11));
        QCOMPARE(ticks[0].label, QStringLiteral("0"));
        QCOMPARE(ticks[1].ps, 200'000'000);
        QCOMPARE(ticks[1].label, QStringLiteral("0.2\u00a0ms"));
        QCOMPARE(ticks[10].label, QStringLiteral("2.0\u00a0ms"));
    }

    void thereAreNeverMoreThanAskedForAndOneAtTheEdge() {
        for (const std::int64_t span : {10'000LL, 123'457LL, 999'999'999LL, 2'345'678'901LL}) {
            for (const int most : {1, 3, 7, 12}) {
                const auto ticks = ui::timeTicks({17, 17 + span}, most);
                QVERIFY(static_cast<int>(ticks.size()) <= most + 1);
                for (const ui::Tick& tick : ticks)
                    QVERIFY(tick.ps >= 17 && tick.ps <= 17 + span);
            }
        }
    }

    void labelsOfNeighboursAlwaysDiffer() {
        const auto ticks = ui::timeTicks({1'999'990'000, 2'000'000'000}, 8);
        QVERIFY(ticks.size() > 2);
        for (std::size_t i = 1; i < ticks.size(); ++i)
            QVERIFY(ticks[i].label != ticks[i - 1].label);
    }

    void timesKeepTheirSignificantDigits() {
        QCOMPARE(ui::formatTime(1'234'567'890), QStringLiteral("1.235\u00a0ms"));
        QCOMPARE(ui::formatTime(413'000'000), QStringLiteral("413.0\u00a0µs"));
        QCOMPARE(ui::formatTime(999), QStringLiteral("999\u00a0ps"));
        QCOMPARE(ui::formatTime(1'000), QStringLiteral("1.000\u00a0ns"));
        QCOMPARE(ui::formatTime(0), QStringLiteral("0\u00a0ns"));
    }

    void aRunningClockNeverChangesItsUnit() {
        QCOMPARE(ui::formatTimeSteady(0, 2'004'000'000), QStringLiteral("0.0000\u00a0ms"));
        QCOMPARE(ui::formatTimeSteady(901'800'000, 2'004'000'000), QStringLiteral("0.9018\u00a0ms"));
    }

    void aUnitOfTimeIsChosenAmongThoseThatAreOffered() {
        QCOMPARE(ui::unitFor(ui::kTimeUnits, 999e9).name, "ms");
        QCOMPARE(ui::unitFor(std::span(ui::kTimeUnits).subspan<1, 3>(), 5e12).name, "ms");
        QCOMPARE(ui::unitFor(std::span(ui::kTimeUnits).first<3>(), 12).name, "µs");
    }

    void aTypedUnitOfTimeIsKnownInEverySpelling() {
        for (const char* typed : {"us", "µs", "μs"})
            QCOMPARE(ui::psPerUnit(QString::fromUtf8(typed)), 1e6);
        QCOMPARE(ui::psPerUnit(QStringLiteral("s")), 1e12);
        QCOMPARE(ui::psPerUnit(QStringLiteral("min")), 0.0);
    }

    void stepsOfEveryAxisAreRoundNumbers() {
        QCOMPARE(data::niceStep(0.3), 0.5);
        QCOMPARE(data::niceStep(5), 5.0);
        QCOMPARE(data::niceStep(51), 100.0);
        QCOMPARE(data::wholeNiceStep(1'000, 10), 100);
        QCOMPARE(data::wholeNiceStep(7, 10, 1'000), 1'000);
    }
};

RINGSIDE_TEST(TestTimeAxis)
#include "tst_time_axis.moc"
