#include "engine/api/pipeline.h"
#include "tests/test_program.h"

#include <cmath>
#include <set>
#include <utility>
#include <vector>

using namespace engine;

namespace {

PipelineHeld heldByStage(const PipelineShape& shape, std::int64_t stage) {
    return playPipeline(shape, stage, std::vector<double>(static_cast<std::size_t>(shape.chunks), 1));
}

/// Returns the most that is held at once in the whole order, without the short cuts of playPipeline.
PipelineHeld heldInWholeOrder(const PipelineShape& shape, std::int64_t stage, const std::vector<double>& bytesOfChunk) {
    PipelineHeld most;
    std::int64_t held = 0;
    double bytes = 0;
    const PassKind last = splitsBackward(shape.schedule) ? PassKind::weight : PassKind::backward;
    for (const PipelineStep& step : pipelineOrder(shape, stage)) {
        const double ofChunk = bytesOfChunk[static_cast<std::size_t>(step.chunk)];
        const int change = step.kind == PassKind::forward ? 1 : step.kind == last ? -1 : 0;
        held += change;
        bytes += change * ofChunk;
        most = {std::max(most.chunks, held), std::max(most.bytes, bytes)};
    }
    return most;
}

const std::vector<PipelineShape>& pipelineShapes() {
    static const std::vector<PipelineShape> kShapes{{1, 1, 1},
                                                    {1, 5, 1},
                                                    {4, 2, 1},
                                                    {4, 9, 1},
                                                    {4, 8, 3},
                                                    {8, 64, 3},
                                                    {2, 2, 4},
                                                    {1, 3, 2},
                                                    {4, 9, 1, PipelineSchedule::allForward},
                                                    {4, 2, 1, PipelineSchedule::zeroBubbleH1},
                                                    {4, 9, 1, PipelineSchedule::zeroBubbleH1}};
    return kShapes;
}

}  // namespace

class TestPipelineOrders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMicroBatchGoesOnceThroughEachChunkForwardAndThenBackward() {
        for (const PipelineShape& shape : pipelineShapes()) {
            for (std::int64_t stage = 0; stage < shape.stages; ++stage) {
                std::set<std::pair<std::int64_t, std::int64_t>> held, done, weighed;
                for (const PipelineStep& step : pipelineOrder(shape, stage)) {
                    const std::pair pass{step.microbatch, step.chunk};
                    QVERIFY(step.microbatch >= 0 && step.microbatch < shape.microbatches);
                    QVERIFY(step.chunk >= 0 && step.chunk < shape.chunks);
                    if (step.kind == PassKind::forward) {
                        QVERIFY(held.insert(pass).second && !done.contains(pass));
                    } else if (step.kind == PassKind::backward) {
                        QVERIFY(held.erase(pass) == 1);
                        QVERIFY(done.insert(pass).second);
                    } else {
                        QVERIFY(done.contains(pass) && weighed.insert(pass).second);
                    }
                }
                QVERIFY(held.empty());
                QCOMPARE(done.size(), static_cast<std::size_t>(shape.microbatches * shape.chunks));
                QCOMPARE(weighed.size(), splitsBackward(shape.schedule) ? done.size() : 0);
            }
        }
    }

    // Forward passes of a stage need those of the stage before, and backward passes those of the stage after.
    void theOrdersOfAllStagesCanBePlayedTogether() {
        for (const PipelineShape& shape : pipelineShapes())
            QVERIFY(!faultOf(pipelineTasks(shape, {12, 24, 12, 1})));
    }

    void oneForwardOneBackwardHoldsAsManyMicroBatchesAsStagesFollow() {
        const PipelineShape shape{4, 9, 1};
        for (std::int64_t stage = 0; stage < 4; ++stage)
            QCOMPARE(heldByStage(shape, stage).chunks, 4 - stage);
    }

    void fewMicroBatchesAreHeldAtMostOnceEach() {
        QCOMPARE(heldByStage({4, 3, 1}, 0).chunks, std::int64_t{3});
        QCOMPARE(heldByStage({4, 4, 1}, 0).chunks, std::int64_t{4});
        QCOMPARE(heldByStage({4, 5, 1}, 0).chunks, std::int64_t{4});
    }

    void allForwardHoldsEveryMicroBatchOnEachStage() {
        for (std::int64_t stage = 0; stage < 4; ++stage)
            QCOMPARE(heldByStage({4, 9, 1, PipelineSchedule::allForward}, stage).chunks, std::int64_t{9});
    }

    // Narayanan et al. (arXiv 2104.04473), section 2.2; Korthikanti et al. (arXiv 2205.05198), section 4.3.
    void interleavingHoldsOnePlusPMinus1OverPVTimesAsMuch() {
        for (const PipelineShape& shape : {PipelineShape{8, 64, 3}, {4, 16, 2}, {2, 8, 4}}) {
            const auto p = static_cast<double>(shape.stages), v = static_cast<double>(shape.chunks);
            const double plain = static_cast<double>(heldByStage({shape.stages, shape.microbatches, 1}, 0).chunks);
            const double chunks = static_cast<double>(heldByStage(shape, 0).chunks) / v;
            QVERIFY(std::abs(chunks / plain - (1 + (p - 1) / (p * v))) < 1e-12);
        }
        QCOMPARE(heldByStage({8, 64, 3}, 0).chunks, std::int64_t{31});
    }

    void theShortCutsFindWhatTheWholeOrderHolds() {
        for (const PipelineShape& shape : pipelineShapes()) {
            const std::vector<double> alike(static_cast<std::size_t>(shape.chunks), 3);
            std::vector<double> unlike = alike;
            unlike.front() += 2;
            unlike.back() += 5;
            for (std::int64_t stage = 0; stage < shape.stages; ++stage) {
                for (const std::vector<double>& bytes : {alike, unlike}) {
                    const PipelineHeld held = playPipeline(shape, stage, bytes);
                    const PipelineHeld whole = heldInWholeOrder(shape, stage, bytes);
                    QCOMPARE(held.chunks, whole.chunks);
                    QCOMPARE(held.bytes, whole.bytes);
                }
            }
        }
    }

    // On the last stage a micro-batch leaves its last chunk immediately, so the tensors of that chunk are held once.
    void chunksThatHoldDifferentBytesAreWeighedByThem() {
        const PipelineHeld held = playPipeline({4, 8, 2}, 3, std::vector<double>{0, 10});
        QVERIFY(held.chunks > 1);
        QCOMPARE(held.bytes, 10.0);
        QVERIFY(playPipeline({4, 8, 2}, 0, std::vector<double>{0, 10}).bytes > 10);
    }
};

RINGSIDE_TEST(TestPipelineOrders)
#include "tst_pipeline_orders.moc"
