#include "engine/kernel/crew.h"
#include "tests/test_program.h"
#include "tests/engine/print.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace engine;

class TestCrew : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyItemIsWorkedOnExactlyOnce() {
        for (const int threads : {1, 2, 3, 8}) {
            Crew crew(threads);
            for (const std::size_t count : {0u, 1u, 7u, 1000u}) {
                std::vector<std::atomic<int>> touched(count);
                crew.forEach(count, [&](std::size_t item) { ++touched[item]; });
                for (const auto& times : touched)
                    QCOMPARE(times.load(), 1);
            }
        }
    }

    void allWorkIsDoneWhenForEachReturns() {
        // Plain ints: were anything still running, the sum or the thread sanitizer would tell.
        Crew crew(4);
        std::vector<int> values(64, 0);
        for (int round = 1; round <= 200; ++round) {
            crew.forEach(values.size(), [&](std::size_t item) { values[item] += static_cast<int>(item); });
            QCOMPARE(std::accumulate(values.begin(), values.end(), 0), round * 63 * 32);
        }
    }

    void whatAWorkerThrowsArrivesAtTheCallerAndTheCrewGoesOn() {
        for (const int threads : {1, 4}) {
            Crew crew(threads);
            QVERIFY_THROWS_EXCEPTION(std::runtime_error, crew.forEach(16, [](std::size_t item) {
                if (item == 5)
                    throw std::runtime_error("planted");
            }));
            std::atomic<int> done = 0;
            crew.forEach(16, [&](std::size_t) { ++done; });
            QCOMPARE(done.load(), 16);
        }
    }
};

RINGSIDE_TEST(TestCrew)
#include "tst_crew.moc"
