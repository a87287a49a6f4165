#include "tests/test_program.h"
#include "tests/ui/sample_topology.h"

#include "ui/machine/link_traffic.h"
#include "ui/machine/topology_facts.h"

#include <QTest>

using engine::LaneKind;
using engine::Topology;
using ui::LinkUse;
using ui::TopologyFacts;

namespace {

QString plainText(QString text) { return text.replace(QChar(0x00a0), QLatin1Char(' ')); }

std::uint32_t linkOf(const Topology& topology, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t link = 0; link < topology.links.size(); ++link) {
        if (topology.links[link].from == from && topology.links[link].to == to)
            return link;
    }
    return Topology::kNoLink;
}

engine::Lane laneOf(LaneKind kind, std::uint32_t gpu, std::uint32_t index, std::int64_t start, std::uint32_t chunk) {
    engine::Lane lane;
    lane.kind = kind;
    lane.gpu = gpu;
    lane.index = index;
    lane.spans.push_back({{start}, {start + 100}, 0, chunk, 4096, engine::SpanKind::linkPacket});
    return lane;
}

std::shared_ptr<engine::Trace> traceOf(std::uint32_t gpus, bool mirrored) {
    auto trace = std::make_shared<engine::Trace>();
    trace->gpus = gpus;
    trace->chunks = gpus;
    trace->mirrored = mirrored;
    trace->end = {1000};
    return trace;
}

