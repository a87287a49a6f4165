#include "engine/workload/gemm_shape.h"

#include <algorithm>

namespace engine {

GemmSize gemmShapeOf(const Experiment& experiment) {
    if (experiment.workload.sublayer == SubLayer::gemm)
        return {experiment.matrix.m, experiment.matrix.n, experiment.matrix.k};
    const WorkloadConfig& workload = experiment.workload;
    const std::int64_t m = workload.sequence * workload.batch, slice = slicedSide(workload) / experiment.parallel.tp;
    return consumesAllGather(experiment) ? GemmSize{m, slice, workload.hidden} : GemmSize{m, workload.hidden, slice};
}

TileGrid::TileGrid(std::int64_t m, std::int64_t n, std::int64_t tileM, std::int64_t tileN, bool byRows,
                   std::int64_t partsOfK)
    : m_m(m), m_n(n), m_tileM(tileM), m_tileN(tileN), m_rows((m + tileM - 1) / tileM),
      m_columnsOfPart((n + tileN - 1) / tileN), m_columns(m_columnsOfPart * partsOfK),
      m_rowsAreOuter(byRows || n <= m) {}

TileGrid::Tile TileGrid::tile(std::int64_t raster) const {
    const std::int64_t part = raster / (m_rows * m_columnsOfPart), within = raster % (m_rows * m_columnsOfPart);
    const auto outer = static_cast<std::uint32_t>(within / rasterRow());
    const auto inner = static_cast<std::uint32_t>(within % rasterRow());
    const auto before = static_cast<std::uint32_t>(part * m_columnsOfPart);
    return m_rowsAreOuter ? Tile{outer, before + inner} : Tile{inner, before + outer};
}

std::int64_t TileGrid::rowElements(std::int64_t row) const { return std::min(m_tileM, m_m - row * m_tileM); }

std::int64_t TileGrid::columnElements(std::int64_t column) const {
    return std::min(m_tileN, m_n - column % m_columnsOfPart * m_tileN);
}

std::int64_t TileGrid::tileBytes(std::int64_t raster) const {
    const Tile at = tile(raster);
    return rowElements(at.row) * columnElements(at.column) * kElementBytes;
}

}  // namespace engine
