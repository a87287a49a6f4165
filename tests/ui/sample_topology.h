#pragma once

#include "engine/api/topology.h"

#include <cstdint>
#include <string>

namespace tests {

/// Makes topologies by hand, with only the parts that a drawing needs: nodes, links and a ring, but no routes.
class TopologyMaker {
public:
    TopologyMaker(engine::TopologyKind kind, std::uint32_t gpus) {
        m_topology.kind = kind;
        m_topology.gpus = gpus;
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
            m_topology.nodes.push_back({false, "GPU " + std::to_string(gpu), 0, gpu, 0});
    }
    TopologyMaker& addSwitch() {
        m_topology.nodes.push_back({true, "switch " + std::to_string(m_topology.nodes.size() - m_topology.gpus)});
        return *this;
    }
    TopologyMaker& place(std::uint32_t gpu, std::uint32_t group, std::uint32_t column, std::uint32_t row) {
        engine::TopologyNode& node = m_topology.nodes[gpu];
        node.group = group;
        node.column = column;
        node.row = row;
        return *this;
    }
    TopologyMaker& join(std::uint32_t a, std::uint32_t b,
                        engine::Bandwidth bandwidth = engine::Bandwidth{150'000'000'000},
                        engine::Duration latency = engine::Duration{500'000}) {
        m_topology.links.push_back({a, b, bandwidth, latency});
        m_topology.links.push_back({b, a, bandwidth, latency});
        return *this;
    }
    TopologyMaker& joinAll(std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t a = first; a < end; ++a) {
            for (std::uint32_t b = first; b < a; ++b)
                join(a, b);
        }
        return *this;
    }
    /// Returns the topology with a ring over direct links, or over the switch if there is one. Links of several hops
    /// are marked as shared.
    engine::Topology withRing() {
        std::vector<int> taken(m_topology.links.size());
        for (std::uint32_t gpu = 0; gpu < m_topology.gpus; ++gpu) {
            const std::uint32_t to = (gpu + m_topology.gpus - 1) % m_topology.gpus;
            const bool over = m_topology.nodes.size() > m_topology.gpus && find(gpu, to) == kNone;
            const std::uint32_t middle = over ? m_topology.gpus : to;
            std::vector<std::uint32_t> hop{find(gpu, middle)};
            if (over)
                hop.push_back(find(middle, to));
            for (const std::uint32_t link : hop) {
                if (++taken[link] == 2)
                    m_topology.sharedByRing.push_back(link);
            }
            m_topology.ring.push_back(hop);
        }
        return m_topology;
    }
    const engine::Topology& bare() const { return m_topology; }

private:
    static constexpr std::uint32_t kNone = ~0u;
    std::uint32_t find(std::uint32_t from, std::uint32_t to) const {
        for (std::uint32_t link = 0; link < m_topology.links.size(); ++link) {
            if (m_topology.links[link].from == from && m_topology.links[link].to == to)
                return link;
        }
        return kNone;
    }

    engine::Topology m_topology;
};

inline engine::Topology ringOf(std::uint32_t gpus) {
    TopologyMaker maker(engine::TopologyKind::ring, gpus);
    for (std::uint32_t gpu = gpus == 2 ? 1 : 0; gpu < gpus; ++gpu)
        maker.join(gpu, (gpu + gpus - 1) % gpus);
    return maker.withRing();
}

inline engine::Topology fullyConnected(std::uint32_t gpus) {
    return TopologyMaker(engine::TopologyKind::fullyConnected, gpus).joinAll(0, gpus).withRing();
}

inline engine::Topology switched(std::uint32_t gpus) {
    TopologyMaker maker(engine::TopologyKind::switched, gpus);
    maker.addSwitch();
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        maker.join(gpu, gpus);
    return maker.withRing();
}

/// Returns a torus of GPUs, row by row, for drawings, without its ring.
inline engine::Topology torus(std::uint32_t columns, std::uint32_t rows) {
    TopologyMaker maker(engine::TopologyKind::torus, columns * rows);
    const auto at = [&](std::uint32_t column, std::uint32_t row) { return row % rows * columns + column % columns; };
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            maker.place(at(column, row), 0, column, row);
            if (columns > 2 || (columns == 2 && column == 0))
                maker.join(at(column, row), at(column + 1, row));
            if (rows > 2 || (rows == 2 && row == 0))
                maker.join(at(column, row), at(column, row + 1));
        }
    }
    return maker.bare();
}

/// Returns two nodes. A slower link connects GPU i of the first node with GPU N-1-i of the second.
inline engine::Topology twoNodes(std::uint32_t gpus) {
    TopologyMaker maker(engine::TopologyKind::twoNodes, gpus);
    const std::uint32_t half = gpus / 2;
    maker.joinAll(0, half).joinAll(half, gpus);
    for (std::uint32_t gpu = 0; gpu < half; ++gpu) {
        maker.place(gpu, 0, gpu, 0).place(gpus - 1 - gpu, 1, gpu, 0);
        maker.join(gpu, gpus - 1 - gpu, engine::Bandwidth{50'000'000'000}, engine::Duration{2'000'000});
    }
    return maker.withRing();
}

}  // namespace tests
