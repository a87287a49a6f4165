#include "data/document/value_places.h"
#include "tests/test_program.h"

#include <QTest>

class TestValuePlaces final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSignedNumberHasASignUnlessItRoundsToZero() {
        QCOMPARE(data::signedNumber(3.94, 1), std::string("+3.9"));
        QCOMPARE(data::signedNumber(-4.2, 1), std::string("-4.2"));
        QCOMPARE(data::signedNumber(0.06, 1), std::string("+0.1"));
        QCOMPARE(data::signedNumber(-0.06, 1), std::string("-0.1"));
        QCOMPARE(data::signedNumber(0.04, 1), std::string("0.0"));
        QCOMPARE(data::signedNumber(-0.04, 1), std::string("0.0"));
        QCOMPARE(data::signedNumber(-1e-16, 1), std::string("0.0"));
        QCOMPARE(data::signedNumber(-0.0, 0), std::string("0"));
        QCOMPARE(data::signedNumber(-10, 0), std::string("-10"));
    }
};

RINGSIDE_CORE_TEST(TestValuePlaces)
#include "tst_value_places.moc"
