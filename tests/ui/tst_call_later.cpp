#include "tests/test_program.h"
#include "ui/shared/worker.h"

#include <QTest>
#include <QThread>

#include <memory>
#include <numeric>
#include <thread>
#include <vector>

using ui::callLater;

namespace {

constexpr int kCalls = 100;  // without an annotation, the thread sanitizer reports about one in ten as a race

}  // namespace

class TestCallLater : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCallIsMadeOnTheThreadOfItsContextWithAllThatItBrings() {
        for (int i = 0; i < kCalls; ++i) {
            QObject context;
            QThread* where = nullptr;
            int sum = 0;
            const std::jthread other([&] {
                auto made = std::make_shared<std::vector<int>>(10, i);
                callLater(context, [&where, &sum, made] {
                    where = QThread::currentThread();
                    sum = std::accumulate(made->begin(), made->end(), 0);
                });
            });
            QTRY_COMPARE(where, thread());
            QCOMPARE(sum, 10 * i);
        }
    }
    void callsAreMadeInTheOrderOfAsking() {
        QObject context;
        std::vector<int> made;
        const std::jthread other([&] {
            for (int i = 0; i < kCalls; ++i)
                callLater(context, [&made, i] { made.push_back(i); });
        });
        QTRY_COMPARE(made.size(), std::size_t{kCalls});
        std::vector<int> asked(kCalls);
        std::iota(asked.begin(), asked.end(), 0);
        QCOMPARE(made, asked);
    }
    void aCallIsNotMadeBeforeItsTurnEvenOnTheSameThread() {
        QObject context;
        bool made = false;
        callLater(context, [&] { made = true; });
        QVERIFY(!made);
        QTRY_VERIFY(made);
    }
    void whatACallBringsGoesWithItsContext() {
        auto brought = std::make_shared<int>(1);
        bool made = false;
        {
            QObject context;
            std::jthread([&] { callLater(context, [&made, brought] { made = true; }); }).join();
            QCOMPARE(brought.use_count(), 2);
        }
        QCOMPARE(brought.use_count(), 1);
        QTest::qWait(1);
        QVERIFY(!made);
    }
    void aCallMayGiveAwayWhatItBrings() {
        QObject context;
        std::shared_ptr<const int> arrived;
        callLater(context, [&, made = std::make_shared<const int>(7)]() mutable { arrived = std::move(made); });
        QTRY_VERIFY(arrived);
        QCOMPARE(*arrived, 7);
    }
};

RINGSIDE_CORE_TEST(TestCallLater)
#include "tst_call_later.moc"
