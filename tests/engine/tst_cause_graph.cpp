// Tests the rules of the cause graph one by one, on traces made by hand: what a vertex waited for last, and to which
// causes the time in between belongs.

#include "engine/record/cause_graph.h"
#include "engine/record/critical_path.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace engine;

namespace {

constexpr auto kCompute = static_cast<std::uint32_t>(Stream::compute);
constexpr auto kCommunication = static_cast<std::uint32_t>(Stream::communication);

/// A mirrored trace: one GPU represents two. A tile is a granule, and a chunk is a tile.
class HandMade {
public:
    explicit HandMade(std::int64_t end) {
        m_trace.gpus = m_trace.chunks = 2;
        m_trace.end = {end};
        m_trace.output.granule = 100;
        m_trace.output.tileBytes = {100, 100};
        m_trace.output.chunkTile = {0, 1, 2};
        m_trace.phases.resize(1);
    }

    PhaseTimes& times() { return m_trace.phases[0]; }
    ComputedSteps& computed() {
        m_trace.computed.resize(1);
        return m_trace.computed[0];
    }

    Lane& lane(LaneKind kind, std::uint32_t index = 0) {
        for (Lane& lane : m_trace.lanes)
            if (lane.kind == kind && lane.index == index)
                return lane;
        m_trace.lanes.push_back({kind, 0, index, true, {}, {}});
        return m_trace.lanes.back();
    }

    HandMade& add(LaneKind kind, SpanKind shows, std::int64_t start, std::int64_t end, std::uint32_t first = 0,
                  std::uint32_t second = 0, std::uint32_t index = 0) {
        lane(kind, index).spans.push_back({{start}, {end}, first, second, 100, shows});
        return *this;
    }
    /// Makes the span that was added last belong to a copy or to the collective of the companion.
    HandMade& of(LaneKind kind, std::uint8_t kernel, std::uint32_t index = 0) {
        lane(kind, index).spans.back().peer = kernel;
        return *this;
    }
    /// Adds copies of a GEMM, each of one tile and one K-step, which end at `done`.
    HandMade& copies(std::vector<std::int64_t> done) {
        m_trace.companionCopies = static_cast<std::uint32_t>(done.size());
        for (const std::int64_t when : done)
            m_trace.companionComputed.push_back({1, {{when}}});
        return *this;
    }
    HandMade& besideCollective() {
        m_trace.companionCopies = 1;
        return *this;
    }
    HandMade& served(SpanKind shows, std::uint32_t stream, std::int64_t asked, std::int64_t start, std::int64_t end) {
        add(LaneKind::dramChannel, shows, start, end, stream, kNone);
        lane(LaneKind::dramChannel).askedAt.push_back({asked});
        return *this;
    }

    const Trace& trace() const { return m_trace; }

private:
    Trace m_trace;
};

Experiment withoutLatencies(SubLayer sublayer, PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy, 2);
    experiment.workload.sublayer = sublayer;
    experiment.memory.latency = {};
    experiment.llc.latency = {};
    return experiment;
}

/// Returns an experiment of a GEMM whose end is the end of the run.
Experiment gemm() {
    Experiment experiment = withoutLatencies(SubLayer::fc2, PolicyPreset::sequential);
    experiment.gemm.kStep = 32;
    experiment.gemm.prefetch = 32;
    experiment.gemm.epilogue = {};
    experiment.cu.residency = Residency::slots;
    experiment.cu.slots = 2;
    return experiment;
}

Experiment gemmBeside(CompanionOperation operation) {
    Experiment experiment = gemm();
    experiment.companion.operation = operation;
    experiment.companion.bytes = {4096};
    return experiment;
}

/// Returns the time by cause as text, such as "dispatch 100, companion 300".
std::string causesOf(const CriticalPath& path) {
    const CauseTimes causes = attributionOf(path, 2).causes;
    std::string text;
    for (std::size_t i = 0; i < kCauses; ++i)
        if (causes.by[i].ps != 0)
            text += (text.empty() ? "" : ", ") + std::string(name(static_cast<Cause>(i))) + " " +
                    std::to_string(causes.by[i].ps);
    return text;
}

