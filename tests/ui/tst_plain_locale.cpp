#include "tests/locales.h"
#include "tests/ui/window_test.h"
#include "ui/look/application_style.h"

#include <QDoubleSpinBox>
#include <QProgressBar>
#include <QStyledItemDelegate>
#include <QTemporaryDir>
#include <QTest>

#include <clocale>

class TestPlainLocale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        std::setlocale(LC_ALL, "C.UTF-8");
        QLocale::setDefault(QLocale::c());
    }

    void numbersHaveOurDigitsAndADecimalPoint_data() {
        QTest::addColumn<QLocale>("locale");
        QTest::newRow("German") << QLocale(QLocale::German, QLocale::Germany);
        QTest::newRow("Turkish") << QLocale(QLocale::Turkish, QLocale::Turkey);
        QTest::newRow("Arabic") << QLocale(QLocale::Arabic, QLocale::Egypt);
    }
    void numbersHaveOurDigitsAndADecimalPoint() {
        QFETCH(QLocale, locale);
        QLocale::setDefault(locale);
        QVERIFY(QDoubleSpinBox().text() != QLatin1String("0.00"));
        ui::usePlainLocale();
        QDoubleSpinBox box;
        box.setRange(0, 1e6);
        box.setValue(1234.5);
        QCOMPARE(box.text(), QStringLiteral("1234.50"));
        QProgressBar progress;
        progress.setValue(40);
        QCOMPARE(progress.text(), QStringLiteral("40%"));
        QCOMPARE(QStyledItemDelegate().displayText(0.625, progress.locale()), QStringLiteral("0.625"));
    }

    void theLibraryBelowIsSetToo() {
        const QTemporaryDir folder;
        if (const std::string why = tests::makeLocales(folder.path().toStdString()); !why.empty())
            QSKIP(why.c_str());
        qputenv("LOCPATH", folder.path().toLocal8Bit());
        QVERIFY(std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr);
        QCOMPARE(QByteArray(std::localeconv()->decimal_point), QByteArray(","));
        ui::usePlainLocale();
        QCOMPARE(QByteArray(std::localeconv()->decimal_point), QByteArray("."));
        qunsetenv("LOCPATH");
    }
};

RINGSIDE_WINDOW_TEST(TestPlainLocale)

#include "tst_plain_locale.moc"
