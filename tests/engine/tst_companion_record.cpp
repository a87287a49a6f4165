// Tests simulated runs with a companion: their trace, their attribution, and the verdict of `verify`.

#include "engine/api/expected_work.h"
#include "engine/api/parameters.h"
#include "engine/record/bounds.h"
#include "engine/record/recorder.h"
#include "engine/run/network_facts.h"
#include "engine/run/room_taken.h"
#include "engine/run/simulation.h"
#include "tests/engine/attributed_run.h"
#include "tests/engine/experiments.h"
#include "tests/engine/free_memory.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <functional>

using namespace engine;
using namespace engine::literals;
using tests::attributed, tests::defectsOf;

namespace {

/// Returns a small sub-layer, or a GEMM without a collective, on four GPUs.
Experiment ownWork(SubLayer sublayer, PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy, 4);
    applyDetailLevel(experiment, DetailLevel::interactive);
    experiment.workload.sublayer = sublayer;
    experiment.matrix = {1024, 1024, 1024};
    return experiment;
}

Experiment beside(Experiment own, CompanionOperation operation, CollectiveCarrier by = CollectiveCarrier::kernel) {
    own.companion.operation = operation;
    own.companion.by = by;
    own.companion.bytes = 4_MiB;
    if (by == CollectiveCarrier::dma && operation != CompanionOperation::allGather)
        own.collective.reduction = Reduction::nmc;
    if (operation == CompanionOperation::gemm)
        own.companion.copies = 2;
    return own;
}

constexpr CompanionOperation kCompanions[] = {CompanionOperation::allGather, CompanionOperation::reduceScatter,
                                              CompanionOperation::allReduce, CompanionOperation::allToAll,
                                              CompanionOperation::gemm};

/// Calls a function with every kind of companion beside the experiment `own`, under some dispatch rules.
void forEachCompanion(const Experiment& own, const std::function<void(const Experiment&, const std::string&)>& look) {
    for (const CompanionOperation operation : kCompanions)
        for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma})
            for (const DispatchRule rule : {DispatchRule::inOrder, DispatchRule::companionFirst,
                                            DispatchRule::roundRobin, DispatchRule::reserved}) {
                const bool choice = operation != CompanionOperation::gemm;
                if (by == CollectiveCarrier::dma && (!choice || rule != DispatchRule::inOrder))
                    continue;
                Experiment experiment = beside(own, operation, by);
                experiment.dispatch.rule = rule;
                if (rule == DispatchRule::reserved) {
                    experiment.dispatch.reserved = 16;
                    experiment.collective.cuCount = CollectiveCus{16};
                }
                if (!validate(experiment).empty())
                    continue;
                look(experiment, "companion " + std::to_string(static_cast<int>(operation)) + " by " +
                                     std::to_string(static_cast<int>(by)) + " rule " +
                                     std::to_string(static_cast<int>(rule)));
            }
}

std::string failedOf(const std::vector<Check>& checks) {
    std::string text;
    for (const Check& check : checks)
        if (!check.held)
            text += check.group + ": " + check.name + " (" + check.evidence + ")\n";
    return text;
}

RunFacts factsOf(const Experiment& experiment) {
    const Plan plan(experiment);
    Simulation simulation(experiment, plan, {});
    simulation.run(1, {}, {});
    return simulation.facts();
}

/// Returns a trace of one CU with two slots, one of which a companion's workgroup takes.
Trace oneCu(std::vector<Span> first, std::vector<Span> second) {
    Trace trace;
    trace.companionCopies = 1;
    trace.lanes.push_back({LaneKind::workgroupSlot, 0, 0, true, std::move(first), {}});
    trace.lanes.push_back({LaneKind::workgroupSlot, 0, 1, true, std::move(second), {}});
    return trace;
}

Span inSlot(std::int64_t start, std::int64_t end, SpanKind kind = SpanKind::workgroup, std::uint8_t kernel = 0) {
    Span span;
    span.start = {start};
    span.end = {end};
    span.kind = kind;
    span.peer = kernel;
    return span;
}

}  // namespace

class TestCompanionRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRecorderKeepsTheStepsOfEachCopyApart() {
        Recorder recorder(0, true, {}, {});
        recorder.expectSteps(1, 2);
        recorder.expectSteps(2, 1, 2);
        recorder.expectSteps(2, 1, 1);
        recorder.computed(0, 1, {10});
        recorder.computed(1, 0, {20}, 1);
        recorder.computed(1, 0, {30}, 2);
        Trace trace;
        recorder.finish(trace);
        QCOMPARE(trace.computed.size(), std::size_t{1});
        QCOMPARE(trace.computed[0].done[1].ps, 10);
        QCOMPARE(trace.computed[0].done[0], kNever);
        QCOMPARE(trace.companionComputed.size(), std::size_t{2});
        QCOMPARE(trace.companionComputed[0].done[1].ps, 20);
        QCOMPARE(trace.companionComputed[1].done[1].ps, 30);
    }

    void contributionsOfACompanionGoToItsOwnLedger() {
        ContributionLedger own(2, 1), companion(2, 1);
        companion.startWithOwnContributions();
        Recorder recorder(0, false, {&own, &companion}, {});
        Recorder other(1, false, {&own, &companion}, {});
        recorder.sent(0, 1);
        other.arrived(0, 0, 1);
        other.arrivedUpdate(0, 1);
        QVERIFY(companion.complete(1, 0) && !companion.complete(0, 0));
        QVERIFY(!own.complete(1, 0));
        QCOMPARE(companion.repeated(), 0);
        recorder.sent(0, 1);
        other.arrived(0, 0, 1);
        other.arrivedUpdate(0, 1);
        QVERIFY(companion.repeated() > 0);
        QCOMPARE(own.repeated(), 0);
    }

    void everyCompanionLeavesAPathThatSumsToTheTotal_data() {
        QTest::addColumn<int>("sublayer");
        QTest::addColumn<int>("policy");
        for (const SubLayer sublayer : {SubLayer::gemm, SubLayer::fc2, SubLayer::allGather})
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca})
                QTest::addRow("%d %s", static_cast<int>(sublayer), std::string(name(policy)).c_str())
                    << static_cast<int>(sublayer) << static_cast<int>(policy);
    }
    void everyCompanionLeavesAPathThatSumsToTheTotal() {
        QFETCH(int, sublayer);
        QFETCH(int, policy);
        int runs = 0;
        forEachCompanion(ownWork(static_cast<SubLayer>(sublayer), static_cast<PolicyPreset>(policy)),
                         [&](const Experiment& experiment, const std::string& what) {
                             const RunResult result = attributed(experiment);
                             const std::string defects = defectsOf(result);
                             QVERIFY2(defects.empty(), (what + ": " + defects).c_str());
                             const double unexplained = tests::share(result, Cause::dependency);
                             QVERIFY2(unexplained < 0.01,
                                      (what + ": unexplained " + std::to_string(unexplained)).c_str());
                             for (const std::string& failed : result.invariants.failed)
                                 QFAIL((what + ": " + failed).c_str());
                             ++runs;
                         });
        QVERIFY(runs > 8);
    }

    void aFullRunRecordsTheSameAsAMirroredRun() {
        for (const CompanionOperation operation : {CompanionOperation::allGather, CompanionOperation::gemm}) {
            Experiment experiment = beside(ownWork(SubLayer::gemm, PolicyPreset::sequential), operation);
            const RunResult one = attributed(experiment);
            experiment.detail.mode = DetailMode::full;
            const RunResult all = attributed(experiment);
            QVERIFY(one.mirrored && !all.mirrored);
            QCOMPARE(defectsOf(all), std::string());
            QVERIFY(one.attribution->causes == all.attribution->causes);
        }
    }

    void aRunWithoutACompanionHasNoSuchCause() {
        const RunResult result = attributed(ownWork(SubLayer::fc2, PolicyPreset::t3Mca));
        QCOMPARE(result.attribution->causes[Cause::companion].ps, 0);
        QCOMPARE(result.attribution->byPhase[static_cast<std::size_t>(WorkPhase::companion)].total().ps, 0);
        QVERIFY(result.trace->companionCopies == 0 && result.trace->companionComputed.empty());
    }

    // 32 tiles on 24 CUs, and queued behind them a kernel of 16 workgroups that ends last: it waits until it has room,
    // and then works.
    void aCompanionThatEndsLastWaitedForRoomAndThenWorked() {
        Experiment experiment = tests::freeMemoryGemm(24, 1);
        experiment.companion.operation = CompanionOperation::allGather;
        experiment.companion.bytes = 256_MiB;
        experiment.companion.workgroups = 16;
        experiment.dispatch.rule = DispatchRule::inOrder;
        const RunResult result = attributed(experiment);
        QCOMPARE(defectsOf(result), std::string());
        TimePoint begins = kNever;
        for (const Lane& lane : result.trace->lanes)
            for (const Span& span : lane.spans)
                if (span.kind == SpanKind::companionStep)
                    begins = std::min(begins, span.start);
        QVERIFY(begins.ps > tests::kTile);
        const CauseTimes& causes = result.attribution->causes;
        QCOMPARE(causes[Cause::dispatch], begins - TimePoint{} + experiment.collective.startLatency);
        QCOMPARE(causes[Cause::dispatch] + causes[Cause::companion] + causes[Cause::contention],
                 result.last.time.total);
        QCOMPARE(result.trace->phases[0].companionEnd - TimePoint{}, result.last.companion->time);
        QCOMPARE(result.trace->phases[0].ownEnd - TimePoint{}, result.last.companion->own);
    }

    // One slot on each of three CUs, where workgroups of two equal GEMMs take turns. The last workgroup waited while
    // the other GEMM used its CU.
    void inTurnAGemmWaitsForRoomAsLongAsTheOtherHasIt() {
        Experiment experiment = tests::freeMemoryGemm(3, 1);
        experiment.companion.operation = CompanionOperation::gemm;
        experiment.dispatch.rule = DispatchRule::roundRobin;
        const RunResult result = attributed(experiment);
        QCOMPARE(defectsOf(result), std::string());
        const Lane* last = nullptr;
        for (const Lane& lane : result.trace->lanes)
            if (lane.kind == LaneKind::workgroupSlot && (!last || lane.spans.back().end > last->spans.back().end))
                last = &lane;
        Duration others;
        for (const Span& span : last->spans)
            if (span.peer != last->spans.back().peer)
                others += span.end - span.start;
        QVERIFY(others.ps > 4 * tests::kTile);
        QCOMPARE(result.attribution->causes[Cause::dispatch], others);
    }

    void theTraceHasTheCompanionsLanesAndItsOutput() {
        const RunResult gemms =
            attributed(beside(ownWork(SubLayer::gemm, PolicyPreset::sequential), CompanionOperation::gemm));
        const Trace& trace = *gemms.trace;
        QCOMPARE(trace.companionCopies, 2u);
        QCOMPARE(trace.companionComputed.size(), std::size_t{2});
        QCOMPARE(trace.companionOutput.tiles(), trace.output.tiles());
        for (const ComputedSteps& copy : trace.companionComputed)
            QVERIFY(std::none_of(copy.done.begin(), copy.done.end(), [](TimePoint when) { return when == kNever; }));
        std::array<std::size_t, 3> workgroups{};
        for (const Lane& lane : trace.lanes)
            for (const Span& span : lane.spans)
                if (span.kind == SpanKind::workgroup)
                    ++workgroups.at(span.peer);
        for (const std::size_t of : workgroups)
            QCOMPARE(of, std::size_t{trace.output.tiles()});

        const RunResult gathers =
            attributed(beside(ownWork(SubLayer::gemm, PolicyPreset::sequential), CompanionOperation::allGather));
        QCOMPARE(gathers.trace->companionCopies, 1u);
        QVERIFY(gathers.trace->companionComputed.empty());
        QCOMPARE(gathers.trace->companionOutput.chunkTile.size(), std::size_t{5});
        std::int64_t steps = 0, sent = 0;
        for (const Lane& lane : gathers.trace->lanes)
            for (const Span& span : lane.spans) {
                steps += span.kind == SpanKind::companionStep;
                sent += lane.kind == LaneKind::linkOut && span.kind == SpanKind::companionPacket ? span.bytes : 0;
                QVERIFY(span.kind != SpanKind::linkPacket);
            }
        QCOMPARE(steps, 3);
        QCOMPARE(sent, gathers.last.companion->sent.count);
    }

    void verifyFindsNothingWrong_data() {
        QTest::addColumn<int>("operation");
        QTest::addColumn<int>("by");
        for (const CompanionOperation operation : kCompanions)
            for (const CollectiveCarrier by : {CollectiveCarrier::kernel, CollectiveCarrier::dma})
                if (operation != CompanionOperation::gemm || by == CollectiveCarrier::kernel)
                    QTest::addRow("%d %d", static_cast<int>(operation), static_cast<int>(by))
                        << static_cast<int>(operation) << static_cast<int>(by);
    }
    void verifyFindsNothingWrong() {
        QFETCH(int, operation);
        QFETCH(int, by);
        const Experiment own = ownWork(SubLayer::gemm, PolicyPreset::sequential);
        const Experiment experiment =
            beside(own, static_cast<CompanionOperation>(operation), static_cast<CollectiveCarrier>(by));
        const std::vector<Check> checks = verify(experiment);
        QVERIFY2(failedOf(checks).empty(), failedOf(checks).c_str());
        const auto has = [&](const std::string& part) {
            return std::any_of(checks.begin(), checks.end(),
                               [&](const Check& check) { return check.name.find(part) != std::string::npos; });
        };
        QVERIFY(has("never take more room"));
        QVERIFY(has("what the memory controllers served"));
        const bool collective = hasCompanionCollective(experiment);
        QCOMPARE(has("of the companion, no contribution is added twice"), collective);
        QCOMPARE(has("each copy of the companion writes its output once"), !collective);
    }

    void whatACompanionMovesIsCheckedToTheByte() {
        const auto failedWith = [](const Experiment& experiment, const std::function<void(GpuFacts&)>& change) {
            RunFacts facts = factsOf(experiment);
            change(facts.gpus[0]);
            return failedOf(checkRun(experiment, shapeOf(experiment), facts));
        };
        const Experiment own = ownWork(SubLayer::gemm, PolicyPreset::sequential);
        for (const CompanionOperation operation : {CompanionOperation::allGather, CompanionOperation::gemm}) {
            const Experiment experiment = beside(own, operation);
            QCOMPARE(failedWith(experiment, [](GpuFacts&) {}), std::string());
            QVERIFY(!failedWith(experiment, [](GpuFacts& gpu) { ++gpu.served.count; }).empty());
            QVERIFY(!failedWith(experiment, [](GpuFacts& gpu) { ++gpu.received.count; }).empty());
            QVERIFY(!failedWith(experiment, [](GpuFacts& gpu) { --gpu.result.companion->dramWritten.count; }).empty());
        }
        QVERIFY(!failedWith(beside(own, CompanionOperation::allGather), [](GpuFacts& gpu) {
                     ++gpu.result.companion->sent.count;
                 }).empty());
    }

    void boundsCountTheWorkOfBoth() {
        const Experiment own = ownWork(SubLayer::fc2, PolicyPreset::sequential);
        const auto bounds = [](const Experiment& experiment) { return run(experiment, {.baselines = false}).bounds; };
        const BoundsResult alone = bounds(own);
        const BoundsResult gemms = bounds(beside(own, CompanionOperation::gemm));
        QVERIFY(gemms.compute - alone.compute * 3 >= Duration{-3} && gemms.compute <= alone.compute * 3);
        QCOMPARE(gemms.link, alone.link);
        const BoundsResult gathers = bounds(beside(own, CompanionOperation::allGather));
        QCOMPARE(gathers.compute, alone.compute);
        QVERIFY(gathers.link > alone.link && gathers.memory > alone.memory);
    }

    void aCuIsFullAtItsRoomAndNotBeyond() {
        Experiment experiment = tests::freeMemoryGemm(1, 2);
        experiment.companion.operation = CompanionOperation::gemm;
        constexpr std::int64_t kAll = 720720;
        QCOMPARE(mostRoomTaken(oneCu({inSlot(0, 10)}, {}), experiment), kAll / 2);
        QCOMPARE(mostRoomTaken(oneCu({inSlot(0, 10)}, {inSlot(5, 15, SpanKind::workgroup, 1)}), experiment), kAll);
        experiment.companion.slots = 1;
        QCOMPARE(mostRoomTaken(oneCu({inSlot(0, 10)}, {inSlot(10, 15, SpanKind::workgroup, 1)}), experiment), kAll);
        QCOMPARE(mostRoomTaken(oneCu({inSlot(0, 10)}, {inSlot(9, 15, SpanKind::workgroup, 1)}), experiment),
                 kAll / 2 * 3);
        const Span kernel = inSlot(10, 20, SpanKind::collectiveWorkgroup, 1);
        QCOMPARE(mostRoomTaken(oneCu({inSlot(0, 10), kernel}, {kernel}), experiment), kAll);
        QVERIFY(mostRoomTaken(oneCu({inSlot(0, 11), kernel}, {kernel}), experiment) > kAll);
    }

    void expectedEventsGrowWithTheCompanion() {
        const Experiment own = ownWork(SubLayer::gemm, PolicyPreset::sequential);
        const double alone = expectedEvents(own);
        Experiment gathers = beside(own, CompanionOperation::allGather);
        gathers.companion.bytes = 64_MiB;
        const double one = expectedEvents(gathers) - alone;
        gathers.companion.bytes = 128_MiB;
        QVERIFY(one > 0 && std::abs(expectedEvents(gathers) - alone - 2 * one) < 1e-6 * one);
        Experiment copies = beside(own, CompanionOperation::gemm);
        QVERIFY(std::abs(expectedEvents(copies) - 3 * alone) < 0.01 * alone);
        ExpectedWork work;
        work.add(copies);
        QVERIFY(work.events() >= 2 * expectedEvents(copies));  // and the isolated parts
        for (const Experiment& experiment : {gathers, copies}) {
            const double simulated = static_cast<double>(run(experiment, {.baselines = false}).events);
            QVERIFY2(expectedEvents(experiment) / simulated > 0.3 && expectedEvents(experiment) / simulated < 3,
                     std::to_string(expectedEvents(experiment) / simulated).c_str());
        }
    }
};

RINGSIDE_TEST(TestCompanionRecord)
#include "tst_companion_record.moc"
