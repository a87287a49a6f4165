#include "engine/workload/tile_choice.h"

#include "engine/workload/gemm_shape.h"

#include <algorithm>
#include <array>

namespace engine {
namespace {

constexpr std::array<Tile, 7> kLibraryTiles{Tile{256, 128}, Tile{128, 256}, Tile{128, 128}, Tile{256, 64},
                                            Tile{64, 256},  Tile{128, 64},  Tile{64, 64}};

}  // namespace

std::span<const Tile> libraryTiles() { return kLibraryTiles; }

std::vector<Tile> fittingTiles(const GemmSize& size) {
    std::vector<Tile> fitting;
    std::copy_if(kLibraryTiles.begin(), kLibraryTiles.end(), std::back_inserter(fitting),
                 [&](const Tile& tile) { return tile.m <= size.m && tile.n <= size.n; });
    return fitting;
}

Experiment withTile(Experiment experiment, const Tile& tile) {
    experiment.gemm.tileM = tile.m;
    experiment.gemm.tileN = tile.n;
    experiment.tiles.choice = TileChoice::fixed;
    return experiment;
}

bool choosesTile(const Experiment& machine, const GemmSize& size) {
    if (machine.tiles.choice != TileChoice::automatic)
        return machine.tiles.choice != TileChoice::fixed;
    const Tile least = kLibraryTiles.back();
    return machine.llc.bandwidth && least.m <= size.m && least.n <= size.n;
}

bool choosesTile(const Experiment& experiment) {
    return hasOwnGemm(experiment.workload.sublayer) && choosesTile(experiment, gemmShapeOf(experiment));
}

FirstWaves firstWavesOf(const Experiment& experiment) {
    const GemmSize size = gemmShapeOf(experiment);
    const GemmConfig& tiling = experiment.gemm;
    const TileGrid grid(size.m, size.n, tiling.tileM, tiling.tileN, elementBytes(experiment), false, size.partsOfK);
    const std::int64_t tilesOfPart = grid.tiles() / size.partsOfK;
    FirstWaves first;
    first.workgroups = std::min<std::int64_t>(grid.tiles(), 2 * waveCountOf(experiment).slots);
    first.rowsAreOuter = grid.rowsAreOuter();
    first.touched = size;
    first.touched.partsOfK = (first.workgroups + tilesOfPart - 1) / tilesOfPart;
    first.touched.k = size.sliceOfK() * first.touched.partsOfK;
    if (first.touched.partsOfK > 1)
        return first;
    // A walk goes along the shorter side, so many lines of tiles at a time.
    const std::int64_t inGroup = grid.rasterRow() * tiling.group;
    const std::int64_t lines = (first.workgroups + inGroup - 1) / inGroup * tiling.group;
    std::int64_t& longer = grid.rowsAreOuter() ? first.touched.m : first.touched.n;
    longer = std::min(longer, lines * (grid.rowsAreOuter() ? tiling.tileM : tiling.tileN));
    return first;
}

}  // namespace engine
