#include "data/laboratory/laboratory.h"
#include "data/results/result_document.h"
#include "data/store/run_seal.h"
#include "data/store/store.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "tests/data/small_sweep.h"
#include "tests/least_time.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <set>
#include <thread>

using namespace data;
using namespace std::chrono_literals;

class TestSweepRunner : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_stores = 0;

    std::string newStore() { return m_folder.filePath(QString("store%1.sqlite").arg(++m_stores)).toStdString(); }

    static SweepOptions onThreads(int threads) {
        SweepOptions options;
        options.threads = threads;
        return options;
    }

    /// Returns a sweep of small points, with one block size that deadlocks and one degree that cannot be run.
    static Sweep troubledSweep() {
        Sweep sweep = tests::smallSweep(2);
        sweep.policies = {"sequential", "t3"};
        sweep.axes = {{{{"tracker.ways", {std::int64_t{0}, std::int64_t{1}}, {}}}},
                      {{{"parallel.tp", {std::int64_t{4}, std::int64_t{3}}, {}}}}};
        return sweep;
    }

private Q_SLOTS:
    void damagedRunsAreNamedAndRunAgain() {
        const std::string path = newStore(), whole = newStore();
        const SweepPlan plan = planOf(tests::smallSweep(2));
        runSweep(plan, whole, onThreads(1));
        runSweep(plan, path, onThreads(2));
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET total_ps = total_ps + 1 WHERE id = 3");
            database.exec("UPDATE run SET result = x'00' WHERE id = 4");
        }
        {
            Store store(path);
            const SweepTable table = SweepStore(store).table(plan.id);
            QCOMPARE(std::count_if(table.rows.begin(), table.rows.end(),
                                   [](const SweepRow& row) { return row.state == PointState::missing; }),
                     2);
            QCOMPARE(store.takeDamaged().size(), std::size_t{2});
        }
        const SweepOutlook outlook = outlookOf(plan, path, 1);
        QCOMPARE(outlook.kept, plan.points.size() - 2);
        QCOMPARE(outlook.toRun, std::size_t{2});
        QCOMPARE(outlook.damaged.size(), std::size_t{2});
        const SweepSummary summary = runSweep(plan, path, onThreads(2));
        QCOMPARE(summary.ran, std::size_t{2});
        QVERIFY(summary.damaged == outlook.damaged);
        QVERIFY(tests::rowsOf(path) == tests::rowsOf(whole));
        QVERIFY(outlookOf(plan, path, 1).damaged.empty());
    }

    void whatIsKeptIsWhatRunPrints() {
        const std::string path = newStore();
        Sweep sweep = tests::smallSweep(2);
        sweep.policies.emplace_back("ideal-overlap-nmc");
        const SweepPlan plan = planOf(sweep);
        const SweepSummary summary = runSweep(plan, path, onThreads(2));
        QCOMPARE(summary.ran, plan.points.size());
        const Store store(path);
        std::set<std::string> names;
        for (const SweepPoint& point : plan.points) {
            const PointDetails details = plan.details(point);
            const LaboratoryRun alone = Laboratory().run(details.draft);
            const auto id = store.find(details.experiment);
            QVERIFY(id.has_value());
            QCOMPARE(tests::withoutWallTime(store.documentOf(*id)),
                     tests::withoutWallTime(writeResult(alone.experiment, alone.result)));
            // The name of a run contains its differences from the default and the values of the sweep's axes.
            const std::string name = store.runWithId(*id)->name;
            QVERIFY(name.starts_with(alone.name.substr(0, alone.name.find(','))));
            QVERIFY(names.insert(name).second);
            QCOMPARE(store.runWithId(*id)->draft, writeDraft(details.draft));
        }
        // All block sizes share their baselines: for two bandwidths the sequential run and the reduce-scatter alone.
        QCOMPARE(summary.baselineRuns, std::size_t{4});
    }

    void rowsAreTheSameOnAnyNumberOfThreads() {
        const SweepPlan plan = planOf(tests::smallSweep(6));
        std::map<std::string, std::string> first;
        for (const int threads : {1, 2, 8}) {
            const std::string path = newStore();
            runSweep(plan, path, onThreads(threads));
            const auto rows = tests::rowsOf(path);
            QCOMPARE(rows.size(), plan.points.size());
            if (first.empty())
                first = rows;
            QVERIFY(rows == first);
        }
    }

    void whatIsKeptIsNotRunAgain() {
        const std::string path = newStore();
        runSweep(planOf(tests::smallSweep(2)), path, onThreads(1));
        const SweepPlan larger = planOf(tests::smallSweep(3));
        const SweepOutlook outlook = outlookOf(larger, path, 1);
        QCOMPARE(outlook.points, std::size_t{36});
        QCOMPARE(outlook.kept, std::size_t{24});
        QCOMPARE(outlook.toRun, std::size_t{12});
        QVERIFY(outlook.estimate > 0ns);
        std::set<std::size_t> arrived;
        SweepOptions options = onThreads(2);
        options.arrived = [&](const std::vector<SweepArrival>& arrivals) {
            for (const SweepArrival& arrival : arrivals)
                arrived.insert(arrival.point);
        };
        const SweepSummary summary = runSweep(larger, path, options);
        QCOMPARE(summary.ran, std::size_t{12});
        QCOMPARE(summary.reused, std::size_t{24});
        QCOMPARE(arrived.size(), std::size_t{12});
        QCOMPARE(*arrived.begin(), std::size_t{24});
        QCOMPARE(outlookOf(larger, path, 1).toRun, std::size_t{0});
        QCOMPARE(runSweep(larger, path, onThreads(2)).ran, std::size_t{0});
    }

    void aSpeedUpIsTheRatioOfTheTotalsBesideIt_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("values");
        QTest::newRow("CUs") << "collective.cu_count" << QStringList{"auto", "8", "16"};
        QTest::newRow("order") << "policy.order" << QStringList{"staggered"};
        QTest::newRow("caching") << "policy.output_caching" << QStringList{"bypass"};
        QTest::newRow("reduction") << "collective.reduction" << QStringList{"nmc"};
        QTest::newRow("arbitration") << "arbitration.policy" << QStringList{"round-robin", "mca", "compute-first"};
    }

    void aSpeedUpIsTheRatioOfTheTotalsBesideIt() {
        QFETCH(const QString, path);
        QFETCH(const QStringList, values);
        Sweep sweep = tests::smallSweep(2);
        sweep.policies = {"cu-split", "sequential", "t3", "ideal-overlap"};
        sweep.metrics = {"speedup_over_sequential"};
        engine::Problems problems;
        const engine::Parameter& parameter = *engine::findParameter(path.toStdString());
        AxisColumn column{parameter.path, {}, {}};
        for (const QString& value : values)
            column.values.push_back(*engine::parseValue(parameter, value.toStdString(), problems));
        sweep.axes[1] = {{column}};
        const SweepPlan plan = planOf(sweep);
        const std::string file = newStore();
        runSweep(plan, file, onThreads(2));
        Store store(file);
        const std::vector<std::string> total{"time_ps.total"};
        const SweepTable table = SweepStore(store).table(plan.id, total);
        QCOMPARE(table.metrics.size(), std::size_t{2});
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const SweepRow& row = table.rows[i];
            const SweepRow& sequential = table.rows[i - row.policy + 1];
            QCOMPARE(row.values.size(), std::size_t{2});
            QCOMPARE(*row.values[0], *sequential.values[1] / *row.values[1]);
        }
        QVERIFY(SweepStore(store).table(plan).rows[2].values == std::vector{table.rows[2].values[0]});
    }

    void whatAnotherEngineRanIsRunAnewAndStays() {
        const std::string path = newStore();
        const SweepPlan plan = planOf(tests::smallSweep(2));
        runSweep(plan, path, onThreads(2));
        QCOMPARE(outlookOf(plan, path, 1).others.points, std::size_t{0});
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET engine_version = '0.0.9' WHERE id <= 10");
            sealRuns(database, ToSeal::all);
        }
        const SweepOutlook outlook = outlookOf(plan, path, 1);
        QCOMPARE(outlook.kept, std::size_t{14});
        QCOMPARE(outlook.toRun, std::size_t{10});
        QCOMPARE(outlook.others.points, std::size_t{10});
        QVERIFY((outlook.others.versions == std::set<std::string>{"0.0.9"}));
        QCOMPARE(runSweep(plan, path, onThreads(2)).ran, std::size_t{10});
        QCOMPARE(outlookOf(plan, path, 1).others.points, std::size_t{0});
        const Store store(path);
        QCOMPARE(store.runs().size(), std::size_t{34});
    }

    void equalExperimentsAreRunOnceAndArriveForEachOfTheirPoints() {
        SweepPlan plan = planOf(tests::smallSweep(1));
        plan.points.push_back(plan.points.front());
        std::multiset<std::size_t> arrived;
        SweepOptions options = onThreads(2);
        options.arrived = [&](const std::vector<SweepArrival>& arrivals) {
            for (const SweepArrival& arrival : arrivals) {
                arrived.insert(arrival.point);
                QVERIFY(arrival.result != nullptr);
            }
        };
        const SweepSummary summary = runSweep(plan, newStore(), options);
        QCOMPARE(summary.ran, std::size_t{12});
        QCOMPARE(summary.reused, std::size_t{1});
        QCOMPARE(arrived.size(), std::size_t{13});
        QCOMPARE(arrived.count(12), std::size_t{1});
    }

    void whatFailsIsKeptWithItsReasonAndStopsNothing() {
        const std::string path = newStore();
        const SweepPlan plan = planOf(troubledSweep());
        std::map<std::size_t, std::string> failures;
        SweepOptions options = onThreads(2);
        options.arrived = [&](const std::vector<SweepArrival>& arrivals) {
            for (const SweepArrival& arrival : arrivals)
                if (!arrival.result)
                    failures[arrival.point] = arrival.failure;
        };
        // Four of the eight points have a degree that does not divide K. T3 deadlocks with a tracker without ways.
        QCOMPARE(outlookOf(plan, path, 1).unusable, std::size_t{4});
        SweepSummary summary = runSweep(plan, path, options);
        QCOMPARE(summary.ran, std::size_t{3});
        QCOMPARE(summary.failed, std::size_t{5});
        QCOMPARE(failures.size(), std::size_t{5});
        Store store(path);
        const SweepTable table = SweepStore(store).table(plan.id);
        for (std::size_t i = 0; i < plan.points.size(); ++i) {
            QVERIFY((table.rows[i].state == PointState::failed) == failures.contains(i));
            QCOMPARE(table.rows[i].reason, failures.contains(i) ? failures[i] : std::string());
        }
        QVERIFY(failures[1].find("tracker") != std::string::npos);
        QVERIFY(failures[2].find("parallel.tp") != std::string::npos);

        const SweepOutlook outlook = outlookOf(plan, path, 1);
        QCOMPARE(outlook.failed, std::size_t{1});
        QCOMPARE(outlook.toRun, std::size_t{0});
        options.retryFailed = true;
        SweepProgress last;
        options.progress = [&](const SweepProgress& progress) { last = progress; };
        summary = runSweep(plan, path, options);
        QCOMPARE(last.toRun, std::size_t{1});
        QCOMPARE(last.failed, std::size_t{1});
        QCOMPARE(summary.ran, std::size_t{0});
    }

    void aStopKeepsWhatHasEndedAndTheNextGoRunsTheRest() {
        const std::string path = newStore();
        const SweepPlan plan = planOf(tests::smallSweep(60));
        std::stop_source stop;
        std::atomic<std::size_t> arrived = 0;
        std::clock_t stopped = 0;
        SweepOptions options = onThreads(2);
        options.stop = stop.get_token();
        options.arrived = [&](const std::vector<SweepArrival>& arrivals) {
            arrived += arrivals.size();
            if (arrived > 20 && !stop.stop_requested()) {
                stopped = std::clock();
                stop.request_stop();
            }
        };
        const SweepSummary summary = runSweep(plan, path, options);
        QVERIFY2(std::clock() - stopped < 5 * CLOCKS_PER_SEC, "200 ms are asked for");
        QVERIFY(summary.stopped);
        QVERIFY(summary.ran < plan.points.size());
        QCOMPARE(tests::rowsOf(path).size(), summary.ran);
        QCOMPARE(summary.ran, arrived.load());
        options.stop = {};
        const SweepSummary rest = runSweep(plan, path, options);
        QCOMPARE(rest.ran, plan.points.size() - summary.ran);
        QVERIFY(!rest.stopped);
        QCOMPARE(tests::rowsOf(path).size(), plan.points.size());
    }

    void aPauseRestsAndGoesOnAndDoesNotHinderAStop() {
        SweepPause pause;
        std::stop_source stop;
        std::atomic<std::size_t> arrived = 0;
        SweepOptions options = onThreads(2);
        options.stop = stop.get_token();
        options.arrived = [&](const std::vector<SweepArrival>& arrivals) {
            arrived += arrivals.size();
            pause.set(true);
        };
        const SweepPlan plan = planOf(tests::smallSweep(80));
        SweepSummary summary;
        std::jthread sweep([&] { summary = runSweep(plan, newStore(), options, &pause); });
        while (!pause.isSet())
            std::this_thread::sleep_for(1ms);
        // Points that were running may still end. A sweep that ignored the pause would run to its end.
        std::size_t before = 0;
        do {
            before = arrived;
            std::this_thread::sleep_for(150ms);
        } while (arrived != before);
        QVERIFY(before < plan.points.size());
        pause.set(false);
        while (arrived == before)
            std::this_thread::sleep_for(1ms);
        stop.request_stop();
        sweep.join();
        QVERIFY(summary.stopped);
        QVERIFY(summary.ran > before);
    }

    void progressCountsWhatIsWrittenAndEndsWhenNothingIsLeft() {
        const SweepPlan plan = planOf(tests::smallSweep(40));
        std::vector<SweepProgress> reports;
        SweepOptions options = onThreads(2);
        options.progress = [&](const SweepProgress& progress) { reports.push_back(progress); };
        const SweepSummary summary = runSweep(plan, newStore(), options);
        QCOMPARE(reports.front().done, std::size_t{0});
        QCOMPARE(reports.back().done, plan.points.size());
        QCOMPARE(reports.back().toRun, plan.points.size());
        QVERIFY(reports.back().perSecond > 0);
        QVERIFY(reports.back().left == 0ns);
        for (std::size_t i = 1; i < reports.size(); ++i)
            QVERIFY(reports[i].done >= reports[i - 1].done);
        QVERIFY(reports.size() <= static_cast<std::size_t>(summary.wall / 50ms) + 2);
    }

    void aReceiverThatThrowsEndsTheSweepAndWhatWasWrittenStays() {
        const std::string path = newStore();
        SweepOptions options = onThreads(2);
        options.progress = [](const SweepProgress& progress) {
            if (progress.done > 50)
                throw std::runtime_error("enough");
        };
        QVERIFY_EXCEPTION_THROWN(runSweep(planOf(tests::smallSweep(80)), path, options), std::runtime_error);
        QVERIFY(tests::rowsOf(path).size() > 50);
    }

    void aStoreThatIsLockedForAWhileLosesNothing() {
        const std::string path = newStore();
        const SweepPlan plan = planOf(tests::smallSweep(10));
        SweepOptions options = onThreads(2);
        std::jthread other;
        options.arrived = [&](const std::vector<SweepArrival>&) {
            if (other.joinable())
                return;
            auto database = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE);
            database->exec("BEGIN IMMEDIATE");
            other = std::jthread([locked = std::move(database)] {
                std::this_thread::sleep_for(600ms);
                locked->exec("COMMIT");
            });
        };
        QCOMPARE(runSweep(plan, path, options).ran, plan.points.size());
        other.join();
        QCOMPARE(tests::rowsOf(path).size(), plan.points.size());
    }

    void theOutlookOfALargeSweepIsThereAtOnce() {
        Sweep sweep = tests::smallSweep(250);
        sweep.base.explicitValues.insert_or_assign("workload.hidden", std::int64_t{4096});
        sweep.base.explicitValues.insert_or_assign("workload.sequence", std::int64_t{8192});
        sweep.base.explicitValues.insert_or_assign("detail.level", std::string("standard"));
        const SweepPlan plan = planOf(sweep);
        SweepOutlook outlook;
        const auto taken = tests::processorTimeOf([&] { outlook = outlookOf(plan, newStore(), 2); });
        QVERIFY2(taken < 4s, "two seconds are asked for, with two threads");
        QCOMPARE(outlook.toRun, std::size_t{3000});
        QVERIFY(outlook.estimate > 1s && outlook.estimate < 24h);
    }
};

RINGSIDE_TEST(TestSweepRunner)
#include "tst_sweep_runner.moc"
