#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace engine {
struct Topology;
}

namespace ui {

/// The point of a polyline that is nearest to a given point.
struct NearestPlace {
    std::size_t piece = 1;  ///< index of the segment's end: it ends at points[piece]
    double share = 0;       ///< position along that segment, 0 to 1
    double distance = 0;
};
NearestPlace nearestPlace(const std::vector<QPointF>& points, QPointF point);

/// A closed path with rounded corners, measured clockwise from the upper end of its left straight side.
class Racetrack {
public:
    Racetrack() = default;
    Racetrack(const QRectF& box, double mostRadius);

    double length() const { return m_length; }
    QPointF at(double distance) const;
    /// Returns the position along the path that is nearest to a point.
    double nearest(QPointF point) const;
    /// Returns the corner points of the path from `from` clockwise to `to`, including points along the bends.
    std::vector<QPointF> stretch(double from, double to) const;

private:
    double m_length = 0;
    std::vector<QPointF> m_points;  // closed: the last point equals the first
    std::vector<double> m_distances;
};

/// The layout of a ring in the machine view: GPUs clockwise around a racetrack, the focused one large inside it. GPU i
/// sends to GPU i-1, so data move counter-clockwise.
struct RingLayout {
    std::vector<QRectF> cards;   ///< by GPU
    std::vector<double> ports;   ///< by GPU: the position on the track at which its card is connected
    std::vector<QPointF> stems;  ///< by GPU: the start of the path from the card to its port
    Racetrack track;
    QRectF centre;

    /// Returns the position of a chunk that has gone `share` of the path from GPU `gpu` to the GPU that it sends to.
    QPointF onWay(std::uint32_t gpu, double share) const;
    /// Returns the path from GPU `gpu` to the GPU that it sends to.
    std::vector<QPointF> way(std::uint32_t gpu) const;
    double wayLength(std::uint32_t gpu) const;
};

/// The sizes that the cards of GPUs need.
struct CardNeeds {
    double aspect = 2;    ///< aspect ratio of a card's picture
    double line = 16;     ///< height of a line of text
    double caption = 30;  ///< height of a card without its picture
    double number = 16;   ///< width of the longest number of a GPU
};

/// In lines of text: a lower card has its number beside its picture, or shows the number alone.
inline constexpr double kRoomyCard = 2.8;
/// As a factor of the usual text size: the smallest size of a number on a small card.
inline constexpr double kLeastNumber = 0.6;

RingLayout layoutRing(std::uint32_t gpus, const QRectF& area, const CardNeeds& needs);

/// A path of straight segments, with the distance from its start to each point.
class Way {
public:
    Way() = default;
    explicit Way(std::vector<QPointF> points);

    bool empty() const { return m_points.size() < 2; }
    double length() const { return m_lengths.empty() ? 0 : m_lengths.back(); }
    const std::vector<QPointF>& points() const { return m_points; }
    QPointF at(double share) const;
    /// Returns the first `share` of the path.
    std::vector<QPointF> upTo(double share) const;
    double distanceTo(QPointF point) const;

private:
    std::vector<QPointF> m_points;
    std::vector<double> m_lengths;  // distance from the start to each point
};

/// The positions of a topology's nodes and links in a rectangle: GPUs on a circle with the switches inside, a torus as
/// a grid whose rows and columns close through the gaps between them, two nodes as two circles side by side. The layout
/// depends only on the topology and the rectangle, and no two nodes overlap.
struct TopologyLayout {
    std::vector<QRectF> nodes;   ///< by node
    std::vector<Way> links;      ///< by link, from edge to edge; the two directions of a link are side by side
    std::vector<Way> hops;       ///< by GPU: its path on the embedded ring; empty without one
    std::vector<QRectF> groups;  ///< around the GPUs of each of the two nodes; otherwise empty
};

/// Returns the path nearest to a point, if one is within `reach`.
std::optional<std::uint32_t> wayAt(const std::vector<Way>& ways, QPointF point, double reach);

/// Computes the layout. `aspect`: aspect ratio of a card's picture; `line`: height of a line of text; `caption`: height
/// of a card without its picture.
TopologyLayout layoutTopology(const engine::Topology& topology, const QRectF& area, double aspect, double line,
                              double caption);

/// The layout of the machine view. On a ring the GPUs surround the focused one; any other topology is beside it or
/// above it.
struct MachineMap {
    std::vector<QRectF> cards;        ///< by GPU
    std::vector<QRectF> switches;     ///< by switch
    std::vector<QRectF> groups;       ///< around the GPUs of each of the two nodes
    std::vector<Way> links;           ///< by link of the topology
    std::vector<Way> hops;            ///< by GPU: the path to the GPU before it on the ring; empty without a ring
    QRectF centre;                    ///< for the GPU in focus
    std::optional<RingLayout> track;  ///< set for a ring, whose links are drawn as one track
};

MachineMap mapOf(const engine::Topology& topology, const QRectF& area, const CardNeeds& needs);

/// The sizes that the large picture of the focused GPU and the texts beside it need, in the view's unit.
struct DetailNeeds {
    double line = 16;                             ///< height of a line of text
    std::function<QSizeF(QSizeF)> pictureWithin;  ///< returns the picture's size in a room of the given size
    double leftOfPicture = 0;                     ///< for the numbers of chunks if chunks are below each other
    std::vector<double> captions;  ///< widths of the alternative captions below the picture, the longest first
    double gaugeWidth = 0;         ///< width of the widest line above a gauge
    std::size_t gauges = 0;
};

/// The positions of the parts of the large picture. No two overlap, and all lie within the room; a part without room is
/// empty.
struct DetailLayout {
    QRectF picture;
    QRectF caption;
    std::size_t captionText = 0;  ///< index of the caption that fits
    bool numbers = false;         ///< whether the chunks are numbered
    QRectF words;                 ///< name and current work of the GPU
    bool brief = false;           ///< whether these texts have one line only
    std::vector<QRectF> gauges;
};

/// Computes the layout: picture and texts side by side, or below each other in a narrow, high room. Gauges have as many
/// columns as the height requires. Without room for texts the picture is alone.
DetailLayout layoutDetail(const QRectF& room, const DetailNeeds& needs);

}  // namespace ui
