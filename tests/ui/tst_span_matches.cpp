#include "data/replay/span_matches.h"
#include "tests/test_program.h"
#include "ui/find/span_query_text.h"

#include "sample_run.h"
#include "sample_trace.h"

#include "ui/look/run_words.h"

#include <QTest>

#include <set>

using data::Flow;
using data::SpanMatches;
using data::SpanRef;
using engine::SpanKind;
using ui::readSpanQuery;

namespace {

constexpr auto kMatchedCase = "t-nlg/fc-2/tp4";

data::SpanMatches matchesOf(const std::shared_ptr<const data::Flow>& flow, const char* words) {
    return data::SpanMatches(flow, *readSpanQuery(QString::fromLatin1(words)).query);
}

std::shared_ptr<const data::Flow> flowOf(std::initializer_list<std::string> settings) {
    return std::make_shared<const data::Flow>(tests::simulated(kMatchedCase, settings));
}

/// Returns every match, in the order of stepping through them.
std::vector<data::SpanRef> walked(const data::SpanMatches& matches) {
    std::vector<data::SpanRef> spans;
    auto at = matches.first();
    for (std::size_t i = 0; at && i < matches.count(); ++i) {
        spans.push_back(*at);
        at = matches.after(*at);
    }
    return spans;
}

}  // namespace

class TestSpanMatches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTileIsFoundOnEveryGpuThatHandlesIt() {
        const auto flow = flowOf({"policy=t3"});
        const data::SpanMatches matches = matchesOf(flow, "tile 100 tracked");
        const std::uint32_t chunk = flow->places().chunkOfTile(100);
        // Every GPU tracks the tile except the one whose stores of it go directly to the neighbour, at most in both
        // collectives.
        std::set<std::uint32_t> gpus;
        for (const data::SpanRef ref : walked(matches)) {
            QCOMPARE(ui::tileOf(*flow, ref), 100u);
            gpus.insert(ref.gpu);
        }
        QVERIFY(!gpus.empty());
        for (const std::uint32_t gpu : {0u, 1u, 2u, 3u}) {
            if (gpu != chunk)
                QVERIFY(gpus.contains(gpu));
        }
    }

    void oneSimulatedGpuAndAllOfThemHaveTheSameMatches() {
        const auto mirrored = flowOf({"policy=t3"});
        const auto full = flowOf({"policy=t3", "detail.mode=full"});
        for (const char* words :
             {"tile 100", "chunk 2 dma", "tile 7 packet gpu 1", "chunk 1 workgroup", "gpu 3 store"}) {
            const std::vector<data::SpanRef> a = walked(matchesOf(mirrored, words));
            const std::vector<data::SpanRef> b = walked(matchesOf(full, words));
            QCOMPARE(a.size(), b.size());
            QVERIFY2(!a.empty(), words);
            for (std::size_t i = 0; i < a.size(); ++i) {
                QCOMPARE(mirrored->span(a[i]).start.ps, full->span(b[i]).start.ps);
                QCOMPARE(ui::spanName(*mirrored, a[i]), ui::spanName(*full, b[i]));
            }
        }
    }

    void whatAllGpusHaveAlikeIsListedOnce() {
        const auto flow = flowOf({"policy=t3"});
        const data::SpanMatches matches = matchesOf(flow, "dma");
        QVERIFY(matches.alikeOnAllGpus());
        QVERIFY(!matchesOf(flow, "dma gpu 2").alikeOnAllGpus());
        QCOMPARE(matches.count(), matchesOf(flow, "dma gpu 2").count());
        const auto full = flowOf({"policy=t3", "detail.mode=full"});
        QCOMPARE(matchesOf(full, "dma").count(), matches.count() * 4);
    }

    void oneWalksInTheOrderOfTimeAndAroundTheEnd() {
        const auto flow = flowOf({"policy=t3"});
        const data::SpanMatches matches = matchesOf(flow, "trigger gpu 1");
        const std::vector<data::SpanRef> spans = walked(matches);
        QVERIFY(spans.size() > 2);
        for (std::size_t i = 0; i < spans.size(); ++i) {
            QCOMPARE(*matches.position(spans[i]), i + 1);
            if (i > 0) {
                QVERIFY(flow->span(spans[i - 1]).start <= flow->span(spans[i]).start);
                QVERIFY(matches.before(spans[i]) == spans[i - 1]);
            }
        }
        QVERIFY(matches.after(spans.back()) == spans.front());
        QVERIFY(matches.before(spans.front()) == spans.back());
        QVERIFY(matches.last() == spans.back());
    }

    void fromAMomentTheNextMatchCounts() {
        const auto flow = flowOf({"policy=t3"});
        const data::SpanMatches matches = matchesOf(flow, "wave");
        const std::vector<data::SpanRef> waves = walked(matches);
        const std::int64_t second = flow->span(waves[1]).start.ps;
        QVERIFY(matches.from(second) == waves[1]);
        QVERIFY(matches.from(second + 1) == (waves.size() > 2 ? waves[2] : waves[0]));
        QVERIFY(matchesOf(flow, "wave 2").first() == waves[1]);
    }

    void aLengthIsAnEdgeThatDoesNotCount() {
        const auto flow = std::make_shared<const data::Flow>(tests::sampleRun());
        // The steps of the sample take 200, 250 and 100 ns.
        QCOMPARE(matchesOf(flow, "rs > 100 ns").count(), std::size_t{2});
        QCOMPARE(matchesOf(flow, "rs > 99 ns").count(), std::size_t{3});
        QCOMPARE(matchesOf(flow, "rs < 250 ns").count(), std::size_t{2});
    }

    void whatIsNotInTheRunIsNotFound() {
        const auto flow = flowOf({"policy=sequential"});
        for (const char* words : {"dma", "tile 100000", "gpu 4", "chunk 4", "wave 1000", "block 3"}) {
            const data::SpanMatches matches = matchesOf(flow, words);
            QCOMPARE(matches.count(), std::size_t{0});
            QVERIFY(!matches.first().has_value());
            QVERIFY(!matches.from(0).has_value());
        }
    }
};

RINGSIDE_CORE_TEST(TestSpanMatches)
#include "tst_span_matches.moc"
