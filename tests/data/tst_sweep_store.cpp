#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/store/run_catalogue.h"
#include "data/store/run_seal.h"
#include "data/store/store.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/runner.h"
#include "tests/data/sample_result.h"
#include "tests/data/small_sweep.h"
#include "tests/test_program.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QtTest>

#include <QTemporaryDir>

using namespace data;

namespace {

/// Returns a sweep of three bandwidths, two policies and two degrees, one of which does not divide K.
Sweep shelvedSweep() {
    Sweep sweep;
    sweep.base = draftNamed("t-nlg/fc-2/tp8").draft;
    sweep.axes = {{{{"link.bandwidth",
                     {std::int64_t{50'000'000'000}, std::int64_t{100'000'000'000}, std::int64_t{150'000'000'000}}}}},
                  {{{"parallel.tp", {std::int64_t{8}, std::int64_t{9}}}}}};
    sweep.policies = {"sequential", "t3"};
    sweep.metrics = {"time_ps.total", "speedup_over_sequential"};
    return sweep;
}

engine::RunResult resultOf(const SweepPoint& point) {
    engine::RunResult result = tests::sampleResult();
    result.last.time.total = {static_cast<std::int64_t>(1000 + point.index)};
    return result;
}

/// A point that has ended, with everything it refers to.
struct Ended {
    explicit Ended(const SweepPoint& point, std::string failure = "")
        : details(detailsOf(shelvedSweep(), point.index)), result(resultOf(point)),
          ended{displayName(details.draft), writeDraft(details.draft),           point.hash,
                &details.experiment,        failure.empty() ? &result : nullptr, failure} {}
    Ended(const Ended&) = delete;
    PointDetails details;
    engine::RunResult result;
    EndedPoint ended;
};

void keep(SweepStore& sweepStore, const SweepPoint& point, const std::string& failure = "") {
    const Ended ended(point, failure);
    sweepStore.keepPoints({&ended.ended, 1});
}

}  // namespace

class TestSweepStore : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    std::string newFile() { return m_folder.filePath(QString::number(++m_files) + ".ringside").toStdString(); }

private Q_SLOTS:
    void aSweepIsListedWithWhatBecameOfItsPoints() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan plan = planOf(shelvedSweep());
        QVERIFY(sweepStore.sweeps().empty());
        QVERIFY(!sweepStore.sweepWithId(plan.id));
        sweepStore.keepSweep(plan);
        keep(sweepStore, plan.points[0]);
        keep(sweepStore, plan.points[1], "a deadlock");
        const auto sweeps = sweepStore.sweeps();
        QCOMPARE(sweeps.size(), std::size_t{1});
        QCOMPARE(sweeps[0].id, plan.id);
        QCOMPARE(sweeps[0].document, writeSweep(plan.sweep));
        QCOMPARE(sweeps[0].points, std::size_t{12});
        QCOMPARE(sweeps[0].done, std::size_t{1});
        QCOMPARE(sweeps[0].failed, std::size_t{7});  // six are on nine GPUs and cannot be run
        QVERIFY(sweeps[0].label.find(" × ") != std::string::npos);
        QCOMPARE(sweepStore.sweepWithId(plan.id)->done, std::size_t{1});
    }

    void theTableHasEveryPointInItsPlace() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan plan = planOf(shelvedSweep());
        sweepStore.keepSweep(plan);
        for (const std::size_t index : {std::size_t{9}, std::size_t{0}, std::size_t{4}})
            keep(sweepStore, plan.points[index]);
        keep(sweepStore, plan.points[1], "a deadlock");
        const std::vector<std::string> more{"dram_bytes.total", "time_ps.total"};
        const SweepTable table = sweepStore.table(plan.id, more);
        QVERIFY(table.sweep == plan.sweep);
        QCOMPARE(table.metrics,
                 (std::vector<std::string>{"time_ps.total", "speedup_over_sequential", "dram_bytes.total"}));
        QCOMPARE(table.rows.size(), plan.points.size());
        for (const SweepPoint& point : plan.points) {
            const SweepRow& row = table.rows[point.index];
            QCOMPARE(row.index, point.index);
            QCOMPARE(row.at, plan.details(point).at);
            QCOMPARE(row.policy, plan.details(point).policy);
            const bool done = point.index == 0 || point.index == 4 || point.index == 9;
            if (!point.problem.empty()) {
                QVERIFY(row.state == PointState::failed);
                QCOMPARE(row.reason, point.problem);
            } else if (point.index == 1) {
                QVERIFY(row.state == PointState::failed);
                QCOMPARE(row.reason, std::string("a deadlock"));
            } else {
                QVERIFY(row.state == (done ? PointState::done : PointState::missing));
            }
            QCOMPARE(row.runId.has_value(), row.state == PointState::done);
            using Values = std::vector<std::optional<double>>;
            QCOMPARE(row.values,
                     row.runId ? Values({1000.0 + static_cast<double>(point.index), 1.08, 21.0}) : Values(3));
        }
        QVERIFY_EXCEPTION_THROWN(sweepStore.table("nothing"), StoreError);
    }

    void whatIsKnownIsFoundByExperimentAlsoFromAnotherSweep() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan plan = planOf(shelvedSweep());
        sweepStore.keepSweep(plan);
        keep(sweepStore, plan.points[0]);
        keep(sweepStore, plan.points[1], "a deadlock");
        Sweep narrower = shelvedSweep();
        narrower.axes.pop_back();
        const SweepPlan other = planOf(narrower);
        const auto known = sweepStore.known(other);
        QCOMPARE(known.size(), std::size_t{2});
        QCOMPARE(known.at(plan.points[0].hash).runId, store.find(plan.details(plan.points[0]).experiment));
        QVERIFY(!known.at(plan.points[1].hash).runId);
        QCOMPARE(known.at(plan.points[1].hash).failure, std::string("a deadlock"));
    }

    void aResultTakesThePlaceOfAFailureAndStays() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan plan = planOf(shelvedSweep());
        sweepStore.keepSweep(plan);
        keep(sweepStore, plan.points[0], "a deadlock");
        keep(sweepStore, plan.points[0], "another reason");
        QCOMPARE(sweepStore.table(plan.id).rows[0].reason, std::string("another reason"));
        keep(sweepStore, plan.points[0]);
        keep(sweepStore, plan.points[0], "late");
        const SweepRow row = sweepStore.table(plan.id).rows[0];
        QVERIFY(row.state == PointState::done);
        Ended other(plan.points[0]);
        other.result.last.time.total = {7};
        sweepStore.keepPoints({&other.ended, 1});
        QCOMPARE(store.resultOf(*row.runId).last.time.total.ps, 1000);
        QVERIFY(sweepStore.known(plan).at(plan.points[0].hash).failure.empty());
    }

