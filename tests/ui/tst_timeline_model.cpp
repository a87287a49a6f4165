#include "tests/ui/machine_run.h"
#include "tests/ui/sample_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/look/headlines.h"
#include "ui/look/run_words.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_margins.h"
#include "ui/timeline/timeline_model.h"

using ui::Role;
using ui::RowKind;

namespace {

QStringList legendTexts(const std::shared_ptr<const data::ShownRun>& run) {
    QStringList texts;
    for (const ui::TimelineLegendEntry& entry : ui::legendOf(ui::TimelineModel(run)))
        texts << entry.text;
    return texts;
}

}  // namespace

class TestTimelineModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void overlappingStepsAreAssignedToTracksWithoutOverlap() {
        const data::TraceIndex index(tests::sampleTrace());
        const auto& tracks = index.gpu(0).reduceScatter.tracks;
        QCOMPARE(tracks.size(), std::size_t(2));
        QCOMPARE(tracks[0].spans().size(), std::size_t(2));  // chunks 0 and 2
        QCOMPARE(tracks[1].spans().size(), std::size_t(1));  // chunk 1 begins before chunk 0 has ended
    }

    void aMirroredTraceShowsEveryGpuWithItsOwnChunks() {
        const ui::TimelineModel model(tests::sampleRun());
        QCOMPARE(model.gpus(), 4u);
        QCOMPARE(model.index()->chunkOn(0, 1), 1u);
        QCOMPARE(model.index()->chunkOn(3, 1), 0u);  // (1 + 3) mod 4
        const auto rows = model.rows({});
        std::set<std::uint32_t> gpus;
        for (const ui::Row& row : rows)
            gpus.insert(row.gpu);
        QCOMPARE(gpus.size(), std::size_t(4));
    }

    void onlyExpandedGpusShowEveryLane() {
        const ui::TimelineModel model(tests::sampleRun());
        int dram = 0;
        for (const ui::Row& row : model.rows({.expanded = {0, 2}}))
            dram += row.kind == RowKind::dram ? 1 : 0;
        QCOMPARE(dram, 2);
        for (const ui::Row& row : model.rows({.expanded = {}}))
            QVERIFY(row.compact);
    }

    void phasesFollowEachOtherAndAddUpToTheRun() {
        const ui::TimelineModel model(tests::sampleRun());
        const auto& phases = model.phases();
        QCOMPARE(phases.size(), std::size_t(3));
        QVERIFY(phases[0].role == Role::gemm && phases[0].end == 100'000);
        QVERIFY(phases[1].role == Role::overlapped && phases[1].end == 600'000);
        QVERIFY(phases[2].role == Role::exposed && phases[2].end == 1'000'000);
        for (std::size_t i = 1; i < phases.size(); ++i)
            QCOMPARE(phases[i].start, phases[i - 1].end);
    }

    // One GPU is slow. The headlines and the phases must show the same times, whichever GPU ends last.
    void whereGpusDifferPhasesAreThoseOfTheHeadlines() {
        const auto run = tests::simulated("mega-gpt-2/op/tp4", {"workload.sequence=512", "workload.batch=4",
                                                                "variation.gpu=1", "variation.clock_factor=0.5"});
        const engine::RunResult& result = run->run.result;
        QVERIFY(result.whole && result.whole->time.gemm > result.perGpu[0].time.gemm);
        const ui::TimelineModel model(run);
        std::int64_t gemmEnd = 0, alone = 0;
        for (const ui::Phase& phase : model.phases()) {
            if (phase.role == Role::gemm || phase.role == Role::overlapped)
                gemmEnd = phase.end;
            if (phase.role == Role::exposed)
                alone += phase.end - phase.start;
        }
        const auto headlines = ui::headlinesOf(result);
        QCOMPARE(static_cast<double>(gemmEnd - result.whole->gemmStart.ps), *headlines[1].number);
        QCOMPARE(static_cast<double>(gemmEnd + alone), *headlines[0].number);
    }

    void sequentialPhasesHaveNoOverlap() {
        for (const ui::Phase& phase : ui::phasesOf({0, 600}, {600, 900}, {900, 1'000}))
            QVERIFY(phase.role != Role::overlapped);
    }

    void aCollectiveBesideTheGemmHasNothingExposed() {
        const auto phases = ui::phasesOf({0, 1'000}, {0, 300}, {300, 700});
        QCOMPARE(phases.size(), std::size_t(3));
        QVERIFY(phases[0].role == Role::overlapped && phases[0].label.contains(QStringLiteral("reduce-scatter")));
        QVERIFY(phases[1].role == Role::overlapped && phases[1].label.contains(QStringLiteral("all-gather")));
        QVERIFY(phases[2].role == Role::gemm && phases[2].end == 1'000);
    }

    void markersStandInOrderAlsoWhenTheGemmEndsLast() {
        auto trace = std::make_shared<engine::Trace>(*tests::sampleTrace());
        trace->gemmEnd = {1'000'000};
        trace->allGatherEnd = {900'000};
        auto run = std::make_shared<data::ShownRun>(*tests::sampleRun());
        run->index.emplace(trace);
        const ui::TimelineModel model(run);
        QCOMPARE(model.markers().size(), std::size_t(3));
        QVERIFY(model.markers().back().role == Role::gemm);
        for (std::size_t i = 1; i < model.markers().size(); ++i)
            QVERIFY(model.markers()[i - 1].ps <= model.markers()[i].ps);
    }

    void whereGpusDifferAPhaseLastsUntilItsLastGpu() {
        // The all-gather of GPU 1 takes from 650k to 1.2M, that of GPU 0 from 600k to 1M.
        auto trace = std::make_shared<engine::Trace>(*tests::sampleTrace());
        trace->gpus = 2;
        trace->mirrored = false;
        trace->lanes.push_back({engine::LaneKind::allGather,
                                1,
                                0,
                                true,
                                {tests::span(engine::SpanKind::allGatherStep, 650'000, 1'200'000, 1, 2)}});
        trace->end = {1'200'000};
        auto run = std::make_shared<data::ShownRun>(*tests::sampleRun());
        run->index.emplace(trace);
        const ui::TimelineModel model(run);
        QCOMPARE(model.phases().back().start, 600'000);
        QCOMPARE(model.phases().back().end, 1'200'000);
        QCOMPARE(model.markers().back().ps, 1'200'000);
    }

    void aBoundIsDrawnFromTheFormulasParts() {
        const ui::TimelineModel model(tests::sampleBound());
        QVERIFY(model.isBound());
        QCOMPARE(model.rows({}).size(), std::size_t(3));
        QCOMPARE(model.boundSpan(RowKind::boundReduceScatter).end.ps, 500'000);
        QCOMPARE(model.boundSpan(RowKind::boundAllGather).start.ps, 600'000);
        QCOMPARE(model.boundSpan(RowKind::boundAllGather).end.ps, 1'000'000);
    }

    void aBoundOfAnAllToAllHasNoReduceScatterAndNoAllGather() {
        const auto run = tests::simulatedRun("t-nlg/fc-2/tp8", "ideal-overlap",
                                             {{"collective.operation", std::string("all-to-all")}});
        const ui::TimelineModel model(run);
        QVERIFY(model.isBound());
        const auto rows = model.rows({});
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[1].label, QStringLiteral("all-to-all"));
        QVERIFY(model.boundSpan(RowKind::boundReduceScatter).end.ps > 0);
        QCOMPARE(ui::boundFormula(run->run.experiment), QStringLiteral("max(GEMM, all-to-all)"));
        QCOMPARE(ui::boundFormula(tests::sampleBound()->run.experiment),
                 QStringLiteral("max(GEMM, reduce-scatter) + all-gather"));
    }

    void anAllGatherThatFeedsTheGemmIsHiddenInTheBound() {
        const auto run = tests::simulatedRun("t-nlg/fc-2/tp8", "ideal-overlap",
                                             {{"collective.operation", std::string("all-gather")}});
        const ui::TimelineModel model(run);
        QCOMPARE(model.boundSpan(RowKind::boundAllGather).start.ps, 0);
        QCOMPARE(ui::boundFormula(run->run.experiment), QStringLiteral("max(GEMM, all-gather)"));
    }

    void theLegendNamesWhatTheRunHasAndNothingElse() {
        const QStringList fused = legendTexts(tests::simulatedRun("t-nlg/fc-2/tp8"));
        QVERIFY(fused.contains(QStringLiteral("reduce-scatter, communication stream")));
        QVERIFY(fused.contains(QStringLiteral("tracker")) && fused.contains(QStringLiteral("DMA")));
        const QStringList alone = legendTexts(tests::simulatedRun("collective/all-gather/tp8", "sequential"));
        QCOMPARE(alone, QStringList({QStringLiteral("communication stream"), QStringLiteral("all-gather"),
                                     QStringLiteral("collective only"), QStringLiteral("link")}));
        QVERIFY(legendTexts(nullptr).isEmpty());
    }

    void rowsFillTheRoomAndNeverOverlap() {
        const ui::TimelineModel model(tests::sampleRun());
        const auto rows = model.rows({});
        const ui::RowLayout layout = ui::layoutRows(rows, 500, 16);
        QVERIFY(layout.height <= 501);
        QVERIFY(layout.height > 400);
        for (std::size_t i = 1; i < rows.size(); ++i)
            QVERIFY(layout.boxes[i].top > layout.boxes[i - 1].bottom());
        const ui::RowLayout squeezed = ui::layoutRows(rows, 50, 16);
        QVERIFY2(squeezed.height > 50, "too many rows scroll instead of vanishing");
    }

    void hoveringShowsKindChunkBytesAndTime() {
        const ui::TimelineModel model(tests::sampleRun());
        const ui::Row row{RowKind::reduceScatter, 1, false, false, {}, 1};
        const QString text = ui::describeMoment(model, row, 0, 200'000, 1'000);
        QVERIFY(text.contains(QStringLiteral("GPU 1")));
        QVERIFY(text.contains(QStringLiteral("chunk 1")));  // chunk 0 on GPU 0 is chunk 1 on GPU 1
        QVERIFY(text.contains(QStringLiteral("4.10\u00a0kB")));
        QVERIFY(text.contains(QStringLiteral("100.0\u00a0ns")));
        QVERIFY(ui::describeMoment(model, row, 0, 50'000, 1'000).isEmpty());
    }

    void theViewStateStaysInsideTheRun() {
        ui::ViewState view;
        view.setRunEnd(1'000'000);
        QVERIFY(view.showsAll());
        view.setRange({-500, 200'000});
        QCOMPARE(view.range().start, 0);
        view.setCursor(5'000'000);
        QCOMPARE(*view.cursor(), 1'000'000);
    }

    void aNewRunKeepsTheZoomAndAWholeViewStaysWhole() {
        ui::ViewState view;
        view.setRunEnd(1'000'000);
        view.setRunEnd(2'000'000);
        QVERIFY(view.showsAll());
        view.setRange({100'000, 300'000});
        view.setRunEnd(3'000'000);
        QCOMPARE(view.range(), (data::TimeRange{100'000, 300'000}));
    }
};

RINGSIDE_WINDOW_TEST(TestTimelineModel)
#include "tst_timeline_model.moc"
