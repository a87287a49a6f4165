#include "engine/api/timetable.h"

#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace engine;

namespace {

constexpr TaskIndex kTaskA = 0, kTaskB = 1, kTaskC = 2, kTaskD = 3;

/// Tasks on pools of the given places, with one order of that look-ahead over all of them.
TaskGraph oneOrder(std::vector<std::int64_t> places, std::vector<std::pair<std::int64_t, std::uint32_t>> timeAndPool,
                   std::vector<TaskEdge> edges, std::int64_t lookahead) {
    TaskGraph graph;
    for (const std::int64_t count : places)
        graph.pools.push_back({"pool", count});
    for (const auto& [time, pool] : timeAndPool)
        graph.tasks.push_back({time, pool, Task::kAnyPlace, 0});
    graph.edges = std::move(edges);
    graph.lookaheads = {lookahead};
    return graph;
}

std::int64_t makespanOf(const TaskGraph& graph) { return timetableOf(graph).makespan; }

/// A computation, the reduction of its result on a link, another computation, and one that reads the reduction.
TaskGraph reductionBesideWork(std::int64_t lookahead) {
    return oneOrder({1, 1}, {{10, 0}, {6, 1}, {10, 0}, {1, 0}}, {{kTaskA, kTaskB}, {kTaskB, kTaskD}}, lookahead);
}

TaskGraph anomaly(std::int64_t lookahead) {
    return oneOrder({2}, {{1, 0}, {1, 0}, {3, 0}, {2, 0}}, {{kTaskA, kTaskB}, {kTaskA, kTaskC}}, lookahead);
}

struct RandomGraphs {
    std::mt19937_64 engine;

    std::int64_t below(std::int64_t end) {
        return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(end));
    }

    TaskGraph make(std::int64_t lookahead) {
        TaskGraph graph;
        const std::int64_t pools = 1 + below(3), tasks = 1 + below(24);
        for (std::int64_t i = 0; i < pools; ++i)
            graph.pools.push_back({"pool", 1 + below(4)});
        graph.lookaheads = {lookahead, lookahead};
        for (std::int64_t i = 0; i < tasks; ++i) {
            const auto pool = static_cast<std::uint32_t>(below(pools));
            const bool fixed = below(4) == 0;
            const auto place = static_cast<std::int32_t>(fixed ? below(graph.pools[pool].places) : Task::kAnyPlace);
            graph.tasks.push_back({below(9), pool, place, static_cast<std::int32_t>(below(3)) - 1});
            for (std::int64_t inputs = below(3); i > 0 && inputs > 0; --inputs)
                graph.edges.push_back({static_cast<TaskIndex>(below(i)), static_cast<TaskIndex>(i), below(4)});
        }
        return graph;
    }
};

bool placesWorkOnOneTaskAtATime(const TaskGraph& graph, const Timetable& timetable) {
    std::vector<TaskIndex> byBegin(graph.tasks.size());
    std::iota(byBegin.begin(), byBegin.end(), TaskIndex{0});
    const auto key = [&](TaskIndex task) {
        const TaskSpan& span = timetable.spans[task];
        return std::tuple(graph.tasks[task].pool, span.place, span.begin, span.end);
    };
    std::ranges::sort(byBegin, {}, key);
    for (std::size_t i = 1; i < byBegin.size(); ++i) {
        const TaskSpan &before = timetable.spans[byBegin[i - 1]], &after = timetable.spans[byBegin[i]];
        const bool same =
            graph.tasks[byBegin[i - 1]].pool == graph.tasks[byBegin[i]].pool && before.place == after.place;
        if (same && after.begin < before.end)
            return false;
    }
    return true;
}

bool inputsAreThere(const TaskGraph& graph, const Timetable& timetable) {
    return std::ranges::all_of(graph.edges, [&](const TaskEdge& edge) {
        return timetable.spans[edge.to].begin >= timetable.spans[edge.from].end + edge.latency;
    });
}

/// Returns the spans of a graph whose orders run strictly one task after the other, computed without a scheduler.
/// Precondition: every pool has a place for every task, and edges lead to higher indices.
std::vector<std::int64_t> endsInProgramOrder(const TaskGraph& graph) {
    std::vector<std::int64_t> ends(graph.tasks.size(), 0), endOfOrder(graph.lookaheads.size(), 0);
    for (TaskIndex task = 0; task < graph.tasks.size(); ++task) {
        std::int64_t begin = 0;
        for (const TaskEdge& edge : graph.edges)
            begin = edge.to == task ? std::max(begin, ends[edge.from] + edge.latency) : begin;
        const std::int32_t order = graph.tasks[task].order;
        if (order != Task::kNone)
            begin = std::max(begin, endOfOrder[static_cast<std::size_t>(order)]);
        ends[task] = begin + graph.tasks[task].time;
        if (order != Task::kNone)
            endOfOrder[static_cast<std::size_t>(order)] = ends[task];
    }
    return ends;
}

void giveAllTheSame(TaskGraph& graph, std::int32_t gpu) {
    for (Task& task : graph.tasks)
        task.gpu = gpu;
}

}  // namespace

