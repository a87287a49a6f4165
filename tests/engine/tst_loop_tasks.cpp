#include "engine/api/timetable.h"
#include "tests/test_program.h"

#include <cmath>
#include <random>

using namespace engine;

namespace {

/// The loop with one value that each iteration passes to the next.
LoopShape carriedValue(std::int64_t latency, std::int64_t iterations = 10'000) {
    return {"cores", 16, iterations, {{false, 100}, {true, 5}}, latency};
}

}  // namespace

class TestLoopTasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLatencyOfTheCarriedValueDecidesHowOftenAnIterationBegins() {
        struct Case {
            std::int64_t latency, makespan;
            double interval, speedup;
        };
        for (const Case& each : {Case{75, 800'025, 80, 1.3125}, {10, 150'090, 15, 7.0}, {5, 100'095, 10, 10.5}}) {
            const LoopShape loop = carriedValue(each.latency);
            QCOMPARE(timetableOf(loopTasks(loop)).makespan, each.makespan);
            QCOMPARE(formulasOf(loop).interval, each.interval);
            QCOMPARE(formulasOf(loop).speedup, each.speedup);
            QCOMPARE(formulasOf(loop).bound.value(), std::size_t{1});
        }
    }

    void oneCorePassesTheValueToItself() {
        LoopShape loop = carriedValue(75, 100);
        loop.cores = 1;
        QCOMPARE(timetableOf(loopTasks(loop)).makespan, std::int64_t{10'500});
        QCOMPARE(formulasOf(loop).speedup, 1.0);
        QVERIFY(!formulasOf(loop).bound);
    }

    void aLoopWithoutCarriedValuesIsBoundByTheCores() {
        const LoopShape loop{"cores", 4, 100, {{false, 7}, {false, 1}}, 50};
        QCOMPARE(timetableOf(loopTasks(loop)).makespan, std::int64_t{200});
        QCOMPARE(formulasOf(loop).interval, 2.0);
        QVERIFY(!formulasOf(loop).bound);
    }

    void aProgramGainsByTheShareThatTheLoopCovers() {
        const LoopFormulas formulas = formulasOf(carriedValue(10));
        QCOMPARE(formulas.programSpeedup(1), 7.0);
        QCOMPARE(formulas.programSpeedup(0), 1.0);
        QCOMPARE(formulas.programSpeedup(0.5), 1 / (0.5 + 0.5 / 7));
    }

    void longRandomLoopsTakeAsLongAsTheFormulaSays() {
        constexpr std::int64_t kIterations = 2'000;
        std::mt19937_64 random(42);
        const auto from = [&](std::int64_t least, std::int64_t most) {
            return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
        };
        for (int i = 0; i < 1'000; ++i) {
            LoopShape loop{"cores", from(2, 16), kIterations, {}, from(0, 80)};
            const std::int64_t pieces = from(1, 6);
            for (std::int64_t k = 0; k < pieces; ++k)
                loop.pieces.push_back({from(0, 1) == 1, from(1, 100)});
            const double expected = static_cast<double>(kIterations) * formulasOf(loop).interval;
            const auto makespan = static_cast<double>(timetableOf(loopTasks(loop)).makespan);
            QVERIFY2(std::abs(makespan / expected - 1) < 0.02, qPrintable(QString::number(makespan / expected)));
        }
    }
};

RINGSIDE_TEST(TestLoopTasks)
#include "tst_loop_tasks.moc"
