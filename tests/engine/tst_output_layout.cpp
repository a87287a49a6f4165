#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

using namespace engine;

class TestOutputLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chunksTakeTheTilesThatTheirFractionNames() {
        // 10 tiles on 4 GPUs: floor(10k/4) = 0, 2, 5, 7, 10, so 2, 3, 2 and 3 tiles.
        const OutputLayout layout(TileGrid(10 * 256, 128, 256, 128, 2), 4, 4_KiB);
        const std::uint32_t expected[] = {2, 3, 2, 3};
        for (std::uint32_t chunk = 0; chunk < 4; ++chunk)
            QCOMPARE(layout.chunkTiles(chunk), expected[chunk]);
        QVERIFY(!layout.chunksAreAlike());
    }

    void equalChunksAreSeenAsAlike() {
        QVERIFY(OutputLayout(TileGrid(8 * 256, 128, 256, 128, 2), 4, 4_KiB).chunksAreAlike());
        // As many tiles in each, but the last tile is ragged.
        QVERIFY(!OutputLayout(TileGrid(8 * 256 - 1, 128, 256, 128, 2), 4, 4_KiB).chunksAreAlike());
    }

    void granulesNeverCrossATile() {
        // A tile of 44 x 72 x 2 = 6336 B has granules of 4096 and 2240 B; the next tile begins a new one.
        const OutputLayout layout(TileGrid(300, 200, 256, 128, 2), 2, 4_KiB);
        QCOMPARE(layout.tileEndGranule(3) - layout.tileFirstGranule(3), 2u);
        QCOMPARE(layout.granuleBytes(layout.tileFirstGranule(3)), 4096u);
        QCOMPARE(layout.granuleBytes(layout.tileFirstGranule(3) + 1), 2240u);
    }

    void everyByteBelongsToOneGranuleOneTileAndOneChunk() {
        for (const std::int64_t gpus : {2, 3, 7, 16}) {
            const OutputLayout layout(TileGrid(3000, 1000, 256, 128, 2), gpus, {1024});
            std::int64_t inGranules = 0;
            std::int64_t inTiles = 0;
            std::int64_t inChunks = 0;
            for (std::uint32_t granule = 0; granule < layout.granules(); ++granule) {
                inGranules += layout.granuleBytes(granule);
                const std::uint32_t tile = layout.tileOf(granule);
                QVERIFY(granule >= layout.tileFirstGranule(tile) && granule < layout.tileEndGranule(tile));
                const std::uint32_t chunk = layout.chunkOf(tile);
                QVERIFY(granule >= layout.chunkFirstGranule(chunk) && granule < layout.chunkEndGranule(chunk));
            }
            for (std::uint32_t tile = 0; tile < layout.tiles(); ++tile)
                inTiles += layout.tileBytes(tile);
            for (std::uint32_t chunk = 0; chunk < layout.chunks(); ++chunk)
                inChunks += layout.chunkBytes(chunk).count;
            QCOMPARE(inGranules, std::int64_t{2 * 3000 * 1000});
            QCOMPARE(inTiles, inGranules);
            QCOMPARE(inChunks, inGranules);
        }
    }

    void theChannelsIndexStartsAgainInEachChunk() {
        const OutputLayout layout(TileGrid(4 * 256, 128, 256, 128, 2), 2, 4_KiB);
        QCOMPARE(layout.indexInChunk(layout.chunkFirstGranule(1)), 0u);
        QCOMPARE(layout.indexInChunk(layout.chunkFirstGranule(1) + 5), 5u);
    }

    void aBufferWithoutAGemmIsCutByElements() {
        // 10 B are 5 elements on 2 GPUs: 2 and 3 elements, 4 and 6 B.
        const OutputLayout layout({10}, {65536}, 2, 4_KiB, 2);
        QCOMPARE(layout.chunkBytes(0), 4_B);
        QCOMPARE(layout.chunkBytes(1), 6_B);
        QCOMPARE(layout.outputBytes(), 10_B);
    }
};

RINGSIDE_TEST(TestOutputLayout)
#include "tst_output_layout.moc"
