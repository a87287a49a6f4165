#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "data/store/store_connection.h"
#include "data/sweep/sweep_store.h"
#include "tests/data/said.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <unistd.h>

#include <barrier>
#include <thread>

using namespace data;

namespace {

using tests::contains;

const std::string kFaultyDraft = writeDraft({});

std::string faultOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const StoreError& error) { return error.what(); }
    return "";
}

std::int64_t keep(Store& store, std::int64_t seed) {
    engine::Experiment experiment;
    experiment.seed = seed;
    return store.keep("run " + std::to_string(seed), kFaultyDraft, experiment, tests::sampleResult());
}

/// Keeps this many points in one batch, each with a lot of text.
void keepBatch(Store& store, int points) {
    std::vector<engine::Experiment> experiments(static_cast<std::size_t>(points));
    std::vector<std::string> hashes;
    const engine::RunResult result = tests::sampleResult();
    for (int i = 0; i < points; ++i) {
        experiments[static_cast<std::size_t>(i)].seed = 1000 + i;
        hashes.push_back(experimentHash(experiments[static_cast<std::size_t>(i)]));
    }
    std::vector<EndedPoint> ended;
    for (std::size_t i = 0; i < experiments.size(); ++i)
        ended.push_back({"point", kFaultyDraft, hashes[i], &experiments[i], &result, {}});
    SweepStore(store).keepPoints(ended);
}

/// Removes the rights of root for the lifetime of this object, by becoming "nobody". Other users keep their rights.
class WithoutPrivileges {
public:
    WithoutPrivileges() : m_wasRoot(geteuid() == 0) {
        constexpr uid_t kNobody = 65534;
        m_holds = !m_wasRoot || seteuid(kNobody) == 0;
    }
    ~WithoutPrivileges() {
        if (m_wasRoot && seteuid(0) != 0)
            qFatal("cannot become root again");
    }
    WithoutPrivileges(const WithoutPrivileges&) = delete;
    WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
    bool holds() const { return m_holds; }

private:
    bool m_wasRoot = false;
    bool m_holds = false;
};

}  // namespace

class TestStoreFaults : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    std::string newFile() { return m_folder.filePath(QString::number(++m_files) + ".ringside").toStdString(); }

    std::string newStore(int runs) {
        const std::string path = newFile();
        Store store(path);
        for (int i = 0; i < runs; ++i)
            keep(store, i + 1);
        return path;
    }

    /// Makes a folder with a store. Everybody can read the folder and, with `fileToo`, the file, and nobody can write
    /// to them.
    std::string protectedStore(bool fileToo) {
        const QString folder = m_folder.filePath(QString::number(++m_files));
        QDir().mkpath(folder);
        const QString path = folder + "/store.ringside";
        {
            Store store(path.toStdString());
            keep(store, 1);
        }
        using enum QFileDevice::Permission;
        const auto look = ReadOwner | ReadGroup | ReadOther;
        const auto enter = look | ExeOwner | ExeGroup | ExeOther;
        QFile::setPermissions(m_folder.path(), enter | WriteOwner);
        if (fileToo)
            QFile::setPermissions(path, look);
        QFile::setPermissions(folder, fileToo ? enter | WriteOwner | WriteGroup | WriteOther : enter);
        return path.toStdString();
    }

