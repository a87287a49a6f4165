#include "tests/ui/machine_run.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_size.h"
#include "ui/shared/view_state.h"
#include "ui/split/split_view.h"

#include <QSignalSpy>

using ui::SplitKind;
using ui::SplitLayout;
using ui::SplitNeeds;
using ui::SplitView;

namespace {

struct SplitBench {
    explicit SplitBench(const std::string& experiment = "t-nlg/op/tp8", const std::string& policy = "t3-mca",
                        const data::Settings& settings = {}, QSize size = {1280, 720}) {
        const auto run = tests::simulatedRun(experiment, policy, settings);
        if (run->run.result.trace)
            state.setRunEnd(run->run.result.trace->end.ps);
        tests::show(moment, run);
        view.resize(size);
        view.show();
        QApplication::processEvents();
    }
    void seek(double share) { state.setCursor(static_cast<std::int64_t>(share * static_cast<double>(state.runEnd()))); }

    ui::ViewState state;
    ui::RingMoment moment{state};
    SplitView view{state, moment};
};

SplitNeeds splitNeeds(QSizeF size, std::uint32_t gpus, double line = 17) {
    SplitNeeds needs;
    needs.area = QRectF(QPointF(0, 0), size);
    needs.m = 8192;
    needs.k = 17024;
    needs.n = 4256;
    needs.gpus = needs.chunks = gpus;
    needs.line = line;
    needs.names = line * 4;
    needs.legend = line * 1.25;
    return needs;
}

std::vector<std::pair<const char*, QRectF>> partsOf(const SplitLayout& layout) {
    return {{"words", layout.words},
            {"a", layout.a},
            {"b", layout.b},
            {"c", layout.c},
            {"aLetter", layout.aLetter},
            {"bLetter", layout.bLetter},
            {"cLetter", layout.cLetter},
            {"captions", layout.captions},
            {"names", layout.names},
            {"heads", layout.heads},
            {"cells", layout.cells},
            {"more", layout.more},
            {"legend", layout.legend}};
}

QString reported(const char* part, const QSizeF& size, std::uint32_t gpus) {
    return QStringLiteral("%1 at %2x%3, %4 GPUs")
        .arg(QLatin1String(part))
        .arg(size.width())
        .arg(size.height())
        .arg(gpus);
}

}  // namespace

