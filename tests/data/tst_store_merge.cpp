#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/store/run_catalogue.h"
#include "data/store/run_seal.h"
#include "data/store/schema.h"
#include "data/store/store.h"
#include "data/store/store_merge.h"
#include "data/sweep/sweep_store.h"
#include "tests/data/said.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QtTest>

#include <QFile>
#include <QTemporaryDir>

using namespace data;

namespace {

using tests::contains;

const std::string kMergedDraft = writeDraft({});

Sweep sampleSweep() {
    Sweep sweep;
    sweep.base = draftNamed("t-nlg/fc-2/tp8").draft;
    sweep.axes = {{{{"dma.block_tiles", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}}}}};
    sweep.policies = {"sequential", "t3"};
    sweep.metrics = {"time_ps.total"};
    return sweep;
}

engine::RunResult resultOf(std::size_t number) {
    engine::RunResult result = tests::sampleResult();
    result.last.time.total = {static_cast<std::int64_t>(1000 + number)};
    if (number % 2 == 1)
        result.last.dram.reset();
    return result;
}

void keepPoint(SweepStore& sweeps, const SweepPoint& point, const std::string& failure = "") {
    const engine::RunResult result = resultOf(point.index);
    const PointDetails details = detailsOf(sampleSweep(), point.index);
    const EndedPoint ended{displayName(details.draft), writeDraft(details.draft),           point.hash,
                           &details.experiment,        failure.empty() ? &result : nullptr, failure};
    sweeps.keepPoints({&ended, 1});
}

/// Returns everything in a store as text, without row numbers and times.
std::string contentOf(const std::string& path) {
    SQLite::Database database(path, SQLite::OPEN_READONLY);
    std::string text;
    for (
        const char* query :
        {"SELECT name || experiment_hash || engine_version || total_ps || note || '/' || tags || (trashed_unix_ms IS NULL) "
         "|| differences || quote(result) || draft || base.document || layout.document FROM run "
         "JOIN experiment_base AS base ON base.id = base JOIN result_layout AS layout ON layout.id = layout ORDER BY 1",
         "SELECT experiment_hash || engine_version || reason FROM failure ORDER BY 1",
         "SELECT id || label || document || points FROM sweep ORDER BY 1",
         "SELECT sweep.id || position || experiment_hash || problem FROM sweep_point JOIN sweep ON key = sweep "
         "ORDER BY sweep.id, position"}) {
        SQLite::Statement select(database, query);
        while (select.executeStep())
            text += select.getColumn(0).getString() + "\n";
        text += "--\n";
    }
    return text;
}

}  // namespace

class TestStoreMerge : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    std::string newFile() { return m_folder.filePath(QString::number(++m_files) + ".ringside").toStdString(); }

    /// Makes a store with one shard of the sweep. All of its points have ended, and the last one failed.
    std::string shardStore(std::size_t index, std::size_t count) {
        const std::string path = newFile();
        Store store(path);
        SweepStore sweeps(store);
        const SweepPlan plan = planOf(sampleSweep(), {index, count});
        sweeps.keepSweep(plan);
        for (const SweepPoint& point : plan.points)
            keepPoint(sweeps, point, point.index == 5 ? "a deadlock" : "");
        return path;
    }

    std::string runStore(int runs) {
        const std::string path = newFile();
        Store store(path);
        engine::Experiment experiment;
        for (int i = 0; i < runs; ++i) {
            experiment.seed = i + 1;
            store.keep("run " + std::to_string(i + 1), kMergedDraft, experiment, resultOf(static_cast<std::size_t>(i)));
        }
        return path;
    }

    static void damage(const std::string& path, const char* sql) {
        SQLite::Database(path, SQLite::OPEN_READWRITE).exec(sql);
    }

    /// Changes the rows of a store with SQL and seals them again, so that they count as undamaged.
    static void change(const std::string& path, const char* sql) {
        SQLite::Database database(path, SQLite::OPEN_READWRITE);
        database.exec(sql);
        if (database.execAndGet("PRAGMA user_version").getInt() == schemaVersion())
            sealRuns(database, ToSeal::all);
    }

    /// Checks that a merge is refused with these words, by the check before it and by the merge itself, which changes
    /// nothing.
    void refused(const std::string& into, const std::string& from, const char* words) {
        const auto problems = checkMerge(into, {&from, 1});
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].path, from);
        QVERIFY2(contains(problems[0].text, words), problems[0].text.c_str());
        const std::string before = contentOf(into);
        try {
            Store store(into);
            data::merge(store, from);
            QFAIL("merged all the same");
        } catch (const StoreError& error) {
            QVERIFY2(contains(error.what(), words) && contains(error.what(), from), error.what());
        }
        QCOMPARE(contentOf(into), before);
    }

