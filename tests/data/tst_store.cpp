#include "data/experiment/experiment_document.h"
#include "data/presets/presets.h"
#include "data/results/result_document.h"
#include "data/store/run_seal.h"
#include "data/store/schema.h"
#include "data/store/store.h"
#include "data/store/store_connection.h"
#include "engine/api/runner.h"
#include "tests/data/said.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace data;

namespace {

using tests::contains;

std::string draftText() { return writeDraft({}); }

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// Returns the error when opening a store; empty if it opens.
std::string refusal(const QString& path, Store::Mode mode = Store::Mode::readWrite) {
    try {
        const Store store(path.toStdString(), mode);
    } catch (const StoreError& error) { return error.what(); }
    return "";
}

/// The schema that the first released program created. Never edit it: users have such files.
constexpr const char* kSchema1 = R"sql(
    CREATE TABLE run (
        id              INTEGER PRIMARY KEY,
        name            TEXT    NOT NULL,
        experiment_hash TEXT    NOT NULL,
        engine_version  TEXT    NOT NULL,
        draft           TEXT    NOT NULL,
        experiment      TEXT    NOT NULL,
        result          TEXT    NOT NULL,
        created_unix_ms INTEGER NOT NULL,
        total_ps        INTEGER NOT NULL,
        speedup         REAL,
        UNIQUE (experiment_hash, engine_version)
    );
    CREATE INDEX run_by_time ON run (created_unix_ms);
    PRAGMA application_id = 1382641255;
    PRAGMA user_version = 1;
)sql";

}  // namespace

class TestStore : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    /// Checks that opening a file fails with these words, changes no byte of it and leaves no other file beside it.
    void refusedUntouched(const QString& path, const char* words) {
        const QByteArray before = bytesOf(path);
        const QStringList beside = QDir(m_folder.path()).entryList(QDir::Files);
        for (const Store::Mode mode : {Store::Mode::readWrite, Store::Mode::readOnly}) {
            const std::string said = refusal(path, mode);
            QVERIFY2(contains(said, words), said.c_str());
            QVERIFY2(contains(said, path.toStdString()), said.c_str());
            QCOMPARE(bytesOf(path), before);
            QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), beside);
        }
    }

    void makeStore(const QString& path, int runs = 1) {
        Store store(path.toStdString());
        engine::Experiment experiment;
        for (int i = 0; i < runs; ++i) {
            experiment.seed = i + 1;
            store.keep("run " + std::to_string(i + 1), draftText(), experiment, tests::sampleResult());
        }
    }

