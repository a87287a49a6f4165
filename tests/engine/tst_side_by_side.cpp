// Tests a companion beside the experiment's own work: which kernel gets the CUs when, and the cost in time.

#include "engine/api/baselines.h"
#include "engine/api/trace.h"

#include "tests/engine/experiments.h"
#include "tests/engine/free_memory.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <memory>

using namespace engine;
using namespace tests;

namespace {

/// Its tiles fill `cus` CUs at one slot each; a companion of another all-gather that is far longer.
Experiment besideLongCollective(std::int64_t cus, std::int64_t workgroups, DispatchRule rule) {
    Experiment experiment = freeMemoryGemm(cus, 1);
    experiment.companion.operation = CompanionOperation::allGather;
    experiment.companion.bytes = 256_MiB;
    experiment.companion.workgroups = workgroups;
    experiment.dispatch.rule = rule;
    return experiment;
}

Experiment besideGemms(std::int64_t cus, std::int64_t slots, std::int64_t copies, DispatchRule rule) {
    Experiment experiment = freeMemoryGemm(cus, slots);
    experiment.companion.operation = CompanionOperation::gemm;
    experiment.companion.copies = copies;
    experiment.dispatch.rule = rule;
    return experiment;
}

void checkWithin(std::int64_t found, std::int64_t expected, std::int64_t more) {
    QVERIFY2(found >= expected && found <= expected + more,
             qPrintable(QString("%1 ps, expected %2 and at most %3 more").arg(found).arg(expected).arg(more)));
}

RunResult tracedBeside(const Experiment& experiment) {
    RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    return run(experiment, options);
}

std::vector<Span> kernelSpans(const Trace& trace, LaneKind lane, SpanKind kind, std::uint8_t kernel) {
    std::vector<Span> spans;
    for (const Lane& each : trace.lanes)
        if (each.kind == lane && each.gpu == 0)
            std::copy_if(each.spans.begin(), each.spans.end(), std::back_inserter(spans),
                         [&](const Span& span) { return span.kind == kind && span.peer == kernel; });
    return spans;
}

}  // namespace