class TestSplitView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTwoPartsMeetAtAnySizeAndNumberOfGpus() {
        for (const QSizeF size : {QSizeF(1280, 720), QSizeF(1280, 300), QSizeF(1600, 900), QSizeF(1920, 1080),
                                  QSizeF(2560, 1440), QSizeF(3840, 2160), QSizeF(420, 640)}) {
            for (const std::uint32_t gpus : {2u, 3u, 8u, 16u, 17u, 64u}) {
                for (const double line : {17.0, 26.0}) {
                    const SplitLayout layout = ui::layoutSplit(splitNeeds(size, gpus, line));
                    const auto parts = partsOf(layout);
                    for (std::size_t i = 0; i < parts.size(); ++i) {
                        const QRectF box = parts[i].second;
                        QVERIFY2(box.isEmpty() || QRectF(QPointF(0, 0), size).adjusted(-1, -1, 1, 1).contains(box),
                                 qPrintable(reported(parts[i].first, size, gpus)));
                        for (std::size_t j = 0; j < i; ++j) {
                            const QRectF both = box.intersected(parts[j].second);
                            QVERIFY2(both.width() <= 1 || both.height() <= 1,
                                     qPrintable(reported(parts[i].first, size, gpus) + QLatin1String(" on ") +
                                                QLatin1String(parts[j].first)));
                        }
                    }
                    QVERIFY(!layout.cells.isEmpty());
                }
            }
        }
    }

    void upToSixteenGpusAreAllShownAndOfMoreTheOnesAroundTheFocus() {
        for (const std::uint32_t gpus : {2u, 8u, 16u}) {
            const SplitLayout layout = ui::layoutSplit(splitNeeds({1280, 720}, gpus));
            QCOMPARE(layout.shownGpus, gpus);
            QCOMPARE(layout.shownChunks, gpus);
            QVERIFY(layout.more.isEmpty());
        }
        for (const std::uint32_t focused : {0u, 5u, 31u, 63u}) {
            SplitNeeds needs = splitNeeds({1280, 720}, 64);
            needs.focusedGpu = focused;
            needs.followedChunk = 63 - focused;
            const SplitLayout layout = ui::layoutSplit(needs);
            QVERIFY(layout.shownGpus < 64 && layout.shownChunks < 64);
            QVERIFY(layout.shows(focused, 63 - focused));
            QVERIFY(layout.firstGpu + layout.shownGpus <= 64 && layout.firstChunk + layout.shownChunks <= 64);
            QVERIFY(!layout.more.isEmpty());
        }
    }

    void cellsAreFoundWhereTheyAreDrawnAndCoverTheirRoom() {
        SplitBench bench;
        const SplitLayout& layout = bench.view.splitLayout();
        const auto tipAt = [&](QPointF at) {
            const auto part = bench.view.partAt(at);
            return part && part->tip ? part->tip(at) : QString();
        };
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
            for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
                const QRectF cell = layout.cell(gpu, chunk);
                QVERIFY(tipAt(cell.center()).startsWith(QStringLiteral("GPU %1, chunk %2: ").arg(gpu).arg(chunk)));
                QVERIFY(gpu == 0 || qFuzzyCompare(cell.left(), layout.cell(gpu - 1, chunk).right()));
                QVERIFY(chunk == 0 || qFuzzyCompare(cell.top(), layout.cell(gpu, chunk - 1).bottom()));
            }
        }
        QVERIFY(!tipAt({layout.cells.right() + 1, layout.cells.center().y()}).contains(QStringLiteral("chunk")));
        QVERIFY(!tipAt({layout.cells.center().x(), layout.cells.top() - 1}).contains(QStringLiteral("chunk")));
    }

    void theMatricesAreToScaleUnlessOneSideIsMuchShorter() {
        const SplitLayout layout = ui::layoutSplit(splitNeeds({1600, 900}, 8));
        QVERIFY(layout.toScale);
        QVERIFY(std::abs(layout.a.width() / layout.a.height() - 17024.0 / 8192) < 0.05);
        QVERIFY(std::abs(layout.b.width() / layout.b.height() - 4256.0 / 17024) < 0.05);
        QCOMPARE(layout.a.height(), layout.c.height());
        QCOMPARE(layout.b.width(), layout.c.width());
        SplitNeeds flat = splitNeeds({1600, 900}, 8);
        flat.m = 16;
        const SplitLayout limited = ui::layoutSplit(flat);
        QVERIFY(!limited.toScale);
        QVERIFY(limited.a.height() > 17);
    }

    void stripsCoverTheirBoxWithoutGaps() {
        const QRectF box(10, 20, 300, 77);
        for (const std::uint32_t count : {1u, 2u, 7u, 64u}) {
            double x = box.left();
            for (std::uint32_t i = 0; i < count; ++i) {
                const QRectF strip = ui::stripOf(box, i, count, true, 0.5);
                QCOMPARE(strip.left(), x);
                x = strip.right();
            }
            QCOMPARE(x, box.right());
        }
    }

    void theWordsSayWhichColumnsAGpuHas() {
        SplitBench bench("t-nlg/fc-2/tp8");
        bench.state.setFocusedGpu(2);
        const QString words = bench.view.splitWords().replace(QChar(0x00a0), QLatin1Char(' '));
        // K is 17 024, so each GPU has 2 128 columns.
        QVERIFY2(words.contains(QStringLiteral("GPU 2 holds columns 4 256 to 6 383 of A")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("one of 8 partial sums")), qPrintable(words));
    }

    void whereKIsNotCutThatIsSaid() {
        const auto wordsOf = [](const std::string& experiment, const std::string& policy,
                                const data::Settings& settings = {}) {
            return SplitBench(experiment, policy, settings).view.splitWords();
        };
        const data::Settings gather{{"collective.operation", std::string("all-gather")}};
        const data::Settings exchange{{"collective.operation", std::string("all-to-all")},
                                      {"collective.algorithm", std::string("direct")},
                                      {"topology.kind", std::string("fully-connected")}};
        QVERIFY(wordsOf("t-nlg/fc-1/tp8", "sequential", gather).contains(QStringLiteral("K is not cut")));
        QVERIFY(wordsOf("t-nlg/fc-2/tp8", "sequential", exchange).contains(QStringLiteral("sums nothing")));
        QVERIFY(wordsOf("collective/reduce-scatter/tp4", "sequential").contains(QStringLiteral("one of 4 partial")));
        QVERIFY(wordsOf("collective/all-gather/tp4", "sequential").contains(QStringLiteral("Nothing is summed")));
        QVERIFY(wordsOf("gemm/1024x1024x1024", "sequential").contains(QStringLiteral("nothing is cut")));
        QVERIFY(wordsOf("t-nlg/fc-2/tp8", "cu-split").contains(QStringLiteral("beside a GEMM")));
        QVERIFY(wordsOf("t-nlg/fc-2/tp8", "ideal-overlap").isEmpty());
    }

    void whatIsShownFollowsTheCursor() {
        SplitBench bench;
        bench.seek(0);
        QCOMPARE(bench.view.sumsAt(0, 0).most, 0u);
        const QImage empty = bench.view.grab().toImage();
        bench.seek(0.5);
        const QImage half = bench.view.grab().toImage();
        QVERIFY(empty != half);
        bench.seek(1);
        for (std::uint32_t chunk = 0; chunk < 8; ++chunk)
            QCOMPARE(bench.view.sumsAt(5, chunk).least, 8u);
        bench.seek(0);
        QCOMPARE(bench.view.grab().toImage(), empty);
    }

    void onlyCellsThatChangeArePaintedAgain() {
        SplitBench bench;
        bench.seek(0.4);
        QApplication::processEvents();
        const std::int64_t before = bench.view.paintedCells();
        bench.state.setCursor(*bench.state.cursor() + 1);
        QApplication::processEvents();
        const std::int64_t step = bench.view.paintedCells() - before;
        QVERIFY2(step < 32, qPrintable(QString::number(step)));
        bench.seek(0.9);
        QApplication::processEvents();
        QVERIFY(bench.view.paintedCells() > before + step);
    }

    void theKeyboardReachesEveryGpuAndChunk() {
        SplitBench bench;
        bench.view.setFocus();
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QCOMPARE(bench.state.focusedGpu(), 1u);
        QCOMPARE(bench.state.followedChunk(), std::optional(0u));
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QCOMPARE(bench.state.followedChunk(), std::optional(1u));
        QTest::keyClick(&bench.view, Qt::Key_End);
        QCOMPARE(bench.state.focusedGpu(), 7u);
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QCOMPARE(bench.state.focusedGpu(), 7u);
        QTest::keyClick(&bench.view, Qt::Key_Home);
        QTest::keyClick(&bench.view, Qt::Key_Left);
        QCOMPARE(bench.state.focusedGpu(), 0u);
        QTest::keyClick(&bench.view, Qt::Key_Up);
        QTest::keyClick(&bench.view, Qt::Key_Up);
        QCOMPARE(bench.state.followedChunk(), std::optional(0u));
        QSignalSpy asked(&bench.view, &SplitView::tableRequested);
        QTest::keyClick(&bench.view, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
    }

    void aClickChoosesACellAndAnotherLetsTheChunkGo() {
        SplitBench bench;
        const QPoint cell = bench.view.splitLayout().cell(3, 5).center().toPoint();
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, cell);
        QCOMPARE(bench.state.focusedGpu(), 3u);
        QCOMPARE(bench.state.followedChunk(), std::optional(5u));
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, cell);
        QVERIFY(!bench.state.followedChunk());
    }

    void aScreenReaderHearsWhatIsShown() {
        SplitBench bench;
        bench.seek(0.5);
        QVERIFY(!bench.view.accessibleName().isEmpty());
        QVERIFY(bench.view.accessibleDescription().contains(QStringLiteral("partial sum")));
        bench.state.setFocusedGpu(4);
        bench.state.setFollowedChunk(2);
        QVERIFY(bench.view.accessibleDescription().contains(QStringLiteral("GPU 4, chunk 2")));
    }

    void theTableHasTheSameValuesAndChoosesTheSameChunk() {
        SplitBench bench;
        bench.seek(0.5);
        const std::unique_ptr<ui::MomentTable> panel(ui::newSplitTable(bench.state, bench.moment, bench.view));
        panel->show();
        ui::ValueTable& table = panel->table();
        QApplication::processEvents();
        QCOMPARE(table.rows().size(), std::size_t{8});
        for (std::uint32_t chunk = 0; chunk < 8; ++chunk)
            QCOMPARE(table.rows()[chunk].cells[2], ui::sumsText(bench.view.sumsAt(0, chunk), 8));
        table.choose(6);
        QCOMPARE(bench.state.followedChunk(), std::optional(6u));
        bench.state.setFollowedChunk(2);
        QCOMPARE(table.chosen(), std::optional<std::size_t>(2));
        bench.seek(1);
        QCOMPARE(table.rows()[0].cells[2], QStringLiteral("8 of 8"));
    }

    void itIsAFigureInTheColoursOfPaper() {
        SplitBench bench;
        bench.seek(0.5);
        const auto offer = ui::figureOf<SplitView>(bench.state, bench.moment);
        QVERIFY(offer);
        const auto& drawing = std::get<data::DrawingMark>(offer->figure.panels.front().marks.front());
        QVERIFY(std::abs(drawing.width - data::presetOf(offer->figure.size).width) < 1);
        QVERIFY(drawing.items.size() > 100 && drawing.items.size() < 20'000);
        for (const auto& item : drawing.items) {
            const auto* shape = std::get_if<data::DrawingShape>(&item);
            for (const auto& [x, y] : shape != nullptr ? shape->points : std::vector<data::DrawingPoint>{})
                QVERIFY(x >= -0.1 && y >= -0.1 && x <= drawing.width + 0.1 && y <= drawing.height + 0.1);
        }
        QVERIFY(QString::fromStdString(offer->figure.alternative).contains(QStringLiteral("GPU 7:")));
        QApplication::setPalette(ui::widgetPalette(ui::Theme::dark));
        const auto dark = ui::figureOf<SplitView>(bench.state, bench.moment);
        QApplication::setPalette(ui::widgetPalette(ui::Theme::light));
        QCOMPARE(std::get<data::DrawingMark>(dark->figure.panels.front().marks.front()), drawing);
    }

    void sixtyFourGpusAndTwoArePaintedAtEverySize() {
        for (const char* experiment : {"t-nlg/op/tp2", "collective/all-reduce/tp64"}) {
            SplitBench bench(experiment, "sequential");
            for (const QSize size : {QSize(1280, 720), QSize(3840, 2160), QSize(700, 260)}) {
                bench.view.resize(size);
                bench.seek(0.6);
                QVERIFY(!bench.view.grab().isNull());
            }
            bench.state.setFocusedGpu(63);
            QVERIFY(bench.view.splitLayout().shows(bench.view.focusedGpu(), 0));
        }
    }
};

RINGSIDE_WINDOW_TEST(TestSplitView)
#include "tst_split_view.moc"
