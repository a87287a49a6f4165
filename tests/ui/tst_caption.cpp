#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "data/replay/run_log.h"
#include "ui/playback/caption_line.h"
#include "ui/playback/narration.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/headline_strip.h"

#include <QLabel>
#include <QRegularExpression>

#include <set>

namespace {

data::RunLog smallLog(engine::PolicyPreset policy, bool everyGpu) {
    engine::Experiment experiment = tests::smallExperiment(policy);
    if (everyGpu)
        experiment.detail.mode = engine::DetailMode::full;
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    return {engine::run(experiment, options).trace, experiment};
}

}  // namespace

namespace {

/// Returns a result of `total` with a GEMM of `gemm` nanoseconds. The GEMM alone takes 400, the sequential run 1,000.
engine::RunResult comparedWithSequential(std::int64_t total, std::int64_t gemm) {
    constexpr std::int64_t kNs = 1'000;
    engine::RunResult result;
    result.last.time = {.total = {total * kNs},
                        .gemm = {gemm * kNs},
                        .reduceScatter = {500 * kNs},
                        .allGather = {200 * kNs},
                        .overlapped = {450 * kNs},
                        .exposedCommunication = {(total - gemm) * kNs}};
    result.isolated = engine::IsolatedTimes{{400 * kNs}, {400 * kNs}, {380 * kNs}, {200 * kNs}};
    result.speedupOverSequential = 1'000.0 / static_cast<double>(total);
    return result;
}

}  // namespace

