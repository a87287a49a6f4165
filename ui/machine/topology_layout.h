#pragma once

#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {
struct Topology;
}

namespace ui {

/// A way of straight pieces, and how far it is along it.
class Way {
public:
    Way() = default;
    explicit Way(std::vector<QPointF> points);

    bool empty() const { return m_points.size() < 2; }
    double length() const { return m_lengths.empty() ? 0 : m_lengths.back(); }
    const std::vector<QPointF>& points() const { return m_points; }
    QPointF at(double share) const;
    /// The first part of it.
    std::vector<QPointF> upTo(double share) const;
    double distanceTo(QPointF point) const;

private:
    std::vector<QPointF> m_points;
    std::vector<double> m_lengths;  // from the beginning to each point
};

/// Where nodes and links of a topology stand in a rectangle: GPUs on a circle with the switches inside, a torus as a grid
/// whose rows and columns close in the gaps between them, two nodes as two circles side by side. The same topology in
/// the same room always looks the same; no two nodes meet.
struct TopologyLayout {
    std::vector<QRectF> nodes;   ///< by node
    std::vector<Way> links;      ///< by link, from edge to edge; the two directions of a link lie side by side
    std::vector<Way> hops;       ///< by GPU: its way on the embedded ring; empty without one
    std::vector<QRectF> groups;  ///< around the GPUs of each node of two; empty otherwise
};

/// The way next to a point, if any is within `reach`.
std::optional<std::uint32_t> wayAt(const std::vector<Way>& ways, QPointF point, double reach);

/// `aspect`: of what a card shows; `line`: height of a line of text; `caption`: height of a card that is not picture.
TopologyLayout layoutTopology(const engine::Topology& topology, const QRectF& area, double aspect, double line,
                              double caption);

}  // namespace ui