/// Returns a topology of four GPUs in two pairs. Each pair has a switch, and hops of the ring share the one link
/// between the switches.
Topology bottleneck() {
    tests::TopologyMaker maker(engine::TopologyKind::custom, 4);
    maker.addSwitch().addSwitch();
    maker.join(0, 4).join(1, 4).join(2, 5).join(3, 5);
    maker.join(4, 5, engine::Bandwidth{50'000'000'000}, engine::Duration{2'000'000});
    Topology topology = maker.bare();
    topology.ring = {{linkOf(topology, 0, 4), linkOf(topology, 4, 5), linkOf(topology, 5, 3)},
                     {linkOf(topology, 1, 4), linkOf(topology, 4, 0)},
                     {linkOf(topology, 2, 5), linkOf(topology, 5, 4), linkOf(topology, 4, 1)},
                     {linkOf(topology, 3, 5), linkOf(topology, 5, 2)}};
    return topology;
}

}  // namespace

class TestTopologyFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theHeadlineShowsLinksAndTheTotalEgressOfAGpu() {
        const TopologyFacts facts({}, tests::fullyConnected(8));
        const QString headline = plainText(facts.headline());
        QVERIFY2(headline.contains(QStringLiteral("28 links of 150 GB/s and 500 ns each way")), qPrintable(headline));
        QVERIFY2(headline.contains(QStringLiteral("Egress of a GPU: 1050 GB/s")) ||
                     headline.contains(QStringLiteral("Egress of a GPU: 1.05 TB/s")),
                 qPrintable(headline));
    }

    void linksThatShareTheirBandwidthSaySo() {
        engine::Experiment experiment;
        experiment.topology.egress = engine::TopologyEgress::shared;
        const QString headline = plainText(TopologyFacts(experiment, tests::fullyConnected(8)).headline());
        QVERIFY2(headline.contains(QStringLiteral("150 GB/s, shared by its links")), qPrintable(headline));
    }

    void slowerLinksAreNamedWithTheirNumbers() {
        const TopologyFacts facts({}, tests::twoNodes(8));
        const QString headline = plainText(facts.headline());
        QVERIFY2(headline.startsWith(QStringLiteral("Two nodes of 4 GPUs")), qPrintable(headline));
        QVERIFY2(headline.contains(QStringLiteral("4 links of 50 GB/s and 2 us")) ||
                     headline.contains(QStringLiteral("4 links of 50 GB/s and 2 µs")),
                 qPrintable(headline));
        const std::uint32_t slow = linkOf(facts.topology(), 0, 7);
        QVERIFY(facts.isSlow(slow));
        QCOMPARE(facts.widthShare(slow), 1.0 / 3);
    }

    void aRingThatSharesNothingSaysSo() {
        const TopologyFacts facts({}, tests::ringOf(8));
        QVERIFY2(facts.ringText().contains(QStringLiteral("8 of 16 directed links; no link carries more than one hop")),
                 qPrintable(facts.ringText()));
    }

    void linksThatSeveralHopsShareAreNamed() {
        Topology topology = bottleneck();
        // Adds a second hop over the link between the switches.
        topology.ring[3].push_back(linkOf(topology, 4, 5));
        topology.sharedByRing = {linkOf(topology, 4, 5)};
        const TopologyFacts facts({}, topology);
        QVERIFY(facts.isShared(linkOf(topology, 4, 5)));
        QVERIFY2(facts.ringText().contains(QStringLiteral("switch 0 → switch 1 (2 hops)")),
                 qPrintable(facts.ringText()));
        const QString link = plainText(facts.linkText(linkOf(topology, 4, 5)));
        QVERIFY2(link.contains(QStringLiteral("shared by hops of the ring: GPU 0 to GPU 3, GPU 3 to GPU 2")),
                 qPrintable(link));
    }

    void withoutARingTheReaderHearsIt() {
        const TopologyFacts facts({}, tests::torus(3, 3));
        QVERIFY(facts.ringText().startsWith(QStringLiteral("No ring")));
        QVERIFY(facts.linkText(0).contains(QStringLiteral("not on the ring")));
    }

    void aLinkIsBusyFromTheBeginningOfItsPacketAndNoLongerAtItsEnd() {
        const Topology topology = tests::fullyConnected(4);
        auto trace = traceOf(4, false);
        // The links of GPU 2 are first that of the ring, to GPU 1, and then those to GPU 0 and GPU 3.
        trace->lanes.push_back(laneOf(LaneKind::linkOut, 2, 1, 200, 3));
        const LinkUse use(trace, topology);
        const std::uint32_t link = linkOf(topology, 2, 0);
        QVERIFY(!use.chunkOn(link, 199));
        QCOMPARE(use.chunkOn(link, 200), std::optional(3u));
        QCOMPARE(use.chunkOn(link, 299), std::optional(3u));
        QVERIFY(!use.chunkOn(link, 300));
        QCOMPARE(use.busyShare(link), std::optional(0.1));
        QVERIFY(!use.busyShare(linkOf(topology, 2, 1)));
    }

    void whereOneGpuStandsForAllItsLinksAreTurnedToEveryOther() {
        const Topology topology = tests::fullyConnected(4);
        auto trace = traceOf(4, true);
        // GPU 0 sends chunk 1 to GPU 3 over the ring's link, and chunk 2 to GPU 2 over its third.
        trace->lanes.push_back(laneOf(LaneKind::linkOut, 0, 0, 0, 1));
        trace->lanes.push_back(laneOf(LaneKind::linkOut, 0, 2, 500, 2));
        const LinkUse use(trace, topology);
        for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
            QCOMPARE(use.chunkOn(linkOf(topology, gpu, (gpu + 3) % 4), 50), std::optional((1 + gpu) % 4));
            QCOMPARE(use.chunkOn(linkOf(topology, gpu, (gpu + 2) % 4), 550), std::optional((2 + gpu) % 4));
            QVERIFY(!use.chunkOn(linkOf(topology, gpu, (gpu + 1) % 4), 550));
        }
    }

    void theLinkFromASwitchIsNamedByTheGpuThatReceives() {
        const Topology topology = tests::switched(4);
        auto trace = traceOf(4, false);
        trace->lanes.push_back(laneOf(LaneKind::linkIn, 1, 0, 100, 0));
        const LinkUse use(trace, topology);
        QCOMPARE(use.chunkOn(linkOf(topology, 4, 1), 150), std::optional(0u));
        QVERIFY(!use.chunkOn(linkOf(topology, 1, 4), 150));
    }

    void theTextDescribesWhatAGpuSendsAndToWhom() {
        const Topology topology = tests::fullyConnected(4);
        auto trace = traceOf(4, false);
        trace->lanes.push_back(laneOf(LaneKind::linkOut, 2, 0, 200, 1));
        trace->lanes.push_back(laneOf(LaneKind::linkOut, 2, 1, 200, 0));
        const LinkUse use(trace, topology);
        const QStringList sends = ui::trafficLines(topology, use, 2, 250);
        QCOMPARE(sends.size(), 1);
        QVERIFY2(sends.front().contains(QStringLiteral("GPU 0")) && sends.front().contains(QStringLiteral("GPU 1")),
                 qPrintable(sends.front()));
        QCOMPARE(ui::trafficLines(topology, use, 1, 250), QStringList{QStringLiteral("receives chunk 1 from GPU 2")});
        QVERIFY(ui::trafficLines(topology, use, 3, 250).isEmpty());
    }
};

RINGSIDE_CORE_TEST(TestTopologyFacts)
#include "tst_topology_facts.moc"
