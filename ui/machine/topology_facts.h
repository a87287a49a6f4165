#pragma once

#include "engine/api/topology.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace ui {

/// Describes a topology: its links and the egress of a GPU, and the links that the embedded ring uses and shares.
class TopologyFacts {
public:
    TopologyFacts() = default;  ///< without a run
    TopologyFacts(const engine::Experiment& experiment, engine::Topology topology);

    const engine::Topology& topology() const { return m_topology; }
    /// Returns whether the collective uses the embedded ring.
    bool usesRing() const { return m_usesRing; }
    /// Returns, by link, the GPUs whose hop to the GPU before them uses the link.
    const std::vector<std::vector<std::uint32_t>>& hopsOver() const { return m_hopsOver; }
    bool isShared(std::uint32_t link) const { return link < m_hopsOver.size() && m_hopsOver[link].size() > 1; }
    /// Returns whether a link is slower than `link.bandwidth`.
    bool isSlow(std::uint32_t link) const { return m_topology.links[link].bandwidth < m_usual; }
    double widthShare(std::uint32_t link) const;  ///< its bandwidth relative to that of the fastest link

    /// Returns "Torus 4 × 4: 32 links of 150 GB/s and 500 ns. Egress of a GPU: 600 GB/s."
    QString headline() const;
    /// Describes which links the ring uses, and which of them carry several hops.
    QString ringText() const;
    /// Describes a link in several lines: its ends, bandwidth, latency, and the hops of the ring that use it.
    QString linkText(std::uint32_t link) const;
    QString linkName(std::uint32_t link) const;  ///< "GPU 3 → switch 0"

private:
    engine::Topology m_topology;
    std::vector<std::vector<std::uint32_t>> m_hopsOver;
    engine::Bandwidth m_usual, m_fastest, m_leastEgress, m_mostEgress;
    bool m_sharesEgress = false;
    bool m_usesRing = true;
    bool m_byNodes = false;
    bool m_inSwitch = false;
};

QString formatBandwidth(engine::Bandwidth bandwidth);  ///< "150 GB/s"

}  // namespace ui
