#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_writers.h"
#include "ui/lessons/lesson_handout.h"
#include "ui/look/pdf_date.h"

#include <QDateTime>
#include <QRegularExpression>

#include <ctime>
#include <functional>

using namespace ui;

namespace {

/// Sets a time zone until it is destroyed.
class Zone {
public:
    explicit Zone(const char* zone) : m_before(qgetenv("TZ")) { set(zone); }
    ~Zone() { set(m_before); }
    Zone(const Zone&) = delete;
    Zone& operator=(const Zone&) = delete;

private:
    static void set(const QByteArray& zone) {
        zone.isEmpty() ? qunsetenv("TZ") : qputenv("TZ", zone);
        tzset();
    }
    QByteArray m_before;
};

QByteArray figureMade(const std::string& made) {
    data::FigureSpec figure = tests::speedups(1);
    figure.provenance.made = made;
    return pdfOf(ready(figure));
}

QByteArray handoutMade(const std::string& made) {
    const data::Lesson lesson =
        data::readLesson(R"({"format":"ringside-lesson","version":1,"title":"Small","steps":[{"text":"One."}]})", "x")
            .lesson;
    return lessonHandout(lesson, {std::nullopt}, false, QString::fromStdString(made));
}

/// Returns the objects to which the cross-reference table points, as far as they begin with their number: all, if the
/// table is right.
QString misplacedObjects(const QByteArray& pdf) {
    const qsizetype table = pdf.mid(pdf.lastIndexOf("startxref\n") + 10, 10).split('\n').front().toLongLong();
    if (pdf.mid(table, 5) != "xref\n")
        return QStringLiteral("no table at %1").arg(table);
    const QList<QByteArray> lines = pdf.mid(table).split('\n');
    const int count = lines[1].split(' ').last().toInt();
    QStringList wrong;
    for (int object = 1; object < count; ++object) {
        const qint64 offset = lines[object + 2].left(10).toLongLong();
        if (!pdf.mid(offset).startsWith(QByteArray::number(object) + " 0 obj"))
            wrong << QString::number(object);
    }
    return count > 1 ? wrong.join(u' ') : QStringLiteral("an empty table");
}

}  // namespace

class TestPdfDate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesAreTheSameInEveryTimeZone() {
        for (QByteArray (*make)(const std::string&) : {figureMade, handoutMade}) {
            for (const char* made : {"", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04:05+02:00"}) {
                QList<QByteArray> files;
                for (const char* zone : {"UTC0", "EAST-05:30", "WEST+03:30"}) {
                    const Zone inZone(zone);
                    files << make(made);
                }
                QVERIFY(files[1] == files[0] && files[2] == files[0]);
                QCOMPARE(misplacedObjects(files[0]), QString());
            }
        }
    }

    void aDateIsInUtcUnlessItNamesAZone() {
        const Zone inZone("EAST-05:30");
        const auto dateOf = [](const char* made) {
            static const QRegularExpression kDate(QStringLiteral("/CreationDate \\((.*?)\\)"));
            return kDate.match(QString::fromLatin1(figureMade(made))).captured(1);
        };
        QCOMPARE(dateOf("2026-01-02"), QStringLiteral("D:20260102000000Z"));
        QCOMPARE(dateOf("2026-01-02T03:04:05"), QStringLiteral("D:20260102030405Z"));
        QCOMPARE(dateOf("2026-01-02T03:04:05+02:00"), QStringLiteral("D:20260102010405Z"));
        QCOMPARE(dateOf(""), QString());
        QCOMPARE(dateOf("soon"), QString());
        QVERIFY(!figureMade("soon").contains("CreationDate"));
    }

    void documentsHaveTheDayOfTheEpochThatIsSet() {
        const Zone inZone("EAST-05:30");
        qputenv("SOURCE_DATE_EPOCH", "172799");  // the last second of a day in UTC, and the next day in the east
        QCOMPARE(dateOfDocuments(), QStringLiteral("1970-01-02"));
        qputenv("SOURCE_DATE_EPOCH", "172800");
        QCOMPARE(dateOfDocuments(), QStringLiteral("1970-01-03"));
        qunsetenv("SOURCE_DATE_EPOCH");
        const QDate before = QDateTime::currentDateTimeUtc().date();
        const QDate given = QDate::fromString(dateOfDocuments(), Qt::ISODate);
        QVERIFY(before <= given && given <= QDateTime::currentDateTimeUtc().date());
    }

    // As Qt 6.8 ends a PDF; the version of this machine may write neither.
    void theDateOfTheLastChangeAndTheIdentifierFollowFromTheFile() {
        const auto written = [](const QByteArray& page, const QByteArray& date, const QByteArray& id) {
            return withCreationDate("%PDF-1.4 " + page + "\n/CreationDate (D:" + date + ")\n/ModDate (D:" + date +
                                        ")\ntrailer\n/ID [ <" + id + "> <" + id + "> ]\n",
                                    QStringLiteral("2026-01-02"));
        };
        const QByteArray once = written("page", "20261124170817Z", "65323065386430392d");
        QCOMPARE(written("page", "20261124170818Z", "36333036636238622d"), once);
        QVERIFY(once.contains("/ModDate (D:20260102000000Z)"));
        QVERIFY(!once.contains("65323065386430392d"));
        const auto identifierOf = [](const QByteArray& pdf) { return pdf.mid(pdf.indexOf("/ID")); };
        QCOMPARE(identifierOf(once).size(), QByteArray("/ID [ <65323065386430392d> <65323065386430392d> ]\n").size());
        QVERIFY(identifierOf(written("another page", "20261124170817Z", "65323065386430392d")) != identifierOf(once));
    }

    void aFileWithoutADateStaysAsItIs() {
        QCOMPARE(withCreationDate("%PDF-1.4 nothing", QStringLiteral("2026-01-02")), QByteArray("%PDF-1.4 nothing"));
        QCOMPARE(withCreationDate("/CreationDate (never closed", {}), QByteArray("/CreationDate (never closed"));
    }
};

RINGSIDE_WINDOW_TEST(TestPdfDate)
#include "tst_pdf_date.moc"
