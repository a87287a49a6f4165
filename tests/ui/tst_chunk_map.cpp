#include "tests/ui/machine_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/chunks/chunk_view.h"
#include "ui/look/tile_style.h"
#include "ui/shared/view_state.h"

#include <QImage>
#include <QSignalSpy>
#include <QWheelEvent>

using data::TileState;
using ui::ChunkColumns;
using ui::ChunkCounts;
using ui::ChunkLayout;
using ui::ChunkView;

namespace {

struct ChunkMapBench {
    explicit ChunkMapBench(const std::shared_ptr<const data::ShownRun>& run, QSize size = {1100, 620}) {
        state.setRunEnd(run->run.result.last.time.total.ps);
        tests::show(moment, run);
        view.resize(size);
        view.show();
        QApplication::processEvents();
    }
    void seek(double share) { state.setCursor(static_cast<std::int64_t>(share * static_cast<double>(state.runEnd()))); }

    ui::ViewState state;
    ui::RingMoment moment{state};
    ChunkView view{state, moment};
};

ui::ChunkLayoutInput roomFor(std::uint32_t gpus, std::uint32_t focused = 0) {
    return {.area = QRectF(15, 45, 1200, 560),
            .gpus = gpus,
            .chunks = gpus,
            .focused = focused,
            .line = 17,
            .pixel = 1,
            .names = 60};
}

}  // namespace

class TestChunkMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChangeCountsFromItsOwnMomentOn() {
        // Two chunks of two tiles; tile 1 is stored at 100, tile 2 at 200.
        const std::vector<data::TileChange> changes{{100, 1, data::TileState::notProduced, data::TileState::stored},
                                                    {200, 2, data::TileState::notProduced, data::TileState::stored}};
        const ChunkColumns columns({{2}, {2}}, {0, 0, 1, 1}, changes, {99, 100, 199, 200});
        QCOMPARE(columns.columns(), std::size_t(4));
        QCOMPARE(columns.at(0, 0), (ChunkCounts{2, 0}));
        QCOMPARE(columns.at(1, 0), (ChunkCounts{1, 1}));
        QCOMPARE(columns.at(2, 1), (ChunkCounts{2, 0}));
        QCOMPARE(columns.at(3, 1), (ChunkCounts{1, 1}));
        QCOMPARE(columns.sum(3), (ChunkCounts{2, 2}));
    }

    void columnsAgreeWithTheLogAtEveryMoment() {
        for (const char* policy : {"sequential", "t3-mca"}) {
            const auto run = tests::simulatedRun("t-nlg/fc-2/tp8", policy);
            const auto log = tests::logOf(*run);
            std::vector<std::int64_t> moments;
            for (std::int64_t i = 0; i <= 40; ++i)
                moments.push_back(run->run.result.trace->end.ps * i / 40);
            std::vector<std::uint32_t> chunkOfTile;
            const auto& first = log->trace().output.chunkTile;
            for (std::uint32_t chunk = 0; chunk + 1 < first.size(); ++chunk)
                chunkOfTile.insert(chunkOfTile.end(), first[chunk + 1] - first[chunk], chunk);
            const ChunkColumns columns(log->stateOf(0, log->beginning()).chunkTiles, chunkOfTile, log->tileChanges(0),
                                       moments);
            for (std::size_t i = 0; i < moments.size(); ++i) {
                const data::GpuState state = log->stateOf(0, log->positionAt(moments[i]));
                for (std::size_t chunk = 0; chunk < 8; ++chunk)
                    QCOMPARE(columns.at(i, chunk), state.chunkTiles[chunk]);
            }
        }
    }

    void aBarIsFilledFromBelowFurthestFirst() {
        // Of four tiles one is reduced, one is sent and two are not produced.
        const ChunkCounts counts{2, 0, 0, 0, 0, 1, 1};
        QCOMPARE(ui::stateAt(counts, 0.1), data::TileState::reduced);
        QCOMPARE(ui::stateAt(counts, 0.26), data::TileState::sent);
        QCOMPARE(ui::stateAt(counts, 0.51), data::TileState::notProduced);
        QCOMPARE(ui::stateAt(counts, 0.99), data::TileState::notProduced);
        QCOMPARE(ui::countsText(counts, ui::TileWords()), QStringLiteral("1 reduced, 1 sent, 2 not produced"));
    }

    void rowsAreInOrderInsideTheAreaAndTheOneInFocusIsTheTallest() {
        for (const std::uint32_t gpus : {1u, 2u, 8u, 16u, 32u, 64u}) {
            const std::uint32_t focused = gpus / 2;
            const ChunkLayout layout = ui::layoutChunks(roomFor(gpus, focused));
            QCOMPARE(layout.rows.size(), std::size_t(gpus));
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                const ui::ChunkRow& row = layout.rows[gpu];
                QVERIFY(row.height >= 1);
                QVERIFY(row.height <= layout.rows[focused].height + 1);
                QVERIFY(gpu == 0 || row.top >= layout.rows[gpu - 1].top + layout.rows[gpu - 1].height);
            }
            QVERIFY2(layout.rows.back().top + layout.rows.back().height <= 45 + 560 + 1,
                     qPrintable(QString::number(gpus)));
            QVERIFY(layout.rows[focused].named);
            QVERIFY(layout.moment.right() < layout.strips.left());
            QVERIFY(layout.strips.width() > 600);
        }
    }

    void namesNeverTouch() {
        for (const std::uint32_t gpus : {8u, 32u, 64u}) {
            for (std::uint32_t focused = 0; focused < gpus; focused += 7) {
                const ChunkLayout layout = ui::layoutChunks(roomFor(gpus, focused));
                double last = -100;
                for (const ui::ChunkRow& row : layout.rows) {
                    if (!row.named)
                        continue;
                    QVERIFY(row.top + row.height / 2 - last >= 17 * 0.9);
                    last = row.top + row.height / 2;
                }
            }
        }
    }

    void chunksAreFoundWhereTheyAreDrawn() {
        ChunkMapBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.state.setFocusedGpu(3);
        const ChunkLayout& layout = bench.view.chunkLayout();
        const auto tipAt = [&](QPointF at) { return bench.view.partAt(at)->tip(at); };
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
            for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
                const QString name = QStringLiteral("GPU %1, chunk %2, ").arg(gpu).arg(chunk);
                QVERIFY(tipAt(layout.momentCell(gpu, chunk).center()).startsWith(name + QStringLiteral("now")));
                QVERIFY(tipAt(layout.strip(gpu, chunk).center()).startsWith(name + QStringLiteral("at ")));
            }
        }
    }

    void aClickAndADragOverTimeAskForTheCursor() {
        ChunkMapBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        QSignalSpy asked(&bench.view, &ChunkView::cursorRequested);
        const QRectF strips = bench.view.chunkLayout().strips;
        const QPoint middle = strips.center().toPoint();
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, middle);
        QCOMPARE(asked.size(), 1);
        const qint64 half = asked.takeFirst().front().toLongLong();
        QVERIFY(std::abs(half - bench.state.runEnd() / 2) < bench.state.runEnd() / 100);
        QMouseEvent move(QEvent::MouseMove, QPointF(middle) + QPointF(100, 0), {}, Qt::LeftButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&bench.view, &move);
        QCOMPARE(asked.size(), 1);
        QVERIFY(asked.front().front().toLongLong() > half);
    }

    void aClickOnTheMomentFollowsAChunkAndOneOnANameChangesTheFocus() {
        ChunkMapBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        QTest::mouseClick(&bench.view, Qt::LeftButton, {},
                          bench.view.chunkLayout().momentCell(2, 5).center().toPoint());
        QCOMPARE(bench.state.followedChunk(), std::optional(5u));
        const ui::ChunkRow row = bench.view.chunkLayout().rows[6];
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, QPoint(20, static_cast<int>(row.top + row.height / 2)));
        QCOMPARE(bench.state.focusedGpu(), 6u);
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QCOMPARE(bench.state.focusedGpu(), 7u);
        QTest::keyClick(&bench.view, Qt::Key_Up);
        QCOMPARE(bench.state.focusedGpu(), 6u);
    }

    void theWheelZoomsWhereItPoints() {
        ChunkMapBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        const QPointF at = bench.view.chunkLayout().strips.center() + QPointF(120, 0);
        const std::int64_t before = bench.view.geometry().timeAt(at.x());
        QWheelEvent event(at, bench.view.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&bench.view, &event);
        QVERIFY(!bench.state.showsAll());
        const std::int64_t after = bench.view.geometry().timeAt(at.x());
        QVERIFY(static_cast<double>(std::abs(after - before)) <= bench.view.geometry().psPerPixel() + 1);
    }

    void playingMovesTheMomentAndNotTheStrips() {
        ChunkMapBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seek(0.9);
        const QImage late = bench.view.grab().toImage();
        bench.seek(0.2);
        const QImage early = bench.view.grab().toImage();
        QVERIFY(late != early);
        bench.seek(0.9);
        QCOMPARE(bench.view.grab().toImage(), late);
    }

    void aMirroredRingLooksLikeOneOfWhichAllGpusWereSimulated() {
        // The state of chunk 5 on GPU 3 at half time must be the same, however it is computed.
        auto draft = data::openDraft("t-nlg/fc-2/tp8").draft;
        draft.explicitValues["detail.level"] = std::string("interactive");
        const auto moment = [&](const char* mode) {
            draft.explicitValues["detail.mode"] = std::string(mode);
            engine::RunOptions options;
            options.recordTrace = true;
            auto run = std::make_shared<data::ShownRun>();
            run->run = data::Laboratory().run(draft, options);
            run->index.emplace(run->run.result.trace);
            ChunkMapBench bench(run);
            bench.seek(0.5);
            return bench.view.grab().toImage();
        };
        QCOMPARE(moment("mirrored"), moment("full"));
    }

    void whereThereIsNothingToPlayTheViewSaysWhatToDo() {
        ChunkMapBench bench(tests::sampleBound());
        const QImage bound = bench.view.grab().toImage();
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, {300, 300});
        QCOMPARE(bench.view.grab().toImage(), bound);
    }

    void everySizeCanBeDrawn() {
        ChunkMapBench bench(tests::simulatedRun("t-nlg/fc-2/tp32"));
        bench.seek(0.4);
        for (const QSize size : {QSize(480, 220), QSize(700, 1200), QSize(2400, 500)}) {
            bench.view.resize(size);
            QVERIFY(!bench.view.grab().isNull());
        }
    }
};

RINGSIDE_WINDOW_TEST(TestChunkMap)
#include "tst_chunk_map.moc"
