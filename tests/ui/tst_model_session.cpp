#include "tests/test_program.h"
#include "ui/model/model_view.h"

#include "engine/api/runner.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

using engine::ModelPhase;
using ui::ModelSession;

namespace {

data::ModelRun quick(const engine::Experiment& experiment, const data::ModelRunOptions& options) {
    data::ModelRun run;
    run.base = experiment;
    run.graph.phase = options.phase;
    return run;
}

/// Runs until it is stopped, as a long model run would.
data::ModelRun endlessModel(const engine::Experiment&, const data::ModelRunOptions& options) {
    options.progress(0.25);
    while (!options.stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw engine::RunStopped();
}

std::shared_ptr<const data::ModelRun> arrived(const QSignalSpy& spy) {
    return spy.last().first().value<std::shared_ptr<const data::ModelRun>>();
}

}  // namespace

class TestModelSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunArrivesWithThePhaseThatWasAskedFor() {
        ModelSession session({.threads = 1, .run = quick});
        QSignalSpy finished(&session, &ModelSession::runFinished);
        session.start({}, ModelPhase::prompt);
        QVERIFY(session.isRunning());
        QVERIFY(finished.wait());
        QCOMPARE(arrived(finished)->graph.phase, ModelPhase::prompt);
        QVERIFY(!session.isRunning());
    }

    void ofManyRequestsOnlyTheNewestIsAnswered() {
        std::atomic<int> runs = 0;
        std::atomic<bool> areAllRequested = false;
        ModelSession session({.threads = 1, .run = [&](const auto& experiment, const auto& options) {
                                  ++runs;
                                  areAllRequested.wait(false);
                                  return quick(experiment, options);
                              }});
        QSignalSpy finished(&session, &ModelSession::runFinished);
        for (std::int64_t layers = 1; layers <= 20; ++layers) {
            engine::Experiment experiment;
            experiment.workload.layers = layers;
            session.start(experiment, ModelPhase::training);
        }
        areAllRequested = true;
        areAllRequested.notify_all();
        QVERIFY(finished.wait());
        QTest::qWait(60);
        QCOMPARE(finished.size(), 1);
        QCOMPARE(arrived(finished)->base.workload.layers, 20);
        QVERIFY(runs <= 2);
    }

    void cancellingAnswersAtOnceAndNothingComesAfterIt() {
        ModelSession session({.threads = 1, .run = endlessModel});
        QSignalSpy finished(&session, &ModelSession::runFinished);
        QSignalSpy stopped(&session, &ModelSession::runStopped);
        QSignalSpy progress(&session, &ModelSession::progressChanged);
        session.start({}, ModelPhase::training);
        QVERIFY(progress.wait());
        session.cancel();
        QCOMPARE(stopped.size(), 1);
        QVERIFY(!session.isRunning());
        QTest::qWait(50);
        QCOMPARE(finished.size(), 0);
    }

    void whatIsWrongWithAModelComesByPath() {
        ModelSession session({.threads = 1});
        QSignalSpy refused(&session, &ModelSession::runRefused);
        engine::Experiment experiment;
        experiment.workload.hidden = 2048;
        experiment.parallel.tp = 7;
        session.start(experiment, ModelPhase::training);
        QVERIFY(refused.wait());
        const auto problems = refused.first().first().value<engine::Problems>();
        QVERIFY(!problems.empty());
        QVERIFY(!problems.front().path.empty());
    }

    void aFailureOfTheMachineIsReportedAndTheNextRunGoesThrough() {
        bool fails = true;
        ModelSession session({.threads = 1, .run = [&](const auto& experiment, const auto& options) {
                                  if (std::exchange(fails, false))
                                      throw std::runtime_error("no memory left");
                                  return quick(experiment, options);
                              }});
        QSignalSpy failed(&session, &ModelSession::runFailed);
        session.start({}, ModelPhase::training);
        QVERIFY(failed.wait());
        QCOMPARE(failed.first().first().toString(), QStringLiteral("no memory left"));
        QSignalSpy finished(&session, &ModelSession::runFinished);
        session.start({}, ModelPhase::training);
        QVERIFY(finished.wait());
    }

    void closingWhileARunIsUnderWayWaitsForItsNextPollOnly() {
        auto session = std::make_unique<ModelSession>(ui::ModelSessionConfig{.threads = 1, .run = endlessModel});
        session->start({}, ModelPhase::training);
        QTest::qWait(20);
        session.reset();
        QVERIFY(!session);
    }
};

RINGSIDE_CORE_TEST(TestModelSession)
#include "tst_model_session.moc"