private Q_SLOTS:
    void aStoreCutOffAnywhereIsRefusedUntouched() {
        const std::string path = newStore(60);
        QFile whole(QString::fromStdString(path));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        const std::string cut = newFile();
        for (const qsizetype size :
             {qsizetype{1}, qsizetype{15}, qsizetype{99}, qsizetype{100}, qsizetype{511}, qsizetype{4095},
              qsizetype{4096}, qsizetype{4097}, bytes.size() / 2, bytes.size() - 4096, bytes.size() - 1}) {
            QFile file(QString::fromStdString(cut));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes.left(size)) == size);
            file.close();
            for (const Store::Mode mode : {Store::Mode::readWrite, Store::Mode::readOnly}) {
                const std::string said = faultOf([&] { const Store store(cut, mode); });
                QVERIFY2(contains(said, "damaged") || contains(said, "not an SQLite file"),
                         (std::to_string(size) + " bytes: " + said).c_str());
                QVERIFY(contains(said, cut));
            }
            QCOMPARE(QFileInfo(QString::fromStdString(cut)).size(), size);
        }
    }

    void aLargeStoreThatWasCutOffIsSeenWithoutReadingIt() {
        // The file is larger than the size up to which every page is checked. For such files only the length is
        // compared with that in the header.
        const std::string path = newStore(1);
        {
            const Store store(path);
            store.connection().database.exec("CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(68000000))");
        }
        QFile file(QString::fromStdString(path));
        QVERIFY(file.size() > 68'000'000);
        QCOMPARE(faultOf([&] { const Store store(path); }), std::string());
        QVERIFY(file.resize(file.size() - 1));
        const std::string said = faultOf([&] { const Store store(path); });
        QVERIFY2(contains(said, "cut off"), said.c_str());
    }

    void aFullDiskTakesNothingOfABatchAndNothingOfWhatWasThere() {
        Store store(newFile());
        keep(store, 1);
        const std::int64_t pages = store.connection().database.execAndGet("PRAGMA page_count").getInt64();
        store.connection().database.execAndGet("PRAGMA max_page_count = " + std::to_string(pages + 5));
        const std::string said = faultOf([&] { keepBatch(store, 200); });
        QVERIFY2(contains(said, "full") && contains(said, "make room") && contains(said, store.path()), said.c_str());
        QCOMPARE(store.runs().size(), std::size_t{1});
        QVERIFY(tests::sameResult(store.resultOf(1), tests::sampleResult()));
        store.connection().database.execAndGet("PRAGMA max_page_count = 1000000");
        keepBatch(store, 200);
        QCOMPARE(store.runs().size(), std::size_t{201});
    }

    void whileAnotherProgramWritesReadersGoOnAndWritersSayTryAgain() {
        const std::string path = newStore(2);
        Store store(path);
        SQLite::Database other(path, SQLite::OPEN_READWRITE);
        other.exec("BEGIN IMMEDIATE; UPDATE run SET note = 'busy'");
        const std::string said = faultOf([&] { keep(store, 3); });
        QVERIFY2(contains(said, "another program is using it, try again"), said.c_str());
        QCOMPARE(store.runs().size(), std::size_t{2});
        QCOMPARE(RunCatalogue(store).rows({}).front().note, std::string());
        other.exec("COMMIT");
        keep(store, 3);
        QCOMPARE(store.runs().size(), std::size_t{3});
        QCOMPARE(RunCatalogue(store).rows({})[1].note, std::string("busy"));
    }

    void aBatchWaitsForAnotherProgramsTransaction() {
        const std::string path = newStore(1);
        Store store(path);
        SQLite::Database other(path, SQLite::OPEN_READWRITE);
        other.exec("BEGIN IMMEDIATE");
        constexpr std::chrono::milliseconds kLongerThanAWindowWaits{500};
        std::jthread release([&] {
            std::this_thread::sleep_for(kLongerThanAWindowWaits);
            other.exec("COMMIT");
        });
        keepBatch(store, 3);
        QCOMPARE(store.runs().size(), std::size_t{4});
    }

    void twoWindowsOnOneStoreSeeEachOthersRuns() {
        const std::string path = newFile();
        Store one(path), two(path);
        keep(one, 1);
        keep(two, 2);
        QCOMPARE(keep(two, 1), std::int64_t{1});
        QCOMPARE(one.runs().size(), std::size_t{2});
        QCOMPARE(two.runs().size(), std::size_t{2});
    }

    void processesThatCreateAStoreAtTheSameTimeShareIt() {
        constexpr int kWriters = 6;
        for (int round = 0; round < 10; ++round) {
            const std::string path = newFile();
            std::barrier together(kWriters);
            std::vector<std::string> said(kWriters);
            {
                std::vector<std::jthread> writers;
                for (int i = 0; i < kWriters; ++i) {
                    writers.emplace_back([&, i] {
                        together.arrive_and_wait();
                        said[static_cast<std::size_t>(i)] = faultOf([&] { const Store store(path); });
                    });
                }
            }
            for (const std::string& text : said)
                QCOMPARE(text, std::string());
            QCOMPARE(Store(path, Store::Mode::readOnly).runs().size(), std::size_t{0});
        }
    }

    /// Changes the byte of the file that lies `offset` bytes after the n-th occurrence of `text` begins.
    static bool flip(const std::string& path, const QByteArray& text, qsizetype offset = 0, int nth = 1) {
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::ReadWrite))
            return false;
        const QByteArray bytes = file.readAll();
        qsizetype place = -1;
        for (; nth > 0; --nth)
            place = bytes.indexOf(text, place + 1);
        return place >= 0 && file.seek(place + offset) &&
               file.write(QByteArray(1, static_cast<char>(bytes[place + offset] ^ 1))) == 1;
    }

    void aFlippedByteOfARunLeavesItOutAndSaysWhichItIs() {
        const std::string path = newStore(60);
        QVERIFY(flip(path, "run 7"));
        Store store(path);
        QCOMPARE(store.runs().size(), std::size_t{59});
        const auto damaged = store.takeDamaged();
        QCOMPARE(damaged.size(), std::size_t{1});
        QCOMPARE(damaged[0].id, std::int64_t{7});
        QCOMPARE(describe(damaged), std::string("1 damaged run: 7 \"sun 7\""));
        QVERIFY(store.takeDamaged().empty());
        QCOMPARE(RunCatalogue(store).rows({{"time_ps.total"}}).size(), std::size_t{59});
        QCOMPARE(store.takeDamaged(), damaged);
        const std::string said = faultOf([&] { store.resultOf(7); });
        QVERIFY2(contains(said, "run 7 is damaged (its bytes have changed since it was kept)"), said.c_str());
        QVERIFY(tests::sameResult(store.resultOf(8), tests::sampleResult()));
    }

    void everyByteOfARunIsWatchedOver() {
        const char* changes[] = {"name = name || ' '",
                                 "total_ps = total_ps + 1",
                                 "speedup = speedup * 1.5",
                                 "speedup = NULL",
                                 "engine_version = '9.9'",
                                 "experiment_hash = 'a' || substr(experiment_hash, 2)",
                                 "differences = 'seed=4' || char(10)",
                                 "layout = NULL",
                                 "result = x'00' || substr(result, 2)",
                                 "draft = draft || ' '",
                                 "checksum = checksum + 1",
                                 "checksum = NULL"};
        for (const char* change : changes) {
            const std::string path = newStore(2);
            SQLite::Database(path, SQLite::OPEN_READWRITE)
                .exec(std::string("UPDATE run SET ") + change + " WHERE id = 1");
            QVERIFY2(Store(path).runs().size() == 1, change);
        }
        for (const char* table : {"experiment_base", "result_layout"}) {
            const std::string path = newStore(2);
            SQLite::Database(path, SQLite::OPEN_READWRITE)
                .exec(std::string("UPDATE ") + table + " SET document = document || ' '");
            QVERIFY2(Store(path).runs().empty(), table);
        }
        const std::string marked = newStore(2);
        SQLite::Database(marked, SQLite::OPEN_READWRITE)
            .exec("UPDATE run SET note = 'for the talk', tags = 'a b', created_unix_ms = 7 WHERE id = 1");
        QCOMPARE(Store(marked).runs().size(), std::size_t{2});
    }

    void aDamagedRunThatIsKeptAgainIsWholeWithItsNote() {
        const std::string path = newStore(3);
        Store store(path);
        RunCatalogue(store).setNote(2, "mine");
        engine::Experiment second;
        second.seed = 2;
        QVERIFY(store.find(second).has_value());
        SQLite::Database(path, SQLite::OPEN_READWRITE).exec("UPDATE run SET result = x'00' WHERE id = 2");
        QVERIFY(!store.find(second).has_value());
        QCOMPARE(keep(store, 2), std::int64_t{2});
        QCOMPARE(store.find(second), std::optional<std::int64_t>(2));
        QCOMPARE(store.runs().size(), std::size_t{3});
        QVERIFY(tests::sameResult(store.resultOf(2), tests::sampleResult()));
        QCOMPARE(RunCatalogue(store).rows({}).front().note, std::string("mine"));
    }

    void aRunWhoseHashOnlyTheIndexStillHasIsKeptAnew() {
        engine::Experiment third;
        third.seed = 3;
        const std::string path = newStore(4);
        QVERIFY(flip(path, QByteArray::fromStdString("run 3" + experimentHash(third)), 5));
        Store store(path);
        QCOMPARE(store.runs().size(), std::size_t{3});
        QVERIFY(!store.find(third).has_value());
        QVERIFY(keep(store, 3) > 4);
        QCOMPARE(store.runs().size(), std::size_t{4});
        QCOMPARE(store.takeDamaged().size(), std::size_t{1});
        QVERIFY(store.find(third).has_value());
    }

    void aSharedDocumentThatIsDamagedIsWrittenAnew() {
        const QByteArray base = QByteArray::fromStdString(canonicalForm(engine::Experiment{})).left(60);
        for (const int nth : {1, 2}) {  // in the row, in the index
            const std::string path = newStore(2);
            QVERIFY(flip(path, base, 30, nth));
            Store store(path);
            keep(store, 1);
            keep(store, 2);
            QCOMPARE(store.runs().size(), std::size_t{2});
            QVERIFY(tests::sameResult(store.resultOf(1), tests::sampleResult()));
        }
    }

    void aPageThatSQLiteCannotReadNamesTheFileAndWhatToDo() {
        const std::string path = newStore(60);
        const Store store(path);
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(4096));
        QVERIFY(file.write(QByteArray(static_cast<int>(file.size() - 4096), 'x')) > 0);
        file.close();
        const std::string said = faultOf([&] { Store(path).runs(); });
        for (const char* part : {path.c_str(), "the store is damaged", "restore a copy or choose another file"})
            QVERIFY2(contains(said, part), said.c_str());
    }

    void aStoreThatMayOnlyBeReadIsRefusedForWritingAndRead() {
        const std::string path = protectedStore(true);
        const WithoutPrivileges person;
        if (!person.holds())
            QSKIP("cannot become somebody without privileges");
        const std::string said = faultOf([&] { const Store store(path); });
        QVERIFY2(contains(said, "may only be read") && contains(said, path), said.c_str());
        QCOMPARE(Store(path, Store::Mode::readOnly).runs().size(), std::size_t{1});
    }

    void aStoreInAFolderThatMayOnlyBeReadIsReadAllTheSame() {
        const std::string path = protectedStore(false);
        const WithoutPrivileges person;
        if (!person.holds())
            QSKIP("cannot become somebody without privileges");
        QCOMPARE(Store(path, Store::Mode::readOnly).runs().size(), std::size_t{1});
        const std::string said = faultOf([&] { const Store store(path); });
        QVERIFY2(contains(said, "permissions") || contains(said, "may only be read"), said.c_str());
        const std::string fresh = QFileInfo(QString::fromStdString(path)).dir().filePath("new.ringside").toStdString();
        const std::string none = faultOf([&] { const Store store(fresh); });
        QVERIFY2(contains(none, "check the permissions of the file and of its folder"), none.c_str());
    }

    void aFileSystemThatTakesNoFilesIsNamed() {
        if (!QFileInfo::exists("/proc/self"))
            QSKIP("there is no /proc");
        const std::string said = faultOf([] { const Store store("/proc/ringside.sqlite"); });
        QVERIFY2(contains(said, "/proc/ringside.sqlite: the store could not be opened"), said.c_str());
    }
};

RINGSIDE_TEST(TestStoreFaults)
#include "tst_store_faults.moc"