/// Returns the steps of a path as text, such as "loads 0-100, computes 100-300".
std::string reported(const CriticalPath& path) {
    static constexpr const char* kActs[] = {"starts",       "computes", "loads",   "passes", "stores",  "behind own",
                                            "behind other", "sends",    "travels", "set",    "trigger", "engine",
                                            "paces",        "barrier",  "begins",  "unknown"};
    std::string text;
    for (const PathStep& step : path.steps)
        text += (text.empty() ? "" : ", ") + std::string(kActs[static_cast<std::size_t>(step.act)]) + " " +
                std::to_string(step.start.ps) + "-" + std::to_string(step.end.ps);
    return text;
}

std::string reported(const HandMade& made, const Experiment& experiment) {
    return reported(criticalPathOf(made.trace(), experiment));
}

}  // namespace

class TestCauseGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunWithoutSpansIsOneStepOfWhichNothingIsKnown() {
        QCOMPARE(reported(HandMade(1000), gemm()), std::string("unknown 0-1000"));
        QCOMPARE(reported(HandMade(0), gemm()), std::string());
        QCOMPARE(criticalPathOf(Trace{}, gemm()).steps.size(), std::size_t{0});
    }

    // A GEMM of two K-steps, one prefetched: the second's load is issued when the first is done.
    void aKStepWaitsForTheLaterOfItsDataAndTheStepBefore() {
        const auto run = [](std::int64_t secondLoaded, std::int64_t firstDone, std::int64_t secondDone) {
            HandMade made(secondDone);
            made.times().gemmEnd = {secondDone};
            made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, secondDone);
            made.add(LaneKind::loads, SpanKind::load, 0, 100, 0, 0)
                .add(LaneKind::loads, SpanKind::load, 0, secondLoaded, 0, 1);
            made.computed() = {2, {{firstDone}, {secondDone}}};
            Experiment experiment = gemm();
            experiment.gemm.prefetch = 64;
            return reported(made, experiment);
        };
        // The data arrive at 150 and 299, before the step ends at 300: the pipe was never idle.
        QCOMPARE(run(150, 300, 500), std::string("loads 0-100, computes 100-500"));
        QCOMPARE(run(299, 300, 500), std::string("loads 0-100, computes 100-500"));
        // The data arrive a picosecond after the end of the step before: for that time the pipe was idle.
        QCOMPARE(run(301, 300, 501), std::string("loads 0-100, computes 100-300, loads 300-301, computes 301-501"));
    }

    void aKStepWaitsForWhatIsInThePipeOfItsCu() {
        // Slots 0 and 1 share a CU. Slot 1's step has its data at 90, but the pipe is busy from 50 to 200.
        HandMade made(350);
        made.times().gemmEnd = {350};
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 200, 0, 0, 0);
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 350, 1, 1, 1);
        made.add(LaneKind::loads, SpanKind::load, 0, 50, 0, 0, 0).add(LaneKind::loads, SpanKind::load, 0, 90, 1, 0, 1);
        made.computed() = {1, {{200}, {350}}};
        QCOMPARE(reported(made, gemm()), std::string("loads 0-50, computes 50-350"));
        // On a CU of its own it would have waited for its data.
        Experiment apart = gemm();
        apart.cu.slots = 1;
        QCOMPARE(reported(made, apart), std::string("loads 0-90, computes 90-350"));
    }

    void aWorkgroupBeginsWhenItsSlotIsFreeAndItsJitterHasPassed() {
        // The tile before leaves the slot at 200, and the first loads are issued at 230.
        HandMade made(400);
        made.times().gemmEnd = {400};
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 200, 0)
            .add(LaneKind::workgroupSlot, SpanKind::workgroup, 200, 400, 1);
        made.add(LaneKind::loads, SpanKind::load, 20, 100, 0).add(LaneKind::loads, SpanKind::load, 230, 300, 1);
        made.computed() = {1, {{200}, {400}}};
        QCOMPARE(reported(made, gemm()),
                 std::string(
                     "starts 0-20, loads 20-100, computes 100-200, starts 200-230, loads 230-300, computes 300-400"));
    }

    void aWaitForMemoryIsSplitByWhatItsChannelDid() {
        // Requested at 100, served from 210 to 240. In between the channel serves 20 + 30 ps of the other stream and 60
        // ps of its own.
        HandMade made(500);
        made.times().gemmEnd = {500};
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 500);
        made.add(LaneKind::loads, SpanKind::load, 100, 240);
        made.computed() = {1, {{500}}};
        made.served(SpanKind::dramUpdate, kCommunication, 10, 90, 120);
        made.served(SpanKind::dramRead, kCompute, 20, 120, 150);
        made.served(SpanKind::dramRead, kCommunication, 30, 150, 180);
        made.served(SpanKind::dramWrite, kCompute, 40, 180, 210);
        made.served(SpanKind::dramRead, kCompute, 100, 210, 240);
        const CriticalPath path = criticalPathOf(made.trace(), gemm());
        QCOMPARE(
            reported(path),
            std::string("starts 0-100, behind other 100-150, behind own 150-210, loads 210-240, computes 240-500"));
        QCOMPARE(path.steps[1].bytes, std::int64_t{200});
        QCOMPARE(path.steps[1].firstSpan, 0u);
        QCOMPARE(path.steps[1].lastSpan, 4u);
        const AttributionResult sums = attributionOf(path, 2);
        QCOMPARE(sums.causes[Cause::contention], Duration{50});
        QCOMPARE(sums.causes[Cause::memory], Duration{90});
        // If the granule was requested later by another load, this load cannot have waited for it: it hit in the cache.
        made.lane(LaneKind::dramChannel).askedAt.back() = {101};
        Experiment withoutQueue = gemm();
        withoutQueue.llc.queue.reset();
        QCOMPARE(reported(made, withoutQueue), std::string("starts 0-100, loads 100-240, computes 240-500"));
    }

    void aHitThatWaitedInItsSliceIsSplitByWhatItsChannelDid() {
        // Issued at 100 and served until 210, when the channel had served 50 ps of the other stream and 60 ps of its
        // own. Then the cache's latency of 30 ps follows.
        HandMade made(500);
        made.times().gemmEnd = {500};
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 500);
        made.add(LaneKind::loads, SpanKind::load, 100, 240);
        made.computed() = {1, {{500}}};
        made.served(SpanKind::dramUpdate, kCommunication, 10, 100, 150);
        made.served(SpanKind::dramWrite, kCompute, 40, 150, 210);
        Experiment experiment = gemm();
        experiment.llc.latency = {30};
        experiment.memory.latency = {100};  // a miss would have its data later
        const CriticalPath path = criticalPathOf(made.trace(), experiment);
        QCOMPARE(reported(path), std::string("starts 0-100, behind other 100-150, passes 150-210, loads 210-240, "
                                             "computes 240-500"));
        QCOMPARE(attributionOf(path, 2).causes[Cause::contention], Duration{50});
    }

    // An all-gather by a kernel: two GPUs, one step, two granules of 100 ps on the link.
    HandMade gathered(std::int64_t secondSent) {
        HandMade made(1000);
        made.add(LaneKind::allGather, SpanKind::allGatherStep, 0, 1000, 1, 1);
        made.served(SpanKind::dramRead, kCommunication, 0, 0, 40);
        made.served(SpanKind::dramRead, kCommunication, 300, 350, 390);
        made.served(SpanKind::dramWrite, kCommunication, 980, 980, 1000);
        made.add(LaneKind::linkOut, SpanKind::linkPacket, 40, 400)
            .add(LaneKind::linkOut, SpanKind::linkPacket, secondSent, secondSent + 80);
        made.add(LaneKind::linkIn, SpanKind::linkPacket, 700, 880, 1)
            .add(LaneKind::linkIn, SpanKind::linkPacket, 900, 980, 1);
        made.add(LaneKind::landings, SpanKind::arrivalLanded, 1000, 1000, 1);
        return made;
    }

    void aBusyLinkIsLinkAllTheWayBack() {
        // The second packet is ready at 390, but the first leaves at 400.
        const HandMade made = gathered(400);
        const Experiment experiment = withoutLatencies(SubLayer::allGather, PolicyPreset::sequential);
        const CriticalPath path = criticalPathOf(made.trace(), experiment);
        QCOMPARE(reported(path), std::string("loads 0-40, sends 40-480, travels 480-980, stores 980-1000"));
        QCOMPARE(path.steps[1].bytes, std::int64_t{200});
        QCOMPARE(path.steps[1].gpu, 1u);  // GPU 0 receives from GPU 1
        QCOMPARE(path.steps[3].gpu, 0u);
    }

    void anIdleLinkSendsWhatIsThere() {
        // Handed at 390 to a free link: its read was issued at 300, at the pace of the kernel, and waited 50 ps.
        HandMade made = gathered(400);
        std::vector<Span>& packets = made.lane(LaneKind::linkOut).spans;
        packets[0].end = {389};
        packets[1] = {{390}, {470}, 0, 0, 100, SpanKind::linkPacket};
        const Experiment experiment = withoutLatencies(SubLayer::allGather, PolicyPreset::sequential);
        QCOMPARE(reported(made, experiment),
                 std::string("paces 0-300, loads 300-390, sends 390-470, travels 470-980, stores 980-1000"));
        // The kernel begins one start latency after its launch.
        Experiment late = experiment;
        late.collective.startLatency = Duration{30};
        QCOMPARE(
            reported(made, late),
            std::string("begins 0-30, paces 30-300, loads 300-390, sends 390-470, travels 470-980, stores 980-1000"));
    }

    // The same transfer by tracker and DMA: a block of one tile is triggered, taken by an engine, and read.
    void aTransferWaitsForItsTriggerAnEngineAndWhatItReads() {
        HandMade made(1000);
        made.add(LaneKind::tracker, SpanKind::trigger, 0, 0, 0, 1);
        made.add(LaneKind::dma, SpanKind::dmaTransfer, 120, 300, 0, 1);
        made.served(SpanKind::dramRead, kCommunication, 120, 120, 160);
        made.served(SpanKind::dramWrite, kCommunication, 700, 980, 1000);
        made.add(LaneKind::linkOut, SpanKind::linkPacket, 160, 300, 1, 1);
        made.add(LaneKind::linkIn, SpanKind::linkPacket, 500, 650, 0, 0);
        made.add(LaneKind::landings, SpanKind::arrivalLanded, 1000, 1000, 0);
        const Experiment experiment = withoutLatencies(SubLayer::allGather, PolicyPreset::t3);
        // Arrived at 650, admitted to its stream by the tracker at 700, served at 980 with no other request in between.
        QCOMPARE(
            reported(made, experiment),
            std::string("engine 0-120, loads 120-160, sends 160-300, travels 300-650, set 650-700, stores 700-1000"));
    }

    void aWorkgroupWhoseStoresWaitForASetWaitsForTheTileThatHasIt() {
        // The tracker has one entry. Tile 0 is stored at 200 and written to memory until 400. Tile 1 ends at 300 and
        // must wait for the entry.
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3, 2);
        experiment.memory.latency = {};
        experiment.llc.latency = {};
        experiment.gemm.epilogue = {};
        experiment.tracker.entries = 1;
        HandMade made(500);
        made.times().gemmEnd = {500};
        made.times().reduceScatterEnd = made.times().allGatherStart = {499};
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 200, 0, 0, 0);
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 400, 1, 1, 8);
        made.add(LaneKind::loads, SpanKind::load, 0, 100, 0, 0, 0)
            .add(LaneKind::loads, SpanKind::load, 0, 150, 1, 0, 8);
        made.computed() = {1, {{200}, {300}}};
        made.served(SpanKind::dramUpdate, kCompute, 200, 380, 400);
        made.served(SpanKind::dramUpdate, kCompute, 400, 400, 500);
        made.add(LaneKind::landings, SpanKind::storeLanded, 400, 400, 0);
        made.add(LaneKind::landings, SpanKind::storeLanded, 500, 500, 1);
        made.add(LaneKind::tracker, SpanKind::trackedTile, 200, 400, 0);
        const CriticalPath path = criticalPathOf(made.trace(), experiment);
        QCOMPARE(reported(path), std::string("loads 0-100, computes 100-200, set 200-400, stores 400-500"));
        QCOMPARE(made.trace().lanes[path.steps[2].lane].kind, LaneKind::tracker);
        // With two entries the trace does not show which tile holds the other entry. The tile still waits for the
        // tracker.
        experiment.tracker.entries = 2;
        QCOMPARE(reported(made, experiment), std::string("loads 0-150, computes 150-300, set 300-400, stores 400-500"));
    }

    void aTriggerFollowsTheLandingThatCompletesItsBlock() {
        HandMade made(1000);
        Experiment experiment = withoutLatencies(SubLayer::allGather, PolicyPreset::t3);
        experiment.tracker.triggerLatency = Duration{20};
        made.add(LaneKind::tracker, SpanKind::trigger, 420, 420, 0, 1);
        made.add(LaneKind::dma, SpanKind::dmaTransfer, 450, 700, 0, 1);
        made.served(SpanKind::dramWrite, kCommunication, 330, 330, 400);
        made.served(SpanKind::dramRead, kCommunication, 450, 450, 500);
        made.served(SpanKind::dramWrite, kCommunication, 900, 900, 1000);
        made.add(LaneKind::linkOut, SpanKind::linkPacket, 0, 200, 0, 0)
            .add(LaneKind::linkOut, SpanKind::linkPacket, 500, 700, 1, 1);
        made.add(LaneKind::linkIn, SpanKind::linkPacket, 130, 330, 1, 1)
            .add(LaneKind::linkIn, SpanKind::linkPacket, 700, 900, 0, 0);
        made.add(LaneKind::landings, SpanKind::arrivalLanded, 400, 400, 1)
            .add(LaneKind::landings, SpanKind::arrivalLanded, 1000, 1000, 0);
        QVERIFY2(reported(made, experiment)
                     .ends_with("travels 200-330, stores 330-400, trigger 400-420, engine 420-450, "
                                "loads 450-500, sends 500-700, travels 700-900, stores 900-1000"),
                 reported(made, experiment).c_str());
    }

    void aWaitThatTheTraceDoesNotExplainIsADependency() {
        // The trace has no event that hands the packet to the link. Only the last event before it on that GPU is known.
        HandMade made = gathered(400);
        made.lane(LaneKind::dramChannel).spans[0].end = {39};
        const Experiment experiment = withoutLatencies(SubLayer::allGather, PolicyPreset::sequential);
        QCOMPARE(reported(made, experiment),
                 std::string("unknown 0-40, sends 40-480, travels 480-980, stores 980-1000"));
        QCOMPARE(attributionOf(criticalPathOf(made.trace(), experiment), 2).causes[Cause::dependency], Duration{40});
    }

    void itsEdgesAreThoseOfAnIncidenceGraph() {
        const HandMade made = gathered(400);
        const Experiment experiment = withoutLatencies(SubLayer::allGather, PolicyPreset::sequential);
        const CauseGraph graph(made.trace(), experiment);
        const CauseVertex end = graph.end();
        QCOMPARE(out_degree(end, graph), std::size_t{1});
        const auto [edge, last] = out_edges(end, graph);
        QVERIFY(edge != last && std::next(edge) == last);
        QVERIFY(source(*edge, graph) == end);
        QVERIFY(target(*edge, graph).kind == VertexKind::stepEnded);
        QVERIFY(target(*edge, graph).at == end.at);
        const CauseVertex beginning = graph.lastBefore(CauseVertex{});
        QCOMPARE(out_degree(beginning, graph), std::size_t{0});
    }

    // A copy of the companion has the same first tile number as the own GEMM, but the two are not confused.
    void aCopysWorkgroupIsNotTheOwnOne() {
        HandMade made(400);
        made.times().gemmEnd = made.times().ownEnd = {400};
        made.computed() = {1, {{400}}};
        made.copies({300});
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 300, 0, 0, 0).of(LaneKind::workgroupSlot, 1, 0);
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 400, 0, 0, 2);
        made.add(LaneKind::loads, SpanKind::load, 0, 50, 0, 0, 0).of(LaneKind::loads, 1, 0);
        made.add(LaneKind::loads, SpanKind::load, 0, 150, 0, 0, 2);
        QCOMPARE(reported(made, gemmBeside(CompanionOperation::gemm)), std::string("loads 0-150, computes 150-400"));
    }

    // Two slots of one CU: the copy uses the pipe first.
    void aKStepThatWaitsForThePipeWaitsForTheCompanion() {
        const auto run = [](std::uint32_t slotOfCopy) {
            HandMade made(400);
            made.times().gemmEnd = made.times().ownEnd = {400};
            made.computed() = {1, {{400}}};
            made.copies({300});
            made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 400, 0, 0, 0);
            made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 300, 0, 0, slotOfCopy)
                .of(LaneKind::workgroupSlot, 1, slotOfCopy);
            made.add(LaneKind::loads, SpanKind::load, 0, 50, 0, 0, 0);
            made.add(LaneKind::loads, SpanKind::load, 0, 60, 0, 0, slotOfCopy).of(LaneKind::loads, 1, slotOfCopy);
            return criticalPathOf(made.trace(), gemmBeside(CompanionOperation::gemm));
        };
        QCOMPARE(causesOf(run(1)), std::string("compute 100, companion 300"));
        QCOMPARE(causesOf(run(2)), std::string("compute 350, memory latency 50"));  // on another CU
    }

    // The own kernel's workgroup on that CU ended at 100. Until 250 a copy or a collective kernel occupied the CU.
    void waitingForRoomThatAnotherKernelHoldsIsDispatch() {
        const auto run = [](SpanKind inBetween, std::int64_t from) {
            HandMade made(400);
            made.times().gemmEnd = made.times().ownEnd = {400};
            made.computed() = {1, {{100}, {400}}};
            made.copies({250});
            made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 100, 0);
            made.add(LaneKind::workgroupSlot, inBetween, from, 250).of(LaneKind::workgroupSlot, 1);
            made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 250, 400, 1);
            made.add(LaneKind::loads, SpanKind::load, 0, 30, 0).add(LaneKind::loads, SpanKind::load, 250, 280, 1);
            return reported(made, gemmBeside(CompanionOperation::gemm));
        };
        QCOMPARE(run(SpanKind::workgroup, 100),
                 std::string("loads 0-30, computes 30-100, starts 100-250, loads 250-280, computes 280-400"));
        QCOMPARE(run(SpanKind::collectiveWorkgroup, 100), run(SpanKind::workgroup, 100));
    }

    void theFirstWorkgroupWaitsForRoomFromTheBeginning() {
        HandMade made(400);
        made.times().gemmEnd = made.times().ownEnd = {400};
        made.computed() = {1, {{400}}};
        made.besideCollective();
        made.add(LaneKind::workgroupSlot, SpanKind::collectiveWorkgroup, 0, 250).of(LaneKind::workgroupSlot, 1);
        made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 250, 400, 0);
        made.add(LaneKind::loads, SpanKind::load, 250, 280, 0);
        QCOMPARE(reported(made, gemmBeside(CompanionOperation::allGather)),
                 std::string("starts 0-250, loads 250-280, computes 280-400"));
    }

    // A load from 0 to 240 that was requested at 0, queued behind a request of the same stream.
    void waitingWhileDramServesAnotherKernelIsContention() {
        const auto run = [](std::uint8_t kernelOfOther) {
            HandMade made(500);
            made.times().gemmEnd = made.times().ownEnd = {500};
            made.computed() = {1, {{500}}};
            made.copies({500});
            made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, 500);
            made.add(LaneKind::loads, SpanKind::load, 0, 240);
            made.served(SpanKind::dramRead, kCompute, 0, 0, 140).of(LaneKind::dramChannel, kernelOfOther);
            made.served(SpanKind::dramRead, kCompute, 0, 140, 240);
            return reported(made, gemmBeside(CompanionOperation::gemm));
        };
        QCOMPARE(run(1), std::string("behind other 0-140, loads 140-240, computes 240-500"));
        QCOMPARE(run(kOwnKernel), std::string("behind own 0-140, loads 140-240, computes 240-500"));
    }

    // The companion's kernel has room from 100 on. By 200 it has read the data that it sends until 380.
    void aCompanionThatEndsLastIsOnThePath() {
        const auto run = [](std::int64_t companionEnds) {
            HandMade made(400);
            made.times().gemmEnd = made.times().ownEnd = {companionEnds == 400 ? 390 : 400};
            made.times().companionEnd = {companionEnds};
            made.computed() = {1, {made.times().gemmEnd}};
            made.besideCollective();
            made.add(LaneKind::workgroupSlot, SpanKind::workgroup, 0, made.times().gemmEnd.ps, 0);
            made.add(LaneKind::loads, SpanKind::load, 0, 30, 0);
            made.add(LaneKind::companion, SpanKind::companionStep, 100, companionEnds, 1, 0).of(LaneKind::companion, 1);
            made.served(SpanKind::dramRead, kCommunication, 100, 150, 200).of(LaneKind::dramChannel, 1);
            made.add(LaneKind::linkOut, SpanKind::companionPacket, 200, companionEnds, 0).of(LaneKind::linkOut, 1);
            return criticalPathOf(made.trace(), gemmBeside(CompanionOperation::allGather));
        };
        const CriticalPath last = run(400);
        QCOMPARE(causesOf(last), std::string("dispatch 100, companion 300"));
        QVERIFY(std::all_of(last.steps.begin(), last.steps.end(),
                            [](const PathStep& step) { return step.phase == WorkPhase::companion; }));
        QCOMPARE(causesOf(run(399)), std::string("compute 370, memory latency 30"));
    }

    // The companion uses a link until 300. The packet of the own step was ready long before.
    void aPacketBehindTheCompanionsWaitsForTheCompanion() {
        Experiment experiment = withoutLatencies(SubLayer::allGather, PolicyPreset::sequential);
        experiment.companion.operation = CompanionOperation::allGather;
        experiment.companion.bytes = {4096};
        HandMade made(400);
        made.besideCollective();
        made.times().allGatherEnd = made.times().ownEnd = {400};
        made.add(LaneKind::allGather, SpanKind::allGatherStep, 0, 400, 1, 1);
        made.add(LaneKind::companion, SpanKind::companionStep, 0, 300, 1, 0).of(LaneKind::companion, 1);
        made.add(LaneKind::linkOut, SpanKind::companionPacket, 50, 300, 0).of(LaneKind::linkOut, 1);
        made.add(LaneKind::linkOut, SpanKind::linkPacket, 300, 400, 0);
        const CauseTimes causes = attributionOf(criticalPathOf(made.trace(), experiment), 2).causes;
        QCOMPARE(causes[Cause::link].ps, 100);
        QCOMPARE(causes[Cause::companion].ps + causes[Cause::dispatch].ps, 300);
        QVERIFY(causes[Cause::companion].ps >= 250);
    }
};

RINGSIDE_TEST(TestCauseGraph)
#include "tst_cause_graph.moc"