private Q_SLOTS:
    void aKeptRunIsThereWhenTheFileIsOpenedAgain() {
        const QString path = file("kept.ringside");
        makeStore(path, 3);
        const Store store(path.toStdString());
        const auto runs = store.runs();
        QCOMPARE(runs.size(), std::size_t{3});
        QCOMPARE(runs.front().name, std::string("run 3"));  // newest first
        QCOMPARE(runs.front().totalPs, 2000);
        QCOMPARE(runs.front().speedup, std::optional<double>(1.08));
        QCOMPARE(runs.front().draft, draftText());
        QVERIFY(tests::sameResult(store.resultOf(runs.front().id), tests::sampleResult()));
        QCOMPARE(store.runWithId(runs.back().id)->name, std::string("run 1"));
        QVERIFY(!store.runWithId(4711));
        QVERIFY_EXCEPTION_THROWN(store.resultOf(4711), StoreError);
    }

    void theSameExperimentIsKeptOnceWithItsLatestTime() {
        Store store(file("once.ringside").toStdString());
        const std::int64_t first = store.keep("a", draftText(), {}, tests::sampleResult());
        const std::int64_t created = store.runWithId(first)->createdUnixMs;
        QTest::qSleep(5);
        QCOMPARE(store.keep("a", draftText(), {}, tests::sampleResult()), first);
        QCOMPARE(store.runs().size(), std::size_t{1});
        QVERIFY(store.runWithId(first)->createdUnixMs > created);
    }

    void aRemovedRunIsGone() {
        Store store(file("removed.ringside").toStdString());
        const std::int64_t id = store.keep("a", draftText(), {}, tests::sampleResult());
        store.remove(id);
        QVERIFY(store.runs().empty());
    }

    void aClosedStoreIsOneFileThatSaysWhoseItIs() {
        const QString path = file("alone.ringside");
        makeStore(path);
        QVERIFY(!QFile::exists(path + "-wal") && !QFile::exists(path + "-shm"));
        const QByteArray bytes = bytesOf(path);
        QCOMPARE(bytes.mid(68, 4), QByteArray("Ring"));
        QCOMPARE(bytes.mid(60, 4), QByteArray("\0\0\0\4", 4));
    }

    void aNewStoreSaysWhoseItIsBeforeItIsClosed() {
        // The file is read while the store is open, in the state that a killed program leaves: closing would move data
        // into it.
        const QString path = file("unclosed.ringside");
        const Store store(path.toStdString());
        QCOMPARE(bytesOf(path).mid(68, 4), QByteArray("Ring"));
    }

    void aTextFileIsRefusedUntouched() {
        write(file("notes.txt"), "not a database, but something somebody wrote\n" + QByteArray(500, 'x'));
        refusedUntouched(file("notes.txt"), "not an SQLite file");
        write(file("short.txt"), "short");
        refusedUntouched(file("short.txt"), "not an SQLite file");
    }

    void anotherProgramsDatabaseIsRefusedUntouched() {
        const QString path = file("foreign.db");
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            database.exec("CREATE TABLE bookmark (url TEXT)");
        }
        refusedUntouched(path, "another program");
    }

    void anotherProgramsDatabaseInWalModeIsRefusedUntouched() {
        const QString path = file("foreign-wal.db");
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            database.exec("PRAGMA journal_mode = WAL");
            database.exec("CREATE TABLE bookmark (url TEXT)");
        }
        refusedUntouched(path, "another program");
    }

    void aNewerStoreIsRefusedUntouched() {
        const QString path = file("newer.ringside");
        makeStore(path);
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE);
            database.exec("PRAGMA user_version = " + std::to_string(schemaVersion() + 1));
        }
        refusedUntouched(path, "newer Ringside");
    }

    void aDamagedStoreIsRefusedUntouched() {
        const QString path = file("damaged.ringside");
        makeStore(path, 40);
        QByteArray bytes = bytesOf(path);
        // Every page but the first is overwritten, as by a bad sector or an incomplete copy.
        for (qsizetype i = 4096; i < bytes.size(); ++i)
            bytes[i] = '\x5a';
        write(path, bytes);
        refusedUntouched(path, "damaged");
    }

    void aStoreThatWasCutOffIsRefusedUntouched() {
        const QString path = file("cut.ringside");
        makeStore(path, 40);
        write(path, bytesOf(path).left(4096 * 2 + 100));
        refusedUntouched(path, "damaged");
    }

    void missingFilesFoldersAndDirectoriesAreNamed() {
        QVERIFY(contains(refusal(file("missing.ringside"), Store::Mode::readOnly), "no such file"));
        QVERIFY(!QFile::exists(file("missing.ringside")));
        QVERIFY(contains(refusal(file("no/such/folder.ringside")), "folder does not exist"));
        QVERIFY(contains(refusal(m_folder.path()), "not a file"));
    }

    void anEmptyFileBecomesAStore() {
        const QString path = file("empty.ringside");
        write(path, "");
        QVERIFY(contains(refusal(path, Store::Mode::readOnly), "empty"));
        QCOMPARE(refusal(path), std::string());
        QCOMPARE(refusal(path, Store::Mode::readOnly), std::string());
    }

    void anUpgradeHappensWholeOrNotAtAll() {
        // An index of the same name makes the first step of the upgrade fail after it has created its table.
        SQLite::Database database(file("upgrade.db").toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        database.exec("CREATE TABLE other (x); CREATE INDEX run_by_time ON other (x)");
        QVERIFY_EXCEPTION_THROWN(upgradeSchema(database), SQLite::Exception);
        QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), 0);
        QVERIFY(!database.tableExists("run"));
        database.exec("DROP INDEX run_by_time");
        upgradeSchema(database);
        QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), schemaVersion());
        QVERIFY(database.tableExists("run"));
    }

    void aReaderSeesRunsWhileTheWriterHasTheStoreOpen() {
        const QString path = file("shared.ringside");
        Store writer(path.toStdString());
        writer.keep("a", draftText(), {}, tests::sampleResult());
        const Store reader(path.toStdString(), Store::Mode::readOnly);
        QCOMPARE(reader.runs().size(), std::size_t{1});
    }

    void aDamagedResultNamesRunAndWhatIsWrong() {
        // Damaged results: of schema 1, whose results are JSON; of this schema, with missing values; and with unknown
        // keys.
        const std::vector<std::pair<const char*, const char*>> damages{
            {"layout = NULL, result = '{\"shape\": 3}'", "shape: an object is expected"},
            {"layout = NULL, result = 'nothing'", "not valid JSON"},
            {"result = substr(result, 1, length(result) - 3)", "its values do not fit its keys"},
            {"result = result || x'00'", "its values do not fit its keys"},
            {"layout = (SELECT max(id) FROM result_layout)", "its keys are not valid JSON"}};
        for (const auto& [change, words] : damages) {
            const QString path = file("result.ringside");
            QFile::remove(path);
            makeStore(path);
            {
                SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE);
                database.exec("INSERT INTO result_layout (document) VALUES ('[{')");
                database.exec(std::string("UPDATE run SET ") + change);
            }
            const Store store(path.toStdString());
            try {
                store.resultOf(1);
                QFAIL("a damaged result was read");
            } catch (const StoreError& error) {
                QVERIFY2(contains(error.what(), words), error.what());
                QVERIFY2(contains(error.what(), "run 1 is damaged"), error.what());
            }
        }
    }

    void aRunWhoseTextIsNotUtf8IsDamagedAndIsNamed() {
        const QString path = file("letters.ringside");
        makeStore(path);
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET engine_version = CAST(x'FFFE' AS TEXT)");
            sealRuns(database, ToSeal::all);
        }
        const Store store(path.toStdString());
        try {
            store.documentOf(1);
            QFAIL("a document was written from bytes that are not text");
        } catch (const StoreError& error) {
            QVERIFY2(contains(error.what(), "run 1 is damaged (its text is not UTF-8)"), error.what());
        }
    }

    void aSettingThatIsGoneStaysInTheRunsThatHadIt() {
        const QString path = file("gone.ringside");
        Store store(path.toStdString());
        const std::int64_t id = store.keep("a", draftText(), engine::Experiment{}, tests::sampleResult());
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET engine_version = '0.0.9', differences = 'dma.queue=4' || char(10)");
            sealRuns(database, ToSeal::all);
        }
        const std::string document = store.documentOf(id);
        QVERIFY(contains(document, "\"queue\": 4"));
        // The experiment of the run can be run again. Unknown keys are ignored and reported.
        const std::size_t from = document.find("\"experiment\": ") + 14, to = document.find("\"shape\"");
        const DraftReading reading =
            readDraft(std::string_view(document).substr(from, document.rfind(',', to) - from), "test");
        QVERIFY(reading.problems.empty());
        QCOMPARE(experimentHash(expand(reading.draft).experiment), experimentHash({}));
        QCOMPARE(noticesOfRemoved(reading.draft).size(), std::size_t{1});
        QVERIFY(tests::sameResult(store.resultOf(id), tests::sampleResult()));
    }

    void aRunGivesTheDocumentThatRunPrints() {
        Store store(file("documents.ringside").toStdString());
        engine::Experiment other;
        other.machine = "a \"quoted\"\nname = ours";
        other.memory.arrivingUpdateCost = 1.0 / 3.0;
        other.link.bandwidth = {75'000'000'000};
        other.dma.window = engine::Bytes{65536};
        engine::applyPolicyPreset(other, engine::PolicyPreset::sequential);
        engine::RunResult bound = tests::sampleResult();
        bound.last = {};
        bound.isolated.reset();
        bound.speedupOverSequential.reset();
        bound.perGpu = {tests::sampleResult().last, {}};
        for (const engine::Experiment& experiment : {engine::Experiment{}, other}) {
            const auto result = experiment == other ? bound : tests::sampleResult();
            const std::int64_t id = store.keep("a", draftText(), experiment, result);
            QCOMPARE(store.documentOf(id), writeResult(experiment, result));
            QCOMPARE(store.documentOf(id, false), writeResult(experiment, result, false));
            QVERIFY(tests::sameResult(store.resultOf(id), result));
        }
    }

    void aStoreOfSchema1IsUpgradedWithAllThatIsInIt() {
        const QString path = file("schema1.ringside");
        const std::string result = writeResult({}, tests::sampleResult(), false);
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            database.exec(kSchema1);
            SQLite::Statement insert(database,
                                     "INSERT INTO run VALUES (7, 'old', ?, '0.0.9', ?, ?, ?, 1234, 2000, 1.08)");
            insert.bind(1, experimentHash({}));
            insert.bind(2, draftText());
            insert.bind(3, canonicalForm(engine::Experiment{}));
            insert.bind(4, result);
            insert.exec();
        }
        QVERIFY(contains(refusal(path, Store::Mode::readOnly), "older Ringside"));
        Store store(path.toStdString());
        const auto old = store.runWithId(7);
        QVERIFY(old);
        QCOMPARE(old->name, std::string("old"));
        QCOMPARE(old->engineVersion, std::string("0.0.9"));
        QCOMPARE(old->draft, draftText());
        QCOMPARE(old->createdUnixMs, 1234);
        QCOMPARE(old->totalPs, 2000);
        QCOMPARE(old->speedup, std::optional<double>(1.08));
        QVERIFY(tests::sameResult(store.resultOf(7), tests::sampleResult()));
        std::string expected = writeResult({}, tests::sampleResult());
        expected.replace(expected.find(engine::engineVersion()), engine::engineVersion().size(), "0.0.9");
        QCOMPARE(store.documentOf(7), expected);
        // The same experiment in this version of the engine is another run.
        QVERIFY(store.keep("new", draftText(), {}, tests::sampleResult()) != 7);
        QCOMPARE(store.runs().size(), std::size_t{2});
    }

    void aStoreOfSchema2GetsChecksumsWhereExperimentsHaveTheirHashes() {
        const QString path = file("schema2.ringside");
        makeStore(path, 3);
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE);
            database.exec("ALTER TABLE run DROP COLUMN subject; ALTER TABLE run DROP COLUMN checksum; "
                          "PRAGMA user_version = 2");
            database.exec("UPDATE run SET differences = 'seed=77' || char(10) WHERE name = 'run 2'");
        }
        Store store(path.toStdString());
        QCOMPARE(store.runs().size(), std::size_t{2});
        const auto damaged = store.takeDamaged();
        QCOMPARE(damaged.size(), std::size_t{1});
        QCOMPARE(damaged.front().name, std::string("run 2"));
        engine::Experiment second;
        second.seed = 2;
        store.keep("run 2", draftText(), second, tests::sampleResult());
        QCOMPARE(store.runs().size(), std::size_t{3});
    }

    void everyRowOfAStoreOfSchema3IsARunAndStaysSound() {
        const QString path = file("schema3.ringside");
        makeStore(path, 3);
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE);
            database.exec("ALTER TABLE run DROP COLUMN subject; PRAGMA user_version = 3");
        }
        QVERIFY(contains(refusal(path, Store::Mode::readOnly), "older Ringside"));
        Store store(path.toStdString());
        QCOMPARE(store.runs().size(), std::size_t{3});
        QVERIFY(store.takeDamaged().empty());
        SQLite::Database& database = store.connection().database;
        QCOMPARE(database.execAndGet("SELECT count(*) FROM run WHERE subject = 'run'").getInt(), 3);
        QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), schemaVersion());
    }

    void aRowWhoseSubjectWasChangedIsDamaged() {
        const QString path = file("subject.ringside");
        makeStore(path, 1);
        SQLite::Database(path.toStdString(), SQLite::OPEN_READWRITE).exec("UPDATE run SET subject = 'training'");
        Store store(path.toStdString());
        QVERIFY(!store.find({}));
        QCOMPARE(store.takeDamaged().size(), std::size_t{1});
    }

    void everyPresetsRunHasTheHashOfItsExperimentAfterTheUpgrade() {
        const QString path = file("presets.ringside");
        std::size_t kept = 0;
        {
            Store store(path.toStdString());
            for (const char* name : {"t-nlg/fc-2/tp8", "palm/op/tp16", "collective/all-gather/tp8"}) {
                for (const Preset& machine : machines()) {
                    ExperimentDraft draft = draftNamed(name).draft;
                    draft.explicitValues["machine"] = machine.name;
                    draft.explicitValues["topology.kind"] = std::string("fully-connected");
                    draft.explicitValues["memory.efficiency"] = 0.7;
                    store.keep("a", writeDraft(draft), expand(draft).experiment, tests::sampleResult());
                    ++kept;
                }
            }
            SQLite::Database& database = store.connection().database;
            database.exec("UPDATE run SET checksum = NULL");
            sealRuns(database, ToSeal::proven);
        }
        Store store(path.toStdString());
        QCOMPARE(store.runs().size() + store.takeDamaged().size(), store.runs().size());
        QVERIFY(store.runs().size() > 3 && store.runs().size() <= kept);
    }

    void aPointOfASweepIsNotRemovedWithTheAnswerToAnEdit() {
        const QString path = file("needed.ringside");
        makeStore(path);
        {
            SQLite::Database database(path.toStdString(), SQLite::OPEN_READWRITE);
            database.exec("INSERT INTO sweep VALUES (1, 'abc', '', '{}', 1, 0)");
            database.exec("INSERT INTO sweep_point SELECT 1, 0, experiment_hash, '' FROM run");
        }
        Store store(path.toStdString());
        store.remove(store.runs().front().id);
        QCOMPARE(store.runs().size(), std::size_t{1});
    }

    void namesWithMarksOfAddressesAreOrdinaryFiles() {
        const QString path = file("100% #1 what?.ringside");
        makeStore(path);
        QCOMPARE(refusal(path), std::string());
    }

    void aKeptRunIsOpenedAsItWasRunThoughItsMachineMeansSomethingElseByNow() {
        Store store(file("presets.sqlite").toStdString());
        ExperimentDraft draft = draftNamed("t-nlg/fc-2/tp8").draft;
        draft.explicitValues["machine"] = std::string("amd-mi300x");
        const engine::Experiment now = expand(draft).experiment;
        engine::Experiment then = now;
        then.collective.algorithm = engine::CollectiveAlgorithm::ring;  // as the machine had it
        engine::RunResult result = tests::sampleResult();
        result.invariants.failed.clear();
        const auto algorithmOf = [&](const engine::Experiment& run) {
            const std::int64_t id = store.keep("a run", writeDraft(draft), run, result);
            const DraftReading reading = draftOfKept(store, *store.runWithId(id));
            return expand(reading.draft).experiment.collective.algorithm;
        };
        QVERIFY(algorithmOf(then) == engine::CollectiveAlgorithm::ring);
        QVERIFY(algorithmOf(now) == engine::CollectiveAlgorithm::direct);
        const StoredRun same = store.runs().front();
        QCOMPARE(draftOfKept(store, same).draft.explicitValues.size(), draft.explicitValues.size());
    }
};

RINGSIDE_TEST(TestStore)
#include "tst_store.moc"
