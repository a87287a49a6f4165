#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/playback/caption.h"
#include "ui/timeline/headline_strip.h"

class TestCaption : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itTellsWaveChunkLinkAndMemory() {
        // At 320 ns both channels and the link are busy all through the window of 10 ns around it.
        const ui::TraceIndex index(tests::sampleTrace());
        QCOMPARE(
            ui::captionAt(index, 0, 320'000, 10'000),
            QStringLiteral(
                "GPU 0: wave 2 of 2 computing  ·  chunk 1 leaving by DMA  ·  link 100\u00a0%  ·  DRAM 100\u00a0%"));
    }

    void anotherGpuWorksOnItsOwnChunk() {
        const ui::TraceIndex index(tests::sampleTrace());
        QVERIFY(ui::captionAt(index, 2, 320'000, 10'000)
                    .startsWith(QStringLiteral("GPU 2: wave 2 of 2 computing  ·  chunk 3 leaving")));
    }

    void theReduceScatterStopsBeingToldAtTheMomentItEnds() {
        const ui::TraceIndex index(tests::sampleTrace());
        QVERIFY(ui::captionAt(index, 0, 599'999, 1'000).contains(QStringLiteral("reduce-scatter of chunk 2")));
        QVERIFY(ui::captionAt(index, 0, 600'000, 1'000).contains(QStringLiteral("all-gather of chunk 3")));
        QVERIFY(!ui::captionAt(index, 0, 600'000, 1'000).contains(QStringLiteral("reduce-scatter")));
    }

    void atTheEndItIsDone() {
        const ui::TraceIndex index(tests::sampleTrace());
        QVERIFY(ui::captionAt(index, 0, 1'000'000, 1'000).contains(QStringLiteral("done")));
    }

    void momentsAreSortedAndEachThereOnce() {
        const ui::TraceIndex index(tests::sampleTrace());
        const auto& moments = index.moments();
        QVERIFY(!moments.empty());
        for (std::size_t i = 1; i < moments.size(); ++i)
            QVERIFY(moments[i] > moments[i - 1]);
    }

    void headlinesStandInTheOrderPeopleReadThem() {
        const auto headlines = ui::headlinesOf(tests::sampleRun()->run.result);
        QStringList titles;
        for (const ui::Headline& headline : headlines)
            titles << headline.title;
        QCOMPARE(titles,
                 (QStringList{"Total", "GEMM", "Reduce-scatter", "All-gather", "Overlapped", "Exposed", "Speed-up"}));
        QCOMPARE(headlines[0].quantity.text(), QStringLiteral("1.000\u00a0µs"));
        QCOMPARE(headlines[1].remark, QStringLiteral("60\u00a0% of the total"));
    }

    void aCollectiveAloneHasNoGemmToShow() {
        engine::RunResult result;
        result.last.time = {.total = {500},
                            .gemm = {},
                            .reduceScatter = {500},
                            .allGather = {},
                            .overlapped = {},
                            .exposedCommunication = {500}};
        const auto headlines = ui::headlinesOf(result);
        QCOMPARE(headlines[1].quantity.value, QStringLiteral("–"));
        QCOMPARE(headlines[6].quantity.value, QStringLiteral("–"));
    }
};

RINGSIDE_WINDOW_TEST(TestCaption)
#include "tst_caption.moc"
