#pragma once

#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <vector>

namespace ui {

/// A closed way with rounded corners, measured clockwise from the middle of its left side's top end.
class Racetrack {
public:
    Racetrack() = default;
    explicit Racetrack(const QRectF& box, double radius);

    double length() const { return m_length; }
    QPointF at(double distance) const;
    /// Where the way is next to a point.
    double nearest(QPointF point) const;
    /// Corner points of the stretch that leads from `from` clockwise to `to`, bends included.
    std::vector<QPointF> stretch(double from, double to) const;
    const QRectF& box() const { return m_box; }

private:
    QRectF m_box;
    double m_radius = 0;
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
    /// The way from GPU `gpu` to the one it sends to, as far as `share`.
    std::vector<QPointF> way(std::uint32_t gpu, double share = 1) const;
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

}  // namespace ui
