#include "tests/test_program.h"
#include "ui/find/span_query_text.h"

#include <QTest>

using data::SpanQuery;
using engine::SpanKind;
using ui::readSpanQuery;

class TestSpanQuery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersFollowTheirWord() {
        const auto query = readSpanQuery(QStringLiteral("tile 312 chunk 5 gpu 2 block 17")).query;
        QVERIFY(query.has_value());
        QCOMPARE(query->tile, 312u);
        QCOMPARE(query->chunk, 5u);
        QCOMPARE(query->gpu, 2u);
        QCOMPARE(query->block, 17u);
        QCOMPARE(query->kinds, 0u);
    }

    void aWaveWithANumberIsThatWaveAndWithoutOneAnyWave() {
        const auto third = readSpanQuery(QStringLiteral("Wave 3")).query;
        QCOMPARE(third->wave, 3u);
        const auto any = readSpanQuery(QStringLiteral("waves")).query;
        QVERIFY(!any->wave.has_value());
        QVERIFY(any->allows(SpanKind::gemmWave));
        QVERIFY(!any->allows(SpanKind::trigger));
    }

    void kindsTogetherAreEitherOfThem() {
        const auto query = readSpanQuery(QStringLiteral("trigger, DMA")).query;
        QVERIFY(query->allows(SpanKind::trigger));
        QVERIFY(query->allows(SpanKind::dmaTransfer));
        QVERIFY(!query->allows(SpanKind::store));
        QVERIFY(readSpanQuery(QStringLiteral("reduce-scatter")).query->allows(SpanKind::reduceScatterStep));
    }

    void lengthsHaveUnits() {
        QCOMPARE(readSpanQuery(QStringLiteral("> 2 us")).query->longerPs, 2'000'000);
        QCOMPARE(readSpanQuery(QStringLiteral(">2µs")).query->longerPs, 2'000'000);
        QCOMPARE(readSpanQuery(QStringLiteral("<1.5ns")).query->shorterPs, 1'500);
        const auto both = readSpanQuery(QStringLiteral("dma > 1 us < 3 us")).query;
        QCOMPARE(both->longerPs, 1'000'000);
        QCOMPARE(both->shorterPs, 3'000'000);
        QVERIFY(both->allows(SpanKind::dmaTransfer));
    }

    void noWordsAreNoQueryAndNoProblem() {
        const auto reading = readSpanQuery(QStringLiteral("  "));
        QVERIFY(!reading.query.has_value());
        QVERIFY(reading.problem.isEmpty());
    }

    void whatIsNotUnderstoodIsNamedWithWhatIs_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("named");
        QTest::newRow("a word") << "tile 3 tilly"
                                << "tilly";
        QTest::newRow("a word without its number") << "tile"
                                                   << "tile";
        QTest::newRow("a number without its word") << "312"
                                                   << "312";
        QTest::newRow("a length without a unit") << "> 2"
                                                 << ">";
        QTest::newRow("a length without a number") << "> us"
                                                   << ">";
        QTest::newRow("a longer word") << "dmas2"
                                       << "2";
        QTest::newRow("a number too long") << "tile 99999999999"
                                           << "tile";
    }
    void whatIsNotUnderstoodIsNamedWithWhatIs() {
        QFETCH(QString, text);
        QFETCH(QString, named);
        const auto reading = readSpanQuery(text);
        QVERIFY(!reading.query.has_value());
        QVERIFY2(reading.problem.contains(QStringLiteral("“%1").arg(named)), qPrintable(reading.problem));
        QVERIFY(reading.problem.contains(QStringLiteral("chunk 5")));
    }
};

RINGSIDE_CORE_TEST(TestSpanQuery)
#include "tst_span_query.moc"
