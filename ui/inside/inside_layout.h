#pragma once

#include "data/experiment/gpu_part.h"
#include "data/replay/gpu_inside.h"

#include <QPointF>
#include <QRectF>

#include <array>
#include <cstdint>
#include <vector>

namespace ui {

/// A path of data or of a message between two parts of a GPU.
enum class FlowKind : std::uint8_t {
    loads,         ///< from the cache to the compute units
    misses,        ///< from memory to the cache
    stores,        ///< from the compute units to the address map
    localStores,   ///< from the address map to memory
    directStores,  ///< from the address map to a link
    arrivals,      ///< from the links to memory, through the tracker if there is one
    updates,       ///< from the tracker to memory
    blockReads,    ///< from memory to the DMA engines
    sends,         ///< from the DMA engines to the links
    trigger,       ///< from the tracker to the DMA engines: a message without data
};
inline constexpr std::size_t kFlowKinds = static_cast<std::size_t>(FlowKind::trigger) + 1;

/// Cells of equal size in rows, filled row by row.
struct CellGrid {
    QRectF box;  ///< the box that the cells fill exactly
    std::uint32_t count = 0, columns = 0, rows = 0;

    QRectF cell(std::uint32_t index) const;
    std::vector<QRectF> cells() const;
};

/// Places `count` cells of about this aspect ratio (width to height) in `room`, from its top left.
CellGrid gridWithin(const QRectF& room, std::uint32_t count, double aspect);

/// The facts about a GPU and the font that the layout needs.
struct InsideNeeds {
    QRectF area;
    double line = 16;          ///< height of a line of text
    std::uint32_t chunks = 0;  ///< chunks of the output; 0: the run has none
    data::GpuInventory inventory;
};

/// The layout of the picture. Compute runs down the middle, from the compute units through the cache to memory;
/// communication runs across, from the incoming links through the tracker to memory, and by DMA to the outgoing links.
/// So both meet in the memory controller. A part that the run does not use has no box. All sizes are in the view's
/// unit.
struct InsideLayout {
    struct Flow {
        FlowKind kind{};
        std::vector<QPointF> path;  ///< straight segments, in the direction of the data
        QRectF label;               ///< box of the label; empty: no room for text
        bool labelRight = true;     ///< true: the text begins at the left edge of `label`; false: it is centred
    };
    /// The boxes of one memory channel.
    struct Channel {
        QRectF column;                  ///< the whole channel
        std::array<QRectF, 2> streams;  ///< by engine::Stream: waiting requests, stacked from below
        QRectF pick;                    ///< the arbiter's choice
        QRectF queue;                   ///< the DRAM queue, stacked from below
        QRectF service;                 ///< the channel itself
        CellGrid banks;                 ///< its banks, a column for each bank group; empty: no room, or no bank model
        QRectF nearMemory;              ///< its update unit; empty without near-memory compute
    };

    struct Place {
        data::GpuPartRef ref;
        QRectF box;
    };

    double line = 16;
    std::array<QRectF, data::kGpuParts> parts;   ///< by data::GpuPart; empty: the run does not have the part
    std::array<QRectF, data::kGpuParts> titles;  ///< the title row of each part
    CellGrid units;                              ///< compute units
    QRectF cacheBars, cacheQueue;
    CellGrid chunks;   ///< chunks of the output, in the address map
    CellGrid entries;  ///< entries of the tracker: a row of cells for each way
    QRectF nearest;    ///< the counters nearest to their threshold
    QRectF held;       ///< updates that wait outside the tracker
    std::vector<Channel> channels;
    double rowNames = 0;  ///< width of the names of the channels' rows, left of the channels; 0: no room for names
    QRectF commandWords;  ///< text: how many commands wait, are ready and are done
    CellGrid commands;    ///< commands of the DMA engines in order of progress: done, moving, ready, waiting
    std::vector<QRectF> engines, linksIn, linksOut;
    std::vector<Flow> flows;
    QRectF key;         ///< legend of colours and textures; empty: no room beside the parts
    double widest = 0;  ///< width of a flow that uses the whole memory bandwidth
    bool roomy = true;  ///< there is room for labels beside the flows

    const QRectF& box(data::GpuPart part) const { return parts[static_cast<std::size_t>(part)]; }
    bool has(data::GpuPart part) const { return !box(part).isEmpty(); }
    /// Returns the rectangle of a part or of one of its units; empty where the machine has no such unit.
    QRectF boxOf(data::GpuPartRef ref) const;
    /// Returns the boxes of all units of a part.
    std::vector<QRectF> unitBoxes(data::GpuPart part) const;
    /// Returns all places that can be pointed at, the units of a part before the part. The units of memory are as high
    /// as their part.
    std::vector<Place> places() const;
    const Flow* flow(FlowKind kind) const;
};

/// Lays out the picture. Parts for which the area has no room have no box. If it has none for the memory controller,
/// where compute and communication meet, the layout has no parts at all.
InsideLayout layoutInside(const InsideNeeds& needs);

}  // namespace ui
