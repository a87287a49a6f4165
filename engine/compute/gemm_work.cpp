#include "engine/compute/gemm_work.h"

#include "engine/kernel/rate.h"
#include "engine/kernel/split_mix.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace engine {

namespace {

// Returns a duration between 0 and `most`, both included, which is equal for equal seeds.
Duration draw(Duration most, std::uint64_t seed, std::uint64_t position) {
    if (most.ps == 0)
        return {};
    return {static_cast<std::int64_t>(splitMix(seed, position) % (static_cast<std::uint64_t>(most.ps) + 1))};
}

// Returns the seed of a GEMM's jitter. The own GEMM uses the seed itself, each copy beside it a seed of its own.
std::uint64_t seedOf(const Experiment& experiment, std::uint8_t kernel) {
    const auto seed = static_cast<std::uint64_t>(experiment.seed);
    return kernel == 0 ? seed : splitMix(seed, (std::uint64_t{1} << 32) + kernel);
}

// Computes the times of the K-steps of one tile shape. They add up to the time of all its operations: each is the
// difference of two times from the beginning, so that rounding errors do not accumulate.
std::vector<Duration> stepTimes(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t kStep,
                                std::int64_t flopsPerSecond) {
    std::vector<Duration> times;
    Duration before;
    for (std::int64_t done = 0; done < k;) {
        done = std::min(done + kStep, k);
        const Duration after = timeAtRate(2 * m * n * done, flopsPerSecond);
        times.push_back(std::max(after - before, Duration{1}));
        before = after;
    }
    return times;
}

}  // namespace

GemmWork::GemmWork(const Experiment& experiment, const GemmSetting& setting, std::uint32_t gpu)
    : m_shape(setting.shape), m_grid(*setting.grid), m_order(setting.order), m_kernel(setting.kernel),
      m_granuleBits(
          static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(experiment.detail.granule.count)))),
      m_elementBytes(elementBytes(experiment)),
      m_kStep(static_cast<std::uint32_t>(std::min(setting.tiling.kStep, m_shape.sliceOfK()))),
      m_steps(static_cast<std::uint32_t>((m_shape.sliceOfK() + m_kStep - 1) / m_kStep)),
      m_depth(static_cast<std::uint32_t>(
          std::clamp<std::int64_t>((setting.tiling.prefetch.value() + m_kStep - 1) / m_kStep, 1, m_steps))),
      m_multicast(experiment.llc.bandwidth ? static_cast<std::uint32_t>(setting.tiling.multicast) : 1),
      m_slots(static_cast<std::uint32_t>(setting.slots)),
      m_workgroupsOfWave(static_cast<std::uint32_t>(setting.cus) * m_slots), m_epilogue(setting.tiling.epilogue),
      m_jitter(experiment.cu.startJitter), m_ownJitter(experiment.variation.jitter),
      m_seed(seedOf(experiment, m_kernel)), m_ownSeed(splitMix(m_seed, std::uint64_t{gpu} + 1)) {
    const auto flopsPerSecond = static_cast<std::int64_t>(
        std::llround(static_cast<double>(peakFlopsOfCu(experiment)) * experiment.cu.tensorEfficiency));
    const bool full = m_kernel == kOwnKernel ? paysFullTiles(experiment) : companionPaysFullTiles(experiment);
    for (std::uint32_t shapeClass = 0; shapeClass < 4; ++shapeClass) {
        const std::int64_t row = shapeClass & 1 ? m_grid.rows() - 1 : 0;
        const std::int64_t column = shapeClass & 2 ? m_grid.columns() - 1 : 0;
        m_stepTime[shapeClass] = stepTimes(full ? setting.tiling.tileM : m_grid.rowElements(row),
                                           full ? setting.tiling.tileN : m_grid.columnElements(column),
                                           m_shape.sliceOfK(), m_kStep, flopsPerSecond);
    }
    const TileGrid::Tile first = m_grid.tile(m_order.first);
    m_firstRow = m_grid.rowsAreOuter() ? first.row : 0;
    m_firstColumn = m_grid.rowsAreOuter() ? 0 : first.column;
}

void GemmWork::connect(LastLevelCache& cache) {
    const OperandSlabs slabs = operandSlabsOf(m_grid, m_shape, m_kStep, Bytes{std::int64_t{1} << m_granuleBits});
    m_a = cache.addRegion(slabs.slabsOfA, slabs.granulesOfA, false, m_kernel);
    m_b = cache.addRegion(slabs.slabsOfB, slabs.granulesOfB, false, m_kernel);
}

GemmWork::Tile GemmWork::tileAt(std::uint32_t position) const {
    Tile tile;
    tile.tile = m_order.tileAt(position);
    const TileGrid::Tile at = m_grid.tile(tile.tile);
    const auto rows = static_cast<std::uint32_t>(m_grid.rows());
    const auto columns = static_cast<std::uint32_t>(m_grid.columns());
    const auto part = static_cast<std::uint32_t>(m_grid.partOf(at.column));
    tile.aNext = (part * rows + (at.row + rows - m_firstRow) % rows) * m_steps;
    tile.bNext = (at.column + columns - m_firstColumn) % columns * m_steps;
    const std::int64_t lastK = m_shape.sliceOfK() - std::int64_t{m_steps - 1} * m_kStep;
    tile.aSlab = slabShape(m_grid.rowElements(at.row), m_kStep);
    tile.aLastSlab = slabShape(m_grid.rowElements(at.row), lastK);
    tile.bSlab = slabShape(m_grid.columnElements(at.column), m_kStep);
    tile.bLastSlab = slabShape(m_grid.columnElements(at.column), lastK);
    tile.shapeClass = (at.row + 1 == rows ? 1u : 0u) | (m_grid.isLastColumn(at.column) ? 2u : 0u);
    if (m_multicast > 1)
        share(position, at, tile);
    return tile;
}

// Finds the workgroups that share an operand with this one: those of its cluster, `multicast` workgroups one after the
// other in the order. If some read the same rows of A and others the same columns of B, more of them share.
void GemmWork::share(std::uint32_t position, const TileGrid::Tile& at, Tile& tile) const {
    const std::uint32_t first = position - position % m_multicast;
    std::uint32_t inRow = 0, inColumn = 0;
    for (std::uint32_t other = first; other < std::min(first + m_multicast, m_order.tiles); ++other) {
        const TileGrid::Tile beside = m_grid.tile(m_order.tileAt(other));
        inRow += beside.row == at.row && m_grid.partOf(beside.column) == m_grid.partOf(at.column) ? 1 : 0;
        inColumn += beside.column == at.column ? 1 : 0;
    }
    (inColumn >= inRow ? tile.bSharers : tile.aSharers) = std::max(inColumn, inRow);
}

Duration GemmWork::startDelay(std::uint32_t position) const {
    return draw(m_jitter, m_seed, position) + draw(m_ownJitter, m_ownSeed, position);
}

SlabShape GemmWork::slabShape(std::int64_t elements, std::int64_t k) const {
    const auto bytes = static_cast<std::uint32_t>(elements * k * m_elementBytes);
    const std::uint32_t granules = (bytes + (1u << m_granuleBits) - 1) >> m_granuleBits;
    return {granules, bytes - ((granules - 1) << m_granuleBits)};
}

}  // namespace engine
