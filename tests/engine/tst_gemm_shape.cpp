#include "engine/workload/gemm_shape.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <set>
#include <utility>

using namespace engine;

namespace {

GemmSize shape(SubLayer sublayer, std::int64_t hidden, std::int64_t tp) {
    Experiment experiment;
    experiment.workload.sublayer = sublayer;
    experiment.workload.hidden = hidden;
    experiment.workload.sequence = 1024;
    experiment.workload.batch = 8;
    experiment.parallel.tp = tp;
    return gemmShapeOf(experiment);
}

}  // namespace

class TestGemmShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachSubLayerSlicesItsOwnMultipleOfTheHiddenSize() {
        // T-NLG on 8 GPUs: M = 1024 x 8; N = 4256; K = 4256/8, 4*4256/8, 4*4256/8, 3*4256/8.
        QCOMPARE(shape(SubLayer::op, 4256, 8).k, std::int64_t{532});
        QCOMPARE(shape(SubLayer::fc2, 4256, 8).k, std::int64_t{2128});
        QCOMPARE(shape(SubLayer::fc1, 4256, 8).k, std::int64_t{2128});
        QCOMPARE(shape(SubLayer::ip, 4256, 8).k, std::int64_t{1596});
        QCOMPARE(shape(SubLayer::fc2, 4256, 8).m, std::int64_t{8192});
        QCOMPARE(shape(SubLayer::fc2, 4256, 8).n, std::int64_t{4256});
    }

    void tilesRunFastestAlongTheSideWithFewerElements() {
        const TileGrid tall(1024, 512, 256, 128, 2);  // 4 x 4 tiles, N is shorter
        QVERIFY(tall.rowsAreOuter());
        QCOMPARE(tall.tile(1).column, 1u);
        const TileGrid wide(512, 1024, 256, 128, 2);  // 2 x 8 tiles, M is shorter
        QVERIFY(!wide.rowsAreOuter());
        QCOMPARE(wide.tile(1).row, 1u);
        QCOMPARE(wide.rasterRow(), std::int64_t{2});
        const TileGrid square(512, 512, 256, 128, 2);  // equal: fastest along N
        QVERIFY(square.rowsAreOuter());
    }

    void fewerElementsCountNotFewerTiles() {
        // 1024 x 768 in tiles of 256 x 128: 4 rows and 6 columns. N has fewer elements, but more tiles.
        const TileGrid grid(1024, 768, 256, 128, 2);
        QCOMPARE(grid.rows(), std::int64_t{4});
        QCOMPARE(grid.columns(), std::int64_t{6});
        QVERIFY(grid.rowsAreOuter());
    }

    void raggedTilesHaveOnlyTheElementsThatExist() {
        // 300 x 200 in 256 x 128: rows of 256 and 44, columns of 128 and 72.
        const TileGrid grid(300, 200, 256, 128, 2);
        QCOMPARE(grid.tiles(), std::int64_t{4});
        QCOMPARE(grid.tileBytes(0), std::int64_t{256 * 128 * 2});
        QCOMPARE(grid.tileBytes(1), std::int64_t{256 * 72 * 2});
        QCOMPARE(grid.tileBytes(2), std::int64_t{44 * 128 * 2});
        QCOMPARE(grid.tileBytes(3), std::int64_t{44 * 72 * 2});
    }

    void aTileLargerThanTheOutputIsOneRaggedTile() {
        const TileGrid grid(100, 50, 256, 128, 2);
        QCOMPARE(grid.tiles(), std::int64_t{1});
        QCOMPARE(grid.tileBytes(0), std::int64_t{100 * 50 * 2});
    }

    void theTilesCoverTheOutputExactlyOnce() {
        for (const auto& [m, n] :
             {std::pair{1000, 700}, std::pair{700, 1000}, std::pair{256, 128}, std::pair{1, 5000}}) {
            const TileGrid grid(m, n, 256, 128, 2);
            std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
            std::int64_t bytes = 0;
            for (std::int64_t raster = 0; raster < grid.tiles(); ++raster) {
                seen.emplace(grid.tile(raster).row, grid.tile(raster).column);
                bytes += grid.tileBytes(raster);
            }
            QCOMPARE(static_cast<std::int64_t>(seen.size()), grid.tiles());
            QCOMPARE(bytes, std::int64_t{2} * m * n);
        }
    }
};

RINGSIDE_TEST(TestGemmShape)
#include "tst_gemm_shape.moc"
