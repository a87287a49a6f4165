#pragma once

#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// One GPU's row of the chunk map.
struct ChunkRow {
    double top = 0;
    double height = 0;
    bool perChunk = true;  ///< a strip for each chunk; else, where there is no room, one for all together
    bool named = true;     ///< there is room for its name
};

/// Where everything stands on the chunk map: names at the left, chunks at the moment of the cursor, then over time.
/// A row of time and a row of the moment are the same GPU's.
struct ChunkLayout {
    std::vector<ChunkRow> rows;  ///< by GPU
    QRectF moment;               ///< all rows' chunks now
    QRectF strips;               ///< all rows over time
    std::uint32_t chunks = 0;

    QRectF momentCell(std::uint32_t gpu, std::uint32_t chunk) const;
    /// A chunk's strip over time; the whole row's where chunks have none.
    QRectF strip(std::uint32_t gpu, std::uint32_t chunk) const;
    std::optional<std::uint32_t> gpuAt(double y) const;
    std::optional<std::uint32_t> chunkAtMoment(double x) const;
    std::optional<std::uint32_t> chunkAtStrip(std::uint32_t gpu, double y) const;
};

struct ChunkLayoutInput {
    QRectF area;  ///< below the axis, above the legend
    std::uint32_t gpus = 1;
    std::uint32_t chunks = 1;
    std::uint32_t focused = 0;
    double line = 16;   ///< height of a line of text
    double pixel = 1;   ///< of the device
    double names = 60;  ///< width that names take
};

ChunkLayout layoutChunks(const ChunkLayoutInput& input);

}  // namespace ui
