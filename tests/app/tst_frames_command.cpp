#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace {

QString g_program;
const QString kCase = QStringLiteral("t-nlg/op/tp8");

struct Outcome {
    int code = -1;
    QString said;
};

Outcome ringside(const QStringList& arguments, const QString& path = {}) {
    QProcess process;
    if (!path.isEmpty()) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), path);
        process.setProcessEnvironment(environment);
    }
    process.start(g_program, arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitCode(), QString::fromLocal8Bit(process.readAllStandardError())};
}

QJsonObject recordIn(const QString& folder) {
    QFile file(folder + QStringLiteral("/frames.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

}  // namespace

class TestFramesCommand : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QStringList framesIn(const QString& folder) {
        return QDir(folder).entryList({QStringLiteral("frame-*.png")});
    }

private Q_SLOTS:
    void framesAreWrittenWithoutADisplayWithTheirRecord() {
        const QString folder = at("one/two");
        const Outcome outcome = ringside({"--frames", folder, "--view", "machine", "--size", "1280x720", "--scale", "2",
                                          "--theme", "dark", "--fps", "2", "--seconds", "2", "--from", "20%", kCase});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.said));
        QVERIFY2(outcome.said.contains(QStringLiteral("4 frames in")), qPrintable(outcome.said));
        QCOMPARE(framesIn(folder).size(), 4);
        const QImage first(folder + QStringLiteral("/frame-000001.png"));
        QCOMPARE(first.size(), QSize(2560, 1440));
        QVERIFY(first != QImage(folder + QStringLiteral("/frame-000004.png")));
        const QJsonObject record = recordIn(folder);
        QCOMPARE(record[QStringLiteral("finished")].toInt(), 4);
        QCOMPARE(record[QStringLiteral("view")].toString(), QStringLiteral("machine"));
        QCOMPARE(record[QStringLiteral("theme")].toString(), QStringLiteral("dark"));
        QCOMPARE(record[QStringLiteral("experiment_hash")].toString().size(), 64);
        QCOMPARE(record[QStringLiteral("width")].toInt(), 2560);
        const QJsonArray moments = record[QStringLiteral("moments_ps")].toArray();
        QVERIFY(moments.first().toDouble() * 4.9 < moments.last().toDouble());
        // A second call with fewer frames removes the frames of the first from the folder.
        QCOMPARE(ringside({"--frames", folder, "--fps", "1", "--seconds", "2", kCase}).code, 0);
        QCOMPARE(framesIn(folder).size(), 2);
    }

    void anInterruptKeepsWhatIsFinished() {
        const QString folder = at("interrupted");
        QProcess process;
        process.start(g_program, {"--frames", folder, "--fps", "60", "--seconds", "600", kCase});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(framesIn(folder).size() > 3, 30'000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 130);
        const QStringList frames = framesIn(folder);
        QCOMPARE(recordIn(folder)[QStringLiteral("finished")].toInt(), frames.size());
        for (const QString& frame : frames)
            QVERIFY2(!QImage(folder + u'/' + frame).isNull(), qPrintable(frame));
    }

    void aFilmIsWrittenWhereFfmpegIsInstalled() {
        if (QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty())
            QSKIP("ffmpeg is not installed");
        for (const char* name : {"films/run.mp4", "films/run.gif"}) {
            const Outcome outcome = ringside(
                {"--frames", at(name), "--view", "split", "--size", "641x361", "--fps", "2", "--seconds", "2", kCase});
            QVERIFY2(outcome.code == 0, qPrintable(outcome.said));
            QVERIFY2(outcome.said.contains(QStringLiteral("4 frames in")), qPrintable(outcome.said));
            QVERIFY(QFileInfo(at(name)).size() > 1'000);
        }
        QCOMPARE(QDir(at("films")).entryList(QDir::Files).size(), 2);
    }

    void withoutFfmpegAFilmIsRefusedWithTheWayToGetIt() {
        const Outcome outcome = ringside({"--frames", at("none.mp4"), kCase}, at("empty"));
        QCOMPARE(outcome.code, 3);
        QVERIFY2(outcome.said.contains(QStringLiteral("apt install ffmpeg")), qPrintable(outcome.said));
        QVERIFY(!QFileInfo::exists(at("none.mp4")));
        const Outcome other = ringside({"--frames", at("run.avi"), kCase});
        QCOMPARE(other.code, 2);
        QVERIFY(!QFileInfo::exists(at("run.avi")));
    }

    void whatCannotBeDoneIsSaidAndNothingIsOverwritten() {
        QDir().mkpath(at("theirs"));
        QFile notes(at("theirs/notes.txt"));
        QVERIFY(notes.open(QIODevice::WriteOnly));
        const Outcome theirs = ringside({"--frames", at("theirs"), kCase});
        QCOMPARE(theirs.code, 2);
        QVERIFY2(theirs.said.contains(QStringLiteral("notes.txt")), qPrintable(theirs.said));
        QVERIFY(framesIn(at("theirs")).isEmpty());
        const QList<QStringList> wrong{
            {"--frames", at("x"), "--fps", "0"},        {"--frames", at("x"), "--seconds", "1e9"},
            {"--frames", at("x"), "--from", "noon"},    {"--fps", "30"},
            {"--frames", at("x"), "--screenshot", "y"}, {"--frames", at("x"), "--from", "60%", "--to", "40%"}};
        for (const QStringList& words : wrong)
            QVERIFY2(ringside(words + QStringList{kCase}).code == 2, qPrintable(words.join(u' ')));
        QVERIFY(!QFileInfo::exists(at("x")));
    }
};

int main(int count, char** values) {
    QCoreApplication application(count, values);
    g_program = QString::fromLocal8Bit(values[count - 1]);
    TestFramesCommand test;
    return QTest::qExec(&test, count - 1, values);
}

#include "tst_frames_command.moc"
