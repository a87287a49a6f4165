// Tests the window with runs whose data do not go around a ring, or whose ring is not made of links.
#include "tests/ui/machine_run.h"
#include "tests/ui/window_test.h"

#include "data/replay/flow.h"
#include "data/replay/ring_places.h"
#include "ui/machine/machine_view.h"
#include "ui/playback/narration.h"
#include "ui/shared/view_state.h"

#include <QSignalSpy>

#include <cmath>

using data::TileState;
using engine::LaneKind;

namespace {

struct Case {
    const char* name;
    const char* experiment;
    const char* policy;
    data::Settings settings;
};

std::string word(const char* text) { return text; }

/// Returns a small run of a case, so that eleven cases can be simulated and recorded with all GPUs.
std::shared_ptr<const data::ShownRun> runOf(const Case& one) {
    static std::map<std::string, std::shared_ptr<const data::ShownRun>> kept;
    std::shared_ptr<const data::ShownRun>& run = kept[one.name];
    if (!run) {
        data::Settings settings = one.settings;
        settings["parallel.tp"] = std::int64_t{4};
        if (std::string(one.experiment).starts_with("collective"))
            settings["workload.bytes"] = std::int64_t{8} << 20;
        else
            settings["workload.batch"] = std::int64_t{2};
        run = tests::simulatedRun(one.experiment, one.policy, settings);
    }
    return run;
}

std::vector<Case> cases() {
    const data::Settings direct{{"topology.kind", word("fully-connected")}, {"collective.algorithm", word("direct")}};
    const data::Settings nodes{{"topology.kind", word("two-nodes")}, {"collective.algorithm", word("hierarchical")}};
    data::Settings exchange = direct;
    exchange["collective.operation"] = word("all-to-all");
    data::Settings scatter = direct;
    scatter["collective.operation"] = word("reduce-scatter");
    return {{"direct, fused", "t-nlg/fc-2/tp8", "t3", direct},
            {"direct, by kernels", "t-nlg/fc-2/tp8", "sequential", direct},
            {"direct reduce-scatter", "t-nlg/fc-2/tp8", "t3-mca", scatter},
            {"hierarchical, fused", "t-nlg/fc-2/tp8", "t3", nodes},
            {"hierarchical, by kernels", "t-nlg/fc-2/tp8", "sequential", nodes},
            {"all-to-all, fused", "t-nlg/fc-2/tp8", "t3", exchange},
            {"all-to-all, by kernels", "t-nlg/fc-2/tp8", "sequential", exchange},
            {"all-reduce alone, direct", "collective/all-reduce/tp8", "t3", direct},
            {"ring on a torus", "t-nlg/fc-2/tp8", "t3", {{"topology.kind", word("torus")}}},
            {"ring over a switch", "t-nlg/fc-2/tp8", "t3", {{"topology.kind", word("switch")}}},
            {"ring of two nodes", "t-nlg/fc-2/tp8", "t3", {{"topology.kind", word("two-nodes")}}}};
}

/// Returns a packet that GPU 0 sends.
engine::Span middlePacket(const engine::Trace& trace) {
    for (const engine::Lane& lane : trace.lanes) {
        if (lane.gpu == 0 && lane.kind == LaneKind::linkOut && !lane.spans.empty())
            return lane.spans[lane.spans.size() / 2];
    }
    return {};
}

}  // namespace

