#include "tests/test_program.h"

#include "engine/api/runner.h"
#include "ui/shared/worker.h"

#include <QSemaphore>
#include <QStringList>
#include <QTest>
#include <QThread>

#include <stdexcept>
#include <thread>

using ui::Worker;

namespace {

constexpr int kTellsMs = 5;

struct Owner {
    int reported = 0;
    double fraction = 0;
    Worker worker{kTellsMs, [this](double done) {
                      ++reported;
                      fraction = done;
                  }};
};

void idle(const Worker::Ticket&) {}

}  // namespace

class TestWorker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aVerdictComesOnTheOwnersThread() {
        Owner owner;
        QThread* where = nullptr;
        owner.worker.start(
            [&](const Worker::Ticket& ticket) { ticket.finish([&] { where = QThread::currentThread(); }); });
        QVERIFY(owner.worker.isRunning());
        QTRY_COMPARE(where, QThread::currentThread());
        QVERIFY(!owner.worker.isRunning());
    }
    void whatAReplacedJobDeliversIsDropped() {
        Owner owner;
        QSemaphore begun, go;
        QStringList verdicts;
        owner.worker.start([&](const Worker::Ticket& ticket) {
            begun.release();
            go.acquire();
            ticket.deliver([&] { verdicts << QStringLiteral("old"); });
        });
        begun.acquire();
        owner.worker.start(
            [&](const Worker::Ticket& ticket) { ticket.deliver([&] { verdicts << QStringLiteral("new"); }); });
        go.release();
        QTRY_VERIFY(!verdicts.isEmpty());
        QTest::qWait(kTellsMs);
        QCOMPARE(verdicts, QStringList{QStringLiteral("new")});
    }
    void aReplacedJobIsAskedToStopAndItsProgressIsNotShown() {
        Owner owner;
        QSemaphore begun, seen;
        owner.worker.start([&](const Worker::Ticket& ticket) {
            begun.release();
            while (!ticket.stop.stop_requested())
                std::this_thread::yield();
            ticket.setProgress(0.9);
            seen.release();
        });
        begun.acquire();
        owner.worker.start(idle);
        seen.acquire();
        QCOMPARE(owner.worker.progress(), 0.0);
    }
    void cancellingSaysWhetherThereWasAnything() {
        Owner owner;
        QVERIFY(!owner.worker.cancel());
        owner.worker.start(idle);
        QVERIFY(owner.worker.cancel());
        QVERIFY(!owner.worker.isRunning());
    }
    void progressIsReportedWhileAJobIsUnderWayAndNotAfter() {
        Owner owner;
        QSemaphore go;
        owner.worker.start([&](const Worker::Ticket& ticket) {
            ticket.setProgress(0.5);
            go.acquire();
            ticket.finish([] {});
        });
        QTRY_VERIFY(owner.reported > 1);
        QCOMPARE(owner.fraction, 0.5);
        go.release();
        QTRY_VERIFY(!owner.worker.isRunning());
        const int reported = owner.reported;
        QTest::qWait(4 * kTellsMs);
        QCOMPARE(owner.reported, reported);
    }
    void itsEndStopsTheJobAndNothingComesAfter() {
        bool came = false;
        QSemaphore begun;
        {
            Owner owner;
            owner.worker.start([&](const Worker::Ticket& ticket) {
                begun.release();
                while (!ticket.stop.stop_requested())
                    std::this_thread::yield();
                ticket.deliver([&] { came = true; });
            });
            begun.acquire();
        }
        QTest::qWait(kTellsMs);
        QVERIFY(!came);
    }
    void addedWorkIsDoneInTurnAndAlsoWhenTheWorkerEnds() {
        QSemaphore begun;
        QStringList done;
        bool replaceable = false;
        {
            Owner owner;
            owner.worker.add([&](const Worker::Ticket& ticket) {
                begun.release();
                while (!ticket.stop.stop_requested())
                    std::this_thread::yield();
                done << QStringLiteral("first");
            });
            begun.acquire();
            owner.worker.add([&](const Worker::Ticket& ticket) {
                done << (ticket.stop.stop_requested() ? QStringLiteral("told to stop") : QStringLiteral("not told"));
            });
            owner.worker.start([&](const Worker::Ticket&) { replaceable = true; }, {}, 1);
        }
        QCOMPARE(done, (QStringList{QStringLiteral("first"), QStringLiteral("told to stop")}));
        QVERIFY(!replaceable);
    }
    void theFirstLaneGoesFirstAndEachIsReplacedAndCancelledByItself() {
        Owner owner;
        QSemaphore begun, go;
        QStringList done;
        const auto say = [&](const char* what) {
            return [&done, what](const Worker::Ticket& ticket) {
                ticket.finish([&done, what] { done << QString::fromLatin1(what); });
            };
        };
        owner.worker.start(
            [&](const Worker::Ticket&) {
                begun.release();
                go.acquire();
            },
            {}, 1);
        begun.acquire();
        owner.worker.start(say("last"), {}, 2);
        owner.worker.start(say("replaced"), {}, 1);
        owner.worker.start(say("middle"), {}, 1);
        owner.worker.start(say("first"));
        QVERIFY(owner.worker.isRunning(2));
        go.release();
        QTRY_COMPARE(done, (QStringList{QStringLiteral("first"), QStringLiteral("middle"), QStringLiteral("last")}));
        QVERIFY(!owner.worker.isRunning(1));
    }
    void whatAJobThrowsArrivesAsItsLastWordUnlessItWasStopped() {
        Owner owner;
        QStringList words;
        const auto failed = [&](const QString& text) {
            QVERIFY(!owner.worker.isRunning(1));
            words << text;
        };
        owner.worker.start([](const Worker::Ticket&) { throw std::runtime_error("the disk is full"); }, failed, 1);
        QTRY_COMPARE(words, QStringList{QStringLiteral("the disk is full")});
        owner.worker.start([](const Worker::Ticket&) { throw engine::RunStopped(); }, failed, 1);
        QTest::qWait(4 * kTellsMs);
        QCOMPARE(words.size(), 1);
    }
    void aJobThatIsAskedToStopStillDeliversItsAnswer() {
        Owner owner;
        bool said = false;
        owner.worker.start([&](const Worker::Ticket& ticket) {
            while (!ticket.stop.stop_requested())
                std::this_thread::yield();
            ticket.finish([&] { said = true; });
        });
        owner.worker.requestStop();
        QVERIFY(owner.worker.isRunning());
        QTRY_VERIFY(said);
    }
};

RINGSIDE_CORE_TEST(TestWorker)
#include "tst_worker.moc"
