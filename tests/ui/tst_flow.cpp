#include "data/replay/flow.h"
#include "tests/test_program.h"

#include "sample_run.h"
#include "sample_trace.h"

#include <QTest>

#include <algorithm>
#include <tuple>

using data::Flow;
using data::FlowChain;
using data::SpanRef;
using engine::LaneKind;
using engine::SpanKind;

namespace {

constexpr auto kFlowCase = "t-nlg/fc-2/tp4";

/// A span with values that are the same in mirrored runs and in runs of all GPUs.
using Seen = std::tuple<std::uint32_t, SpanKind, std::int64_t, std::int64_t, std::uint32_t>;

Seen seen(const data::Flow& flow, data::SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    const bool ofTile = data::isOfTile(span);
    return {ref.gpu, span.kind, span.start.ps, span.end.ps,
            ofTile ? flow.places().tileOn(ref.gpu, span.first) : span.first};
}

std::vector<data::SpanRef> spansOf(const data::Flow& flow, SpanKind kind, std::uint32_t gpu) {
    std::vector<data::SpanRef> found;
    const engine::Trace& trace = flow.run().index->trace();
    for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
        for (std::uint32_t i = 0; i < trace.lanes[lane].spans.size(); ++i) {
            const data::SpanRef ref{gpu, lane, i};
            if (flow.contains(ref) && flow.span(ref).kind == kind)
                found.push_back(ref);
        }
    }
    return found;
}

/// Returns the workgroup of this tile on a GPU.
data::SpanRef workgroup(const data::Flow& flow, std::uint32_t gpu, std::uint32_t tile) {
    for (const data::SpanRef ref : spansOf(flow, SpanKind::workgroup, gpu)) {
        if (flow.places().tileOn(gpu, flow.span(ref).first) == tile)
            return ref;
    }
    return {gpu, ~0u, 0};
}

std::vector<SpanKind> kinds(const data::Flow& flow, const data::FlowChain& chain) {
    std::vector<SpanKind> kinds;
    for (const data::SpanRef ref : chain.spans)
        kinds.push_back(flow.span(ref).kind);
    return kinds;
}

}  // namespace