class TestCaption : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itDescribesWaveChunkLinkAndMemory() {
        // Both channels and the link are busy during the whole window of 10 ns around 320 ns.
        const data::TraceIndex index(tests::sampleTrace());
        QCOMPARE(
            ui::captionAt(index, 0, 320'000, 10'000),
            QStringLiteral(
                "GPU 0: wave 2 of 2 computing  ·  chunk 1 leaving by DMA  ·  link 100\u00a0%  ·  DRAM 100\u00a0%"));
    }

    void anotherGpuWorksOnItsOwnChunk() {
        const data::TraceIndex index(tests::sampleTrace());
        QVERIFY(ui::captionAt(index, 2, 320'000, 10'000)
                    .startsWith(QStringLiteral("GPU 2: wave 2 of 2 computing  ·  chunk 3 leaving")));
    }

    void theReduceScatterStopsBeingShownAtTheTimeItEnds() {
        const data::TraceIndex index(tests::sampleTrace());
        QVERIFY(ui::captionAt(index, 0, 599'999, 1'000).contains(QStringLiteral("reduce-scatter of chunk 2")));
        QVERIFY(ui::captionAt(index, 0, 600'000, 1'000).contains(QStringLiteral("all-gather of chunk 3")));
        QVERIFY(!ui::captionAt(index, 0, 600'000, 1'000).contains(QStringLiteral("reduce-scatter")));
    }

    void atTheEndItIsDone() {
        const data::TraceIndex index(tests::sampleTrace());
        QVERIFY(ui::captionAt(index, 0, 1'000'000, 1'000).contains(QStringLiteral("done")));
    }

    void theLogDescribesWhatHasJustHappened() {
        const data::RunLog log = smallLog(engine::PolicyPreset::t3, false);
        // After a trigger the caption describes the command before the last events of tracker and GEMM.
        const data::Position trigger = *log.next(log.beginning(), data::StepKind::trigger);
        const QStringList parts = ui::narrate(log, 0, trigger.ps, trigger.events, log.end().ps);
        QCOMPARE(parts.front(), QStringLiteral("GPU 0: DMA block 0 triggered"));
        const QString all = parts.join(QLatin1Char('|'));
        QVERIFY2(all.contains(QRegularExpression(QStringLiteral("tracker set \\d+ reached ([\\d\u00a0]+) of \\1 B"))),
                 qPrintable(all));
        QCOMPARE(parts.size(), 3);
    }

    void transfersGoToTheGpuBefore() {
        const data::RunLog log = smallLog(engine::PolicyPreset::t3, false);
        const data::Position trigger = *log.next(log.beginning(), data::StepKind::trigger);
        const std::int64_t taken = trigger.ps + 100'000;  // after the start-up of a command
        QVERIFY(ui::narrate(log, 0, taken, std::nullopt, 1'000).join(QLatin1Char('|')).contains("goes to GPU 3"));
        QVERIFY(ui::narrate(log, 2, taken, std::nullopt, 1'000).join(QLatin1Char('|')).contains("goes to GPU 1"));
    }

    void aStepIsReportedOfTheGpuThatItHappensOn() {
        const data::RunLog log = smallLog(engine::PolicyPreset::t3, true);
        std::set<QString> gpus;
        data::Position at = log.beginning();
        for (int step = 0; step < 200; ++step) {
            at = *log.next(at, data::StepKind::event);
            gpus.insert(ui::narrate(log, 0, at.ps, at.events, 1'000).front().left(6));
        }
        QCOMPARE(gpus.size(), std::size_t{4});
    }

    void everyEventHasWordsThatFitOneLine() {
        for (const auto policy :
             {engine::PolicyPreset::t3Mca, engine::PolicyPreset::sequential, engine::PolicyPreset::cuSplit}) {
            const data::RunLog log = smallLog(policy, false);
            std::optional<data::Position> at = log.beginning();
            while ((at = log.next(*at, data::StepKind::event))) {
                const QStringList parts = ui::narrate(log, 3, at->ps, at->events, log.end().ps / 200);
                QVERIFY(!parts.isEmpty() && parts.size() <= 4);
                QVERIFY2(!parts.join(QString()).contains(QLatin1Char('%')), qPrintable(parts.join(QString())));
                QVERIFY2(parts.join(QStringLiteral(" · ")).size() < 170, qPrintable(parts.join(QString())));
            }
        }
    }

    void aChunkThatIsCompleteIsReportedInsteadOfItsLastGranule() {
        const data::RunLog log = smallLog(engine::PolicyPreset::t3, false);
        QStringList reported;
        std::optional<data::Position> at = log.beginning();
        while ((at = log.next(*at, data::StepKind::chunk)))
            reported << ui::narrate(log, 1, at->ps, at->events, 0).value(0);
        // GPU 1 stores its chunk 1 directly to the neighbour, completes 2, 3 and 0, and gathers 1, 2 and 3.
        QCOMPARE(reported.first(5), (QStringList{QStringLiteral("GPU 1: chunk 1 has left for GPU 0"),
                                                 QStringLiteral("GPU 1: chunk 2 has all its contributions"),
                                                 QStringLiteral("GPU 1: chunk 3 has all its contributions"),
                                                 QStringLiteral("GPU 1: chunk 0 is whole and final"),
                                                 QStringLiteral("GPU 1: chunk 1 is whole and final")}));
    }

    void nothingIsReportedOfLongAgo() {
        const data::RunLog log = smallLog(engine::PolicyPreset::t3, false);
        data::Position early = log.beginning(), late = *log.next(early, data::StepKind::event);
        while (late.ps - early.ps < 10'000) {
            early = late;
            late = *log.next(early, data::StepKind::event);
        }
        QVERIFY(ui::narrate(log, 0, late.ps - 1, std::nullopt, 1'000).isEmpty());
    }

    void whatIsSaidOfOldSettingsCutsNoWordOfTheCaption() {
        ui::ViewState state;
        ui::CaptionLine line(state);
        line.resize(450, 40);
        line.show();
        QVERIFY(QTest::qWaitForWindowExposed(&line));
        line.showRun(tests::sampleRun());
        const auto* words = line.findChild<QLabel*>();
        const QString whole = line.parts().front();
        QCOMPARE(line.text(), whole);
        line.showStale(QStringLiteral("Cannot run: correct the bandwidth of every direction"));
        QVERIFY(line.text() != whole && line.text().endsWith(QChar(0x2026)));
        for (const QString& row : words->text().split(u'\n'))
            QVERIFY(words->fontMetrics().horizontalAdvance(row) <= words->width());
        line.showStale({});
        QCOMPARE(line.text(), whole);
    }

    void aSentenceThatIsTooLongForOneLineHasTwoWhereTheRoomIsNarrow() {
        ui::ViewState state;
        ui::CaptionLine line(state);
        line.resize(1'400, 40);
        line.show();
        line.showStop(QStringLiteral("nothing"));
        line.showRun(tests::sampleRun());
        const auto* words = line.findChild<QLabel*>();
        const QString whole = line.parts().front();
        const int height = line.height();
        QCOMPARE(words->text(), whole);
        const double large = words->font().pointSizeF();
        line.resize(QFontMetrics(line.font()).horizontalAdvance(whole) * 3 / 4, 40);
        QApplication::processEvents();
        QCOMPARE(words->text().count(u'\n'), 1);
        QCOMPARE(line.text(), whole);
        QVERIFY(words->font().pointSizeF() < large);
        QVERIFY(words->fontMetrics().height() * 2 <= words->height());
        QCOMPARE(line.height(), height);  // so the picture below keeps its place
    }

    void headlinesStandInTheOrderPeopleReadThem() {
        const auto headlines = ui::headlinesOf(tests::sampleRun()->run.result);
        QStringList titles;
        for (const ui::Headline& headline : headlines)
            titles << headline.title;
        QCOMPARE(titles,
                 (QStringList{"Total", "GEMM", "Reduce-scatter", "All-gather", "Hidden", "Exposed", "Speed-up"}));
        QCOMPARE(headlines[0].quantity.text(), QStringLiteral("1.000\u00a0µs"));
        QCOMPARE(headlines[1].remark, QStringLiteral("60\u00a0% of the total"));
    }

    void hiddenAndExposedAreReportedOfTheSequentialRunsCommunication() {
        const auto headlines = ui::headlinesOf(comparedWithSequential(700, 500));
        QCOMPARE(headlines[1].remark, QStringLiteral("1.25\u00a0× alone"));
        QCOMPARE(headlines[4].shownTitle(), QStringLiteral("Hidden"));
        QCOMPARE(headlines[4].quantity.text(), QStringLiteral("300.0\u00a0ns"));
        QCOMPARE(headlines[4].remark, QStringLiteral("50\u00a0% of communication"));
        QCOMPARE(headlines[5].quantity.text(), QStringLiteral("300.0\u00a0ns"));
        QCOMPARE(headlines[5].remark, QStringLiteral("50\u00a0% of communication"));
        // The overlap of GEMM and collective is larger than the hidden communication, and is not a headline.
        for (const ui::Headline& headline : headlines)
            QVERIFY(!headline.quantity.text().startsWith(QStringLiteral("450")));
    }

    void aRunThatIsSlowerThanSequentialHasLost() {
        const auto slower = ui::headlinesOf(comparedWithSequential(1'100, 900));
        QCOMPARE(slower[4].shownTitle(), QStringLiteral("Lost"));
        QCOMPARE(slower[4].quantity.text(), QStringLiteral("100.0\u00a0ns"));
        QCOMPARE(slower[4].remark, QStringLiteral("slower than sequential"));
        QCOMPARE(ui::headlinesOf(comparedWithSequential(1'000, 900))[4].shownTitle(), QStringLiteral("Hidden"));
        // More lost communication is worse, and its arrow points up. More hidden communication is better.
        const auto faster = ui::headlinesOf(comparedWithSequential(700, 500));
        const ui::Difference worse = ui::differenceOf(slower[4], faster[4]);
        QVERIFY(worse.verdict == ui::Difference::Verdict::worse && worse.text.startsWith(QStringLiteral("▲")));
        const ui::Difference better = ui::differenceOf(faster[4], slower[4]);
        QVERIFY(better.verdict == ui::Difference::Verdict::better && better.text.startsWith(QStringLiteral("▲")));
    }

    void whereGpusDifferHeadlinesAreTheRuns() {
        engine::RunResult result = comparedWithSequential(700, 500);
        QCOMPARE(ui::headlinesOf(result)[0].remark, QStringLiteral("one sub-layer, one GPU"));
        result.whole = engine::WholeRun{result.last.time, {}, {}, {}};
        result.whole->time.gemm = {600'000};
        const auto headlines = ui::headlinesOf(result);
        QCOMPARE(headlines[0].remark, QStringLiteral("until the last GPU ends"));
        QCOMPARE(headlines[1].quantity.text(), QStringLiteral("600.0\u00a0ns"));
        QCOMPARE(headlines[1].remark, QStringLiteral("1.50\u00a0× alone"));
    }

    void theTipOfTheTotalNamesTheLowerBound() {
        const auto headlines = ui::headlinesOf(tests::sampleRun()->run);
        QVERIFY(headlines.front().tip.contains(QStringLiteral("no policy takes less than")));
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
