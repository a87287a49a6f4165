#include "data/replay/output_grid.h"

#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <cmath>

namespace data {
namespace {

constexpr double kBufferAspect = 2;  // width / height of the drawing of a buffer, which has no shape of its own

// Arranges the slabs of a collective alone in rows and columns.
void layOutBuffer(OutputGrid& grid) {
    const double tiles = std::max(1u, grid.tiles());
    grid.isMatrix = false;
    grid.inner = std::max(1u, static_cast<std::uint32_t>(std::lround(std::sqrt(tiles / kBufferAspect))));
    grid.outer = (grid.tiles() + grid.inner - 1) / grid.inner;
}

}  // namespace

std::uint32_t OutputGrid::chunkOf(std::uint32_t tile) const {
    const auto after = std::upper_bound(chunkFirstTile.begin(), chunkFirstTile.end(), tile);
    return static_cast<std::uint32_t>(after - chunkFirstTile.begin()) - 1;
}

double OutputGrid::aspect() const {
    return outer == 0 || inner == 0 ? 1 : outer * outerElements / (inner * innerElements);
}

OutputGrid outputGridOf(const engine::TiledOutput& output, const engine::GemmConfig& gemm) {
    OutputGrid grid;
    grid.chunkFirstTile = output.chunkTile;
    if (output.rows == 0) {
        layOutBuffer(grid);
        return grid;
    }
    const auto tileM = static_cast<double>(gemm.tileM);
    const auto tileN = static_cast<double>(gemm.tileN);
    grid.rowsAreOuter = output.rowsAreOuter;
    grid.outer = output.rowsAreOuter ? output.rows : output.columns;
    grid.inner = output.rowsAreOuter ? output.columns : output.rows;
    grid.outerElements = output.rowsAreOuter ? tileM : tileN;
    grid.innerElements = output.rowsAreOuter ? tileN : tileM;
    return grid;
}

}  // namespace data
