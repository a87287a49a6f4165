#include "tests/test_program.h"
#include "ui/compare/comparison.h"

#include "engine/api/runner.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

using ui::CompareJob;
using ui::CompareSession;

namespace {

data::LaboratoryRun quick(const data::ExperimentDraft& draft, const engine::RunOptions& options) {
    data::LaboratoryRun run;
    run.draft = draft;
    run.result.last.time.total = {options.recordTrace && options.attribution ? 7 : 0};
    return run;
}

data::LaboratoryRun endlessSide(const data::ExperimentDraft&, const engine::RunOptions& options) {
    options.progress(0.5);
    while (!options.stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw engine::RunStopped();
}

std::vector<CompareJob> jobs(int count) {
    std::vector<CompareJob> made;
    for (int key = 1; key <= count; ++key)
        made.push_back({key, {}, std::nullopt, {}});
    return made;
}

ui::RunSessionConfig with(ui::RunSessionConfig::Simulate simulate) { return {std::nullopt, std::move(simulate)}; }

}  // namespace

class TestCompareSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRunArrivesUnderItsKeyWithTraceAndCausesAskedFor() {
        CompareSession session(with(quick));
        QSignalSpy arrived(&session, &CompareSession::runFinished), all(&session, &CompareSession::allFinished);
        session.start(jobs(3));
        QVERIFY(session.isRunning());
        QVERIFY(all.wait());
        QCOMPARE(arrived.size(), 3);
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(arrived[i][0].toInt(), i + 1);
            QCOMPARE(arrived[i][1].value<std::shared_ptr<const data::ShownRun>>()->run.result.last.time.total.ps, 7);
        }
        QVERIFY(!session.isRunning());
    }

    void oneThatFailsSaysWhyAndTheOthersGoOn() {
        std::atomic<int> count = 0;
        CompareSession session(with([&](const auto& draft, const auto& options) {
            if (++count == 2)
                throw engine::Deadlock("tracker waits for a set");
            return quick(draft, options);
        }));
        QSignalSpy arrived(&session, &CompareSession::runFinished), failed(&session, &CompareSession::runFailed),
            all(&session, &CompareSession::allFinished);
        session.start(jobs(3));
        QVERIFY(all.wait());
        QCOMPARE(arrived.size(), 2);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].toInt(), 2);
        QVERIFY(failed[0][1].toString().contains(QStringLiteral("tracker waits for a set")));
    }

    void progressIsThatOfAllRunsTogether() {
        std::atomic<int> count = 0;
        CompareSession session(with([&](const auto& draft, const auto& options) {
            return ++count == 1 ? quick(draft, options) : endlessSide(draft, options);
        }));
        QSignalSpy progress(&session, &CompareSession::progressChanged);
        session.start(jobs(2));
        QTRY_VERIFY(!progress.isEmpty() && progress.last()[0].toDouble() == 0.75);
    }

    void cancellingAnswersAtOnceAndNothingComesAfterIt() {
        CompareSession session(with(endlessSide));
        QSignalSpy arrived(&session, &CompareSession::runFinished), stopped(&session, &CompareSession::runStopped),
            all(&session, &CompareSession::allFinished);
        session.start(jobs(2));
        QTest::qWait(20);
        session.cancel();
        QCOMPARE(stopped.size(), 1);
        QVERIFY(!session.isRunning());
        QTest::qWait(50);
        QCOMPARE(arrived.size() + all.size(), 0);
    }

    void ofTwoRequestsOnlyTheNewerIsAnswered() {
        std::atomic<bool> first = true;
        CompareSession session(with([&](const auto& draft, const auto& options) {
            return first.exchange(false) ? endlessSide(draft, options) : quick(draft, options);
        }));
        QSignalSpy arrived(&session, &CompareSession::runFinished), all(&session, &CompareSession::allFinished);
        session.start(jobs(2));
        QTRY_VERIFY(!first);
        session.start({{9, {}, std::nullopt, {}}});
        QVERIFY(all.wait());
        QCOMPARE(arrived.size(), 1);
        QCOMPARE(arrived[0][0].toInt(), 9);
    }

    void aKeptRunThatIsGoneSaysSo() {
        CompareSession session(with(quick));
        QSignalSpy failed(&session, &CompareSession::runFailed);
        session.start({{1, {}, 12, {}}});
        QVERIFY(failed.wait());
        QVERIFY(failed[0][1].toString().contains(QStringLiteral("no longer in the store")));
    }

    void closingWhileARunIsUnderWayWaitsForItsNextPollOnly() {
        auto session = std::make_unique<CompareSession>(with(endlessSide));
        session->start(jobs(2));
        QTest::qWait(20);
        session.reset();
        QVERIFY(!session);
    }
};

RINGSIDE_CORE_TEST(TestCompareSession)
#include "tst_compare_session.moc"
