#pragma once

#include "engine/api/topology.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace ui {

/// What a topology comes to in words: its links and what leaves a GPU, what the embedded ring takes and shares.
class TopologyFacts {
public:
    TopologyFacts() = default;  ///< of no run
    TopologyFacts(const engine::Experiment& experiment, engine::Topology topology);

    const engine::Topology& topology() const { return m_topology; }
    /// The collective goes around the embedded ring; otherwise that is no more than a possibility.
    bool usesRing() const { return m_usesRing; }
    /// By link: the GPUs whose hop to the GPU before them takes it.
    const std::vector<std::vector<std::uint32_t>>& hopsOver() const { return m_hopsOver; }
    bool isShared(std::uint32_t link) const { return link < m_hopsOver.size() && m_hopsOver[link].size() > 1; }
    /// Slower than `link.bandwidth`.
    bool isSlow(std::uint32_t link) const { return m_topology.links[link].bandwidth < m_usual; }
    double widthShare(std::uint32_t link) const;  ///< of its bandwidth in that of the fastest

    /// "Torus 4 × 4: 32 links of 150 GB/s and 500 ns. Egress of a GPU: 600 GB/s."
    QString headline() const;
    /// What the ring takes, and which of its links carry several hops.
    QString ringText() const;
    /// From where to where, bandwidth, latency, and which hops of the ring take it; several lines.
    QString linkText(std::uint32_t link) const;
    QString linkName(std::uint32_t link) const;  ///< "GPU 3 → switch 0"

private:
    engine::Topology m_topology;
    std::vector<std::vector<std::uint32_t>> m_hopsOver;
    engine::Bandwidth m_usual, m_fastest, m_leastEgress, m_mostEgress;
    bool m_sharesEgress = false;
    bool m_usesRing = true;
    bool m_byNodes = false;
};

QString formatBandwidth(engine::Bandwidth bandwidth);  ///< "150 GB/s"

}  // namespace ui
