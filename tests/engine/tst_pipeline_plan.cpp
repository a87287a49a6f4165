#include "engine/api/pipeline.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace engine;

namespace {

using enum PipelineSchedule;

struct Played {
    PipelineFindings findings;
    Timetable timetable;
};

Played played(const PipelineShape& shape, const PipelineTimes& times) {
    const TaskGraph graph = pipelineTasks(shape, times);
    const Timetable timetable = timetableOf(graph);
    return {findingsOf(shape, graph, planOf(shape), timetable), timetable};
}

std::int64_t totalOf(const PipelineShape& shape, const PipelineTimes& times) {
    return played(shape, times).findings.total;
}

/// Returns whether two numbers are equal but for their last bits.
bool nearly(double a, double b) { return std::abs(a - b) < 1e-9; }

}  // namespace

class TestPipelinePlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fourStagesAndEightMicroBatchesTakeWhatPapersSay() {
        struct Case {
            PipelineShape shape;
            std::int64_t total, withSend;
            double overIdeal;
            std::vector<double> inFlight;
        };
        const std::vector<Case> cases{{{4, 8, 1, oneForwardOneBackward}, 330, 346, 0.375, {4, 3, 2, 1}},
                                      {{4, 8, 1, allForward}, 330, 336, 0.375, {8, 8, 8, 8}},
                                      {{4, 8, 2, oneForwardOneBackward}, 285, 0, 0.1875, {}},
                                      {{4, 8, 1, zeroBubbleH1}, 270, 282, 0.125, {4, 4, 4, 4}}};
        for (const Case& each : cases) {
            const PipelineFindings findings = played(each.shape, {10, 20, 10}).findings;
            QCOMPARE(findings.total, each.total);
            QVERIFY(nearly(findings.bubbleOverIdeal, each.overIdeal));
            QVERIFY(each.inFlight.empty() || findings.inFlight == each.inFlight);
            QVERIFY(each.withSend == 0 || totalOf(each.shape, {10, 20, 10, 1}) == each.withSend);
        }
        QVERIFY(nearly(played({4, 8, 1}, {10, 20}).findings.bubbleShare, 3.0 / 11));
    }

    void plainSchedulesTakeMPlusPMinusOneTimesBothPasses() {
        for (std::int64_t p = 1; p <= 8; ++p) {
            for (std::int64_t m = 1; m <= 24; ++m) {
                QCOMPARE(totalOf({p, m, 1, oneForwardOneBackward}, {7, 19}), (m + p - 1) * 26);
                QCOMPARE(totalOf({p, m, 1, allForward}, {7, 19, 0, 3}), (m + p - 1) * 26 + 2 * (p - 1) * 3);
            }
        }
    }

    void chunksDivideTheBubble() {
        for (std::int64_t p = 2; p <= 8; ++p) {
            for (std::int64_t v = 2; v <= 4; ++v) {
                for (std::int64_t m = p; m <= 24; m += p) {
                    const std::int64_t f = 12, b = 36;
                    const PipelineFindings findings = played({p, m, v}, {f, b}).findings;
                    QCOMPARE(findings.total, m * (f + b) + (p - 1) * (f + b) / v);
                    QVERIFY(nearly(findings.bubbleOverIdeal, static_cast<double>(p - 1) / static_cast<double>(v * m)));
                }
            }
        }
    }

    void weightPassesFillTheBubbleUpToTheLongestOfThreeGaps() {
        // On both sides of w = f and of w = b.
        for (const auto& [f, b, w] : {std::tuple{10, 10, 10},
                                      {10, 10, 9},
                                      {10, 10, 11},
                                      {10, 14, 12},
                                      {14, 10, 12},
                                      {3, 20, 1},
                                      {3, 20, 30},
                                      {20, 3, 30},
                                      {20, 3, 10},
                                      {5, 9, 7}}) {
            for (std::int64_t p = 1; p <= 8; ++p) {
                for (std::int64_t m = p; m <= 24; ++m) {
                    const std::int64_t gap = std::max({f + b - w, f, b});
                    QCOMPARE(totalOf({p, m, 1, zeroBubbleH1}, {f, b + w, w}), m * (f + b + w) + (p - 1) * gap);
                }
            }
        }
    }

    void delayedGradientsShortenAMiniBatch() {
        QCOMPARE(totalOf({3, 1, 1}, {10, 20}), std::int64_t{90});
        QCOMPARE(totalOf({3, 1, 1, delayed}, {10, 20}), std::int64_t{50});
        QCOMPARE(totalOf({3, 1, 1, delayedPipelined}, {10, 20}), std::int64_t{30});
        QCOMPARE(totalOf({3, 1, 1, delayedPipelined}, {10, 20, 0, 3}), std::int64_t{33});
    }

    void delayedPipelinesKeepEveryStageBusyWhateverTheNumberOfStages() {
        for (std::int64_t p = 2; p <= 12; ++p) {
            for (const auto& [f, b] : {std::pair{4, 12}, {6, 12}, {10, 10}, {12, 6}, {12, 4}}) {
                QCOMPARE(totalOf({p, 1, 1, delayedPipelined}, {f, b}), std::int64_t{f + b});
                QCOMPARE(totalOf({p, 1, 1, delayed}, {f, b, 0, 2}), p * f + p * 2 + b);
            }
        }
    }

    void eachModuleIsKMinusKUpdatesStale() {
        for (const PipelineSchedule schedule : {delayed, delayedPipelined}) {
            QVERIFY(stalenessOf({3, 1, 1, schedule}) == (std::vector<std::int64_t>{3, 2, 1, 0}));
            for (std::int64_t p = 2; p <= 12; ++p) {
                const std::vector<std::int64_t> staleness = stalenessOf({p, 1, 1, schedule});
                QCOMPARE(staleness.size(), static_cast<std::size_t>(p + 1));
                for (std::int64_t k = 1; k <= p + 1; ++k)
                    QCOMPARE(staleness[static_cast<std::size_t>(k - 1)], p + 1 - k);
            }
        }
        QVERIFY(stalenessOf({3, 8, 1}).empty());
    }

    void delayedStagesHoldKMinusKPlusOneMiniBatchesOfEachModule() {
        // Stage 0 has half of its layers in each of modules 1 and 4.
        QVERIFY(played({3, 1, 1, delayed}, {10, 20}).findings.inFlight == (std::vector<double>{2.5, 3, 2}));
    }

    void theStableStepShrinksWithStaleness() {
        QVERIFY(nearly(stableStep(0), 2));
        QVERIFY(nearly(stableStep(1), 1));
        QVERIFY(std::abs(stableStep(2) - 0.618) < 0.0005);
        QVERIFY(std::abs(stableStep(3) - 0.445) < 0.0005);
    }

    void aStageNeverWorksOnTwoPassesAtOnce() {
        for (const PipelineShape& shape :
             {PipelineShape{4, 8, 2}, {4, 9, 1, zeroBubbleH1}, {5, 1, 1, delayedPipelined}}) {
            const TaskGraph graph = pipelineTasks(shape, {12, 24, 10, 3});
            QVERIFY(!faultOf(graph));
            std::vector<std::vector<TaskSpan>> byStage(graph.pools.size());
            const Timetable timetable = timetableOf(graph);
            for (std::size_t i = 0; i < graph.tasks.size(); ++i)
                byStage[graph.tasks[i].pool].push_back(timetable.spans[i]);
            for (std::vector<TaskSpan>& spans : byStage) {
                std::ranges::sort(spans, {}, &TaskSpan::begin);
                for (std::size_t i = 1; i < spans.size(); ++i)
                    QVERIFY(spans[i].begin >= spans[i - 1].end);
            }
        }
    }
};

RINGSIDE_TEST(TestPipelinePlan)
#include "tst_pipeline_plan.moc"
