#pragma once

#include "ui/look/palette.h"

#include <QFont>
#include <QPainterPath>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

class TopologyFacts;
struct MachineMap;

/// How links are drawn: as wide as their bandwidth, slow ones dashed, those of the ring in the links' colour with
/// arrows, those that several of its hops share in that of exposed time with how many they are.
struct TopologyLook {
    const Palette& colors;
    QFont font;
    double line;  ///< height of a line of text
};

/// Returns the path of straight lines through `points`.
QPainterPath pathAlong(const std::vector<QPointF>& points);

/// What does not move: groups, links, switches and their names.
void paintTopology(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, const TopologyLook& look);

/// A link that somebody has picked; or that carries something now, `chunk` where there is room to say which, in the
/// colour of the collective that it is for. The painter is left as it was.
void paintPickedLink(QPainter& painter, const MachineMap& map, std::uint32_t link, const TopologyLook& look);
void paintBusyLink(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, std::uint32_t link,
                   std::optional<std::uint32_t> chunk, Role collective, const TopologyLook& look);

}  // namespace ui
