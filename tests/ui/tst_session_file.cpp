#include "tests/test_program.h"
#include "ui/workbench/session_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using ui::SessionFile;
using ui::SessionParts;
using ui::SessionScope;

namespace {

void put(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(bytes);
}

ui::SessionPart numberPart(const QString& name, SessionScope scope, int& number) {
    return {name, scope, [&number] { return QJsonValue(number); },
            [&number](const QJsonValue& kept) {
                if (!kept.isDouble())
                    return false;
                number = kept.toInt();
                return true;
            }};
}

}  // namespace

class TestSessionFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasWrittenIsReadAgain() {
        const QTemporaryDir folder;
        const SessionFile file(folder.filePath(QStringLiteral("deep/er/session.json")));
        const QJsonObject sections{{QStringLiteral("cursor"), qint64(9'007'199'254'740'993)}};
        QVERIFY(file.write(sections));
        QCOMPARE(file.read().sections, sections);
        // A picosecond more or less is another moment, so the time must not be rounded to a double.
        QCOMPARE(file.read().sections.value(QStringLiteral("cursor")).toInteger(), qint64(9'007'199'254'740'993));
        QVERIFY(file.read().problem.isEmpty());
    }

    void noFileIsNoProblem() {
        const QTemporaryDir folder;
        QVERIFY(SessionFile(folder.filePath(QStringLiteral("none.json"))).read().problem.isEmpty());
        QVERIFY(SessionFile(QString()).read().problem.isEmpty());
        QVERIFY(SessionFile(QString()).write({}));
    }

    void whateverElseStandsInTheFileIsOneProblemAndNoSections() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("session.json"));
        for (const QByteArray& bytes :
             {QByteArray(), QByteArray("{"), QByteArray("[1, 2]"), QByteArray("\0\1\2\xff", 4), QByteArray("{}"),
              QByteArray(R"({"format": "ringside-session"})"),
              QByteArray(R"({"format": "ringside-session", "version": 2, "sections": {}})"),
              QByteArray(R"({"format": "ringside-session", "version": 1, "sections": 7})"),
              QByteArray(R"({"format": "something", "version": 1, "sections": {}})"), QByteArray(5'000'000, ' ')}) {
            put(path, bytes);
            const SessionFile::Reading reading = SessionFile(path).read();
            QVERIFY2(!reading.problem.isEmpty(), bytes.left(60));
            QVERIFY(reading.sections.isEmpty());
        }
    }

    void aFileThatCannotBeWrittenIsSaid() {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("session.json")));
        QVERIFY(!SessionFile(folder.filePath(QStringLiteral("session.json"))).write({}));
    }

    void aStartThatDidNotEndIsKnownAtTheNext() {
        const QTemporaryDir folder;
        const SessionFile file(folder.filePath(QStringLiteral("session.json")));
        QVERIFY(!file.lastStartFailed());
        file.beginStart();
        QVERIFY(file.lastStartFailed());
        file.endStart();
        QVERIFY(!file.lastStartFailed());
        const SessionFile none{QString()};
        none.beginStart();
        QVERIFY(!none.lastStartFailed());
    }

    void eachPartTakesItsSectionInAtItsTime() {
        int lanes = 1, cursor = 2;
        SessionParts parts;
        parts.add(numberPart(QStringLiteral("lanes"), SessionScope::window, lanes));
        parts.add(numberPart(QStringLiteral("cursor"), SessionScope::experiment, cursor));
        parts.add({QStringLiteral("nothing"), SessionScope::window, [] { return QJsonValue(); },
                   [](const QJsonValue&) { return true; }});
        QCOMPARE(parts.save(), (QJsonObject{{QStringLiteral("lanes"), 1}, {QStringLiteral("cursor"), 2}}));
        const QJsonObject kept{{QStringLiteral("lanes"), 10}, {QStringLiteral("cursor"), 20}};
        QVERIFY(parts.restore(SessionScope::window, kept).isEmpty());
        QCOMPARE(lanes, 10);
        QCOMPARE(cursor, 2);
        QVERIFY(parts.restore(SessionScope::experiment, kept).isEmpty());
        QCOMPARE(cursor, 20);
    }

    void whatIsNotUnderstoodIsNamedAndTheOthersAreTakenIn() {
        int lanes = 1, cursor = 2;
        SessionParts parts;
        parts.add(numberPart(QStringLiteral("lanes"), SessionScope::window, lanes));
        parts.add(numberPart(QStringLiteral("cursor"), SessionScope::window, cursor));
        const QJsonObject kept{{QStringLiteral("lanes"), QStringLiteral("many")},
                               {QStringLiteral("cursor"), 20},
                               {QStringLiteral("x"), 1}};
        QCOMPARE(parts.restore(SessionScope::window, kept), QStringList{QStringLiteral("lanes")});
        QCOMPARE(lanes, 1);
        QCOMPARE(cursor, 20);
        QCOMPARE(parts.strangers(kept), QStringList{QStringLiteral("x")});
    }
};

RINGSIDE_CORE_TEST(TestSessionFile)
#include "tst_session_file.moc"
