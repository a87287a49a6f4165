#include "engine/workload/gemm_shape.h"

#include "engine/workload/gemm_pieces.h"

#include <algorithm>
#include <cmath>

namespace engine {

GemmSize gemmShapeOf(const Experiment& experiment) {
    if (experiment.workload.sublayer == SubLayer::gemm)
        return {experiment.matrix.m, experiment.matrix.n, experiment.matrix.k * experiment.matrix.batch,
                experiment.matrix.batch};
    const WorkloadConfig& workload = experiment.workload;
    const std::int64_t m = workload.sequence * workload.batch, slice = slicedSide(workload) / experiment.parallel.tp;
    return consumesAllGather(experiment) ? GemmSize{m, slice, workload.hidden} : GemmSize{m, workload.hidden, slice};
}

GemmSize companionGemmOf(const Experiment& experiment) {
    const MatrixConfig& matrix = experiment.matrix;
    GemmSize size = hasOwnGemm(experiment.workload.sublayer)
                        ? gemmShapeOf(experiment)
                        : GemmSize{matrix.m, matrix.n, matrix.k * matrix.batch, matrix.batch};
    size.m = experiment.companion.m.value_or(size.m);
    size.n = experiment.companion.n.value_or(size.n);
    size.k = experiment.companion.k ? *experiment.companion.k * size.partsOfK : size.k;
    return size;
}

// The workgroups of a GEMM with few tiles have the local memory of a CU for fewer of them. Beside a companion GEMM they
// leave room for its workgroups.
GemmConfig tilingOf(const Experiment& experiment) {
    const WaveCount count = waveCountOf(experiment);
    const std::int64_t resident = residentWorkgroups(experiment);
    const std::int64_t cus = std::max<std::int64_t>(1, count.slots / resident);
    const bool isAlone = !hasCompanionGemm(experiment);
    GemmConfig tiling = experiment.gemm;
    tiling.prefetch =
        prefetchOf(experiment, tiling, isAlone ? std::min(resident, (count.tiles + cus - 1) / cus) : resident);
    return tiling;
}

GemmConfig companionTilingOf(const Experiment& experiment) {
    const GemmConfig& own = experiment.gemm;
    GemmConfig tiling = own;
    tiling.tileM = experiment.companion.tileM.value_or(own.tileM);
    tiling.tileN = experiment.companion.tileN.value_or(own.tileN);
    const auto withPrefetch = [&](GemmConfig of) {
        of.prefetch = prefetchOf(experiment, of, companionSlots(experiment));
        return of;
    };
    if (tiling.tileM == own.tileM && tiling.tileN == own.tileN)
        return withPrefetch(tiling);
    const auto work = [](const GemmConfig& gemm, std::int64_t kStep) {
        return static_cast<double>(gemm.tileM) * static_cast<double>(gemm.tileN) * static_cast<double>(kStep);
    };
    const double wanted = work(own, own.kStep);
    constexpr std::int64_t kLeast = 8;
    tiling.kStep = kLeast;
    for (std::int64_t step = 2 * kLeast; step <= companionGemmOf(experiment).sliceOfK(); step *= 2)
        if (std::abs(work(tiling, step) - wanted) < std::abs(work(tiling, tiling.kStep) - wanted))
            tiling.kStep = step;
    if (!own.prefetch)
        return withPrefetch(tiling);
    const std::int64_t stepsAhead = (*own.prefetch + own.kStep - 1) / own.kStep;
    tiling.prefetch = stepsAhead * tiling.kStep;
    return tiling;
}

std::int64_t companionSlots(const Experiment& experiment) {
    return experiment.companion.slots.value_or(residentWorkgroups(experiment));
}

std::int64_t slotsOfCu(const Experiment& experiment) {
    const bool own = hasOwnGemm(experiment.workload.sublayer);
    const bool companion = hasCompanionGemm(experiment);
    return std::max(own ? residentWorkgroups(experiment) : 1, companion ? companionSlots(experiment) : 1);
}

namespace {

/// Returns the waves of a GEMM: each of its pieces begins a wave. The pieces are those of GPU 0; on other GPUs the
/// chunks have another order.
std::int64_t wavesOf(const Experiment& experiment, std::int64_t tiles, std::int64_t slots) {
    const auto ceilDiv = [](std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; };
    const std::int64_t pieces = piecesOf(experiment), chunks = experiment.parallel.tp;
    if (pieces == 1)
        return ceilDiv(tiles, slots);
    std::vector<std::uint32_t> chunkTiles;
    // A GEMM that reads gathered chunks begins with its own, the last one on GPU 0.
    const std::int64_t first = consumesAllGather(experiment) ? chunks - 1 : 0;
    for (std::int64_t place = 0; place < chunks; ++place) {
        const std::int64_t chunk = (first + place) % chunks;
        chunkTiles.push_back(static_cast<std::uint32_t>(tiles * (chunk + 1) / chunks - tiles * chunk / chunks));
    }
    std::int64_t waves = 0, begin = 0;
    for (const std::uint32_t end : pieceEnds(static_cast<std::uint32_t>(pieces), chunkTiles)) {
        waves += ceilDiv(end - begin, slots);
        begin = end;
    }
    return waves;
}

}  // namespace

WaveCount waveCountOf(const Experiment& experiment) {
    const GemmSize size = gemmShapeOf(experiment);
    const std::int64_t tileM = experiment.gemm.tileM, tileN = experiment.gemm.tileN;
    const std::int64_t tiles = ((size.m + tileM - 1) / tileM) * ((size.n + tileN - 1) / tileN) * size.partsOfK;
    WaveCount count;
    count.tiles = tiles;
    const std::int64_t cus = std::max<std::int64_t>(1, experiment.cu.count - reservedCus(experiment));
    count.slots = cus * residentWorkgroups(experiment);
    count.waves = wavesOf(experiment, tiles, count.slots);
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    count.tileEfficiency =
        real(size.m) * real(size.n) * real(size.partsOfK) / (real(tiles) * real(tileM) * real(tileN));
    count.waveEfficiency = real(tiles) / (real(count.waves) * real(count.slots));
    return count;
}

TileGrid::TileGrid(std::int64_t m, std::int64_t n, std::int64_t tileM, std::int64_t tileN, std::int64_t elementBytes,
                   bool byRows, std::int64_t partsOfK)
    : m_m(m), m_n(n), m_tileM(tileM), m_tileN(tileN), m_elementBytes(elementBytes), m_rows((m + tileM - 1) / tileM),
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
    return rowElements(at.row) * columnElements(at.column) * m_elementBytes;
}

OperandSlabs operandSlabsOf(const TileGrid& grid, const GemmSize& size, std::int64_t kStep, Bytes granule) {
    const std::int64_t step = std::min(kStep, size.sliceOfK());
    const std::int64_t steps = (size.sliceOfK() + step - 1) / step;
    const auto granules = [&](std::int64_t elements) {
        return static_cast<std::uint32_t>((elements * step * grid.elementBytes() + granule.count - 1) / granule.count);
    };
    return {static_cast<std::uint32_t>(grid.rows() * grid.partsOfK() * steps), granules(grid.rowElements(0)),
            static_cast<std::uint32_t>(grid.columns() * steps), granules(grid.columnElements(0))};
}

}  // namespace engine