    void aSweepThatWasNotStartedShowsWhatIsKeptAlready() {
        Store store(newFile());
        const SweepStore sweepStore(store);
        const SweepPlan plan = planOf(shelvedSweep());
        const SweepPoint& point = plan.points[5];
        const PointDetails details = plan.details(point);
        store.keep("by hand", writeDraft(details.draft), details.experiment, resultOf(point));
        const data::SweepTable table = sweepStore.table(plan);
        QCOMPARE(table.rows.size(), plan.points.size());
        QVERIFY(table.rows[5].state == PointState::done);
        QVERIFY(table.rows[5].values[0].has_value());
        QVERIFY(table.rows[4].state == PointState::missing);
        QVERIFY(sweepStore.sweeps().empty());
    }

    void aRunThatWasKeptByHandIsAPointOfTheSweep() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan plan = planOf(shelvedSweep());
        const SweepPoint& point = plan.points[5];
        const PointDetails details = plan.details(point);
        store.keep("by hand", writeDraft(details.draft), details.experiment, resultOf(point));
        sweepStore.keepSweep(plan);
        QVERIFY(sweepStore.table(plan.id).rows[5].state == PointState::done);
    }

    void batchesAndSingleRunsMakeTheSameRows() {
        const SweepPlan plan = planOf(shelvedSweep());
        const SweepPoint& point = plan.points[4];
        const Ended ended(point);
        const std::string byHand = newFile(), inBatches = newFile();
        {
            Store store(byHand);
            store.keep(ended.ended.name, ended.ended.draft, ended.details.experiment, ended.result);
        }
        {
            Store store(inBatches);
            SweepStore(store).keepPoints({&ended.ended, 1});
        }
        SQLite::Database database(byHand, SQLite::OPEN_READWRITE);
        database.exec("ATTACH '" + inBatches + "' AS other");
        const std::string columns = "name, experiment_hash, engine_version, trashed_unix_ms, total_ps, speedup, note, "
                                    "tags, base, differences, layout, result, draft";
        const std::string unlike =
            "SELECT count(*) FROM (SELECT " + columns + " FROM run EXCEPT SELECT " + columns + " FROM other.run)";
        QCOMPARE(database.execAndGet(unlike).getInt(), 0);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM other.run").getInt(), 1);
    }

    void aStopWhileManyPointsAreWrittenDownLeavesNothingOfThem() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan plan = planOf(tests::smallSweep(100));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(sweepStore.keepSweep(plan, stop.get_token()), engine::RunStopped);
        QVERIFY(sweepStore.sweeps().empty());
        sweepStore.keepSweep(plan);
        QVERIFY_EXCEPTION_THROWN(sweepStore.known(plan, stop.get_token()), engine::RunStopped);
        QVERIFY_EXCEPTION_THROWN(outlookOf(plan, store.path(), 1, {stop.get_token(), {}}), engine::RunStopped);
        QCOMPARE(sweepStore.sweeps().front().points, plan.points.size());
    }

    void beingNeededBringsARunBackFromTheTrash() {
        Store store(newFile());
        SweepStore sweepStore(store);
        RunCatalogue catalogue(store);
        const SweepPlan plan = planOf(shelvedSweep());
        sweepStore.keepSweep(plan);
        keep(sweepStore, plan.points[0]);
        const std::int64_t id = *sweepStore.table(plan.id).rows[0].runId;
        catalogue.trash({&id, 1});
        QVERIFY(sweepStore.table(plan.id).rows[0].state == PointState::missing);
        QCOMPARE(sweepStore.known(plan).at(plan.points[0].hash).runId, std::optional(id));
        sweepStore.keepSweep(plan);
        QCOMPARE(sweepStore.table(plan.id).rows[0].runId, std::optional(id));
        QCOMPARE(catalogue.count(), std::size_t{1});
        catalogue.trash({&id, 1});
        keep(sweepStore, plan.points[0]);
        QCOMPARE(sweepStore.table(plan.id).rows[0].runId, std::optional(id));
    }

    void theSameSweepAgainChangesItsTextsAndMetricsOnly() {
        Store store(newFile());
        SweepStore sweepStore(store);
        Sweep sweep = shelvedSweep();
        sweepStore.keepSweep(planOf(sweep));
        const StoredSweep before = sweepStore.sweeps().front();
        keep(sweepStore, planOf(sweep).points[0]);
        QTest::qSleep(5);
        sweep.texts["label"] = "Bandwidth or not";
        sweep.metrics = {"time_ps.gemm"};
        sweepStore.keepSweep(planOf(sweep));
        const auto sweeps = sweepStore.sweeps();
        QCOMPARE(sweeps.size(), std::size_t{1});
        QCOMPARE(sweeps[0].label, std::string("Bandwidth or not"));
        QCOMPARE(sweeps[0].createdUnixMs, before.createdUnixMs);
        QCOMPARE(sweeps[0].done, std::size_t{1});
        QCOMPARE(sweepStore.table(before.id).metrics, std::vector<std::string>{"time_ps.gemm"});
    }

    void aSweepKeepsItsNameUnlessItIsStartedUnderAnother() {
        Store store(newFile());
        SweepStore sweepStore(store);
        Sweep sweep = shelvedSweep(), other = sweep;
        const auto label = [&] { return sweepStore.sweeps().front().label; };
        sweepStore.keepSweep(planOf(sweep));
        QCOMPARE(label(), axesText(sweep));
        sweep.texts["label"] = "Mine";
        sweepStore.keepSweep(planOf(sweep));
        QCOMPARE(label(), std::string("Mine"));
        // An unnamed start, and one that keeps texts, leave the name; the unnamed one brings its metrics.
        other.metrics = {"time_ps.gemm"};
        sweepStore.keepSweep(planOf(other));
        QCOMPARE(label(), std::string("Mine"));
        QCOMPARE(sweepStore.table(sweepId(sweep)).sweep.texts.at("label"), std::string("Mine"));
        QCOMPARE(sweepStore.table(sweepId(sweep)).metrics, std::vector<std::string>{"time_ps.gemm"});
        other.texts["label"] = "Theirs";
        other.metrics = {"time_ps.total"};
        sweepStore.keepSweep(planOf(other), {}, SweepTexts::kept);
        QCOMPARE(label(), std::string("Mine"));
        QCOMPARE(sweepStore.table(sweepId(sweep)).metrics, std::vector<std::string>{"time_ps.gemm"});
        sweepStore.removeSweep(sweepId(sweep));
        sweepStore.keepSweep(planOf(other), {}, SweepTexts::kept);  // a new sweep has the label that it brings
        QCOMPARE(label(), std::string("Theirs"));
    }

    void aShardIsPartOfTheWholeSweep() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan shard = planOf(shelvedSweep(), {1, 3});
        sweepStore.keepSweep(shard);
        keep(sweepStore, shard.points[0]);
        const SweepTable table = sweepStore.table(shard.id);
        QCOMPARE(table.rows.size(), shard.whole);
        QVERIFY(table.rows[0].state == PointState::missing);
        QVERIFY(table.rows[1].state == PointState::done);
        QCOMPARE(sweepStore.sweeps().front().points, shard.whole);
        for (const std::size_t index : {std::size_t{0}, std::size_t{2}})
            sweepStore.keepSweep(planOf(shelvedSweep(), {index, 3}));
        QCOMPARE(sweepStore.sweeps().front().failed, std::size_t{6});
    }

    void aRemovedSweepLeavesItsRuns() {
        Store store(newFile());
        SweepStore sweepStore(store);
        const SweepPlan plan = planOf(shelvedSweep());
        sweepStore.keepSweep(plan);
        keep(sweepStore, plan.points[0]);
        QCOMPARE(RunCatalogue(store).rows({.columns = {}, .sweep = plan.id}).size(), std::size_t{1});
        sweepStore.removeSweep(plan.id);
        QVERIFY(sweepStore.sweeps().empty());
        QCOMPARE(RunCatalogue(store).count(), std::size_t{1});
        QVERIFY(RunCatalogue(store).rows({.columns = {}, .sweep = plan.id}).empty());
    }

    void aSweepOfAnOlderEngineIsShownUntilItIsStartedAgain() {
        const std::string path = newFile();
        const SweepPlan plan = planOf(shelvedSweep());
        {
            Store store(path);
            SweepStore sweepStore(store);
            sweepStore.keepSweep(plan);
            keep(sweepStore, plan.points[0]);
            keep(sweepStore, plan.points[1]);
        }
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET engine_version = '0.0.9'");
            sealRuns(database, ToSeal::all);
        }
        Store store(path);
        SweepStore sweepStore(store);
        QVERIFY(sweepStore.known(plan).empty());
        QCOMPARE(sweepStore.sweeps().front().done, std::size_t{2});
        QCOMPARE(sweepStore.sweeps().front().engineVersion, std::string("0.0.9"));
        QVERIFY(sweepStore.table(plan.id).rows[0].state == PointState::done);
        QCOMPARE(sweepStore.table(plan.id).engineVersion, std::string("0.0.9"));
        QVERIFY(sweepStore.table(plan).rows[0].state == PointState::missing);
        keep(sweepStore, plan.points[0]);
        QCOMPARE(sweepStore.sweeps().front().done, std::size_t{1});
        QVERIFY(sweepStore.table(plan.id).rows[1].state == PointState::missing);
        QCOMPARE(sweepStore.table(plan.id).engineVersion, std::string(engine::engineVersion()));
    }

    void whatOnlyOtherEnginesHaveRunIsCounted() {
        const std::string path = newFile();
        const SweepPlan plan = planOf(shelvedSweep());
        std::vector<const SweepPoint*> usable;
        for (const SweepPoint& point : plan.points)
            if (point.problem.empty())
                usable.push_back(&point);
        {
            Store store(path);
            SweepStore sweepStore(store);
            QCOMPARE(sweepStore.ofOtherEngines(plan).points, std::size_t{0});
            sweepStore.keepSweep(plan);
            for (std::size_t i = 0; i < 4; ++i)
                keep(sweepStore, *usable[i]);
            QCOMPARE(sweepStore.ofOtherEngines(plan).points, std::size_t{0});
        }
        {
            // The second run had another hash, the third another document; the fourth is in the trash.
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET engine_version = iif(id = 2, '0.0.8', '0.0.9')");
            database.exec("UPDATE sweep_point SET experiment_hash = 'old' WHERE experiment_hash = "
                          "(SELECT experiment_hash FROM run WHERE id = 2)");
            database.exec("UPDATE run SET experiment_hash = 'old', draft = '{}' WHERE id = 2");
            database.exec("UPDATE run SET experiment_hash = 'older' WHERE id = 3");
            sealRuns(database, ToSeal::all);
            database.exec("UPDATE run SET trashed_unix_ms = 1 WHERE id = 4");
        }
        Store store(path);
        SweepStore sweepStore(store);
        QCOMPARE(sweepStore.ofOtherEngines(plan).points, std::size_t{3});
        QVERIFY((sweepStore.ofOtherEngines(plan).versions == std::set<std::string>{"0.0.8", "0.0.9"}));
        keep(sweepStore, *usable[0]);
        keep(sweepStore, *usable[1]);
        QCOMPARE(sweepStore.ofOtherEngines(plan).points, std::size_t{1});
        QVERIFY((sweepStore.ofOtherEngines(plan).versions == std::set<std::string>{"0.0.9"}));
        // A run of another plan does not count.
        const SweepPlan another = [] {
            Sweep sweep = shelvedSweep();
            sweep.base.explicitValues["seed"] = std::int64_t{5};
            return planOf(sweep);
        }();
        QCOMPARE(sweepStore.ofOtherEngines(another).points, std::size_t{0});
    }
};

RINGSIDE_TEST(TestSweepStore)
#include "tst_sweep_store.moc"
