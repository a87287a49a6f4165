#include "tests/test_program.h"
#include "ui/machine/tile_picture.h"

#include <QTest>

using data::OutputGrid;
using data::TileState;
using ui::TileCells;
using ui::TilePicture;

namespace {

/// Returns a grid of 6 x 4 tiles that are twice as long along `outer`, with three chunks that begin in the middle of a
/// row.
data::OutputGrid sampleGrid() {
    data::OutputGrid grid;
    grid.outer = 6;
    grid.inner = 4;
    grid.outerElements = 256;
    grid.innerElements = 128;
    grid.chunkFirstTile = {0, 6, 15, 24};
    return grid;
}

ui::TileStamps plainStamps() {
    ui::TileStamps stamps;
    for (std::size_t i = 0; i < stamps.size(); ++i) {
        stamps[i] = QImage(4, 4, QImage::Format_RGB32);
        stamps[i].fill(qRgb(static_cast<int>(i) * 30, 0, 200));
    }
    return stamps;
}

}  // namespace

class TestTilePicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOutputKeepsItsAspectAndLiesTheWayInWhichItIsLarger() {
        // 6 x 256 by 4 x 128 elements have a ratio of three to one.
        const TileCells wide = ui::layoutTiles(sampleGrid(), {600, 300});
        QCOMPARE(wide.size(), QSize(600, 200));
        QVERIFY(wide.outerAcross);
        const TileCells tall = ui::layoutTiles(sampleGrid(), {100, 600});
        QCOMPARE(tall.size(), QSize(100, 300));
        QVERIFY(!tall.outerAcross);
    }

    void everyTileHasItsOwnPixelsAndIsFoundAtThem() {
        for (const QSize room : {QSize(600, 300), QSize(100, 600), QSize(13, 7)}) {
            const data::OutputGrid grid = sampleGrid();
            const TileCells cells = ui::layoutTiles(grid, room);
            for (std::uint32_t tile = 0; tile < grid.tiles(); ++tile) {
                const QRect box = cells.inside(grid, tile);
                QVERIFY(box.isValid() && QRect(QPoint(), cells.size()).contains(box));
                QCOMPARE(cells.tileAt(grid, box.center()), std::optional(tile));
                for (std::uint32_t other = 0; other < tile; ++other)
                    QVERIFY(!box.intersects(cells.inside(grid, other)));
            }
        }
    }

    void outsideThereIsNoTile() {
        const data::OutputGrid grid = sampleGrid();
        const TileCells cells = ui::layoutTiles(grid, {600, 300});
        QVERIFY(!cells.tileAt(grid, {-1, 10}));
        QVERIFY(!cells.tileAt(grid, {10, 200}));
        QCOMPARE(cells.tileAt(grid, {599, 199}), std::optional(23u));
    }

    void chunksStandFurtherApartThanTiles() {
        const data::OutputGrid grid = sampleGrid();
        const TileCells cells = ui::layoutTiles(grid, {600, 300});
        // Tiles 5 and 6 are neighbours in a row and belong to different chunks; 4 and 5 belong to the same chunk.
        QVERIFY(cells.inside(grid, 6).top() - cells.inside(grid, 5).bottom() >
                cells.inside(grid, 5).top() - cells.inside(grid, 4).bottom());
    }

    void aChunkIsFramedByTheRowsThatItTouches() {
        const data::OutputGrid grid = sampleGrid();
        const TileCells cells = ui::layoutTiles(grid, {600, 300});
        QCOMPARE(cells.chunkBox(grid, 0), QRect(0, 0, 200, 200));    // tiles 0-5: raster rows 0 and 1
        QCOMPARE(cells.chunkBox(grid, 1), QRect(100, 0, 300, 200));  // 6-14: rows 1 to 3
    }

    void aTileHasTheColourOfItsState() {
        const data::OutputGrid grid = sampleGrid();
        TilePicture picture;
        picture.layOut(grid, {600, 300});
        const ui::TileStamps stamps = plainStamps();
        picture.setLook(stamps, qRgb(1, 2, 3), qRgb(4, 5, 6));
        std::vector<data::TileState> tiles(24, data::TileState::stored);
        tiles[7] = data::TileState::ready;
        picture.show(grid, tiles);
        tiles[8] = data::TileState::reduced;
        picture.show(grid, tiles);
        for (std::uint32_t tile = 0; tile < 24; ++tile) {
            const QRect box = picture.cells().inside(grid, tile);
            const QRgb wanted = stamps[static_cast<std::size_t>(tiles[tile])].pixel(0, 0);
            QCOMPARE(picture.image().pixel(box.topLeft()), wanted);
            QCOMPARE(picture.image().pixel(box.bottomRight()), wanted);
        }
    }

    void drawingOnlyWhatChangedIsTheSameAsDrawingAll() {
        const data::OutputGrid grid = sampleGrid();
        TilePicture kept, fresh;
        for (TilePicture* picture : {&kept, &fresh}) {
            picture->layOut(grid, {601, 299});
            picture->setLook(plainStamps(), qRgb(1, 2, 3), qRgb(4, 5, 6));
        }
        std::vector<data::TileState> tiles(24, data::TileState::notProduced);
        for (std::uint32_t step = 0; step < 60; ++step) {
            tiles[step * 7 % 24] = static_cast<data::TileState>(step % 7);
            kept.show(grid, tiles);
        }
        fresh.show(grid, tiles);
        QCOMPARE(kept.image(), fresh.image());
    }

    void aBufferThatDoesNotFillItsLastRowHasNoTilesThere() {
        data::OutputGrid grid;
        grid.outer = 3;
        grid.inner = 4;
        grid.chunkFirstTile = {0, 5, 10};
        const TileCells cells = ui::layoutTiles(grid, {300, 400});
        QVERIFY(cells.tileAt(grid, cells.inside(grid, 9).center()));
        int found = 0;
        for (int y = 0; y < cells.size().height(); ++y)
            found += cells.tileAt(grid, {cells.size().width() - 1, y}).has_value() ? 1 : 0;
        QVERIFY(found > 0 && found < cells.size().height());
    }
};

RINGSIDE_CORE_TEST(TestTilePicture)
#include "tst_tile_picture.moc"
