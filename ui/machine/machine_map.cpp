#include "ui/machine/machine_map.h"

#include "engine/api/topology.h"

#include <algorithm>

namespace ui {
namespace {

constexpr std::uint32_t kMany = 16;  // GPUs that need more of the room

// Both directions go over the one track.
MachineMap mapOfRing(const engine::Topology& topology, const RingLayout& ring) {
    MachineMap map;
    map.cards = ring.cards;
    map.centre = ring.centre;
    map.links.resize(topology.links.size());
    for (std::uint32_t gpu = 0; gpu < topology.gpus && topology.gpus > 1; ++gpu) {
        map.hops.emplace_back(ring.way(gpu));
        const std::uint32_t before = (gpu + topology.gpus - 1) % topology.gpus;
        for (std::uint32_t link = 0; link < topology.links.size(); ++link) {
            const engine::TopologyLink& ends = topology.links[link];
            std::vector<QPointF> points = map.hops.back().points();
            if (ends.from == before && ends.to == gpu && map.links[link].empty())
                std::reverse(points.begin(), points.end());
            else if (ends.from != gpu || ends.to != before)
                continue;
            map.links[link] = Way(std::move(points));
        }
    }
    map.track = ring;
    return map;
}

}  // namespace

MachineMap mapOf(const engine::Topology& topology, const QRectF& area, const CardNeeds& needs) {
    if (topology.kind == engine::TopologyKind::ring || topology.gpus < 2)
        return mapOfRing(topology, layoutRing(std::max(1u, topology.gpus), area, needs));
    const bool beside = area.width() > area.height() * 1.2;
    const double share = topology.gpus > kMany ? 0.68 : 0.58;
    QRectF graph = area;
    QRectF centre = area;
    if (beside) {
        graph.setWidth(area.width() * share);
        centre.setLeft(graph.right() + needs.line * 1.5);
    } else {
        graph.setHeight(area.height() * share);
        centre.setTop(graph.bottom() + needs.line);
    }
    // Many cards have no room for a line of text over their picture.
    TopologyLayout layout =
        layoutTopology(topology, graph, needs.aspect, needs.line, topology.gpus > kMany ? 0 : needs.caption);
    MachineMap map;
    map.cards.assign(layout.nodes.begin(), layout.nodes.begin() + topology.gpus);
    map.switches.assign(layout.nodes.begin() + topology.gpus, layout.nodes.end());
    map.groups = std::move(layout.groups);
    map.links = std::move(layout.links);
    map.hops = std::move(layout.hops);
    map.centre = centre;
    return map;
}

}  // namespace ui
