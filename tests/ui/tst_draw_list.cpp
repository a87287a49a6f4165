#include "tests/test_program.h"
#include "ui/timeline/draw_list.h"

#include <QTest>

#include <cmath>
#include <random>
#include <set>

using engine::Span;
using ui::DrawItem;
using ui::TimelineGeometry;

namespace {

const auto noChunk = [](const Span&) { return engine::kNone; };
const auto ownChunk = [](const Span& span) { return span.second; };

std::vector<Span> randomSpans(std::mt19937_64& random, int count) {
    std::vector<Span> spans;
    std::int64_t at = static_cast<std::int64_t>(random() % 50);
    for (int i = 0; i < count; ++i) {
        const auto length = static_cast<std::int64_t>(random() % 4 == 0 ? random() % 400 : random() % 12);
        spans.push_back({.start = {at},
                         .end = {at + length},
                         .first = 0,
                         .second = static_cast<std::uint32_t>(i),
                         .bytes = 0,
                         .kind = {}});
        at += length + static_cast<std::int64_t>(random() % 3 == 0 ? random() % 200 : 0);
    }
    return spans;
}

// Returns the pixels of spans by definition, span by span: from the pixel with its start to the pixel with its end.
std::set<int> pixelsTouched(const std::vector<Span>& spans, const TimelineGeometry& geometry) {
    std::set<int> pixels;
    for (const Span& span : spans) {
        if (span.start.ps >= geometry.range.end || std::max(span.end.ps, span.start.ps + 1) <= geometry.range.start)
            continue;
        const double first = std::max(geometry.left, std::floor(geometry.xOf(span.start.ps)));
        const double last = std::max(first + 1, std::ceil(geometry.xOf(span.end.ps) - 1e-9));
        for (double x = first; x < std::min(last, geometry.left + geometry.width); ++x)
            pixels.insert(static_cast<int>(x));
    }
    return pixels;
}

std::set<int> pixelsCovered(const std::vector<DrawItem>& items) {
    std::set<int> pixels;
    for (const DrawItem& item : items) {
        for (double x = item.x; x < item.x + item.width; ++x)
            pixels.insert(static_cast<int>(x));
    }
    return pixels;
}

}  // namespace

