#include "tests/ui/company_run.h"
#include "tests/ui/window_test.h"

#include "ui/editors/experiment_form.h"
#include "ui/inspector/area_statistics.h"
#include "ui/inspector/inspector_page.h"
#include "ui/look/company_words.h"
#include "ui/look/headlines.h"
#include "ui/look/kernel_style.h"
#include "ui/look/run_words.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/row_tracks.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_figure.h"
#include "ui/timeline/timeline_margins.h"

#include <cmath>
#include <set>

using engine::LaneKind;
using engine::SpanKind;
using ui::Role;
using ui::RowKind;

namespace {

data::SpanRef companySpan(const data::ShownRun& run, LaneKind kind, std::uint32_t index, std::uint32_t span = 0,
                          std::uint32_t gpu = 0) {
    const std::vector<engine::Lane>& lanes = run.index->trace().lanes;
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
        if (lanes[lane].kind == kind && lanes[lane].index == index)
            return {gpu, lane, span};
    }
    qFatal("the trace has no such lane");
    return {};
}

/// Returns the items of a row in 800 pixels, one for each thousand picoseconds.
ui::DrawList companyRow(const ui::TimelineModel& model, RowKind kind, std::uint32_t gpu = 0) {
    const ui::TimelineGeometry geometry{{0, 800'000}, 0, 800, 1};
    ui::DrawList list;
    ui::appendRow(model, {kind, gpu, false, false, {}}, {0, 100}, geometry, ui::PixelColumns(geometry, 0, model.end()),
                  list);
    return list;
}

std::optional<Role> phaseAt(const ui::TimelineModel& model, std::int64_t ps, bool* inCompany) {
    for (const ui::Phase& phase : model.phases()) {
        if (phase.start <= ps && ps < phase.end) {
            *inCompany = phase.inCompany;
            return phase.role;
        }
    }
    return std::nullopt;
}

}  // namespace

class TestCompany : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTwoKernelsHaveTheSameTextureInTheSameColour() {
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            const ui::Palette& colors = ui::paletteOf(theme);
            std::set<std::pair<QRgb, ui::Texture>> looks;
            for (int kernel = 0; kernel < data::kFirstCopy + 15; ++kernel) {
                const ui::Fill fill = ui::fillOf(static_cast<data::KernelNumber>(kernel), colors);
                looks.insert({fill.color.rgb(), fill.texture});
                QVERIFY(kernel == data::kGemmKernel || fill.texture != ui::Texture::plain);
                if (kernel >= data::kFirstCopy)
                    QVERIFY2(ui::contrast(fill.color, colors.surface) >= 3, qPrintable(fill.color.name()));
            }
            QCOMPARE(looks.size(), std::size_t(data::kFirstCopy + 15));
        }
    }

    void copiesThatFollowEachOtherDifferInColourAndInTexture() {
        const ui::Palette& colors = ui::paletteOf(ui::Theme::light);
        for (int copy = 1; copy < 15; ++copy) {
            const auto fillOfCopy = [&](int which) {
                return ui::fillOf(static_cast<data::KernelNumber>(data::kCollectiveKernel + which), colors);
            };
            QVERIFY(fillOfCopy(copy).color != fillOfCopy(copy + 1).color);
            QVERIFY(fillOfCopy(copy).texture != fillOfCopy(copy + 1).texture);
        }
    }

    void aSpanSaysWhoseItIs() {
        const auto copies = tests::besideCopies();
        const ui::TimelineModel model(copies);
        const data::Flow flow(copies);
        const auto own = companySpan(*copies, LaneKind::workgroupSlot, 0, 0);
        const auto second = companySpan(*copies, LaneKind::workgroupSlot, 0, 1);
        QCOMPARE(ui::spanName(flow, own), QStringLiteral("workgroup of tile 4"));
        QCOMPARE(ui::spanName(flow, second), QStringLiteral("workgroup of tile 5 of companion copy 2"));
        QVERIFY(ui::spanInWords(model, second).contains(QStringLiteral("workgroup of tile 5 of companion copy 2")));
        QCOMPARE(ui::spanName(flow, companySpan(*copies, LaneKind::companion, 1, 1)),
                 QStringLiteral("GEMM wave 2 of companion copy 2"));
    }

    void aCollectivesWorkgroupsStepsAndPacketsSayWhatTheyAre() {
        const auto run = tests::besideAllGather();
        const ui::TimelineModel model(run);
        const data::Flow flow(run);
        QCOMPARE(ui::spanName(flow, companySpan(*run, LaneKind::workgroupSlot, 1)),
                 QStringLiteral("workgroup 3 of the companion all-gather"));
        QCOMPARE(ui::spanTitle(flow, companySpan(*run, LaneKind::companion, 0)),
                 QStringLiteral("GPU 0: step 1 of companion all-gather, chunk 2"));
        QVERIFY(ui::spanName(flow, companySpan(*run, LaneKind::linkOut, 0, 1))
                    .startsWith(QStringLiteral("packet of companion all-gather")));
        const QString read = ui::spanInWords(model, companySpan(*run, LaneKind::dramChannel, 0, 1));
        QVERIFY2(read.contains(QStringLiteral("DRAM read of companion all-gather")), qPrintable(read));
    }

    void chunksOfAMirroredCompanionMoveWithTheGpu() {
        const auto run = tests::besideAllGather();
        const data::Flow flow(run);
        QCOMPARE(ui::chunkOf(flow, companySpan(*run, LaneKind::companion, 0, 0, 0)), 2u);
        QCOMPARE(ui::chunkOf(flow, companySpan(*run, LaneKind::companion, 0, 0, 3)), 1u);  // (2 + 3) mod 4
    }

    void theFactsOfASharedResourceNameTheKernel() {
        const auto run = tests::besideAllGather();
        const data::Flow flow(run);
        const auto kernelIn = [&](data::SpanRef ref) {
            for (const ui::Fact& fact : ui::factsOf(flow, ref).facts) {
                if (fact.name == QStringLiteral("Kernel"))
                    return fact.value;
            }
            return QString();
        };
        QCOMPARE(kernelIn(companySpan(*run, LaneKind::dramChannel, 0, 0)), QStringLiteral("own GEMM"));
        QCOMPARE(kernelIn(companySpan(*run, LaneKind::dramChannel, 0, 1)), QStringLiteral("companion all-gather"));
        QCOMPARE(kernelIn(companySpan(*run, LaneKind::linkOut, 0, 0)), QString());
    }

    void theLegendNamesTheKernels() {
        QStringList texts;
        for (const ui::TimelineLegendEntry& entry : ui::legendOf(ui::TimelineModel(tests::besideAllGather()))) {
            if (entry.kernel)
                texts << entry.text;
        }
        QCOMPARE(texts, (QStringList{QStringLiteral("own GEMM"), QStringLiteral("companion all-gather")}));
        for (const ui::TimelineLegendEntry& entry : ui::legendOf(ui::TimelineModel(tests::sampleRun())))
            QVERIFY(!entry.kernel);
    }

    void onlyARunWithACompanionHasItsRow() {
        const auto shows = [](const std::shared_ptr<const data::ShownRun>& run) {
            const std::vector<ui::Row> rows = ui::TimelineModel(run).rows({});
            return std::any_of(rows.begin(), rows.end(),
                               [](const ui::Row& row) { return row.kind == RowKind::companion; });
        };
        QVERIFY(shows(tests::besideAllGather()));
        QVERIFY(shows(tests::besideCopies()));
        QVERIFY(!shows(tests::sampleRun()));
    }

    void workgroupSlotsHaveTheFillOfTheirKernel() {
        const ui::DrawList list = companyRow(ui::TimelineModel(tests::besideCopies()), RowKind::slots);
        std::vector<int> kernels;
        for (const ui::DrawItem& item : list.items)
            kernels.push_back(item.kernel.value_or(99));
        QCOMPARE(kernels, (std::vector<int>{data::kGemmKernel, data::kFirstCopy + 1, data::kFirstCopy}));
    }

    void aRunWithoutACompanionIsDrawnByRolesOnly() {
        for (const RowKind kind : {RowKind::slots, RowKind::link, RowKind::dram, RowKind::dramChannel}) {
            const ui::DrawList list = companyRow(ui::TimelineModel(tests::sampleRun()), kind);
            for (const ui::DrawItem& item : list.items)
                QVERIFY(!item.kernel);
            for (const ui::DrawArea& area : list.areas) {
                for (const ui::DrawArea::Layer& layer : area.layers)
                    QVERIFY(!layer.kernel);
            }
        }
    }

    void eachCopyHasATrackOfWavesThatDoNotOverlap() {
        const ui::TimelineModel model(tests::besideCopies());
        const auto tracks = model.companion(0);
        QCOMPARE(tracks.size(), std::size_t(2));
        QCOMPARE(tracks[0].spans[0].end.ps, 200'000);  // cut where the next wave begins
        QCOMPARE(ui::tracksOf(model, {RowKind::companion, 0, false, false, {}}).size(), std::size_t(2));
    }

    void stepsOfTheOwnCollectiveKeepItsColour() {
        const ui::TimelineModel model(tests::besideAllGather());
        for (const RowKind kind : {RowKind::reduceScatter, RowKind::collective}) {
            const ui::DrawList list = companyRow(model, kind);
            QCOMPARE(list.items.size(), std::size_t(1));
            QVERIFY(!list.items[0].kernel && list.items[0].role == Role::reduceScatter);
        }
    }

    void companionPacketsAreNotOfTheFollowedChunk() {
        const ui::DrawList list = companyRow(ui::TimelineModel(tests::besideAllGather()), RowKind::link, 1);
        QCOMPARE(list.items.size(), std::size_t(2));
        QVERIFY(!list.items[0].kernel && list.items[1].kernel == data::kFirstCopy);
        QCOMPARE(list.items[1].chunk, 3u);  // chunk 2 of GPU 0 is GPU 1's chunk 3
        QVERIFY(ui::isAbout(list.items[0], 0) && !ui::isAbout(list.items[1], 3));
    }

    void theComputeRowShowsHowTheKernelsShareTheCus() {
        const ui::DrawList list = companyRow(ui::TimelineModel(tests::besideCopies()), RowKind::waves);
        QVERIFY(list.items.empty());
        const std::vector<ui::DrawArea::Layer>& layers = list.areas.at(0).layers;
        QCOMPARE(layers.size(), std::size_t(3));
        QCOMPARE(int(layers[0].tops[100]), 50);  // the own GEMM has one slot of two
        QCOMPARE(int(layers[1].tops[100]), 100);
        QCOMPARE(int(layers[0].tops[300]), 0);
        QCOMPARE(int(layers[2].tops[300]), 100);
        QVERIFY(!companyRow(ui::TimelineModel(tests::sampleRun()), RowKind::waves).items.empty());
    }

    void theDramRowIsLayeredByKernel() {
        const ui::DrawList list = companyRow(ui::TimelineModel(tests::besideAllGather()), RowKind::dram);
        QCOMPARE(list.areas.size(), std::size_t(1));
        const std::vector<ui::DrawArea::Layer>& layers = list.areas.front().layers;
        QCOMPARE(layers.size(), std::size_t(2));
        QVERIFY(layers[0].kernel == data::kGemmKernel && layers[1].kernel == data::kFirstCopy);
        QCOMPARE(int(layers[0].tops[200]), 100);  // all of the one channel
        QCOMPARE(int(layers[0].tops[450]), 0);
        QCOMPARE(int(layers[1].tops[450]), 100);
        QCOMPARE(int(layers[1].tops[600]), 0);
    }

    void phasesSayWhatRunsBesideTheCompanionAndWhatIsLeftOfIt() {
        const ui::TimelineModel model(tests::besideAllGather());
        bool beside = false, left = false, alone = true;
        QVERIFY(phaseAt(ui::TimelineModel(tests::besideAllGather(100'000)), 50'000, &alone) == Role::gemm && !alone);
        QVERIFY(phaseAt(model, 599'999, &beside) == Role::gemm && beside);
        QVERIFY(phaseAt(model, 600'000, &left) == Role::neutral && left);
        QCOMPARE(model.phases().back().end, 800'000);
        QCOMPARE(model.markers().back().label, QStringLiteral("companion ends"));
        for (const ui::Phase& phase : ui::phasesOf({0, 600}, {600, 900}, {900, 1'000}))
            QVERIFY(!phase.inCompany);
    }

    void slowdownsAreReported_data() {
        QTest::addColumn<double>("ratio");
        QTest::addColumn<QString>("text");
        QTest::newRow("much") << 1.403 << QStringLiteral("40\u00a0% slower");
        QTest::newRow("little") << 1.0131 << QStringLiteral("1.3\u00a0% slower");
        QTest::newRow("faster") << 0.97 << QStringLiteral("3.0\u00a0% faster");
        QTest::newRow("none") << 1.0004 << QStringLiteral("as fast as alone");
        QTest::newRow("below twice") << 1.994 << QStringLiteral("99\u00a0% slower");
        QTest::newRow("twice") << 2.0 << QStringLiteral("2.0\u00a0times as long as alone");
        QTest::newRow("far above") << 15.83 << QStringLiteral("15.8\u00a0times as long as alone");
    }
    void slowdownsAreReported() {
        QFETCH(double, ratio);
        QTEST(ui::slowdownText(ratio), "text");
    }

    void theSummarySaysWhatEachLost() {
        const auto run = tests::besideAllGather();
        const QString sentence = ui::companySentence(run->run.experiment, *run->run.result.companion);
        QCOMPARE(sentence,
                 QStringLiteral("GEMM 20\u00a0% slower, all-gather 45\u00a0% slower; speed-up 1.31 over running one "
                                "after the other, %1 of ideal")
                     .arg(ui::formatPercent(0.344)));
        // Waiting for a CU is no slow-down: of 800 us the all-gather, 552 us alone, waits for 248 us.
        engine::CompanionResult late = *run->run.result.companion;
        late.waits = late.time - late.alone.value();
        QVERIFY(ui::companySentence(run->run.experiment, late)
                    .startsWith(QStringLiteral("GEMM 20\u00a0% slower; all-gather waits %1 for a CU, then as fast as "
                                               "alone; speed-up 1.31 over running one after the other")
                                    .arg(ui::formatTime(late.waits->ps))));
        engine::CompanionResult unknown = *run->run.result.companion;
        unknown.alone.reset();
        QVERIFY(ui::companySentence(run->run.experiment, unknown).contains(QStringLiteral("ends at")));
    }

    void headlinesShowOwnWorkAndCompanionInsteadOfHidingAndCompareOnlyRunsWithACompanion() {
        const auto run = tests::besideAllGather();
        const std::vector<ui::Headline> company = ui::headlinesOf(run->run);
        const std::vector<ui::Headline> plain = ui::headlinesOf(tests::sampleRun()->run.result);
        QCOMPARE(company.size(), plain.size());
        QCOMPARE(company[4].title, QStringLiteral("Own work"));
        QCOMPARE(company[5].title, QStringLiteral("Companion"));
        QCOMPARE(company[5].remark, QStringLiteral("45\u00a0% slower"));
        QCOMPARE(*company[6].number, 1.3125);
        QVERIFY(company[6].remark.contains(QStringLiteral("of ideal")));
        // The speed-up of a run with a companion has another base, which also narrow places name.
        QCOMPARE(company[6].brief, QStringLiteral("over serial"));
        QCOMPARE(plain[6].brief, QStringLiteral("over seq."));
        for (const std::size_t i : {4, 5, 6})
            QCOMPARE(ui::differenceOf(company[i], plain[i]).text, QStringLiteral("not in both runs"));
        QVERIFY(ui::differenceOf(company[0], plain[0]).text != QStringLiteral("not in both runs"));
    }

    void sharesOfAnAreaAreReportedByKernel() {
        const auto run = tests::besideAllGather();
        const ui::AreaStatistics reported = ui::StatisticsIndex(run).of({{0, 800'000}, 0, 3});
        QCOMPARE(reported.kernels.size(), std::size_t(3));
        const auto isAbout = [](double share, double expected) { return std::abs(share - expected) < 0.002; };
        QVERIFY(isAbout(reported.kernels[data::kGemmKernel].workgroupSlots, 600.0 / 1600));
        QVERIFY(isAbout(reported.kernels[data::kFirstCopy].workgroupSlots, 0.5));
        QVERIFY(isAbout(reported.kernels[data::kGemmKernel].dram, 0.5));
        QVERIFY(isAbout(reported.kernels[data::kFirstCopy].dram, 0.125));
        QVERIFY(isAbout(reported.kernels[data::kFirstCopy].linkOut, 0.25));
        QCOMPARE(reported.kernels[data::kCollectiveKernel].dram, 0.0);
        QCOMPARE(reported.linkBytes(), 4 * 2 * 4096);
        // Workgroups of a collective kernel count as communication, in any slot.
        QCOMPARE(reported.overlap.compute, 4 * 600'000);
        QCOMPARE(reported.overlap.communication, 4 * 800'000);
        const ui::InspectorPage page =
            ui::pageOf(reported, {{0, 800'000}, 0, 3}, true, *run, ui::paletteOf(ui::Theme::dark), {16, 300});
        QVERIFY(page.html.contains(QStringLiteral("Side by side")));
        QVERIFY(page.html.contains(QStringLiteral("companion&nbsp;all-gather")));
        QVERIFY(ui::StatisticsIndex(tests::sampleRun()).of({{0, 800'000}, 0, 3}).kernels.empty());
    }

    void onPaperTheKernelsAreSeriesOfTheirOwn() {
        const auto figure = ui::timelineFigure(ui::TimelineModel(tests::besideAllGather()), {}, {0, 800'000});
        QVERIFY(figure);
        std::set<std::string> names;
        for (const data::FigurePanel& panel : figure->panels) {
            for (const auto& mark : panel.marks) {
                if (const auto* area = std::get_if<data::AreaMark>(&mark)) {
                    for (const data::FigureSeries& series : area->series)
                        names.insert(series.name);
                }
            }
        }
        QVERIFY(names.contains("own GEMM") && names.contains("companion all-gather"));
    }

    void theFormShowsWhatAnExperimentReads() {
        engine::Experiment experiment;
        const auto uses = [&](std::string_view path) {
            return engine::isRead(*engine::findParameter(path), experiment);
        };
        QVERIFY(uses("companion.operation") && uses("launch.kernel"));
        for (const char* path :
             {"companion.bytes", "companion.by", "companion.workgroups", "companion.window", "companion.issue",
              "companion.m", "companion.copies", "matrix.m", "dispatch.rule", "dispatch.reserved"})
            QVERIFY2(!uses(path), path);
        experiment.companion.operation = engine::CompanionOperation::allGather;
        QVERIFY(uses("companion.bytes") && uses("companion.workgroups") && uses("companion.window"));
        QVERIFY(uses("dispatch.rule") && !uses("dispatch.reserved"));
        QVERIFY(!uses("companion.issue") && !uses("companion.m") && !uses("companion.copies"));
        experiment.companion.by = engine::CollectiveCarrier::dma;
        QVERIFY(uses("companion.issue") && uses("companion.window") && !uses("companion.workgroups"));
        experiment.companion.operation = engine::CompanionOperation::gemm;
        QVERIFY(uses("companion.m") && uses("companion.slots") && uses("companion.copies"));
        QVERIFY(!uses("companion.bytes") && !uses("companion.by") && !uses("companion.issue"));
        experiment.dispatch.rule = engine::DispatchRule::reserved;
        QVERIFY(uses("dispatch.reserved"));
        QVERIFY(uses("collective.operation"));
        experiment.workload.sublayer = engine::SubLayer::gemm;
        QVERIFY(uses("matrix.k") && !uses("collective.operation"));
    }
};

RINGSIDE_WINDOW_TEST(TestCompany)
#include "tst_company.moc"
