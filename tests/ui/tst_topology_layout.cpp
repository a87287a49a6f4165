#include "tests/test_program.h"
#include "tests/ui/sample_topology.h"

#include "ui/machine/machine_map.h"

#include <QTest>

#include <cmath>

using engine::Topology;
using ui::TopologyLayout;

namespace {

constexpr double kTopologyLine = 17;
const QRectF kTopologyArea(10, 10, 900, 560);

TopologyLayout layoutOf(const Topology& topology, const QRectF& area = kTopologyArea) {
    return ui::layoutTopology(topology, area, 1.9, kTopologyLine, kTopologyLine * 1.9);
}

std::vector<Topology> many() {
    std::vector<Topology> topologies;
    for (const std::uint32_t gpus : {2u, 3u, 4u, 5u, 8u, 13u, 16u, 32u, 64u}) {
        topologies.push_back(tests::ringOf(gpus));
        topologies.push_back(tests::fullyConnected(gpus));
        topologies.push_back(tests::switched(gpus));
        if (gpus % 2 == 0)
            topologies.push_back(tests::twoNodes(gpus));
    }
    for (const auto& [columns, rows] :
         {std::pair{2u, 1u}, {2u, 2u}, {4u, 2u}, {4u, 4u}, {3u, 5u}, {8u, 8u}, {64u, 1u}, {1u, 64u}, {16u, 4u}})
        topologies.push_back(tests::torus(columns, rows));
    return topologies;
}

/// Returns a topology of four GPUs in a row and a tree of three switches above them.
Topology tree() {
    tests::TopologyMaker maker(engine::TopologyKind::custom, 4);
    maker.addSwitch().addSwitch().addSwitch();
    maker.join(0, 4).join(1, 4).join(2, 5).join(3, 5).join(4, 6).join(5, 6);
    return maker.bare();
}

bool within(QPointF point, const QRectF& box, double slack) {
    return box.adjusted(-slack, -slack, slack, slack).contains(point);
}

QString reported(const Topology& topology) {
    return QStringLiteral("kind %1, %2 GPUs").arg(static_cast<int>(topology.kind)).arg(topology.gpus);
}

}  // namespace

class TestTopologyLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNodeStandsInsideAndNoTwoMeet() {
        std::vector<Topology> topologies = many();
        topologies.push_back(tree());
        for (const Topology& topology : topologies) {
            for (const QRectF& area : {kTopologyArea, QRectF(0, 0, 520, 300), QRectF(0, 0, 420, 700)}) {
                const TopologyLayout layout = layoutOf(topology, area);
                QCOMPARE(layout.nodes.size(), topology.nodes.size());
                for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
                    QVERIFY2(area.adjusted(-1, -1, 1, 1).contains(layout.nodes[i]), qPrintable(reported(topology)));
                    for (std::size_t j = 0; j < i; ++j)
                        QVERIFY2(!layout.nodes[i].intersects(layout.nodes[j]), qPrintable(reported(topology)));
                }
            }
        }
    }

    void everyLinkLeadsFromTheEdgeOfItsSenderToThatOfItsReceiver() {
        for (const Topology& topology : many()) {
            const TopologyLayout layout = layoutOf(topology);
            QCOMPARE(layout.links.size(), topology.links.size());
            for (std::size_t link = 0; link < layout.links.size(); ++link) {
                const std::vector<QPointF>& way = layout.links[link].points();
                QVERIFY(way.size() >= 2);
                QVERIFY2(within(way.front(), layout.nodes[topology.links[link].from], 0.01),
                         qPrintable(reported(topology)));
                QVERIFY2(within(way.back(), layout.nodes[topology.links[link].to], 0.01),
                         qPrintable(reported(topology)));
            }
        }
    }

    void theWayAroundATorusPassesBesideTheNodesBetween() {
        const Topology topology = tests::torus(4, 4);
        const TopologyLayout layout = layoutOf(topology);
        for (std::size_t link = 0; link < layout.links.size(); ++link) {
            for (std::size_t node = 0; node < layout.nodes.size(); ++node) {
                if (node == topology.links[link].from || node == topology.links[link].to)
                    continue;
                for (double share = 0; share <= 1; share += 0.02)
                    QVERIFY(!layout.nodes[node].contains(layout.links[link].at(share)));
            }
        }
    }

    void theTwoDirectionsOfALinkLieSideBySide() {
        for (const Topology& topology : {tests::fullyConnected(8), tests::torus(4, 4), tests::twoNodes(8)}) {
            const TopologyLayout layout = layoutOf(topology);
            for (std::size_t link = 0; link < layout.links.size(); link += 2) {  // two directions of a link
                const double away = layout.links[link].distanceTo(layout.links[link + 1].at(0.5));
                QVERIFY2(away > 1 && away < kTopologyLine, qPrintable(QString::number(away)));
            }
        }
    }

    void aSwitchStandsInTheMiddleOfItsGpus() {
        const TopologyLayout layout = layoutOf(tests::switched(8));
        QVERIFY(std::abs(layout.nodes[8].center().x() - kTopologyArea.center().x()) < kTopologyArea.width() * 0.05);
        QVERIFY(std::abs(layout.nodes[8].center().y() - kTopologyArea.center().y()) < kTopologyArea.height() * 0.05);
    }

    void aTorusIsAGridAsItsNodesSay() {
        const Topology topology = tests::torus(4, 2);
        const TopologyLayout layout = layoutOf(topology);
        QCOMPARE(layout.nodes[0].center().y(), layout.nodes[3].center().y());
        QCOMPARE(layout.nodes[1].center().x(), layout.nodes[5].center().x());
        QVERIFY(layout.nodes[0].center().x() < layout.nodes[1].center().x());
        QVERIFY(layout.nodes[0].center().y() < layout.nodes[4].center().y());
    }

    void twoNodesStandSideBySideAndCounterpartsFaceEachOther() {
        for (const std::uint32_t gpus : {2u, 8u, 16u}) {
            const Topology topology = tests::twoNodes(gpus);
            const TopologyLayout layout = layoutOf(topology);
            QCOMPARE(layout.groups.size(), std::size_t(2));
            QVERIFY(layout.groups[0].right() < layout.groups[1].left());
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                QVERIFY(layout.groups[topology.nodes[gpu].group].contains(layout.nodes[gpu]));
            for (std::uint32_t gpu = 0; gpu < gpus / 2; ++gpu)
                QVERIFY(std::abs(layout.nodes[gpu].center().y() - layout.nodes[gpus - 1 - gpu].center().y()) < 0.01);
        }
    }

    void aHopOfTheRingEndsAtTheGpuBefore() {
        for (const Topology& topology : {tests::switched(8), tests::twoNodes(8), tests::fullyConnected(5)}) {
            const TopologyLayout layout = layoutOf(topology);
            QCOMPARE(layout.hops.size(), std::size_t(topology.gpus));
            for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
                const std::uint32_t before = (gpu + topology.gpus - 1) % topology.gpus;
                QVERIFY(within(layout.hops[gpu].at(0), layout.nodes[gpu], 0.01));
                QVERIFY(within(layout.hops[gpu].at(1), layout.nodes[before], 0.01));
            }
        }
    }

    void theSameTopologyAlwaysLooksTheSame() {
        const TopologyLayout first = layoutOf(tests::twoNodes(16));
        const TopologyLayout second = layoutOf(tests::twoNodes(16));
        QVERIFY(first.nodes == second.nodes);
        QVERIFY(first.links[7].points() == second.links[7].points());
    }

    void aLinkIsFoundByAPointBesideItAndNotFromFarAway() {
        const TopologyLayout layout = layoutOf(tests::torus(4, 4));
        QCOMPARE(ui::wayAt(layout.links, layout.links[9].at(0.5), 4), std::optional(9u));
        QVERIFY(!ui::wayAt(layout.links, kTopologyArea.topLeft() - QPointF(50, 50), 4));
    }

    void aPartOfAWayEndsWhereItSays() {
        const ui::Way way({{0, 0}, {10, 0}, {10, 30}});
        QCOMPARE(way.length(), 40.0);
        QCOMPARE(way.at(0.5), QPointF(10, 10));
        QCOMPARE(way.upTo(0.5).back(), QPointF(10, 10));
        QCOMPARE(way.upTo(1).size(), std::size_t(3));
        QCOMPARE(way.distanceTo({14, 12}), 4.0);
        QVERIFY(ui::Way().empty());
    }
};

RINGSIDE_CORE_TEST(TestTopologyLayout)
#include "tst_topology_layout.moc"
