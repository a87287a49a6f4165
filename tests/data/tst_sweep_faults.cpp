#include "data/sweep_runner.h"
#include "tests/data/small_sweep.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace data;

namespace {

/// What the child said, line by line; a last line that was cut off by its end says nothing.
struct Told {
    std::vector<std::string> kept;
    std::optional<std::size_t> toRun;
    std::string failure;
    bool done = false;
};

Told readFrom(QProcess& child) {
    Told told;
    const QByteArray output = child.readAllStandardOutput();
    const QByteArray whole = output.left(output.lastIndexOf('\n') + 1);
    for (const QByteArray& line : whole.split('\n')) {
        if (line.startsWith("kept "))
            told.kept.push_back(line.mid(5).toStdString());
        else if (line.startsWith("to run "))
            told.toRun = line.mid(7).toULongLong();
        else if (line.startsWith("failed "))
            told.failure = line.mid(7).toStdString();
        told.done = told.done || line == "done";
    }
    return told;
}

}  // namespace

class TestSweepFaults : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const QString& name) const { return m_folder.filePath(name); }

    Told runChild(const QStringList& arguments, const QString& program = RINGSIDE_SWEEP_CHILD) {
        QProcess child;
        child.start(program, arguments);
        child.waitForFinished(20'000);
        return readFrom(child);
    }

    static std::map<std::string, std::string> uninterrupted(const QString& path, std::int64_t bandwidths) {
        runSweep(planOf(tests::smallSweep(bandwidths)), path.toStdString(), {});
        return tests::rowsOf(path.toStdString());
    }

    /// What a child that could not go on has kept is there, and a second one that can does the rest.
    void checkRest(const QString& path, const Told& told, std::int64_t bandwidths) {
        QVERIFY2(!told.failure.empty(), "the child did not say that it failed");
        const auto rows = tests::rowsOf(path.toStdString());
        for (const std::string& hash : told.kept)
            QVERIFY(rows.contains(hash));
        const Told rest = runChild({path, QString::number(bandwidths), "2"});
        QVERIFY(rest.done);
        QCOMPARE(*rest.toRun, static_cast<std::size_t>(bandwidths) * 12 - rows.size());
        QVERIFY(tests::rowsOf(path.toStdString()) == uninterrupted(path + ".whole", bandwidths));
    }

private Q_SLOTS:
    void fiftyKillsLoseNothingThatWasKept() {
        constexpr std::int64_t kBandwidths = 60;
        constexpr std::size_t kPoints = kBandwidths * 12;
        const std::uint64_t seed = std::random_device()();
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        std::mt19937_64 random(seed);
        const auto whole = uninterrupted(pathOf("whole.sqlite"), kBandwidths);
        QCOMPARE(whole.size(), kPoints);
        int stores = 0, killed = 0;
        std::map<std::string, std::string> rows;
        QString path = pathOf("killed.sqlite");
        while (killed < 50) {
            QProcess child;
            child.start(RINGSIDE_SWEEP_CHILD, {path, QString::number(kBandwidths), "2"});
            QVERIFY(child.waitForStarted());
            child.waitForFinished(static_cast<int>(random() % 90));
            killed += child.state() == QProcess::Running ? 1 : 0;
            child.kill();
            child.waitForFinished();
            const Told told = readFrom(child);
            if (told.toRun)
                QCOMPARE(*told.toRun, kPoints - rows.size());
            if (!QFile::exists(path))
                continue;  // killed before there was a store
            const auto before = rows.size();
            rows = tests::rowsOf(path.toStdString());
            QVERIFY(rows.size() >= before + told.kept.size());
            for (const std::string& hash : told.kept)
                QVERIFY(rows.contains(hash));
            for (const auto& [hash, row] : rows)
                QCOMPARE(row, whole.at(hash));
            if (rows.size() == kPoints) {  // all is done: once more from the beginning
                rows.clear();
                path = pathOf(QString("killed%1.sqlite").arg(++stores));
            }
        }
        QVERIFY(runChild({path, QString::number(kBandwidths), "2"}).done);
        QVERIFY(tests::rowsOf(path.toStdString()) == whole);
    }

    void aFileThatMayNotGrowStopsTheSweepAndKeepsWhatIsThere() {
        const QString path = pathOf("limited.sqlite");
        const Told told = runChild({path, "90", "2", "at-most", "262144"});
        QVERIFY2(told.failure.find("limited.sqlite") != std::string::npos, told.failure.c_str());
        checkRest(path, told, 90);
    }

    void aFullDiskStopsTheSweepAndKeepsWhatIsThere() {
        const QString folder = pathOf("disk");
        QVERIFY(QDir().mkpath(folder));
        // A small disk that only the child and its shell can see; what it holds is copied out before it goes.
        const QString script = QString("mount -t tmpfs -o size=1m tmpfs '%1' || exit 9\n"
                                       "'%2' '%1/full.sqlite' 90 2\n"
                                       "cp '%1'/full.sqlite* '%3'")
                                   .arg(folder, RINGSIDE_SWEEP_CHILD, m_folder.path());
        QProcess child;
        child.start("unshare", {"--mount", "--map-root-user", "sh", "-c", script});
        child.waitForFinished(20'000);
        if (child.error() == QProcess::FailedToStart || child.exitCode() != 0)
            QSKIP("no small disk can be mounted here");
        const Told told = readFrom(child);
        QVERIFY2(told.failure.find("make room") != std::string::npos, told.failure.c_str());
        QVERIFY(!tests::rowsOf(pathOf("full.sqlite").toStdString()).empty());
        checkRest(pathOf("full.sqlite"), told, 90);
    }

    void aFolderThatMayNotBeWrittenIsSaidAtOnce() {
        const QString folder = pathOf("readonly");
        QVERIFY(QDir().mkpath(folder));
        QFile::setPermissions(m_folder.path(), QFile::Permissions(0x5555));
        QFile::setPermissions(folder, QFile::Permissions(0x5555));
        const Told told = runChild({folder + "/store.sqlite", "2", "2", "nobody"});
        QFile::setPermissions(folder, QFile::Permissions(0x7777));
        QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7777));
        QVERIFY2(told.failure.find("permissions") != std::string::npos, told.failure.c_str());
        QVERIFY(QDir(folder).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSweepFaults)
#include "tst_sweep_faults.moc"
