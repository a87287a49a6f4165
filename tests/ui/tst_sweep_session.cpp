#include "tests/least_time.h"
#include "tests/ui/window_test.h"

#include "ui/shared/sweep_session.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>
#include <memory>
#include <thread>

using ui::SweepSession;

namespace {

/// Returns a sweep of three bandwidths under one policy at the coarsest detail, which takes a few milliseconds.
data::Sweep smallSweep() {
    data::Sweep sweep;
    sweep.base = data::openDraft("t-nlg/fc-2/tp8").draft;
    sweep.base.explicitValues["detail.level"] = std::string("interactive");
    data::AxisColumn bandwidth{"link.bandwidth", {}, {}};
    for (const std::int64_t gigabytes : {50, 100, 200})
        bandwidth.values.emplace_back(gigabytes * 1'000'000'000);
    sweep.axes = {{{bandwidth}}};
    sweep.policies = {"t3-mca"};
    sweep.metrics = {"time_ps.total"};
    return sweep;
}

struct SweepSessionBench {
    explicit SweepSessionBench(ui::SweepSessionConfig config = {}) {
        if (!config.storePath)
            config.storePath = folder.filePath(QStringLiteral("store.sqlite")).toStdString();
        session = std::make_unique<SweepSession>(std::move(config));
    }
    std::shared_ptr<const ui::SweepLook> look(const data::Sweep& sweep) {
        std::shared_ptr<const ui::SweepLook> answer;
        const auto connection =
            QObject::connect(session.get(), &SweepSession::looked, [&](auto look) { answer = look; });
        session->look(sweep);
        if (!QTest::qWaitFor([&] { return answer != nullptr; }, 20'000))
            qFatal("no answer within 20 s");
        QObject::disconnect(connection);
        return answer;
    }
    std::shared_ptr<const data::SweepTable> run(const data::Sweep& sweep) {
        std::shared_ptr<const data::SweepTable> table;
        const auto connection =
            QObject::connect(session.get(), &SweepSession::tableChanged, [&](auto news) { table = news; });
        const QSignalSpy finished(session.get(), &SweepSession::runFinished);
        session->start(sweep);
        if (!QTest::qWaitFor([&] { return !finished.empty(); }, 30'000))
            qFatal("the sweep did not end within 30 s");
        QObject::disconnect(connection);
        return table;
    }

    QTemporaryDir folder;
    std::unique_ptr<SweepSession> session;
};

/// Returns a configuration with which a sweep ends only when it is stopped.
ui::SweepSessionConfig endlessSweep() {
    ui::SweepSessionConfig config;
    config.run = [](const data::SweepPlan& plan, const std::string&, const data::SweepOptions& options,
                    const data::SweepPause* pause) {
        std::size_t done = 0;
        while (!options.stop.stop_requested()) {
            pause->wait(options.stop);
            options.progress({std::min(++done, plan.points.size()), plan.points.size(), 0, 10, {}});
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        data::SweepSummary summary;
        summary.stopped = true;
        return summary;
    };
    return config;
}

}  // namespace

class TestSweepSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLookSaysHowManyRunsAndThatNoneIsDone() {
        SweepSessionBench bench;
        const auto look = bench.look(smallSweep());
        QCOMPARE(look->outlook.points, std::size_t{3});
        QCOMPARE(look->outlook.toRun, std::size_t{3});
        QVERIFY(!look->started);
        QCOMPARE(look->table->rows.size(), std::size_t{3});
        QVERIFY(look->table->rows[0].state == data::PointState::missing);
    }

    void aRunFillsTheTableAndALookAfterItFindsAllOfItDone() {
        SweepSessionBench bench;
        const auto table = bench.run(smallSweep());
        QVERIFY(table);
        for (const data::SweepRow& row : table->rows) {
            QVERIFY(row.state == data::PointState::done);
            QVERIFY(row.values.front().value_or(0) > 0);
            QVERIFY(row.runId.has_value());
        }
        const auto look = bench.look(smallSweep());
        QCOMPARE(look->outlook.toRun, std::size_t{0});
        QCOMPARE(look->outlook.kept, std::size_t{3});
        QVERIFY(look->started);
    }

    void ofManyLooksOnlyTheLastIsAnswered() {
        SweepSessionBench bench;
        const QSignalSpy looked(bench.session.get(), &SweepSession::looked);
        data::Sweep sweep = smallSweep();
        for (int i = 0; i < 5; ++i) {
            sweep.axes[0].columns[0].values.emplace_back(std::int64_t{300 + i} * 1'000'000'000);
            bench.session->look(sweep);
        }
        QTRY_COMPARE_WITH_TIMEOUT(looked.size(), 1, 20'000);
        QTest::qWait(50);
        QCOMPARE(looked.size(), 1);
        const auto look = looked.front().front().value<std::shared_ptr<const ui::SweepLook>>();
        QCOMPARE(look->outlook.points, std::size_t{8});
    }

    void cancelIsAtOnceAndNothingIsReportedAfterIt() {
        SweepSessionBench bench(endlessSweep());
        const QSignalSpy progress(bench.session.get(), &SweepSession::progressChanged);
        const QSignalSpy finished(bench.session.get(), &SweepSession::runFinished);
        const QSignalSpy stopped(bench.session.get(), &SweepSession::runStopped);
        bench.session->start(smallSweep());
        QTRY_VERIFY(progress.size() > 0);
        bench.session->cancel();
        QVERIFY(!bench.session->isRunning());
        QCOMPARE(stopped.size(), 1);
        const auto reported = progress.size();
        QTest::qWait(150);
        QCOMPARE(progress.size(), reported);
        QCOMPARE(finished.size(), 0);
    }

    void progressIsReportedTenTimesASecondAtMost() {
        SweepSessionBench bench(endlessSweep());
        const QSignalSpy progress(bench.session.get(), &SweepSession::progressChanged);
        bench.session->start(smallSweep());
        QTRY_VERIFY(progress.size() > 0);
        const auto before = progress.size();
        QElapsedTimer time;
        time.start();
        QTest::qWait(500);  // may take longer on a busy machine
        const auto reported = progress.size() - before;
        QVERIFY2(reported <= time.elapsed() / 100 + 2, qPrintable(QString::number(reported)));
    }

    void aPausedSweepRestsUntilItGoesOn() {
        SweepSessionBench bench(endlessSweep());
        const QSignalSpy progress(bench.session.get(), &SweepSession::progressChanged);
        bench.session->start(smallSweep());
        QTRY_VERIFY(progress.size() > 0);
        bench.session->setPaused(true);
        QVERIFY(bench.session->isPaused());
        // Points that were running when the sweep was paused are still reported.
        const auto isQuiet = [&progress] {
            const auto before = progress.size();
            QTest::qWait(250);
            return progress.size() == before;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(), 20'000);
        const auto reported = progress.size();
        bench.session->setPaused(false);
        QTRY_VERIFY(progress.size() > reported);
        bench.session->setPaused(true);
        bench.session->cancel();
        QVERIFY(!bench.session->isPaused());
    }

    void closingWhileASweepRunsTakesLessThanAFifthOfASecond() {
        using namespace std::chrono_literals;
        for (const bool paused : {false, true}) {
            const auto least = tests::leastTime(200ms, [paused] {
                SweepSessionBench bench(endlessSweep());
                QSignalSpy progress(bench.session.get(), &SweepSession::progressChanged);
                bench.session->start(smallSweep());
                if (progress.isEmpty() && !progress.wait(20'000))
                    qFatal("the sweep made no progress in time");
                bench.session->setPaused(paused);
                return tests::timeOf([&] { bench.session.reset(); });
            });
            QVERIFY2(least < 200ms, qPrintable(QString::number(least.count())));
        }
    }

    void aStoreThatCannotBeUsedIsSaidAndTheSessionLives() {
        ui::SweepSessionConfig config;
        config.storePath = "/nonexistent/folder/store.sqlite";
        SweepSessionBench bench(std::move(config));
        const QSignalSpy failed(bench.session.get(), &SweepSession::runFailed);
        bench.session->start(smallSweep());
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 10'000);
        QVERIFY(!failed.front().front().toString().isEmpty());
        QVERIFY(!bench.session->isRunning());
        const QSignalSpy lookFailed(bench.session.get(), &SweepSession::lookFailed);
        bench.session->look(smallSweep());
        QTRY_COMPARE_WITH_TIMEOUT(lookFailed.size(), 1, 10'000);
    }

    void withoutAStoreOneOfItsOwnIsUsedAndGoesWithTheSession() {
        auto session = std::make_unique<SweepSession>(ui::SweepSessionConfig{});
        const QString path = QString::fromStdString(session->storePath());
        const QSignalSpy finished(session.get(), &SweepSession::runFinished);
        session->start(smallSweep());
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 30'000);
        QVERIFY(QFile::exists(path));
        session.reset();
        QVERIFY(!QFileInfo(path).dir().exists());
    }
};

RINGSIDE_WINDOW_TEST(TestSweepSession)
#include "tst_sweep_session.moc"
