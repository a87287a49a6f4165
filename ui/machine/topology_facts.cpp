#include "ui/machine/topology_facts.h"

#include "engine/api/parameters.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <map>
#include <utility>

namespace ui {
namespace {

using engine::TopologyKind;

constexpr int kMostLinksNamed = 3;  // kinds of links, or shared links, that are named at most

QString topologyTr(const char* text) { return QCoreApplication::translate("Topology", text); }

QString valueText(const char* path, std::int64_t value) {
    return QString::fromStdString(engine::formatValue(*engine::findParameter(path), value));
}

QString latencyText(engine::Duration latency) { return valueText("link.latency", latency.ps); }

QString kindText(const engine::Topology& topology) {
    switch (topology.kind) {
    case TopologyKind::ring: return topologyTr("Ring of %1 GPUs").arg(topology.gpus);
    case TopologyKind::fullyConnected: return topologyTr("%1 GPUs, each linked to all others").arg(topology.gpus);
    case TopologyKind::switched: return topologyTr("%1 GPUs at one switch").arg(topology.gpus);
    case TopologyKind::torus: {
        std::uint32_t columns = 0, rows = 0;
        for (const engine::TopologyNode& node : topology.nodes) {
            columns = std::max(columns, node.column + 1);
            rows = std::max(rows, node.row + 1);
        }
        return topologyTr("Torus of %1 × %2 GPUs").arg(columns).arg(rows);
    }
    case TopologyKind::twoNodes: return topologyTr("Two nodes of %1 GPUs").arg(topology.gpus / 2);
    case TopologyKind::custom: break;
    }
    const std::size_t switches = topology.nodes.size() - topology.gpus;
    return switches == 0   ? topologyTr("Custom topology of %1 GPUs").arg(topology.gpus)
           : switches == 1 ? topologyTr("Custom topology of %1 GPUs and a switch").arg(topology.gpus)
                           : topologyTr("Custom topology of %1 GPUs and %2 switches").arg(topology.gpus).arg(switches);
}

// Describes the links; the two directions of a link count as one.
QString linksText(const engine::Topology& topology) {
    std::map<std::pair<std::int64_t, std::int64_t>, int, std::greater<>> directed;
    for (const engine::TopologyLink& link : topology.links)
        ++directed[{link.bandwidth.bytesPerSecond, link.latency.ps}];
    QStringList kinds;
    int others = 0;
    for (const auto& [kind, count] : directed) {
        if (kinds.size() == kMostLinksNamed) {
            others += count;
            continue;
        }
        const QString numbers = topologyTr("%1 and %2").arg(formatBandwidth({kind.first}), latencyText({kind.second}));
        kinds << (count == 1       ? topologyTr("1 directed link of %1").arg(numbers)
                  : count == 2     ? topologyTr("1 link of %1 each way").arg(numbers)
                  : count % 2 == 0 ? topologyTr("%1 links of %2 each way").arg(count / 2).arg(numbers)
                                   : topologyTr("%1 directed links of %2").arg(count).arg(numbers));
    }
    if (others > 0)
        kinds << topologyTr("%1 other directed links").arg(others);
    return kinds.join(QStringLiteral(", "));
}

}  // namespace

QString formatBandwidth(engine::Bandwidth bandwidth) { return valueText("link.bandwidth", bandwidth.bytesPerSecond); }

TopologyFacts::TopologyFacts(const engine::Experiment& experiment, engine::Topology topology)
    : m_topology(std::move(topology)), m_hopsOver(m_topology.links.size()),
      m_usual(engine::packetBandwidth(experiment.link)),
      m_sharesEgress(experiment.topology.egress == engine::TopologyEgress::shared),
      m_usesRing(experiment.collective.algorithm == engine::CollectiveAlgorithm::ring),
      m_byNodes(experiment.collective.algorithm == engine::CollectiveAlgorithm::hierarchical),
      m_inSwitch(engine::addsInSwitch(experiment)) {
    for (std::uint32_t gpu = 0; gpu < m_topology.ring.size(); ++gpu) {
        for (const std::uint32_t link : m_topology.ring[gpu])
            m_hopsOver[link].push_back(gpu);
    }
    for (const engine::TopologyLink& link : m_topology.links)
        m_fastest = std::max(m_fastest, link.bandwidth);
    for (std::uint32_t gpu = 0; gpu < m_topology.gpus; ++gpu) {
        const engine::Bandwidth egress = engine::egressOf(experiment, m_topology, gpu);
        m_leastEgress = gpu == 0 ? egress : std::min(m_leastEgress, egress);
        m_mostEgress = std::max(m_mostEgress, egress);
    }
}

double TopologyFacts::widthShare(std::uint32_t link) const {
    return static_cast<double>(m_topology.links[link].bandwidth.bytesPerSecond) /
           static_cast<double>(std::max<std::int64_t>(1, m_fastest.bytesPerSecond));
}

QString TopologyFacts::linkName(std::uint32_t link) const {
    const engine::TopologyLink& ends = m_topology.links[link];
    return topologyTr("%1 → %2").arg(QString::fromStdString(m_topology.nodes[ends.from].name),
                                     QString::fromStdString(m_topology.nodes[ends.to].name));
}

QString TopologyFacts::headline() const {
    if (m_topology.links.empty())
        return {};
    const QString egress =
        m_leastEgress == m_mostEgress
            ? formatBandwidth(m_mostEgress)
            : topologyTr("%1 to %2").arg(formatBandwidth(m_leastEgress), formatBandwidth(m_mostEgress));
    return topologyTr("%1: %2. Egress of a GPU: %3%4.")
        .arg(kindText(m_topology), linksText(m_topology), egress,
             m_sharesEgress ? topologyTr(", shared by its links") : QString());
}

QString TopologyFacts::ringText() const {
    if (m_topology.links.empty())
        return {};
    if (m_byNodes)
        return topologyTr("The collective works within each node, then between counterparts, and does not use a ring.");
    if (m_inSwitch)
        return topologyTr("The switch adds and copies the packets of the collective, which does not use a ring.");
    if (!m_usesRing)
        return topologyTr("The collective uses the shortest route between each pair of GPUs, not a ring.");
    if (m_topology.ring.empty())
        return topologyTr("No ring can be embedded in this topology, so the ring algorithm cannot run.");
    const auto taken =
        std::count_if(m_hopsOver.begin(), m_hopsOver.end(), [](const auto& hops) { return !hops.empty(); });
    QStringList shared;
    for (const std::uint32_t link : m_topology.sharedByRing) {
        if (shared.size() == kMostLinksNamed) {
            shared << topologyTr("…");
            break;
        }
        shared << topologyTr("%1 (%2 hops)").arg(linkName(link)).arg(m_hopsOver[link].size());
    }
    const QString ring = topologyTr("The ring uses %1 of %2 directed links").arg(taken).arg(m_topology.links.size());
    return shared.isEmpty() ? topologyTr("%1; no link carries more than one hop.").arg(ring)
                            : topologyTr("%1; several hops share %2.").arg(ring, shared.join(QStringLiteral(", ")));
}

QString TopologyFacts::linkText(std::uint32_t link) const {
    const engine::TopologyLink& numbers = m_topology.links[link];
    QStringList lines{
        linkName(link),
        topologyTr("%1, latency %2").arg(formatBandwidth(numbers.bandwidth), latencyText(numbers.latency))};
    QStringList hops;
    for (const std::uint32_t gpu : m_hopsOver[link])
        hops << topologyTr("GPU %1 to GPU %2").arg(gpu).arg((gpu + m_topology.gpus - 1) % m_topology.gpus);
    if (m_usesRing && hops.isEmpty())
        lines << topologyTr("not on the ring");
    else if (m_usesRing)
        lines << (hops.size() == 1 ? topologyTr("on the ring: %1") : topologyTr("shared by hops of the ring: %1"))
                     .arg(hops.join(QStringLiteral(", ")));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace ui
