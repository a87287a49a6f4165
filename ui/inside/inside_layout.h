#pragma once

#include "data/experiment/gpu_part.h"
#include "data/replay/gpu_inside.h"

#include <QPointF>
#include <QRectF>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// A way that data take between two parts of a GPU, or a message does.
enum class FlowKind : std::uint8_t {
    loads,         ///< from the cache to the compute units
    misses,        ///< from memory to the cache
    stores,        ///< from the compute units to the address map
    localStores,   ///< from the address map to memory
    directStores,  ///< from the address map to a link
    arrivals,      ///< from the links to memory, past the tracker where there is one
    updates,       ///< from the tracker to memory
    blockReads,    ///< from memory to the DMA engines
    sends,         ///< from the DMA engines to the links
    trigger,       ///< from the tracker to the DMA engines: a message without data
};
inline constexpr std::size_t kFlowKinds = static_cast<std::size_t>(FlowKind::trigger) + 1;

/// Alike cells in rows, filled row by row.
struct CellGrid {
    QRectF box;  ///< that the cells fill exactly
    std::uint32_t count = 0, columns = 0, rows = 0;

    QRectF cell(std::uint32_t index) const;
    std::optional<std::uint32_t> at(QPointF position) const;
};

/// Puts `count` cells of about this aspect (width to height) into `room`, at its top left.
CellGrid gridWithin(const QRectF& room, std::uint32_t count, double aspect);

/// What the layout has to know of a GPU and of the type.
struct InsideNeeds {
    QRectF area;
    double line = 16;          ///< height of a line of text
    std::uint32_t chunks = 0;  ///< of the output; 0: the run stores none
    data::GpuInventory inventory;
};

/// Where everything stands: compute runs down the middle, from the compute units through the cache to memory;
/// communication runs across, from the links in through the tracker to memory and by DMA to the links out. So the two
/// meet in the memory controller. A part that the run does not use has no room. All in the view's unit.
struct InsideLayout {
    struct Flow {
        FlowKind kind{};
        std::vector<QPointF> path;  ///< straight pieces, in the direction of the data
        QRectF label;               ///< empty: no room for words
        bool labelRight = true;     ///< words begin at the left edge of `label`; else they are centred
    };
    /// Of one memory channel.
    struct Channel {
        QRectF column;                  ///< all of it
        std::array<QRectF, 2> streams;  ///< by engine::Stream: requests that wait, from below
        QRectF pick;                    ///< the arbiter's choice
        QRectF queue;                   ///< the DRAM queue, from below
        QRectF service;                 ///< the channel itself
        QRectF nearMemory;              ///< its update unit; empty without near-memory compute
    };

    double line = 16;
    std::array<QRectF, data::kGpuParts> parts;   ///< by data::GpuPart; empty: the run does not have it
    std::array<QRectF, data::kGpuParts> titles;  ///< the first row of a part
    CellGrid units;                              ///< compute units
    QRectF cacheBars, cacheQueue;
    CellGrid chunks;   ///< of the output, in the address map
    CellGrid entries;  ///< of the tracker: a row of cells for each way
    QRectF nearest;    ///< the counters nearest to their threshold
    QRectF held;       ///< updates that wait outside the tracker
    std::vector<Channel> channels;
    QRectF commandWords;  ///< how many commands wait, are ready and are done
    CellGrid commands;    ///< of the DMA engines, as they move on: done first, then moving, ready and waiting
    std::vector<QRectF> engines, linksIn, linksOut;
    std::vector<Flow> flows;
    QRectF key;         ///< for what colours and textures mean; empty: no room beside the parts
    double widest = 0;  ///< of a flow that takes all of the memory's bandwidth
    bool roomy = true;  ///< there is room for words beside the flows

    const QRectF& box(data::GpuPart part) const { return parts[static_cast<std::size_t>(part)]; }
    bool has(data::GpuPart part) const { return !box(part).isEmpty(); }
    /// Returns the rectangle of a part or of one of its units; empty where the machine has no such unit.
    QRectF boxOf(data::GpuPartRef ref) const;
    /// Returns the part at a place, with the unit where one lies there.
    std::optional<data::GpuPartRef> at(QPointF position) const;
    const Flow* flow(FlowKind kind) const;
};

InsideLayout layoutInside(const InsideNeeds& needs);

}  // namespace ui
