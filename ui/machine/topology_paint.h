#pragma once

#include "ui/drawing/part_picture.h"

#include <QPainterPath>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

class TopologyFacts;
struct MachineMap;

/// Returns the path of straight lines through `points`.
QPainterPath pathAlong(const std::vector<QPointF>& points);

/// Paints the parts that do not change with time: groups, links, switches and their names. A link is as wide as its
/// bandwidth, and dashed if slow. Links of the ring have the links' colour and arrows. Links that several hops of the
/// ring share have the colour of exposed time and show the number of hops.
void paintTopology(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, const PictureLook& look);

/// paintPickedLink() highlights the link that the user clicked. paintBusyLink() highlights a link that carries data
/// now, in the colour of its collective and with `chunk` if there is room. The painter's state is unchanged.
void paintPickedLink(QPainter& painter, const MachineMap& map, std::uint32_t link, const PictureLook& look);
void paintBusyLink(QPainter& painter, const TopologyFacts& facts, const MachineMap& map, std::uint32_t link,
                   std::optional<std::uint32_t> chunk, Role collective, const PictureLook& look);

}  // namespace ui