class TestDrawList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mergingCoversEveryTouchedPixelAndNoOther() {
        std::mt19937_64 random(1676);  // seed of this property
        for (int round = 0; round < 300; ++round) {
            const std::vector<Span> spans = randomSpans(random, 200);
            const std::int64_t end = spans.back().end.ps + 1;
            const std::int64_t start = static_cast<std::int64_t>(random() % (end / 2 + 1));
            const std::int64_t length =
                1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end - start));
            const TimelineGeometry geometry{{start, start + length}, 10, 1 + static_cast<double>(random() % 300), 1};
            std::vector<DrawItem> items;
            ui::appendSpans(spans, geometry, {0, 10, ui::Role::dma}, noChunk, items);
            QCOMPARE(pixelsCovered(items), pixelsTouched(spans, geometry));
        }
    }

    void noPixelOfALaneHasTwoItems() {
        std::mt19937_64 random(2401);
        for (int round = 0; round < 100; ++round) {
            const std::vector<Span> spans = randomSpans(random, 2'000);
            const TimelineGeometry geometry{{0, spans.back().end.ps + 1}, 0, 120, 1};
            std::vector<DrawItem> items;
            ui::appendSpans(spans, geometry, {0, 10, ui::Role::link}, ownChunk, items);
            double covered = 0;
            for (const DrawItem& item : items) {
                QVERIFY(item.x >= covered);
                covered = item.x + item.width;
            }
            QVERIFY(items.size() <= 120);
        }
    }

    void aSpanWiderThanAPixelKeepsItsNumberAndANarrowOneAdmitsToBeingMerged() {
        // 10 ps a pixel: the first span is five pixels wide, the next three share one.
        const std::vector<Span> spans{
            {{0}, {50}, 1, 7, 0, {}}, {{51}, {53}, 2, 8, 0, {}}, {{54}, {55}, 3, 9, 0, {}}, {{56}, {58}, 4, 10, 0, {}}};
        std::vector<DrawItem> items;
        ui::appendSpans(spans, {{0, 100}, 0, 10, 1}, {0, 10, ui::Role::reduceScatter}, ownChunk, items);
        QCOMPARE(items.size(), std::size_t(2));
        QCOMPARE(items[0].chunk, 7u);
        QCOMPARE(items[0].merged, false);
        QCOMPARE(items[0].width, 5.0);
        QCOMPARE(items[1].merged, true);
        QCOMPARE(items[1].width, 1.0);
    }

    void anAreaIsAsHighAsTheBusyShareOfItsPixelsTime() {
        // Two channels, 100 ps for each pixel. In pixel 0 one channel is always busy: a half. In pixel 1 both are busy
        // for 50 ps: also a half.
        const std::vector<Span> first{{{0}, {150}, 0, 0, 0, {}}}, second{{{100}, {150}, 0, 0, 0, {}}};
        const TimelineGeometry geometry{{0, 400}, 0, 4, 1};
        const ui::DrawArea area =
            ui::areaOf({{nullptr, {first, second}, std::nullopt, ui::Role::gemm}}, 2,
                       ui::PixelColumns(geometry, 0, 400), {0, 100, ui::Role::gemm}, geometry.pixel);
        QCOMPARE(area.layers.front().tops, (std::vector<std::uint16_t>{50, 50, 0, 0}));
    }

    void stackedLayersShareTheBand() {
        // One channel, one pixel: compute for 60 of 100 ps, communication for the other 40.
        const std::vector<Span> channel{{{0}, {60}, 0, 0, 0, {}}, {{60}, {100}, 1, 0, 0, {}}};
        const TimelineGeometry geometry{{0, 100}, 0, 1, 1};
        const ui::DrawArea area = ui::areaOf({{nullptr, {channel}, engine::Stream::compute, ui::Role::gemm},
                                              {nullptr, {channel}, engine::Stream::communication, ui::Role::dma}},
                                             1, ui::PixelColumns(geometry, 0, 100), {20, 50, ui::Role::gemm}, 0.5);
        QCOMPARE(area.layers[0].tops.front(), 60);  // of 100 device pixels
        QCOMPARE(area.layers[1].tops.front(), 100);
    }

    void theGridDrawsWhatTheSpansThemselvesWouldAsLongAsAPixelHoldsABucket() {
        std::mt19937_64 random(4);
        const std::vector<Span> spans = randomSpans(random, 20'000);
        const std::int64_t end = spans.back().end.ps;
        data::BusyGrid grid(end, spans.size());
        for (const Span& span : spans)
            grid.add(span.start.ps, span.end.ps);
        grid.finish();
        const TimelineGeometry geometry{{0, end}, 0, 500, 1};
        const ui::PixelColumns columns(geometry, 0, end);
        QVERIFY(grid.bucket() <= end / 500);
        const auto draw = [&](const data::BusyGrid* with) {
            return ui::areaOf({{with, {spans}, std::nullopt, ui::Role::gemm}}, 1, columns, {0, 100, ui::Role::gemm}, 1)
                .layers.front()
                .tops;
        };
        const auto coarse = draw(&grid);
        const auto exact = draw(nullptr);
        double coarseSum = 0, exactSum = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            QVERIFY(std::abs(coarse[i] - exact[i]) <= 6);
            coarseSum += coarse[i];
            exactSum += exact[i];
        }
        QVERIFY2(std::abs(coarseSum - exactSum) < exactSum * 0.005, "what is busy is conserved over all pixels");
    }

    void aLineGoesThroughTheMeansAndKnowsTheExtremes() {
        const engine::CounterSeries series{engine::CounterKind::dmaQueue, 0, {{{0}, 4}, {{50}, 0}, {{200}, 2}}};
        const TimelineGeometry geometry{{0, 300}, 0, 3, 1};
        const ui::DrawLine line =
            ui::lineOf(series, 4, ui::PixelColumns(geometry, 0, 300), {0, 41, ui::Role::dma}, 1, std::nullopt);
        QCOMPARE(line.high, (std::vector<std::uint16_t>{40, 0, 20}));
        QCOMPARE(line.mean, (std::vector<std::uint16_t>{20, 0, 20}));  // 4 for half of the first pixel's time
        QCOMPARE(line.low, (std::vector<std::uint16_t>{0, 0, 0}));
    }

    void theMeanOfAStepFunctionWeighsByTime() {
        const engine::CounterSeries series{
            engine::CounterKind::runningWorkgroups, 0, {{{0}, 8}, {{100}, 4}, {{150}, 0}}};
        const auto mean = [&](std::int64_t start, std::int64_t end) {
            const TimelineGeometry geometry{{start, end}, 0, 1, 1};
            return ui::valuesOf(series, ui::PixelColumns(geometry, start, end)).mean.front();
        };
        QCOMPARE(mean(0, 100), 8.0);
        QCOMPARE(mean(50, 150), 6.0);   // 50 x 8 + 50 x 4 over 100
        QCOMPARE(mean(100, 200), 2.0);  // 50 x 4 over 100
        QCOMPARE(mean(120, 121), 4.0);
    }

    void wavesAlternateTheirTintAndFollowTheRunningWorkgroups() {
        const engine::CounterSeries running{engine::CounterKind::runningWorkgroups, 0, {{{0}, 8}, {{200}, 4}}};
        const std::vector<Span> waves{{{0}, {200}, 0, 8, 0, {}}, {{200}, {300}, 1, 4, 0, {}}};
        std::vector<DrawItem> items;
        ui::appendWaves(waves, &running, 8, {{0, 400}, 0, 4, 1}, {0, 80, ui::Role::gemm}, items);
        QCOMPARE(items.size(), std::size_t(2));
        QCOMPARE(items[0].width, 2.0);
        QCOMPARE(items[0].height, 80.0);
        QVERIFY(!items[0].shaded);
        QCOMPARE(items[1].width, 1.0);
        QCOMPARE(items[1].height, 40.0);
        QVERIFY(items[1].shaded);
    }
};

RINGSIDE_TEST(TestDrawList)
#include "tst_draw_list.moc"
