#include "data/document/readable_number.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QFile>

namespace {

/// The texts of numbers that the player of web pages must also make: web/tests/format.test.ts reads the file.
const QString kNumberTable = QStringLiteral(RINGSIDE_SOURCE "/web/tests/numbers.txt");

/// Returns lines of a function, its arguments and its result, apart by tabs.
QString numberTable() {
    QString table;
    const auto add = [&](const char* function, const QString& arguments, const std::string& text) {
        table += QString::fromLatin1(function) + u'\t' + arguments + u'\t' + QString::fromStdString(text) + u'\n';
    };
    std::vector<std::int64_t> numbers{0, 1, 9, 10, 999, 1'000, 312'250, 999'949, 999'950, 1'000'000, 2'033'057'445};
    for (std::int64_t number = 7; number < 4'000'000'000'000'000; number = number * 13 / 3 + 5)
        numbers.insert(numbers.end(), {number, number * 5 / 4, number / 125 * 125});
    for (const std::int64_t number : numbers) {
        for (const int digits : {3, 4})
            add("time", QStringLiteral("%1\t%2").arg(number).arg(digits), data::readableTime(number, digits).text());
        add("bytes", QString::number(number), data::readableBytes(number).text());
    }
    for (int eighth = -3; eighth <= 24; ++eighth)
        add("percent", QString::number(eighth / 8.0), data::readablePercent(eighth / 8.0).text());
    return table;
}

}  // namespace

class TestReadableNumber : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readableNumbersHaveFewDigits() {
        const auto time = [](std::int64_t ps, int digits = 4) {
            return QString::fromStdString(data::readableTime(ps, digits).text());
        };
        QCOMPARE(time(0), QStringLiteral("0\u00a0ns"));
        QCOMPARE(time(1), QStringLiteral("1\u00a0ps"));
        QCOMPARE(time(-1'500), QStringLiteral("-1.500\u00a0ns"));
        QCOMPARE(time(2'033'057'445), QStringLiteral("2.033\u00a0ms"));
        QCOMPARE(time(312'250), QStringLiteral("312.3\u00a0ns"));  // a half, which std::to_chars would round to even
        QCOMPARE(time(999'999'999), QStringLiteral("1000.0\u00a0µs"));
        QCOMPARE(time(7'200'000'000'000'000, 3), QStringLiteral("7200\u00a0s"));
        QCOMPARE(QString::fromStdString(data::readableBytes(67'108'864).text()), QStringLiteral("67.1\u00a0MB"));
        QCOMPARE(QString::fromStdString(data::readableBytes(12).text()), QStringLiteral("12\u00a0B"));
        QCOMPARE(QString::fromStdString(data::readablePercent(0.125).text()), QStringLiteral("13\u00a0%"));
        QCOMPARE(QString::fromStdString(data::readableDecimals(-0.0004, 3)), QStringLiteral("0.000"));
        QCOMPARE(QString::fromStdString(data::readableDecimals(-1.2005, 3)), QStringLiteral("-1.200"));
    }

    void thePlayerOfPagesHasTheSameTexts() {
        QFile file(kNumberTable);
        if (qEnvironmentVariableIsSet("RINGSIDE_KEEP_GOLDEN")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(numberTable().toUtf8());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(kNumberTable));
        QCOMPARE(QString::fromUtf8(file.readAll()), numberTable());
    }
};

RINGSIDE_TEST(TestReadableNumber)
#include "tst_readable_number.moc"
