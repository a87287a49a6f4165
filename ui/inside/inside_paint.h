#pragma once

#include "data/replay/gpu_inside.h"
#include "ui/drawing/part_picture.h"
#include "ui/inside/inside_layout.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"
#include "ui/look/tile_style.h"

#include <QPen>
#include <QString>

#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// Everything that the picture shows at one time.
struct InsideMoment {
    const data::GpuInventory& inventory;
    const data::GpuInside& inside;
    const data::GpuState& state;
    std::uint32_t mostWaiting = 1;                ///< in requests: the scale of the streams
    std::vector<data::ChunkPart> chunks;          ///< the state of each chunk, as numbered on the shown GPU
    std::array<QString, data::kGpuParts> values;  ///< one short line for each part
    std::optional<data::GpuPartRef> selected;
};

/// Returns the fill of the traffic of an owner.
Fill fillOf(data::TrafficOwner owner, const Palette& colors);
/// Returns "compute", "communication" or "companion".
QString nameOf(data::TrafficOwner owner);
QString nameOf(data::GpuPart part);
/// Returns a short name of a part for a narrow title.
QString shortNameOf(data::GpuPart part);
QString nameOf(FlowKind flow);
QString nameOf(data::TrafficKind kind);
/// Returns the kinds of service that a channel of this GPU can show.
std::vector<data::TrafficKind> servedKindsOf(const data::GpuInventory& inventory);
/// Returns the letter of a request in the boxes of the memory channels.
QString letterOf(data::TrafficKind kind);
/// Returns the pen of the threshold, the dashed line across the DRAM queues.
QPen thresholdPen(const PictureLook& look);

/// Returns the bytes per second on a path, by owner.
std::array<double, data::kTrafficOwners> rateOn(FlowKind flow, const data::GpuInside& inside);

/// Returns the cell of each of the tracker's entries, which are in the order of data::GpuState::tracker. The cells of a
/// set follow each other, one for each way.
std::vector<std::uint32_t> entryCells(const std::vector<data::TrackerEntry>& entries, std::uint32_t ways);

/// Returns how many DMA commands the engines have taken and not finished.
std::uint32_t movingCommands(const data::GpuInside& inside);

/// Paints the parts of the picture that do not change with time: boxes, titles, names of rows.
void paintInsideFrames(QPainter& painter, const InsideLayout& layout, const PictureLook& look,
                       const data::GpuInventory& inventory);
/// Paints the parts of the picture that change with time.
void paintInsideMoment(QPainter& painter, const InsideLayout& layout, const PictureLook& look,
                       const InsideMoment& moment);
/// The parts of the picture that need entries in the legend.
struct InsideKeyParts {
    bool companion = false;
    bool banks = false;
};
/// Paints the legend of colours, textures, dashes, letters and lines: of streams, of the requests in the memory
/// channels, of their banks and, if `room` is high enough, of workgroups and of the output's tiles.
void paintInsideKey(QPainter& painter, const QRectF& room, const PictureLook& look, const TileWords& words,
                    const data::GpuInventory& inventory, const InsideKeyParts& parts);

}  // namespace ui
