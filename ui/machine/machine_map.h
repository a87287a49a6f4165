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

/// The place next to a point on the way through `points`.
struct NearestPlace {
    std::size_t piece = 1;  ///< ends at points[piece]
    double share = 0;       ///< of the piece
    double distance = 0;
};
NearestPlace nearestPlace(const std::vector<QPointF>& points, QPointF point);

/// A closed way with rounded corners, measured clockwise from the middle of its left side's top end.
class Racetrack {
public:
    Racetrack() = default;
    Racetrack(const QRectF& box, double mostRadius);

    double length() const { return m_length; }
    QPointF at(double distance) const;
    /// Where the way is next to a point.
    double nearest(QPointF point) const;
    /// Corner points of the stretch that leads from `from` clockwise to `to`, bends included.
    std::vector<QPointF> stretch(double from, double to) const;

private:
    double m_length = 0;
    std::vector<QPointF> m_points;  // closed: the last is the first
    std::vector<double> m_distances;
};

/// Where everything stands on the machine view: GPUs clockwise around a racetrack, the one in focus large inside it.
/// GPU i sends to GPU i-1, so data run counter-clockwise.
struct RingLayout {
    std::vector<QRectF> cards;   ///< by GPU
    std::vector<double> ports;   ///< by GPU: where its card meets the track
    std::vector<QPointF> stems;  ///< by GPU: where the way from the card to its port begins
    Racetrack track;
    QRectF centre;

    /// The place of something that has gone `share` of the way from GPU `gpu` to the one it sends to.
    QPointF onWay(std::uint32_t gpu, double share) const;
    /// The way from GPU `gpu` to the one it sends to.
    std::vector<QPointF> way(std::uint32_t gpu) const;
    double wayLength(std::uint32_t gpu) const;
};

/// What the cards of GPUs need.
struct CardNeeds {
    double aspect = 2;    ///< of what a card shows
    double line = 16;     ///< height of a line of text
    double caption = 30;  ///< height of a card that is not picture
    double number = 16;   ///< width of the longest number of a GPU
};

/// Lines of text: a card that is lower has its number beside its picture, or the number alone.
inline constexpr double kRoomyCard = 2.8;
/// Of the usual size of text: a number on a small card is not smaller than that.
inline constexpr double kLeastNumber = 0.6;

RingLayout layoutRing(std::uint32_t gpus, const QRectF& area, const CardNeeds& needs);

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

/// Where everything stands on the machine view: on a ring the GPUs around the one in focus, any other topology beside it
/// or above it.
struct MachineMap {
    std::vector<QRectF> cards;        ///< by GPU
    std::vector<QRectF> switches;     ///< by switch
    std::vector<QRectF> groups;       ///< around the GPUs of each of two nodes
    std::vector<Way> links;           ///< by link of the topology
    std::vector<Way> hops;            ///< by GPU: the way to the GPU before it on the ring; empty without a ring
    QRectF centre;                    ///< for the GPU in focus
    std::optional<RingLayout> track;  ///< of a ring, whose links are drawn as one
};

MachineMap mapOf(const engine::Topology& topology, const QRectF& area, const CardNeeds& needs);

/// What the large picture of the GPU in focus and the words beside it need, in the view's unit.
struct DetailNeeds {
    double line = 16;                             ///< height of a line of text
    std::function<QSizeF(QSizeF)> pictureWithin;  ///< the picture's size in a room of that size
    double leftOfPicture = 0;                     ///< for the numbers of chunks that lie one under the other
    std::vector<double> captions;                 ///< widths of the texts that may stand under it, the longest first
    double gaugeWidth = 0;                        ///< of the widest line above a gauge
    std::size_t gauges = 0;
};

/// Where the parts of the large picture stand. No two meet, and all lie within the room; what has none is empty.
struct DetailLayout {
    QRectF picture;
    QRectF caption;
    std::size_t captionText = 0;  ///< which of the captions has room
    bool numbers = false;         ///< chunks are numbered
    QRectF words;                 ///< name and what it is doing
    bool brief = false;           ///< words are one line
    std::vector<QRectF> gauges;
};

/// Puts picture and words side by side, or one under the other where the room is narrow and high. Gauges stand in as
/// many columns as the height asks for; where there is no room for words, the picture stands alone.
DetailLayout layoutDetail(const QRectF& room, const DetailNeeds& needs);

}  // namespace ui
