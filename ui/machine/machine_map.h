#pragma once

#include "ui/machine/ring_layout.h"
#include "ui/machine/topology_layout.h"

#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

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

}  // namespace ui
