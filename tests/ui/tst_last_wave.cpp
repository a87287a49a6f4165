#include "tests/ui/company_run.h"
#include "tests/ui/sample_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_meaning.h"
#include "data/replay/last_wave.h"
#include "engine/api/gemm.h"
#include "ui/inspector/inspector_page.h"
#include "ui/look/kernel_style.h"
#include "ui/look/run_words.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/row_labels.h"
#include "ui/timeline/row_tracks.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_figure.h"
#include "ui/timeline/timeline_margins.h"
#include "ui/timeline/timeline_view.h"

#include <QFontMetricsF>

#include <algorithm>
#include <set>

using data::LastWave;
using engine::LaneKind;
using engine::SpanKind;
using ui::RowKind;

namespace {

/// Returns a run of a GEMM of tiles of 256 x 128 on four slots.
std::shared_ptr<const data::ShownRun> gemmOnFourSlots(const std::string& size, const std::string& setting = "tp=2") {
    return tests::simulated("gemm/" + size, {"cu.count=4", "cu.residency=slots", "cu.slots=1", setting});
}

/// Returns a run of ten tiles in three waves. Two slots stay empty in the last wave.
std::shared_ptr<const data::ShownRun> tenTiles() { return gemmOnFourSlots("512x640x512"); }

/// Returns a run made by hand with three slots and waves of three workgroups and of one. The third slot computes its
/// first workgroup until 700k, while the last wave begins at 500k and ends at 900k.
std::shared_ptr<const data::ShownRun> lateWorkgroup() {
    auto run = std::make_shared<data::ShownRun>();
    run->run.experiment.workload.sublayer = engine::SubLayer::gemm;
    run->run.experiment.matrix = {256, 512, 64};
    run->run.experiment.cu.count = 3;
    run->run.experiment.cu.residency = engine::Residency::slots;
    run->run.experiment.cu.slots = 1;
    auto trace = std::make_shared<engine::Trace>();
    trace->end = trace->gemmEnd = {900'000};
    const auto workgroup = [](std::int64_t start, std::int64_t end, std::uint32_t place) {
        return tests::span(SpanKind::workgroup, start, end, place, place);
    };
    trace->lanes = {
        {LaneKind::gemmWaves,
         0,
         0,
         false,
         {tests::span(SpanKind::gemmWave, 0, 700'000, 0, 3), tests::span(SpanKind::gemmWave, 500'000, 900'000, 1, 1)}},
        {LaneKind::workgroupSlot, 0, 0, true, {workgroup(0, 500'000, 0), workgroup(500'000, 900'000, 3)}},
        {LaneKind::workgroupSlot, 0, 1, true, {workgroup(0, 550'000, 1)}},
        {LaneKind::workgroupSlot, 0, 2, true, {workgroup(0, 700'000, 2)}}};
    run->run.result.last.time = {.total = {900'000}, .gemm = {900'000}};
    run->run.result.trace = trace;
    run->index.emplace(trace);
    return run;
}

std::int64_t emptySlotsOf(const std::shared_ptr<const data::ShownRun>& run) {
    return static_cast<std::int64_t>(data::lastWaveOf(*run, 0).empty.size());
}

ui::TimelineGeometry wholeRun(const ui::TimelineModel& model, double width = 1000) {
    return {{0, model.end()}, 0, width, 1};
}

ui::DrawList drawnRow(const ui::TimelineModel& model, RowKind kind, const ui::RowBox& box) {
    const ui::TimelineGeometry geometry = wholeRun(model);
    ui::DrawList list;
    ui::appendRow(model, {kind, 0, true, false, {}, 1}, box, geometry, ui::PixelColumns(geometry, 0, model.end()),
                  list);
    return list;
}

data::SpanRef waveOf(const ui::TimelineModel& model, std::uint32_t number) { return {0, model.waves(0).lane, number}; }

QStringList gapLabels(const ui::TimelineModel& model, double height) {
    const ui::RowBox box{0, height};
    ui::DrawList list = drawnRow(model, RowKind::waves, box);
    ui::appendRowLabels(model, {RowKind::waves, 0, true, false, {}, 1}, box, wholeRun(model),
                        QFontMetricsF(QApplication::font()), {}, list);
    QStringList texts;
    for (const ui::DrawLabel& label : list.labels)
        texts << label.text;
    return texts;
}

}  // namespace

class TestLastWave : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asManySlotsStayEmptyAsTheWaveCountLeaves_data() {
        QTest::addColumn<QString>("size");
        QTest::addColumn<qint64>("empty");
        QTest::newRow("one full wave") << QStringLiteral("512x256x512") << qint64(0);
        QTest::newRow("a column of tiles more") << QStringLiteral("512x257x512") << qint64(2);
        QTest::newRow("one tile more") << QStringLiteral("1280x128x512") << qint64(3);
        QTest::newRow("two full waves") << QStringLiteral("512x512x512") << qint64(0);
        QTest::newRow("ten tiles") << QStringLiteral("512x640x512") << qint64(2);
        QTest::newRow("fewer tiles than slots") << QStringLiteral("256x384x512") << qint64(1);
        QTest::newRow("a batch of five") << QStringLiteral("5x256x128x512") << qint64(3);
    }
    void asManySlotsStayEmptyAsTheWaveCountLeaves() {
        QFETCH(QString, size);
        QFETCH(qint64, empty);
        const auto run = gemmOnFourSlots(size.toStdString());
        const engine::WaveCount count = engine::waveCountOf(run->run.experiment);
        QCOMPARE(count.slots - count.lastWave(), empty);
        QCOMPARE(emptySlotsOf(run), empty);
        QCOMPARE(data::lastWaveOf(*run, 0).slots, count.slots);
    }

    void subLayersOfModelsHaveALastWaveToo() {
        const auto run = tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"});
        const engine::WaveCount count = engine::waveCountOf(run->run.experiment);
        QVERIFY(count.lastWave() < count.slots);
        QCOMPARE(emptySlotsOf(run), count.slots - count.lastWave());
    }

    void aTileThatTheRunChoseHasSlotsOfItsOwn() {
        // The registers have room for few workgroups of the requested tile and for many of the chosen tile.
        const auto run =
            tests::simulated("gemm/384x384x256", {"tp=2", "cu.count=4", "cu.residency=registers", "tiles.choice=best"});
        const engine::GemmResult& gemm = *run->run.result.gemm;
        QVERIFY(gemm.slots > engine::waveCountOf(run->run.experiment).slots);
        QCOMPARE(data::lastWaveOf(*run, 0).slots, gemm.slots);
        QCOMPARE(emptySlotsOf(run), gemm.waves * gemm.slots - gemm.tiles);
    }

    void cusOfACollectiveAreNoEmptySlots() {
        const auto run = tests::simulated("t-nlg/fc-2/tp8", {"policy=cu-split"});
        const LastWave last = data::lastWaveOf(*run, 0);
        QVERIFY(last.slots > 0 && last.slots < run->run.experiment.cu.count * 2);
        for (const data::EmptySlot& slot : last.empty)
            QVERIFY(slot.slot < last.slots);
    }

    void noSlotIsReportedEmptyInCompanyOrWithoutAGemm() {
        QCOMPARE(data::lastWaveOf(*tests::besideAllGather(), 0).slots, std::int64_t{0});
        QCOMPARE(data::lastWaveOf(*tests::simulated("collective/all-gather/tp4", {"workload.bytes=1 MiB"}), 0).slots,
                 std::int64_t{0});
        QCOMPARE(data::lastWaveOf(*tests::sampleRun(), 0).slots, std::int64_t{0});  // records no slots
    }

    void aSlotWhoseWorkgroupStillComputesIsNotEmptyYet() {
        const LastWave last = data::lastWaveOf(*lateWorkgroup(), 0);
        QCOMPARE(last.time, (data::TimeRange{500'000, 900'000}));
        QCOMPARE(last.empty, (std::vector<data::EmptySlot>{{1, 550'000}, {2, 700'000}}));
        QCOMPARE(last.emptyAt(549'999), 0);
        QCOMPARE(last.emptyAt(550'000), 1);
        QCOMPARE(last.emptyAt(700'000), 2);
        QCOMPARE(last.emptyAt(900'000), 0);
    }

    void aSlotThatNeverHasAWorkgroupIsEmptyFromTheBeginning() {
        const auto run = gemmOnFourSlots("256x384x512");
        const LastWave last = data::lastWaveOf(*run, 0);
        QCOMPARE(last.empty, (std::vector<data::EmptySlot>{{3, last.time.start}}));
        const ui::TimelineModel model(run);
        QCOMPARE(model.slots(0), std::size_t{4});
        const auto tracks = ui::tracksOf(model, {RowKind::slots, 0, true, false, {}, 1});
        QCOMPARE(tracks.size(), std::size_t{3});
        QCOMPARE(tracks.back().bottom, 0.75);
        // The running workgroups are drawn as a share of all slots.
        const ui::DrawList waves = drawnRow(model, RowKind::waves, {0, 100});
        for (const ui::DrawItem& item : waves.items)
            QVERIFY(item.height <= 75);
    }

    void theLaneOfSlotsHatchesEachEmptySlotAtItsPlace() {
        const ui::TimelineModel model(lateWorkgroup());
        const ui::DrawList list = drawnRow(model, RowKind::slots, {0, 90});
        QCOMPARE(list.gaps.size(), std::size_t{2});
        QCOMPARE(list.gaps[0].box(), QRectF(611, 30, 389, 29));  // from 550k of 900k on
        QCOMPARE(list.gaps[1].box(), QRectF(777, 60, 223, 29));  // from 700k on
        for (const ui::DrawItem& item : list.items)
            for (const ui::DrawGap& gap : list.gaps)
                QVERIFY(QRectF(item.x, item.y, item.width - 1, item.height).intersected(gap.box()).isEmpty());
    }

    void theLaneOfComputeHatchesTheShareThatIsEmptyAboveWhatRuns() {
        const ui::TimelineModel model(tenTiles());
        const ui::DrawList list = drawnRow(model, RowKind::waves, {10, 100});
        QVERIFY(!list.gaps.empty());
        const data::TimeRange time = model.lastWave(0).time;
        for (const ui::DrawGap& gap : list.gaps) {
            QCOMPARE(gap.y, 10.0);
            QVERIFY(gap.height <= 50);
            QVERIFY(gap.x >= wholeRun(model).columnOf(time.start) && gap.x + gap.width <= 1001);
            for (const ui::DrawItem& item : list.items) {
                if (item.x < gap.x + gap.width && item.x + item.width > gap.x)
                    QVERIFY(gap.y + gap.height <= item.y);
            }
        }
        QVERIFY(std::any_of(list.gaps.begin(), list.gaps.end(), [](const auto& gap) { return gap.height == 50; }));
        QVERIFY(drawnRow(ui::TimelineModel(gemmOnFourSlots("512x512x512")), RowKind::waves, {10, 100}).gaps.empty());
    }

    void theHatchingIsTexturedInBothThemes() {
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            const ui::Fill fill = ui::emptySlotFill(ui::paletteOf(theme));
            QVERIFY(fill.texture != ui::Texture::plain);
            QVERIFY(ui::contrast(fill.ink, fill.color) >= 3);
        }
    }

    void wavesAreNamedInFullWhereThereIsRoomAndByNumberWhereThereIsNot() {
        const ui::TimelineModel model(tenTiles());
        const QStringList wide = gapLabels(model, 100);
        QVERIFY(wide.contains(QStringLiteral("wave 2 of 3: 4 workgroups")));
        QVERIFY(wide.contains(QStringLiteral("2 of 4 slots stay empty in the last wave")));
        const ui::TimelineModel many(gemmOnFourSlots("2048x2048x64"));
        const QStringList narrow = gapLabels(many, 100);
        QVERIFY(!narrow.contains(QStringLiteral("wave 2 of 32: 4 workgroups")));
        QVERIFY(narrow.contains(QStringLiteral("2")));
    }

    void theHatchingNamesALastWaveOfFewWorkgroups() {
        const auto run = tests::simulated("gemm/2304x1664x512", {"cu.count=108", "cu.residency=slots", "cu.slots=1"});
        const QStringList texts = gapLabels(ui::TimelineModel(run), 100);
        QVERIFY(texts.contains(QStringLiteral("wave 1 of 2: 108 workgroups")));
        const QStringList named = texts.filter(QStringLiteral("wave 2 of 2: 9 workgroups, 99 of 108"));
        QCOMPARE(named.size(), 1);
    }

    void aLowLaneHasNoCaptionOnItsHatching() {
        for (const QString& text : gapLabels(ui::TimelineModel(tenTiles()), 16))
            QVERIFY(!text.contains(QStringLiteral("empty")));
    }

    void theLegendExplainsTheHatchingAndOnlyWhereThereIsOne() {
        const auto hatched = [](const std::shared_ptr<const data::ShownRun>& run) {
            QStringList texts;
            for (const ui::TimelineLegendEntry& entry : ui::legendOf(ui::TimelineModel(run)))
                if (entry.isGap)
                    texts << entry.text;
            return texts;
        };
        QCOMPARE(hatched(tenTiles()), QStringList{QStringLiteral("2 of 4 slots stay empty in the last wave")});
        QCOMPARE(hatched(gemmOnFourSlots("256x384x512")),
                 QStringList{QStringLiteral("1 of 4 slots stays empty in the last wave")});
        QVERIFY(hatched(gemmOnFourSlots("512x512x512")).isEmpty());
    }

    void hoveringShowsWhatTheLastWaveLeavesEmpty() {
        const ui::TimelineModel model(lateWorkgroup());
        const ui::Row slots{RowKind::slots, 0, true, false, {}, 1}, waves{RowKind::waves, 0, true, false, {}, 1};
        const QString empty = ui::describeMoment(model, slots, 0.5, 600'000, 1'000);
        QVERIFY(empty.contains(QStringLiteral("slot 1, empty")));
        QVERIFY(empty.contains(QStringLiteral("2 of 3 slots stay empty in the last wave")));
        QVERIFY(!ui::describeMoment(model, slots, 0.9, 600'000, 1'000).contains(QStringLiteral(", empty")));
        QVERIFY(ui::describeMoment(model, waves, 0.5, 800'000, 1'000)
                    .contains(QStringLiteral("2 of 3 slots stay empty in the last wave")));
        QVERIFY(!ui::describeMoment(model, waves, 0.5, 100'000, 1'000).contains(QStringLiteral("empty")));
    }

    void theInspectorNamesAWaveAndCountsTheEmptySlotsOfTheLast() {
        const auto run = tenTiles();
        const data::Flow flow(run);
        const ui::TimelineModel model(run);
        const auto emptyFact = [](const ui::SpanFacts& facts) {
            const auto found = std::find_if(facts.facts.begin(), facts.facts.end(),
                                            [](const auto& fact) { return fact.name == QLatin1String("Empty slots"); });
            return found == facts.facts.end() ? QString() : found->value;
        };
        const ui::SpanFacts second = ui::factsOf(flow, waveOf(model, 1)), last = ui::factsOf(flow, waveOf(model, 2));
        QCOMPARE(second.title, QStringLiteral("Wave 2 of 3: 4 workgroups"));
        QVERIFY(emptyFact(second).isEmpty());
        QCOMPARE(emptyFact(last), QStringLiteral("2 of 4"));
    }

    void wavesAreSelectedByKeysAndAnnounced() {
        ui::ViewState state;
        ui::TimelineView view(state);
        ui::TimelineModel model(tenTiles());
        const data::SpanRef first = waveOf(model, 0), last = waveOf(model, 2);
        state.setRunEnd(model.end());
        view.resize(1200, 700);
        view.show();
        view.showModel(std::move(model));
        state.selectSpan(first);
        QVERIFY(view.accessibleDescription().contains(QStringLiteral("GPU 0, wave 1 of 3: 4 workgroups, ")));
        QTest::keyClick(&view, Qt::Key_Period);
        QTest::keyClick(&view, Qt::Key_Period);
        QCOMPARE(state.selectedSpan(), std::optional(last));
        QVERIFY(view.accessibleDescription().contains(
            QStringLiteral("wave 3 of 3: 2 workgroups, 2 of 4 slots stay empty in the last wave, ")));
    }

    void aFigureNamesTheWavesAndHatchesWhatIsEmpty() {
        const ui::TimelineModel model(tenTiles());
        const data::FigureSpec figure = *ui::timelineFigure(model, {}, {0, model.end()});
        const auto& lanes = std::get<data::TimelineMark>(figure.panels.front().marks.front());
        std::set<std::string> texts;
        const data::TimelineMark::Span* hatched = nullptr;
        for (const data::TimelineMark::Span& span : lanes.spans) {
            texts.insert(span.text);
            hatched = span.meaning == "empty-slots" ? &span : hatched;
        }
        QVERIFY(texts.contains("wave 2"));  // shortened, because a column is too narrow for the full text
        QVERIFY(hatched != nullptr);
        QVERIFY(data::isMeaning(hatched->meaning));
        QCOMPARE(hatched->text, std::string("2 of 4 empty"));
        QCOMPARE(lanes.lanes[hatched->lane].label, std::string("empty slots"));
        for (const std::string& text : {figure.alternative, figure.caption})
            QVERIFY(QString::fromStdString(text).contains(QStringLiteral("2 of 4 slots stay empty in the last wave.")));
        const data::FigureSpec second =
            *ui::timelineFigure(model, {}, {model.waves(0).spans[1].start.ps, model.waves(0).spans[1].end.ps});
        const auto& alone = std::get<data::TimelineMark>(second.panels.front().marks.front());
        QCOMPARE(alone.spans.front().text, std::string("wave 2 of 3: 4 workgroups"));
        // Before the last wave no slot is empty.
        const data::FigureSpec before = *ui::timelineFigure(model, {}, {0, model.lastWave(0).time.start});
        QVERIFY(!QString::fromStdString(before.alternative).contains(QStringLiteral("empty")));
    }
};

RINGSIDE_WINDOW_TEST(TestLastWave)
#include "tst_last_wave.moc"