private Q_SLOTS:
    void shardsJoinedInAnyOrderAreTheWholeSweep() {
        const std::string whole = shardStore(0, 1);
        for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2}, {2, 0, 1}}) {
            const std::string joined = newFile();
            {
                Store store(joined);
                std::size_t runs = 0, failures = 0, points = 0;
                for (const std::size_t index : order) {
                    const MergeSummary brought = data::merge(store, shardStore(index, 3));
                    runs += brought.runs;
                    failures += brought.failures;
                    points += brought.points;
                }
                QCOMPARE(runs, std::size_t{5});
                QCOMPARE(failures, std::size_t{1});
                QCOMPARE(points, std::size_t{6});
                const StoredSweep sweep = SweepStore(store).sweeps().front();
                QCOMPARE(sweep.done, std::size_t{5});
                QCOMPARE(sweep.failed, std::size_t{1});
            }
            QCOMPARE(contentOf(joined), contentOf(whole));
        }
    }

    void theSameStoreAgainChangesNothing() {
        const std::string into = runStore(2), from = runStore(4), shard = shardStore(1, 2);
        Store store(into);
        QCOMPARE(data::merge(store, from).runs, std::size_t{2});
        data::merge(store, shard);
        const std::string once = contentOf(into);
        const MergeSummary again = data::merge(store, from);
        QCOMPARE(again.runs + again.failures + again.sweeps + again.points, std::size_t{0});
        QCOMPARE(again.known, std::size_t{4});
        data::merge(store, shard);
        QCOMPARE(contentOf(into), once);
    }

    void notesAndTagsOfBothStayAndTheOwnNoteWins() {
        const std::string into = runStore(2), from = runStore(3);
        {
            Store store(from);
            RunCatalogue catalogue(store);
            const std::vector<std::int64_t> ids{1, 2, 3};
            catalogue.setNote(1, "theirs");
            catalogue.setNote(2, "theirs");
            catalogue.setTags(ids, {"paper"});
            catalogue.trash(std::vector<std::int64_t>{3});
        }
        Store store(into);
        RunCatalogue catalogue(store);
        catalogue.setNote(1, "ours");
        catalogue.setTags(std::vector<std::int64_t>{1}, {"draft"});
        data::merge(store, from);
        const auto rows = catalogue.rows({});
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[1].note, std::string("ours"));
        QCOMPARE(rows[1].tags, (std::vector<std::string>{"draft", "paper"}));
        QCOMPARE(rows[0].note, std::string("theirs"));
        QCOMPARE(catalogue.rows({.columns = {}, .trash = true}).size(), std::size_t{1});
    }

    void aResultTakesThePlaceOfAFailureAndNeverTheOtherWay() {
        const SweepPlan plan = planOf(sampleSweep());
        const std::string failed = newFile(), done = newFile();
        {
            Store store(failed);
            SweepStore sweeps(store);
            sweeps.keepSweep(plan);
            keepPoint(sweeps, plan.points[0], "a deadlock");
        }
        {
            Store store(done);
            SweepStore sweeps(store);
            keepPoint(sweeps, plan.points[0]);
        }
        for (const auto& [into, from] : {std::pair(failed, done), std::pair(done, failed)}) {
            Store store(into);
            data::merge(store, from);
            QVERIFY(SweepStore(store).table(plan.id).rows[0].state == PointState::done);
            QVERIFY(SweepStore(store).known(plan).at(plan.points[0].hash).failure.empty());
        }
    }

    void aRunOfAnUpgradedStoreComesAlong() {
        const std::string from = runStore(1), into = newFile();
        change(from, "UPDATE run SET layout = NULL, result = '{\"time_ps\": {\"total\": 17}}'");
        Store store(into);
        data::merge(store, from);
        QVERIFY(RunCatalogue(store).rows({{"time_ps.total"}}).front().values.front() == CatalogueValue(17.0));
    }

    void runsOfSeveralEnginesStayApart() {
        const std::string into = runStore(2), other = runStore(3);
        change(other, "UPDATE run SET engine_version = '0.0.9', total_ps = 77 WHERE id > 1");
        QVERIFY(checkMerge(into, std::vector{other}).empty());
        Store store(into);
        const MergeSummary brought = data::merge(store, other);
        QCOMPARE(brought.known, std::size_t{1});
        QCOMPARE(brought.runs, std::size_t{2});
        QCOMPARE(brought.ofOtherEngines, std::size_t{2});
        const auto runs = store.runs();
        QCOMPARE(runs.size(), std::size_t{4});
        for (const StoredRun& run : runs)
            QCOMPARE(run.engineVersion == "0.0.9", run.totalPs == 77);
        const std::string before = contentOf(into);
        QCOMPARE(data::merge(store, other).known, std::size_t{3});
        QCOMPARE(contentOf(into), before);
    }

    void aSweepOfAnotherEngineBecomesThatOfThisOneWhichRanItToo() {
        // Another version of the engine ran the sweep, so its points have other hashes.
        const std::string own = shardStore(0, 1), other = shardStore(0, 1);
        change(other, "UPDATE sweep_point SET experiment_hash = 'old-' || experiment_hash");
        change(other, "UPDATE run SET engine_version = '0.0.9', experiment_hash = 'old-' || experiment_hash");
        const std::string id = sweepId(sampleSweep());
        const auto doneAfter = [&](const std::string& first, const std::string& second) {
            const std::string into = newFile();
            Store store(into);
            data::merge(store, first);
            data::merge(store, second);
            const SweepStore sweeps(store);
            const auto sweep = sweeps.sweepWithId(id);
            return std::pair(sweep->engineVersion, sweep->done);
        };
        const std::pair<std::string, std::size_t> expected(engine::engineVersion(), 5);
        QVERIFY(doneAfter(own, other) == expected);
        QVERIFY(doneAfter(other, own) == expected);
        // A store with only the older results shows their version.
        QCOMPARE(doneAfter(other, other).first, std::string("0.0.9"));
        QCOMPARE(doneAfter(other, other).second, std::size_t{5});
    }

    void whatDoesNotFitIsNamedAndLeavesEverythingAsItWas() {
        const std::string into = runStore(2);
        refused(into, into, "is the store to merge into");
        const std::string missing = newFile();
        refused(into, missing, "no such file");
        QVERIFY(checkMerge(into, {&missing, 1})[0].wrongName && checkMerge(into, {&into, 1})[0].wrongName);
        const std::string newer = runStore(1);
        change(newer, ("PRAGMA user_version = " + std::to_string(schemaVersion() + 1)).c_str());
        refused(into, newer, "newer Ringside");
        QVERIFY(!checkMerge(into, {&newer, 1})[0].wrongName);
        const std::string older = runStore(1);
        change(older, "PRAGMA user_version = 1");
        refused(into, older, "older Ringside");
        const std::string foreign = newFile();
        {
            SQLite::Database database(foreign, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            database.exec("CREATE TABLE bookmark (url TEXT)");
        }
        refused(into, foreign, "another program");
    }

    void aDamagedStoreJoinsWithNothingOfIt() {
        const std::string into = runStore(2), cut = runStore(40), torn = runStore(40);
        QFile file(QString::fromStdString(cut));
        QVERIFY(file.resize(file.size() - 5000));
        refused(into, cut, "damaged");
    }

    void damagedRunsAreNamedAndLeftOutAndTheOthersJoin() {
        const std::string into = newFile(), torn = runStore(40);
        damage(torn, "UPDATE run SET total_ps = total_ps + 1 WHERE id = 7");
        damage(torn, "UPDATE run SET experiment_hash = 'x' || substr(experiment_hash, 2) WHERE id = 8");
        damage(torn, "PRAGMA foreign_keys = OFF; UPDATE run SET layout = 77 WHERE id = 40");
        Store store(into);
        const MergeSummary brought = data::merge(store, torn);
        QCOMPARE(brought.runs, std::size_t{37});
        QCOMPARE(brought.damaged.size(), std::size_t{3});
        QCOMPARE(brought.damaged[0].id, std::int64_t{7});
        QCOMPARE(brought.damaged[1].id, std::int64_t{8});
        QCOMPARE(brought.damaged[2].id, std::int64_t{40});
        QVERIFY(!brought.damaged[2].name.empty());
        QCOMPARE(store.runs().size(), std::size_t{37});
        QVERIFY(store.takeDamaged().empty());
    }

    void aRunThatIsDamagedHereIsReplacedByASoundOne() {
        const std::string into = runStore(4), from = runStore(4);
        const std::string before = contentOf(into);
        damage(into, "UPDATE run SET result = x'00', name = 'nothing' WHERE id = 2");
        Store store(into);
        RunCatalogue(store).setNote(2, "mine");
        QCOMPARE(store.runs().size(), std::size_t{3});
        const MergeSummary brought = data::merge(store, from);
        QCOMPARE(brought.runs, std::size_t{1});
        QCOMPARE(brought.known, std::size_t{3});
        QCOMPARE(store.runs().size(), std::size_t{4});
        QCOMPARE(RunCatalogue(store).rows({})[2].note, std::string("mine"));
        RunCatalogue(store).setNote(2, "");
        QCOMPARE(contentOf(into), before);
    }

    void aStoreWhoseHashesAreBytesInsteadOfTextChangesNothingTheSecondTime() {
        const std::string into = newFile(), from = runStore(2);
        change(from, "UPDATE run SET experiment_hash = CAST(experiment_hash AS BLOB) WHERE id = 1");
        Store store(into);
        QCOMPARE(data::merge(store, from).runs, std::size_t{2});
        const MergeSummary again = data::merge(store, from);
        QCOMPARE(again.runs, std::size_t{0});
        QCOMPARE(again.known, std::size_t{2});
    }

    void aRunThatIsInTheTrashByATimeOfNoBytesStaysThere() {
        const std::string into = newFile(), from = runStore(2);
        change(from, "UPDATE run SET trashed_unix_ms = x'' WHERE id = 1");
        Store store(into);
        QCOMPARE(data::merge(store, from).runs, std::size_t{2});
        QCOMPARE(RunCatalogue(store).count(), std::size_t{1});
        QCOMPARE(RunCatalogue(store).trashCount(), std::size_t{1});
    }

    void everyProblemIsListedBeforeTheFirstStoreIsJoined() {
        const std::vector<std::string> from{newFile(), runStore(1), newFile()};
        QCOMPARE(checkMerge(newFile(), from).size(), std::size_t{2});
    }
};

RINGSIDE_TEST(TestStoreMerge)
#include "tst_store_merge.moc"
