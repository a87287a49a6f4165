#include "engine/kernel/thread_pool.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace engine;

class TestThreadPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyItemIsWorkedOnExactlyOnce() {
        for (const int threads : {1, 2, 3, 8}) {
            ThreadPool pool(threads);
            for (const std::size_t count : {0u, 1u, 7u, 1000u}) {
                std::vector<std::atomic<int>> touched(count);
                pool.forEach(count, [&](std::size_t item) { ++touched[item]; });
                for (const auto& times : touched)
                    QCOMPARE(times.load(), 1);
            }
        }
    }

    void allWorkIsDoneWhenForEachReturns() {
        // These are plain ints: if a task were still running, the sum would be wrong or the thread sanitizer would
        // report a race.
        ThreadPool pool(4);
        std::vector<int> values(64, 0);
        for (int round = 1; round <= 200; ++round) {
            pool.forEach(values.size(), [&](std::size_t item) { values[item] += static_cast<int>(item); });
            QCOMPARE(std::accumulate(values.begin(), values.end(), 0), round * 63 * 32);
        }
    }

    void whatAWorkerThrowsArrivesAtTheCallerAndThePoolGoesOn() {
        for (const int threads : {1, 4}) {
            ThreadPool pool(threads);
            QVERIFY_THROWS_EXCEPTION(std::runtime_error, pool.forEach(16, [](std::size_t item) {
                if (item == 5)
                    throw std::runtime_error("planted");
            }));
            std::atomic<int> done = 0;
            pool.forEach(16, [&](std::size_t) { ++done; });
            QCOMPARE(done.load(), 16);
        }
    }
};

RINGSIDE_TEST(TestThreadPool)
#include "tst_thread_pool.moc"