class TestTimetable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLookAheadOfTwoHidesAReductionBehindTheNextComputation() {
        QCOMPARE(makespanOf(reductionBesideWork(1)), std::int64_t{27});
        QCOMPARE(makespanOf(reductionBesideWork(2)), std::int64_t{21});
    }

    void aLargerLookAheadCanBeSlower() {
        const std::vector<std::int64_t> expected{7, 4, 4, 5};
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(makespanOf(anomaly(static_cast<std::int64_t>(i) + 1)), expected[i]);
        const TaskBounds bounds = boundsOf(anomaly(kUnlimitedLookahead));
        QCOMPARE(bounds.work, std::int64_t{7});
        QCOMPARE(bounds.span, std::int64_t{4});
        QCOMPARE(bounds.lower, 4.0);
        QCOMPARE(bounds.upper.value(), 5.5);
    }

    void theUpperBoundHoldsForOnePoolWithoutLatenciesLookAheadAndFixedPlaces() {
        const auto upper = [](auto change) {
            TaskGraph graph = anomaly(kUnlimitedLookahead);
            change(graph);
            return boundsOf(graph).upper.has_value();
        };
        QVERIFY(upper([](TaskGraph&) {}));
        QVERIFY(!upper([](TaskGraph& graph) { graph.pools.push_back({"other", 1}); }));
        QVERIFY(!upper([](TaskGraph& graph) { graph.edges.front().latency = 1; }));
        QVERIFY(!upper([](TaskGraph& graph) { graph.tasks.front().place = 0; }));
        QVERIFY(!upper([](TaskGraph& graph) { graph.lookaheads.front() = 3; }));
        QVERIFY(upper([](TaskGraph& graph) { graph.lookaheads.front() = 4; }));
    }

    void aPlaceTakesTheReadyTaskWithTheLowestIndexOfItsOwnAndOfAll() {
        TaskGraph graph = oneOrder({2}, {{5, 0}, {5, 0}, {1, 0}, {1, 0}}, {}, kUnlimitedLookahead);
        graph.tasks[2].place = 1;
        const Timetable timetable = timetableOf(graph);
        QCOMPARE(timetable.spans[2].begin, std::int64_t{5});
        QCOMPARE(timetable.spans[2].place, 1U);
        QCOMPARE(timetable.spans[3].place, 0U);
        QCOMPARE(timetable.makespan, std::int64_t{6});
    }

    void aLatencyDelaysOnlyTheTaskThatReads() {
        const TaskGraph graph = oneOrder({2}, {{4, 0}, {2, 0}, {3, 0}}, {{kTaskA, kTaskB, 5}}, kUnlimitedLookahead);
        const Timetable timetable = timetableOf(graph);
        QCOMPARE(timetable.spans[kTaskB].begin, std::int64_t{9});
        QCOMPARE(timetable.spans[kTaskC].begin, std::int64_t{0});
        QCOMPARE(boundsOf(graph).span, std::int64_t{11});
    }

    void theCriticalChainGoesFromTheLastEndToTheBeginning() {
        QVERIFY(criticalChain(timetableOf(reductionBesideWork(1))) ==
                (std::vector<TaskIndex>{kTaskA, kTaskB, kTaskC, kTaskD}));
        QVERIFY(criticalChain(timetableOf(reductionBesideWork(2))) == (std::vector<TaskIndex>{kTaskA, kTaskC, kTaskD}));
        const Timetable serial = timetableOf(reductionBesideWork(1));
        QVERIFY(serial.spans[kTaskB].wait.kind == TaskWait::Kind::input);
        QVERIFY(serial.spans[kTaskC].wait.kind == TaskWait::Kind::order);
        QVERIFY(timetableOf(reductionBesideWork(2)).spans[kTaskC].wait.kind == TaskWait::Kind::place);
        QVERIFY(criticalChain({}).empty());
    }

    void aCycleIsNamedByItsTasks() {
        const auto fault =
            faultOf(oneOrder({1}, {{1, 0}, {1, 0}, {1, 0}}, {{kTaskA, kTaskB}, {kTaskB, kTaskC}, {kTaskC, kTaskB}}, 1));
        QVERIFY(fault && fault->kind == TaskFault::Kind::cycle);
        QVERIFY(fault->tasks == (std::vector<TaskIndex>{kTaskC, kTaskB, kTaskC}) ||
                fault->tasks == (std::vector<TaskIndex>{kTaskB, kTaskC, kTaskB}));
        QVERIFY(!faultOf(oneOrder({1}, {{1, 0}, {1, 0}, {1, 0}}, {{kTaskA, kTaskB}, {kTaskB, kTaskC}}, 1)));
    }

    void aTaskThatWaitsForOneBehindTheLookAheadIsNamed() {
        const auto waiting = [](std::int64_t lookahead) {
            return faultOf(oneOrder({1}, {{1, 0}, {1, 0}, {1, 0}}, {{kTaskC, kTaskA}}, lookahead));
        };
        const auto fault = waiting(1);
        QVERIFY(fault && fault->kind == TaskFault::Kind::stuck);
        QVERIFY(fault->tasks == (std::vector<TaskIndex>{kTaskA, kTaskC}));
        QVERIFY(!waiting(2));  // the second task ends, and the third comes into the look-ahead
    }

    void tasksOfOneGpuSlowEachOtherDownAsTheRatesSay() {
        TaskGraph graph = oneOrder({1, 1}, {{7, 0}, {5, 1}}, {}, kUnlimitedLookahead);
        giveAllTheSame(graph, 0);
        const auto together = [&](std::int64_t rate) {
            return timetableOf(graph,
                               [rate](auto running, auto rates) {
                                   std::ranges::fill(rates, running.size() > 1 ? rate : kFullRate);
                               })
                .makespan;
        };
        QCOMPARE(together(kFullRate / 2), std::int64_t{12});
        QCOMPARE(together(kFullRate), std::int64_t{7});
        graph.tasks[1].gpu = 1;  // on another GPU it slows nothing down
        QCOMPARE(together(kFullRate / 2), std::int64_t{7});
    }

    void onlyAnEndIsRoundedUp() {
        // Three tasks at a third of the rate: the first two units take 3 each, and no third of a unit is lost on the way.
        TaskGraph graph = oneOrder({1, 1, 1}, {{1, 0}, {2, 1}, {4, 2}}, {}, kUnlimitedLookahead);
        giveAllTheSame(graph, 0);
        const Timetable timetable = timetableOf(graph, [](auto running, auto rates) {
            std::ranges::fill(rates, kFullRate / static_cast<std::int64_t>(running.size()));
        });
        QCOMPARE(timetable.spans[0].end, std::int64_t{4});  // 3 x 333,333 millionths are not quite 1
        QCOMPARE(timetable.spans[1].end, std::int64_t{6});
        QCOMPARE(timetable.spans[2].end, std::int64_t{8});
    }

    void boundsAndRulesHoldForRandomGraphs() {
        RandomGraphs random{std::mt19937_64(20261128)};
        for (int i = 0; i < 10'000; ++i) {
            const std::int64_t lookahead = i % 3 == 0 ? kUnlimitedLookahead : 1 + random.below(6);
            const TaskGraph graph = random.make(lookahead);
            QVERIFY(!faultOf(graph));
            const Timetable timetable = timetableOf(graph);
            const TaskBounds bounds = boundsOf(graph);
            QVERIFY(static_cast<double>(timetable.makespan) >= bounds.lower);
            QVERIFY(!bounds.upper || static_cast<double>(timetable.makespan) <= *bounds.upper + 1e-9);
            QVERIFY(placesWorkOnOneTaskAtATime(graph, timetable));
            QVERIFY(inputsAreThere(graph, timetable));
            // The chain has no gaps but latencies.
            const std::vector<TaskIndex> chain = criticalChain(timetable);
            QCOMPARE(timetable.spans[chain.front()].begin, std::int64_t{0});
            for (std::size_t k = 1; k < chain.size(); ++k) {
                const TaskSpan& span = timetable.spans[chain[k]];
                const std::int64_t gap = span.begin - timetable.spans[chain[k - 1]].end;
                QVERIFY(gap == 0 || (gap > 0 && span.wait.kind == TaskWait::Kind::input));
            }
        }
    }

    void aLookAheadOfOneIsProgramOrderAndOneOfAllTasksIsUnlimited() {
        RandomGraphs random{std::mt19937_64(7)};
        for (int i = 0; i < 2'000; ++i) {
            TaskGraph graph = random.make(1);
            TaskGraph wide = graph;
            for (TaskPool& pool : wide.pools)
                pool.places = static_cast<std::int64_t>(wide.tasks.size());
            for (Task& task : wide.tasks)
                task.place = Task::kAnyPlace;
            const std::vector<std::int64_t> ends = endsInProgramOrder(wide);
            const Timetable strict = timetableOf(wide);
            for (std::size_t task = 0; task < ends.size(); ++task)
                QCOMPARE(strict.spans[task].end, ends[task]);

            graph.lookaheads.assign(2, static_cast<std::int64_t>(graph.tasks.size()));
            const std::vector<TaskSpan> all = timetableOf(graph).spans;
            graph.lookaheads.assign(2, kUnlimitedLookahead);
            QVERIFY(all == timetableOf(graph).spans);
        }
    }

    void aRateOfOneIsTheSameAsNoRates() {
        RandomGraphs random{std::mt19937_64(11)};
        for (int i = 0; i < 2'000; ++i) {
            TaskGraph graph = random.make(2);
            giveAllTheSame(graph, 0);
            const auto full = [](auto, auto rates) { std::ranges::fill(rates, kFullRate); };
            QVERIFY(timetableOf(graph).spans == timetableOf(graph, full).spans);
        }
    }

    void anEmptyGraphTakesNoTime() {
        QCOMPARE(timetableOf({}).makespan, std::int64_t{0});
        QVERIFY(!faultOf({}));
        QCOMPARE(boundsOf({}).lower, 0.0);
    }
};

RINGSIDE_TEST(TestTimetable)
#include "tst_timetable.moc"
