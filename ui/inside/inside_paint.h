#pragma once

#include "data/replay/gpu_inside.h"
#include "ui/inside/inside_layout.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"
#include "ui/look/tile_style.h"

#include <QFont>
#include <QString>

#include <array>
#include <optional>

class QPainter;

namespace ui {

/// How the picture is painted: its colours and type.
struct InsideLook {
    const Palette& colors;
    QFont font;
    double line = 16;  ///< height of a line of text
    double pixel = 1;  ///< size of one of the device's, in the view's unit
};

/// All that one moment of the picture shows.
struct InsideMoment {
    const data::GpuInventory& inventory;
    const data::GpuInside& inside;
    const data::GpuState& state;
    std::uint32_t mostWaiting = 1;                ///< requests: the scale of the streams
    std::vector<data::ChunkPart> chunks;          ///< what becomes of each chunk, as numbered on the shown GPU
    std::array<QString, data::kGpuParts> values;  ///< one short line for each part
    std::optional<data::GpuPartRef> selected;
};

/// How the traffic of an owner is filled.
Fill fillOf(data::TrafficOwner owner, const Palette& colors);
/// "compute", "communication", "companion".
QString nameOf(data::TrafficOwner owner);
QString nameOf(data::GpuPart part);
/// Returns a name for a title that has little room.
QString shortNameOf(data::GpuPart part);
QString nameOf(FlowKind flow);

/// Bytes per second on a way, by owner.
std::array<double, data::kTrafficOwners> rateOn(FlowKind flow, const data::GpuInside& inside);

/// Paints what does not move: boxes, titles, names of rows.
void paintInsideFrames(QPainter& painter, const InsideLayout& layout, const InsideLook& look,
                       const data::GpuInventory& inventory);
/// Paints what moves.
void paintInsideMoment(QPainter& painter, const InsideLayout& layout, const InsideLook& look,
                       const InsideMoment& moment);
/// Says what colours, textures and dashes mean: of streams and, where `room` is high enough, of workgroups and of the
/// output's tiles.
void paintInsideKey(QPainter& painter, const QRectF& room, const InsideLook& look, const TileWords& words,
                    bool companion);

}  // namespace ui
