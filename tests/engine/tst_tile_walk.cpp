// The order in which workgroups take the tiles.

#include "engine/workload/tile_walk.h"

#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"
#include "tests/test_program.h"

#include <numeric>
#include <vector>

using namespace engine;

namespace {

using Tiles = std::vector<std::uint32_t>;

/// `rows` x `columns` tiles of 8 x 8 elements.
TileGrid grid(std::int64_t rows, std::int64_t columns, std::int64_t parts = 1) {
    return TileGrid(8 * rows, 8 * columns, 8, 8, 2, true, parts);
}

Tiles walked(const TileGrid& grid, std::int64_t gpus, std::int64_t group) {
    const OutputLayout layout(grid, gpus, 64_B);
    const TileWalk walk(grid, layout, group);
    Tiles tiles;
    for (std::uint32_t place = 0; place < layout.tiles(); ++place) {
        tiles.push_back(walk.tileAt(place));
        if (walk.placeOf(tiles.back()) != place)
            return {};
    }
    return tiles;
}

Tiles raster(std::uint32_t tiles) {
    Tiles all(tiles);
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

}  // namespace

class TestTileWalk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGroupOfOneIsRasterOrder() {
        QCOMPARE(walked(grid(4, 3), 1, 1), raster(12));
        QVERIFY(TileWalk(grid(4, 3), OutputLayout(grid(4, 3), 1, 64_B), 1).places().empty());
    }

    void aGroupIsWalkedColumnByColumn() {
        QCOMPARE(walked(grid(4, 3), 1, 2), (Tiles{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
        QCOMPARE(walked(grid(2, 3), 1, 4), (Tiles{0, 3, 1, 4, 2, 5}));
    }

    void theLastGroupHasTheRowsThatAreLeft() { QCOMPARE(walked(grid(3, 2), 1, 2), (Tiles{0, 2, 1, 3, 4, 5})); }

    void aGroupEndsWithItsChunk() {
        // Two chunks of two rows: a group of three has two rows, twice.
        QCOMPARE(walked(grid(4, 2), 2, 3), (Tiles{0, 2, 1, 3, 4, 6, 5, 7}));
        // Chunks of one row are walked as they are.
        QCOMPARE(walked(grid(4, 2), 4, 4), raster(8));
    }

    void aChunkThatBeginsWithinARowIsWalkedWithTheTilesThatItHas() {
        // 3 x 3 tiles for two GPUs: tiles 0 to 3 and 4 to 8.
        // The first ends and the second begins in the middle row: column by column 0 3, 1, 2 and 6, 4 7, 5 8.
        QCOMPARE(walked(grid(3, 3), 2, 2), (Tiles{0, 3, 1, 2, 6, 4, 7, 5, 8}));
    }

    void aGroupEndsWithItsPartOfK() {
        // Two parts of 3 x 1 tiles: groups of two rows, then what is left of the part.
        QCOMPARE(walked(grid(3, 1, 2), 1, 2), raster(6));
        QCOMPARE(walked(grid(3, 2, 2), 1, 2), (Tiles{0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11}));
    }

    void chunksAreWalkedInTheOrderThatIsAskedFor() {
        const TileGrid six = grid(3, 2);
        const TileWalk walk(OutputLayout(six, 3, 64_B), {2, 0, 1});
        Tiles tiles;
        for (std::uint32_t place = 0; place < 6; ++place)
            tiles.push_back(walk.tileAt(place));
        QCOMPARE(tiles, (Tiles{4, 5, 0, 1, 2, 3}));
        QCOMPARE(walk.placeOf(4), 0u);
    }

    void anOrderBeginsWithItsFirstChunkAndWrapsAround() {
        const TileGrid four = grid(4, 2);
        const TileWalk walk(four, OutputLayout(four, 2, 64_B), 2);
        const TileOrder order{4, 8, &walk};
        Tiles tiles;
        for (std::uint32_t position = 0; position < 8; ++position) {
            tiles.push_back(order.tileAt(position));
            QCOMPARE(order.positionOf(tiles.back()), position);
        }
        QCOMPARE(tiles, (Tiles{4, 6, 5, 7, 0, 2, 1, 3}));
        QCOMPARE((TileOrder{4, 8}.tileAt(5)), 1u);
    }
};

RINGSIDE_TEST(TestTileWalk)
#include "tst_tile_walk.moc"