class TestFlow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTileGoesAroundTheRingFromTheStoreThatLeavesItToTheChunkThatKeepsIt() {
        const data::Flow flow(tests::simulated(kFlowCase, {"policy=t3"}));
        // Chunk 2 begins on GPU 2, whose stores go directly to GPU 1. GPUs 1 and 0 send it on, and GPU 3 keeps it. From
        // there the all-gather sends it in the same direction to GPUs 2, 1 and 0.
        const std::uint32_t tile = flow.places().chunkFirstTile(2) + 5;
        const data::FlowChain chain = flow.chain(workgroup(flow, 2, tile));
        std::vector<std::uint32_t> gpus;
        for (const data::SpanRef ref : chain.spans) {
            if (gpus.empty() || gpus.back() != ref.gpu)
                gpus.push_back(ref.gpu);
        }
        const std::vector<std::uint32_t> scatter{2, 1, 0, 3};
        QVERIFY(gpus.size() >= scatter.size());
        QVERIFY(std::equal(scatter.begin(), scatter.end(), gpus.begin()));
        const std::vector<SpanKind> all = kinds(flow, chain);
        const std::vector<SpanKind> begins{SpanKind::workgroup,   SpanKind::linkPacket, SpanKind::linkPacket,
                                           SpanKind::trackedTile, SpanKind::trigger,    SpanKind::dmaTransfer,
                                           SpanKind::linkPacket,  SpanKind::linkPacket, SpanKind::trackedTile};
        QVERIFY(all.size() > begins.size());
        QVERIFY(std::equal(begins.begin(), begins.end(), all.begin()));
    }

    void nothingLeadsToWhatEndedBeforeItBegan() {
        for (const char* policy : {"policy=t3", "policy=sequential", "policy=t3-mca"}) {
            const data::Flow flow(tests::simulated(kFlowCase, {policy}));
            const engine::Trace& trace = flow.run().index->trace();
            for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
                for (std::uint32_t i = 0; i < trace.lanes[lane].spans.size(); i += 7) {
                    const data::SpanRef ref{1, lane, i};
                    if (const auto next = flow.followForward(ref)) {
                        QVERIFY2(flow.span(ref).start <= flow.span(*next).end, policy);
                        QVERIFY2(flow.contains(*next), policy);
                    }
                    if (const auto before = flow.followBack(ref)) {
                        QVERIFY2(flow.span(*before).start <= flow.span(ref).end, policy);
                        QVERIFY2(flow.contains(*before), policy);
                    }
                }
            }
        }
    }

    void mirroredAndFullRunsHaveTheSameFlow() {
        const data::Flow mirrored(tests::simulated(kFlowCase, {"policy=t3"}));
        const data::Flow full(tests::simulated(kFlowCase, {"policy=t3", "detail.mode=full"}));
        QVERIFY(mirrored.places().mirrored());
        QVERIFY(!full.places().mirrored());
        for (const std::uint32_t gpu : {0u, 1u, 3u}) {
            for (const std::uint32_t tile : {0u, 17u, 100u, full.places().tiles() - 1}) {
                const data::FlowChain a = mirrored.chain(workgroup(mirrored, gpu, tile));
                const data::FlowChain b = full.chain(workgroup(full, gpu, tile));
                QCOMPARE(a.spans.size(), b.spans.size());
                for (std::size_t i = 0; i < a.spans.size(); ++i)
                    QVERIFY(seen(mirrored, a.spans[i]) == seen(full, b.spans[i]));
                QCOMPARE(a.edges.size(), b.edges.size());
            }
        }
    }

    void aTileIsCompleteWhenTheLaterOfStoresAndUpdatesHasLanded() {
        // With a slow link the neighbour's updates are last, with a fast link the local stores.
        for (const auto& [link, kind] : {std::pair{"link.bandwidth=5GB/s", LaneKind::linkIn},
                                         std::pair{"link.bandwidth=2TB/s", LaneKind::stores}}) {
            const data::Flow flow(tests::simulated(kFlowCase, {"policy=t3", link}));
            int decisive = 0;
            for (const data::SpanRef ref : spansOf(flow, SpanKind::trackedTile, 2)) {
                const std::vector<data::SpanRef> causes = flow.causes(ref);
                QCOMPARE(causes.size(), std::size_t{2});
                const auto before = flow.followBack(ref);
                QVERIFY(before.has_value());
                decisive += flow.lane(*before).kind == kind ? 1 : 0;
                if (flow.span(*before).kind == SpanKind::store)
                    QCOMPARE(flow.span(*before).end.ps, flow.span(ref).end.ps);
            }
            QVERIFY2(decisive > 0, link);
        }
    }

    void aTriggerComesTheTriggerLatencyAfterTheLastTileOfItsBlock() {
        const auto run = tests::simulated(kFlowCase, {"policy=t3"});
        const data::Flow flow(run);
        const std::vector<data::SpanRef> triggers = spansOf(flow, SpanKind::trigger, 1);
        QVERIFY(!triggers.empty());
        for (const data::SpanRef ref : triggers) {
            const std::vector<data::SpanRef> tiles = flow.causes(ref);
            QVERIFY(!tiles.empty());
            QCOMPARE((flow.span(ref).start - flow.span(tiles.back()).end).ps,
                     run->run.experiment.tracker.triggerLatency.ps);
            const auto [first, end] = flow.tilesOf(ref);
            QCOMPARE(tiles.size(), std::size_t{end - first});
            const auto transfer = flow.followForward(ref);
            QVERIFY(transfer.has_value());
            QCOMPARE(flow.span(*transfer).first, flow.span(ref).first);
            QVERIFY(flow.span(*transfer).start >= flow.span(ref).start);
        }
    }

    void theLastPacketOfATransferEndsWithIt() {
        const data::Flow flow(tests::simulated(kFlowCase, {"policy=t3"}));
        for (const data::SpanRef ref : spansOf(flow, SpanKind::dmaTransfer, 3)) {
            const auto packet = flow.followForward(ref);
            QVERIFY(packet.has_value());
            QCOMPARE(flow.lane(*packet).kind, LaneKind::linkOut);
            QCOMPARE(flow.span(*packet).end.ps, flow.span(ref).end.ps);
            QVERIFY(flow.followBack(*packet) == ref);
        }
    }

    void aPacketArrivesAtTheNeighbourTheLatencyOfTheLinkLater() {
        const auto run = tests::simulated(kFlowCase, {"policy=t3"});
        const data::Flow flow(run);
        std::size_t arrived = 0;
        for (const data::SpanRef ref : spansOf(flow, SpanKind::linkPacket, 0)) {
            if (flow.lane(ref).kind != LaneKind::linkOut)
                continue;
            const auto arrival = flow.followForward(ref);
            QVERIFY(arrival.has_value());
            QCOMPARE(arrival->gpu, 3u);  // GPU i sends to GPU i-1
            QCOMPARE((flow.span(*arrival).end - flow.span(ref).end).ps, run->run.experiment.link.latency.ps);
            QCOMPARE(flow.places().tileOn(3, flow.span(*arrival).first), flow.places().tileOn(0, flow.span(ref).first));
            QVERIFY(flow.followBack(*arrival) == ref);
            ++arrived;
        }
        QVERIFY(arrived > 0);
    }

    void kernelsPassAChunkFromStepToStepAroundTheRing() {
        const data::Flow flow(tests::simulated(kFlowCase, {"policy=sequential"}));
        const std::vector<data::SpanRef> steps = spansOf(flow, SpanKind::reduceScatterStep, 1);
        QCOMPARE(steps.size(), std::size_t{4});  // three steps that send, and the final reduce
        // GPU 1 sends chunk 1 first; GPU 0 adds to it in its second step, GPU 3 in its third, and GPU 2 keeps it.
        std::optional<data::SpanRef> at = steps.front();
        for (const std::uint32_t gpu : {1u, 0u, 3u, 2u}) {
            QVERIFY(at.has_value());
            QCOMPARE(at->gpu, gpu);
            QCOMPARE(flow.places().chunkOn(gpu, flow.span(*at).second), 1u);
            at = flow.followForward(*at);
        }
        QVERIFY(at.has_value());
        QCOMPARE(at->gpu, 2u);  // GPU 2 then begins the all-gather of the chunk
        QCOMPARE(flow.span(*at).kind, SpanKind::allGatherStep);
        QCOMPARE(flow.span(*at).first, 1u);
        int gathers = 0;
        for (; at; at = flow.followForward(*at))
            ++gathers;
        QCOMPARE(gathers, 3);
        QCOMPARE(flow.span(*flow.followBack(steps.front())).kind, SpanKind::gemmWave);
    }

    void aStepBackFromAStepForwardIsWhereOneWasWhereKernelsCarry() {
        const data::Flow flow(tests::simulated(kFlowCase, {"policy=sequential"}));
        for (const SpanKind kind : {SpanKind::reduceScatterStep, SpanKind::allGatherStep}) {
            for (const data::SpanRef ref : spansOf(flow, kind, 3)) {
                if (const auto next = flow.followForward(ref))
                    QVERIFY(flow.followBack(*next) == ref);
            }
        }
    }

    void aWorkgroupBeginsWhenTheOneBeforeLeavesItsSlot() {
        const data::Flow flow(tests::simulated(kFlowCase, {"policy=t3"}));
        int followed = 0;
        for (const data::SpanRef ref : spansOf(flow, SpanKind::workgroup, 0)) {
            const auto before = flow.followBack(ref);
            if (!before)
                continue;
            QCOMPARE(before->lane, ref.lane);
            QVERIFY(flow.span(*before).end <= flow.span(ref).start);
            ++followed;
        }
        QVERIFY(followed > 0);
    }

    void whatLandsLeadsToItsTileAndComesFromItsPacket() {
        const data::Flow flow(tests::simulated(kFlowCase, {"policy=t3"}));
        for (const data::SpanRef ref : spansOf(flow, SpanKind::arrivalLanded, 1)) {
            const auto packet = flow.followBack(ref);
            QVERIFY(packet.has_value());
            QCOMPARE(flow.lane(*packet).kind, LaneKind::linkIn);
            QVERIFY(flow.span(*packet).end <= flow.span(ref).start);
            QCOMPARE(flow.span(*packet).first, flow.span(ref).first);
            if (const auto tracked = flow.followForward(ref);
                tracked && flow.span(*tracked).kind == SpanKind::trackedTile) {
                QCOMPARE(flow.span(*tracked).first, flow.span(ref).first);
                QVERIFY(flow.span(*tracked).start <= flow.span(ref).start);
                QVERIFY(flow.span(*tracked).end >= flow.span(ref).start);
            }
        }
    }

    void chainsEndOnEveryKindOfRing() {
        for (const char* policy : {"policy=t3", "policy=t3-mca", "policy=sequential"}) {
            for (const char* name : {"t-nlg/fc-2/tp2", "t-nlg/fc-2/tp8", "collective/all-reduce/tp4"}) {
                const data::Flow flow(tests::simulated(name, {policy}));
                const engine::Trace& trace = flow.run().index->trace();
                for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
                    if (trace.lanes[lane].spans.empty())
                        continue;
                    const data::SpanRef ref{flow.places().gpus() - 1, lane,
                                            static_cast<std::uint32_t>(trace.lanes[lane].spans.size() / 2)};
                    const std::size_t most = std::size_t{flow.places().gpus()} * 12;
                    if (flow.contains(ref))
                        QVERIFY(flow.chain(ref).spans.size() <= most);
                }
            }
        }
    }

    void spansOfAnotherRunAreNotFollowed() {
        const data::Flow flow(tests::simulated(kFlowCase, {"policy=t3"}));
        QVERIFY(!flow.contains({0, 100'000, 0}));
        QVERIFY(!flow.contains({0, 0, 100'000'000}));
        QVERIFY(!flow.contains({4, 0, 0}));
        const data::Flow bound(tests::sampleBound());
        QVERIFY(!bound.contains({0, 0, 0}));
    }
};

RINGSIDE_CORE_TEST(TestFlow)
#include "tst_flow.moc"