class TestSideBySide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withReservedCusAGemmTakesWhatItTakesOnASmallerMachine() {
        for (const std::int64_t reserved : {1, 16, 79}) {
            Experiment reserving = tNlgFc2(PolicyPreset::sequential, DetailLevel::interactive);
            reserving.workload.sublayer = SubLayer::gemm;
            reserving.matrix = {4096, 4096, 512};
            Experiment smaller = reserving;
            smaller.cu.count -= reserved;
            reserving.dispatch = {DispatchRule::reserved, reserved};
            QCOMPARE(runAlone(reserving).last.time.gemm, runAlone(smaller).last.time.gemm);
        }
    }

    void oneCuLostDoublesTheTimeOfAGemmThatFillsTheGpu() {
        // 32 tiles, one slot a CU: ceil(32 / (32 - w)) waves beside a kernel that holds w CUs from the start.
        const std::int64_t wave = kTile + kEpilogue;
        checkWithin(runAlone(freeMemoryGemm(32, 1)).last.time.gemm.ps, wave, kMemory);
        for (const std::int64_t lost : {1, 16})
            checkWithin(runAlone(besideLongCollective(32, lost, DispatchRule::companionFirst)).last.time.gemm.ps,
                        2 * wave, 10 * kMemory);
        checkWithin(runAlone(besideLongCollective(32, 22, DispatchRule::companionFirst)).last.time.gemm.ps, 4 * wave,
                    10 * kMemory);
    }

    void inOrderTheCollectiveBeginsWhenTheLastWorkgroupHasBegunAndACuIsEmpty() {
        // 32 tiles on 24 CUs: the second wave has 8, so that 16 CUs are empty when the first wave ends.
        const RunResult result = tracedBeside(besideLongCollective(24, 16, DispatchRule::inOrder));
        const std::vector<Span> gemm =
            kernelSpans(*result.trace, LaneKind::workgroupSlot, SpanKind::workgroup, kOwnKernel);
        const std::vector<Span> kernel =
            kernelSpans(*result.trace, LaneKind::workgroupSlot, SpanKind::collectiveWorkgroup, 1);
        QCOMPARE(gemm.size(), std::size_t{32});
        QCOMPARE(kernel.size(), std::size_t{16});
        TimePoint lastBegun, firstEmpty = kNever, begins = kNever;
        for (const Span& span : gemm)
            lastBegun = std::max(lastBegun, span.start);
        for (const Lane& lane : result.trace->lanes)
            if (lane.kind == LaneKind::workgroupSlot)
                for (const Span& span : lane.spans)
                    if (span.kind == SpanKind::workgroup && span.start < lastBegun && span.end >= lastBegun) {
                        const bool refilled = std::any_of(lane.spans.begin(), lane.spans.end(), [&](const Span& other) {
                            return other.kind == SpanKind::workgroup && other.start == span.end;
                        });
                        if (!refilled)
                            firstEmpty = std::min(firstEmpty, span.end);
                    }
        for (const Span& span : kernel)
            begins = std::min(begins, span.start);
        QCOMPARE(begins, std::max(lastBegun, firstEmpty));
        QVERIFY(begins.ps > kTile);  // not before the first wave has ended
    }

    void equalGemmsInTurnEndWithinAWaveOfTwiceTheTimeAlone() {
        const std::int64_t alone = runAlone(freeMemoryGemm(8, 2)).last.time.gemm.ps;
        const RunResult both = runAlone(besideGemms(8, 2, 1, DispatchRule::roundRobin));
        const std::int64_t wave = 2 * kTile + kEpilogue + kMemory;
        QVERIFY(both.last.companion->own.ps <= 2 * alone + wave && both.last.companion->own.ps >= 2 * alone - wave);
        QVERIFY(both.last.companion->time.ps <= 2 * alone + wave && both.last.companion->time.ps >= 2 * alone - wave);
    }

    void twoKernelsOnOneCuGetHalfItsPipeEach() {
        // 32 CUs with two slots, 32 tiles each: one of each kernel on every CU, in turn. The first K-steps of both are
        // ready at one moment, and ties go to the lower slot: it is ahead by the two that are prefetched, and stays so.
        constexpr std::int64_t kStep = kTile / 16;
        const CompanionPart both = *runAlone(besideGemms(32, 2, 1, DispatchRule::companionFirst)).last.companion;
        const std::int64_t first = std::min(both.own.ps, both.time.ps), last = std::max(both.own.ps, both.time.ps);
        checkWithin(last, 2 * kTile + kEpilogue, 2 * kMemory);
        QVERIFY(last - first <= 2 * kStep + kMemory);
    }

    void inOrderTheOwnGemmLosesNothingOnFreeMemory() {
        const RunResult both = run(besideGemms(8, 1, 1, DispatchRule::inOrder));
        const CompanionResult& reported = *both.companion;
        QVERIFY(*reported.ownSlowdown < 1.01);
        QVERIFY(*reported.slowdown > 1.95 && *reported.slowdown < 2.01);
    }

    void serialIsTheExactSumOfThePartsAlone() {
        for (const std::int64_t copies : {1, 3}) {
            const CompanionResult reported = *run(besideGemms(8, 2, copies, DispatchRule::roundRobin)).companion;
            const Duration one = run(besideGemms(8, 2, 1, DispatchRule::roundRobin)).companion->alone.value();
            QCOMPARE(*reported.ownAlone, runAlone(freeMemoryGemm(8, 2)).last.time.total);
            QCOMPARE(*reported.serial, *reported.ownAlone + one * copies);
            QCOMPARE(reported.copies, copies);
        }
    }

    void waitingForACuIsToldApartFromRunning() {
        const auto beside = [](DispatchRule rule) { return *run(besideGemms(8, 1, 1, rule)).companion; };
        const auto isAlone = [](Duration time, const std::optional<Duration>& alone) {
            return std::abs(time.ps - alone->ps) * 50 < alone->ps;
        };
        // 32 tiles fill 8 CUs four times: the kernel that is second in the line waits for the other's last wave.
        const CompanionResult inOrder = beside(DispatchRule::inOrder);
        QCOMPARE(*inOrder.ownWaits, Duration());
        QVERIFY(isAlone(*inOrder.waits, inOrder.ownAlone));
        QVERIFY(isAlone(inOrder.time - *inOrder.waits, inOrder.alone));
        const CompanionResult first = beside(DispatchRule::companionFirst);
        QCOMPARE(*first.waits, Duration());
        QVERIFY(isAlone(*first.ownWaits, first.alone));
        for (const CompanionResult& result : {inOrder, first}) {
            QVERIFY(!result.whileBoth);
            QVERIFY(*result.slowdown > 1.9 || *result.ownSlowdown > 1.9);
        }
        // In turn both have CUs from the beginning, whatever the launch takes, and each gets half of them.
        for (const Duration launch : {Duration(), Duration(7_us)}) {
            Experiment inTurn = besideGemms(8, 1, 1, DispatchRule::roundRobin);
            inTurn.launch.kernel = launch;
            const CompanionResult both = *run(inTurn).companion;
            QCOMPARE(*both.ownWaits, Duration());
            QCOMPARE(*both.waits, Duration());
            QCOMPARE(both.whileBoth->time, std::min(both.own, both.time));
            QVERIFY(both.whileBoth->slowdown > 1.8 && both.whileBoth->slowdown < 2.2);
        }
    }

    void aCompanionAloneTakesWhatTheSameBatchOfGemmsTakesAsOwnWork() {
        for (const std::int64_t batch : {1, 4}) {
            for (const std::int64_t copies : {1, 3}) {
                Experiment experiment = besideGemms(8, 2, copies, DispatchRule::roundRobin);
                experiment.matrix.batch = batch;
                const CompanionResult reported = *run(experiment).companion;
                QCOMPARE(*reported.serial, *reported.ownAlone * (1 + copies));
                if (copies == 1)
                    QCOMPARE(*reported.alone, *reported.ownAlone);
                experiment.companion.k = experiment.matrix.k;  // said in numbers, it is the same
                QCOMPARE(run(experiment).companion->serial, reported.serial);
            }
        }
    }

    void baselinesOfABatchAndOfOneDeepGemmAreNotConfused() {
        RunOptions options;
        options.baselineCache = std::make_shared<BaselineCache>();
        Experiment batch = besideGemms(8, 2, 1, DispatchRule::roundRobin), deep = batch;
        batch.matrix.batch = 4;
        deep.matrix.k *= 4;
        for (const Experiment& experiment : {batch, deep}) {
            Experiment sameK = experiment;
            sameK.companion.k = batch.matrix.k;  // in the batch four of them, beside the deep GEMM one
            QCOMPARE(run(experiment, options).companion, run(experiment).companion);
            QCOMPARE(run(sameK, options).companion, run(sameK).companion);
        }
    }

    void aLaunchDelaysTheFirstWorkgroupOfEveryKernelByItself() {
        Experiment experiment = smallExperiment(PolicyPreset::sequential);
        const TimeResult without = runAlone(experiment).last.time;
        experiment.launch.kernel = 7_us;
        const TimeResult with = runAlone(experiment).last.time;
        QCOMPARE(with.gemm, without.gemm + 7_us);
        QCOMPARE(with.reduceScatter, without.reduceScatter + 7_us);
        QCOMPARE(with.allGather, without.allGather + 7_us);
        QCOMPARE(with.total, without.total + 21_us);
    }

    void mirroredIsFullAndThreadsChangeNothingForGemmsSideBySide() {
        for (const DispatchRule rule :
             {DispatchRule::inOrder, DispatchRule::companionFirst, DispatchRule::roundRobin}) {
            Experiment experiment = besideGemms(8, 2, 2, rule);
            experiment.companion.m = 1024;
            experiment.companion.tileM = 64;
            const RunResult one = runAlone(experiment);
            QVERIFY(one.mirrored);
            experiment.detail.mode = DetailMode::full;
            for (const int threads : {1, 8}) {
                const RunResult all = runAlone(experiment, threads);
                for (const GpuResult& gpu : all.perGpu)
                    QVERIFY(gpu == one.last);
            }
        }
    }
};

RINGSIDE_TEST(TestSideBySide)
#include "tst_side_by_side.moc"
