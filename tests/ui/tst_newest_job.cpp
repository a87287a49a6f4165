#include "tests/ui/window_test.h"

#include "ui/shared/newest_job.h"

#include <QSemaphore>

#include <memory>

using ui::NewestJob;

namespace {

constexpr int kTellsMs = 5;

struct Owner {
    QObject context;
    int told = 0;
    NewestJob job{context, kTellsMs, [this] { ++told; }};
};

}  // namespace

class TestNewestJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aVerdictComesOnTheOwnersThread() {
        Owner owner;
        QThread* where = nullptr;
        owner.job.start([&](const NewestJob::Ticket& ticket) {
            owner.job.deliver(ticket, [&] {
                where = QThread::currentThread();
                owner.job.end();
            });
        });
        QVERIFY(owner.job.isRunning());
        QTRY_COMPARE(where, QThread::currentThread());
        QVERIFY(!owner.job.isRunning());
    }
    void whatAReplacedJobDeliversIsDropped() {
        Owner owner;
        QSemaphore begun, go;
        QStringList verdicts;
        owner.job.start([&](const NewestJob::Ticket& ticket) {
            begun.release();
            go.acquire();
            owner.job.deliver(ticket, [&] { verdicts << QStringLiteral("old"); });
        });
        begun.acquire();
        owner.job.start([&](const NewestJob::Ticket& ticket) {
            owner.job.deliver(ticket, [&] { verdicts << QStringLiteral("new"); });
        });
        go.release();
        QTRY_VERIFY(!verdicts.isEmpty());
        QTest::qWait(kTellsMs);
        QCOMPARE(verdicts, QStringList{QStringLiteral("new")});
    }
    void aReplacedJobIsToldToStopAndItsProgressIsNotShown() {
        Owner owner;
        QSemaphore begun, seen;
        owner.job.start([&](const NewestJob::Ticket& ticket) {
            begun.release();
            while (!ticket.stop.stop_requested())
                std::this_thread::yield();
            owner.job.setProgress(ticket, 0.9);
            seen.release();
        });
        begun.acquire();
        owner.job.start([](const NewestJob::Ticket&) {});
        seen.acquire();
        QCOMPARE(owner.job.progress(), 0.0);
    }
    void cancellingSaysWhetherThereWasAnything() {
        Owner owner;
        QVERIFY(!owner.job.cancel());
        owner.job.start([](const NewestJob::Ticket&) {});
        QVERIFY(owner.job.cancel());
        QVERIFY(!owner.job.isRunning());
    }
    void progressIsToldWhileAJobIsUnderWayAndNotAfter() {
        Owner owner;
        owner.job.start([](const NewestJob::Ticket&) {});
        QTRY_VERIFY(owner.told > 1);
        owner.job.end();
        const int told = owner.told;
        QTest::qWait(4 * kTellsMs);
        QCOMPARE(owner.told, told);
    }
    void itsEndStopsTheJobAndNothingComesAfter() {
        bool came = false;
        QSemaphore begun;
        {
            Owner owner;
            owner.job.start([&](const NewestJob::Ticket& ticket) {
                begun.release();
                while (!ticket.stop.stop_requested())
                    std::this_thread::yield();
                owner.job.deliver(ticket, [&] { came = true; });
            });
            begun.acquire();
        }
        QTest::qWait(kTellsMs);
        QVERIFY(!came);
    }
};

RINGSIDE_WINDOW_TEST(TestNewestJob)
#include "tst_newest_job.moc"