class TestOtherCollectives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTileEndsWhereItBelongs() {
        for (const Case& one : cases()) {
            const auto run = runOf(one);
            const auto log = tests::logOf(*run);
            for (std::uint32_t gpu = 0; gpu < log->gpus(); ++gpu) {
                const data::GpuState state = log->stateOf(gpu, log->end());
                const std::uint32_t own = (gpu + log->gpus() - 1) % log->gpus();
                const data::LogFacts& facts = log->facts(log->trace().mirrored ? 0 : gpu);
                for (std::uint32_t chunk = 0; chunk < state.chunkTiles.size(); ++chunk) {
                    const auto& counts = state.chunkTiles[chunk];
                    std::uint32_t tiles = 0;
                    for (const std::uint32_t count : counts)
                        tiles += count;
                    const bool kept = chunk == own || facts.gathers;
                    const data::TileState end = kept ? data::TileState::reduced : data::TileState::sent;
                    QVERIFY2(counts[static_cast<std::size_t>(end)] == tiles,
                             qPrintable(QStringLiteral("%1: GPU %2, chunk %3: %4 of %5")
                                            .arg(QString::fromLatin1(one.name))
                                            .arg(gpu)
                                            .arg(chunk)
                                            .arg(counts[static_cast<std::size_t>(end)])
                                            .arg(tiles)));
                }
                QVERIFY2(state.tracker.empty() && state.waitingBlocks.empty() && state.movingBlocks.empty(), one.name);
            }
        }
    }

    void aPacketThatLeavesLeadsToItsArrivalAtTheOtherEndOfItsLink() {
        for (const Case& one : cases()) {
            const auto run = runOf(one);
            const data::Flow flow(run);
            const engine::Trace& trace = run->index->trace();
            if (flow.aroundRing())
                continue;  // tst_flow tests these
            int followed = 0;
            for (std::uint32_t i = 0; i < trace.lanes.size(); ++i) {
                const engine::Lane& lane = trace.lanes[i];
                if (lane.kind != LaneKind::linkOut)
                    continue;
                for (std::uint32_t at = 0; at < lane.spans.size(); at += 41) {
                    const data::SpanRef sent{lane.gpu, i, at};
                    const auto arrived = flow.followForward(sent);
                    QVERIFY2(arrived, one.name);
                    QCOMPARE(flow.lane(*arrived).kind, LaneKind::linkIn);
                    QCOMPARE("GPU " + std::to_string(arrived->gpu), flow.linkEnd(sent));
                    QCOMPARE(flow.span(*arrived).first, lane.spans[at].first);
                    QVERIFY2(flow.span(*arrived).end > lane.spans[at].end, one.name);
                    QVERIFY(flow.followBack(*arrived) == sent);
                    ++followed;
                }
            }
            QVERIFY2(followed > 20, one.name);
        }
    }

    void noSpanHasACauseOnAnotherGpuThatEndedAfterIt() {
        for (const Case& one : cases()) {
            const auto run = runOf(one);
            const data::Flow flow(run);
            const engine::Trace& trace = run->index->trace();
            for (std::uint32_t i = 0; i < trace.lanes.size(); ++i) {
                const engine::Lane& lane = trace.lanes[i];
                for (std::uint32_t at = 0; at < lane.spans.size(); at += 197) {
                    const data::SpanRef ref{lane.gpu, i, at};
                    for (const data::SpanRef cause : flow.causes(ref)) {
                        if (cause.gpu != ref.gpu)
                            QVERIFY2(flow.span(cause).end <= flow.span(ref).end, one.name);
                    }
                    QVERIFY(flow.chain(ref).spans.size() < 1000);
                }
            }
        }
    }

    void everyMachineCanBeDrawnAndShowsWhatItsLinksCarry() {
        for (const Case& one : cases()) {
            const auto run = runOf(one);
            ui::ViewState state;
            ui::RingMoment moment(state);
            ui::MachineView view(state, moment);
            state.setRunEnd(run->run.result.last.time.total.ps);
            tests::show(moment, run);
            view.resize(1100, 620);
            view.show();
            for (double share = 0.05; share < 1; share += 0.15) {
                state.setCursor(static_cast<std::int64_t>(share * static_cast<double>(state.runEnd())));
                QVERIFY(!view.grab().isNull());
                for (const QString& line : ui::narrate(moment.log(), 0, moment.ps(), std::nullopt, state.runEnd()))
                    QVERIFY2(data::goesAroundRing(run->run.experiment) || !line.contains(QStringLiteral("for GPU")),
                             qPrintable(line));
            }
            const engine::Span packet = middlePacket(run->index->trace());
            state.setCursor((packet.start.ps + packet.end.ps) / 2);
            QVERIFY2(view.accessibleDescription().contains(QStringLiteral("sends chunk")),
                     qPrintable(QString::fromLatin1(one.name) + view.accessibleDescription()));
            QVERIFY2(view.topology().headline().contains(QStringLiteral("Egress of a GPU")), one.name);
        }
    }

    void aClickOnALinkDescribesItUntilSomethingElseIsClicked() {
        const auto run = tests::simulatedRun("t-nlg/fc-2/tp8", "t3", {{"topology.kind", word("torus")}});
        ui::ViewState state;
        ui::RingMoment moment(state);
        ui::MachineView view(state, moment);
        state.setRunEnd(run->run.result.last.time.total.ps);
        tests::show(moment, run);
        view.resize(1300, 700);
        view.show();
        const QPoint at = view.map().links[3].at(0.5).toPoint();
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        QVERIFY(view.pickedLink());
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.map().cards[2].center().toPoint());
        QVERIFY(!view.pickedLink());
        QCOMPARE(view.focusedGpu(), 2u);
    }
};

RINGSIDE_WINDOW_TEST(TestOtherCollectives)
#include "tst_other_collectives.moc"
