#include "data/measured/trace_instant.h"
#include "tests/test_program.h"

#include <QTest>

#include <string>

using namespace data;

class TestTraceInstant : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void digitsAreReadToThePicosecond() {
        const auto read = [](std::string_view digits) { return instantOf(digits).value_or(TraceInstant{-1, -1}); };
        // In picoseconds this time has 22 digits, and a double has 16.
        QVERIFY(read("1698765432123456.789") == (TraceInstant{1'698'765'432'123'456, 789'000}));
        QVERIFY(read("0.000001") == (TraceInstant{0, 1}));
        QVERIFY(read("0.0000005") == (TraceInstant{0, 1}));  // half a picosecond is rounded up
        QVERIFY(read("0.00000049") == (TraceInstant{0, 0}));
        QVERIFY(read("2.9999999") == (TraceInstant{3, 0}));
        QVERIFY(read("-1.5") == (TraceInstant{-2, 500'000}));
        QVERIFY(read("12") == (TraceInstant{12, 0}));
        QVERIFY(read("1.7e15") == (TraceInstant{1'700'000'000'000'000, 0}));
        QVERIFY(read("1.25E+1") == (TraceInstant{12, 500'000}));
        QVERIFY(read("5e-6") == (TraceInstant{0, 5}));
        QVERIFY(read("0e400") == (TraceInstant{0, 0}));
    }

    void whatIsNoTimeIsRefused() {
        for (const char* text : {"", ".", "-", "1,5", "1 5", "0x10", "1e", "1e5000", "NaN", "1e30", "4000000000000001"})
            QVERIFY2(!instantOf(std::string_view(text)), text);
        QVERIFY(!instantOf(kLatestMicrosecond + 1));
        QVERIFY(instantOf(kLatestMicrosecond));
    }

    void differencesAreExact() {
        const TraceInstant a = *instantOf("1698765432123456.789"), b = *instantOf("1698765432123455.999999");
        QCOMPARE(*picosecondsOf(differenceOf(a, b)), std::int64_t{789'001});
        QCOMPARE(*picosecondsOf(differenceOf(b, a)), std::int64_t{-789'001});
        QVERIFY(later(b, 789'001) == a);
        QVERIFY(!picosecondsOf(differenceOf(a, {})));  // longer than ten days
        QCOMPARE(microsecondsText(differenceOf(b, a)), std::string("-0.789001"));
        QCOMPARE(microsecondsText({1'000'000, 0}), std::string("1000000"));
        QCOMPARE(microsecondsText({0, 500'000}), std::string("0.5"));
    }
};

RINGSIDE_TEST(TestTraceInstant)
#include "tst_trace_instant.moc"
