#include "data/sweep/sweep_runner.h"
#include "tests/data/small_sweep.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <random>
#include <set>

using namespace data;

namespace {

/// The output of the child by line. A last line without its end is ignored.
struct Reported {
    std::vector<std::string> kept;
    std::optional<std::size_t> toRun;
    std::string failure;
    bool done = false;
};

Reported readFrom(QProcess& child) {
    Reported reported;
    const QByteArray output = child.readAllStandardOutput();
    const QByteArray whole = output.left(output.lastIndexOf('\n') + 1);
    for (const QByteArray& line : whole.split('\n')) {
        if (line.startsWith("kept "))
            reported.kept.push_back(line.mid(5).toStdString());
        else if (line.startsWith("to run "))
            reported.toRun = line.mid(7).toULongLong();
        else if (line.startsWith("failed "))
            reported.failure = line.mid(7).toStdString();
        reported.done = reported.done || line == "done";
    }
    return reported;
}

}  // namespace

class TestSweepFaults : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const QString& name) const { return m_folder.filePath(name); }

    Reported runChild(const QStringList& arguments, const QString& program = RINGSIDE_SWEEP_CHILD) {
        QProcess child;
        child.start(program, arguments);
        child.waitForFinished(20'000);
        return readFrom(child);
    }

    static constexpr std::int64_t kBandwidths =
        50;  // a complete run takes about ten starts of the children that are killed
    std::map<std::string, std::string> m_whole;  // the rows of an uninterrupted sweep

    static std::size_t pointsOf(std::int64_t bandwidths) { return static_cast<std::size_t>(bandwidths) * 12; }

    void checkRows(const std::map<std::string, std::string>& rows) {
        for (const auto& [hash, row] : rows)
            QVERIFY(m_whole.contains(hash) && row == m_whole.at(hash));
    }

    /// Checks that the store has everything that an interrupted child has kept, and that a second child runs the rest.
    void checkRest(const QString& path, const Reported& reported) {
        QVERIFY2(!reported.failure.empty(), "the child did not say that it failed");
        const auto rows = tests::rowsOf(path.toStdString());
        for (const std::string& hash : reported.kept)
            QVERIFY(rows.contains(hash));
        const Reported rest = runChild({path, QString::number(kBandwidths), "2"});
        QVERIFY(rest.done);
        QCOMPARE(*rest.toRun, pointsOf(kBandwidths) - rows.size());
        QVERIFY(tests::rowsOf(path.toStdString()) == m_whole);
    }

private Q_SLOTS:
    void initTestCase() {
        const std::string path = pathOf("whole.sqlite").toStdString();
        runSweep(planOf(tests::smallSweep(kBandwidths)), path, {});
        m_whole = tests::rowsOf(path);
        QCOMPARE(m_whole.size(), pointsOf(kBandwidths));
    }

    void twentyKillsLoseNothingThatWasKept() {
        constexpr int kKills = 20;  // at other moments each time: the seed is random
        const std::uint64_t seed = std::random_device()();
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        std::mt19937_64 random(seed);
        int stores = 0, killed = 0;
        std::map<std::string, std::string> rows;
        QString path = pathOf("killed.sqlite");
        while (killed < kKills) {
            QProcess child;
            child.start(RINGSIDE_SWEEP_CHILD, {path, QString::number(kBandwidths), "2"});
            QVERIFY(child.waitForStarted());
            child.waitForFinished(static_cast<int>(random() % 90));
            killed += child.state() == QProcess::Running ? 1 : 0;
            child.kill();
            child.waitForFinished();
            const Reported reported = readFrom(child);
            if (reported.toRun)
                QCOMPARE(*reported.toRun, pointsOf(kBandwidths) - rows.size());
            if (!QFile::exists(path))
                continue;  // killed before the store was created
            auto more = tests::rowsOf(path.toStdString(), rows);
            checkRows(more);
            QVERIFY(more.size() >= reported.kept.size());
            for (const std::string& hash : reported.kept)
                QVERIFY(more.contains(hash));
            rows.merge(more);
            QCOMPARE(Store(path.toStdString()).runs().size(), rows.size());
            if (rows.size() == pointsOf(kBandwidths)) {  // complete: start again with an empty store
                rows.clear();
                path = pathOf(QString("killed%1.sqlite").arg(++stores));
            }
        }
        QVERIFY(runChild({path, QString::number(kBandwidths), "2"}).done);
        rows = tests::rowsOf(path.toStdString());
        QCOMPARE(rows.size(), pointsOf(kBandwidths));
        checkRows(rows);
    }

    void severalProcessesBeginOneStoreAndAllKeepTheirPoints_data() {
        QTest::addColumn<int>("writers");
        for (const int writers : {4, 8, 16})
            QTest::addRow("%d", writers) << writers;
    }

    void severalProcessesBeginOneStoreAndAllKeepTheirPoints() {
        QFETCH(const int, writers);
        constexpr std::int64_t kFew = 2;
        for (int round = 0; round < 5; ++round) {
            const QString path = pathOf(QString("begun-%1-%2.sqlite").arg(writers).arg(round));
            std::vector<std::unique_ptr<QProcess>> children;
            for (int i = 0; i < writers; ++i) {
                children.push_back(std::make_unique<QProcess>());
                children.back()->start(RINGSIDE_SWEEP_CHILD, {path, QString::number(kFew), "1"});
            }
            for (const auto& child : children) {
                QVERIFY(child->state() == QProcess::NotRunning || child->waitForFinished(20'000));
                const Reported reported = readFrom(*child);
                QVERIFY2(reported.done, reported.failure.c_str());
            }
            const auto rows = tests::rowsOf(path.toStdString());
            QCOMPARE(rows.size(), pointsOf(kFew));
            checkRows(rows);
        }
    }

    void aFileThatMayNotGrowStopsTheSweepAndKeepsWhatIsThere() {
        const QString path = pathOf("limited.sqlite");
        const Reported reported = runChild({path, QString::number(kBandwidths), "2", "at-most", "131072"});
        QVERIFY2(reported.failure.find("limited.sqlite") != std::string::npos, reported.failure.c_str());
        checkRest(path, reported);
    }

    void aFullDiskStopsTheSweepAndKeepsWhatIsThere() {
        const QString folder = pathOf("disk");
        QVERIFY(QDir().mkpath(folder));
        // Mounts a small disk that only the child and its shell can see. Its files are copied before it is unmounted.
        const QString script = QString("mount -t tmpfs -o size=512k tmpfs '%1' || exit 9\n"
                                       "'%2' '%1/full.sqlite' %4 2\n"
                                       "cp '%1'/full.sqlite* '%3'")
                                   .arg(folder, RINGSIDE_SWEEP_CHILD, m_folder.path(), QString::number(kBandwidths));
        QProcess child;
        child.start("unshare", {"--mount", "--map-root-user", "sh", "-c", script});
        child.waitForFinished(20'000);
        if (child.error() == QProcess::FailedToStart || child.exitCode() != 0)
            QSKIP("no small disk can be mounted here");
        const Reported reported = readFrom(child);
        QVERIFY2(reported.failure.find("make room") != std::string::npos, reported.failure.c_str());
        QVERIFY(!tests::rowsOf(pathOf("full.sqlite").toStdString()).empty());
        checkRest(pathOf("full.sqlite"), reported);
    }

    void aFolderThatMayNotBeWrittenIsSaidAtOnce() {
        const QString folder = pathOf("readonly");
        QVERIFY(QDir().mkpath(folder));
        QFile::setPermissions(m_folder.path(), QFile::Permissions(0x5555));
        QFile::setPermissions(folder, QFile::Permissions(0x5555));
        const Reported reported = runChild({folder + "/store.sqlite", "2", "2", "nobody"});
        QFile::setPermissions(folder, QFile::Permissions(0x7777));
        QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7777));
        QVERIFY2(reported.failure.find("permissions") != std::string::npos, reported.failure.c_str());
        QVERIFY(QDir(folder).isEmpty());
    }
};

RINGSIDE_CORE_TEST(TestSweepFaults)
#include "tst_sweep_faults.moc"
