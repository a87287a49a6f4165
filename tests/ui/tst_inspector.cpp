#include "ui/inspector/inspector_panel.h"

#include "sample_run.h"
#include "sample_trace.h"
#include "window_test.h"

#include "ui/shared/view_state.h"

#include <QSignalSpy>

#include <algorithm>

using data::Flow;
using data::SpanRef;
using engine::SpanKind;
using ui::Fact;
using ui::InspectorPanel;
using ui::SpanFacts;
using ui::ViewState;

namespace {

constexpr auto kInspectedCase = "t-nlg/fc-2/tp4";

data::SpanRef firstOf(const data::Flow& flow, SpanKind kind, std::uint32_t gpu) {
    const auto& lanes = flow.run().index->trace().lanes;
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
        for (std::uint32_t i = 0; i < lanes[lane].spans.size(); ++i) {
            if (lanes[lane].spans[i].kind == kind && flow.contains({gpu, lane, i}))
                return {gpu, lane, i};
        }
    }
    return {};
}

QString valueOf(const SpanFacts& facts, const char* name) {
    const auto at = std::find_if(facts.facts.begin(), facts.facts.end(),
                                 [&](const Fact& fact) { return fact.name == QLatin1String(name); });
    return at == facts.facts.end() ? QString() : QString(at->value).replace(QChar(0xa0), u' ');
}

QString withPlainSpaces(QString text) { return text.replace(QChar(0xa0), u' '); }

}  // namespace

class TestInspector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSpanIsDescribedWithUnits() {
        // The packet of tile 5, chunk 1, takes 4096 B from 300 to 350 ns: 82 GB/s. On GPU 2 its chunk has the number 3.
        const data::Flow flow(tests::sampleRun());
        const SpanFacts facts = ui::factsOf(flow, firstOf(flow, SpanKind::linkPacket, 2));
        QCOMPARE(valueOf(facts, "GPU"), QStringLiteral("2"));
        QCOMPARE(valueOf(facts, "Lane"), QStringLiteral("link to GPU 1"));
        QCOMPARE(valueOf(facts, "Start"), QStringLiteral("300.000 ns"));
        QCOMPARE(valueOf(facts, "Duration"), QStringLiteral("50.0000 ns"));
        QCOMPARE(valueOf(facts, "Bytes"), QStringLiteral("4.10 kB"));
        QCOMPARE(valueOf(facts, "Rate"), QStringLiteral("81.9 GB/s"));
    }

    void aTileSaysWhatItWaitedFor() {
        const data::Flow flow(tests::simulated(kInspectedCase, {"policy=t3", "link.bandwidth=5GB/s"}));
        const auto& lanes = flow.run().index->trace().lanes;
        int updates = 0;
        for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
            for (std::uint32_t i = 0; i < lanes[lane].spans.size(); ++i) {
                if (lanes[lane].spans[i].kind != SpanKind::trackedTile)
                    continue;
                const SpanFacts facts = ui::factsOf(flow, {0, lane, i});
                QVERIFY(!facts.before.empty());
                updates += valueOf(facts, "Waited for").startsWith(QLatin1String("the neighbour's update")) ? 1 : 0;
            }
        }
        QVERIFY(updates > 0);
    }

    void aStepOfACollectiveSaysWhichLinkItWaitsFor() {
        const data::Flow flow(tests::simulated(kInspectedCase, {"policy=sequential"}));
        const QString gathers = valueOf(ui::factsOf(flow, firstOf(flow, SpanKind::allGatherStep, 1)), "Waits for");
        QVERIFY2(gathers.startsWith(QStringLiteral("link 2→1; busy with chunk ")), qPrintable(gathers));
        QVERIFY(valueOf(ui::factsOf(flow, firstOf(flow, SpanKind::gemmWave, 1)), "Waits for").isEmpty());
    }

    void theReasonsOfATransferGoBackToAWorkgroup() {
        const data::Flow flow(tests::simulated(kInspectedCase, {"policy=t3"}));
        const SpanFacts facts = ui::factsOf(flow, firstOf(flow, SpanKind::dmaTransfer, 1));
        QCOMPARE(flow.span(facts.before.back().span).kind, SpanKind::trigger);
        QVERIFY(!facts.why.empty());
        QCOMPARE(flow.span(facts.why.front().span).kind, SpanKind::trackedTile);
        QCOMPARE(flow.span(facts.why.back().span).kind, SpanKind::workgroup);
        for (std::size_t i = 1; i < facts.why.size(); ++i)
            QVERIFY(flow.followBack(facts.why[i - 1].span) == facts.why[i].span);
    }

    void aTransferCarriesTheBytesOfItsPackets() {
        const auto run = tests::simulated(kInspectedCase, {"policy=t3"});
        const data::Flow flow(run);
        const data::SpanRef ref = firstOf(flow, SpanKind::dmaTransfer, 1);
        const auto [first, end] = flow.tilesOf(ref);
        std::int64_t bytes = 0;
        for (std::uint32_t tile = first; tile < end; ++tile)
            bytes += run->index->trace().output.tileBytes[tile];
        QCOMPARE(flow.bytesOf(ref), bytes);
    }

    void everySpanHasATitleAndFacts() {
        for (const char* policy : {"policy=t3", "policy=sequential"}) {
            const data::Flow flow(tests::simulated(kInspectedCase, {policy}));
            const auto& lanes = flow.run().index->trace().lanes;
            for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
                for (std::uint32_t i = 0; i < lanes[lane].spans.size(); i += 53) {
                    const SpanFacts facts = ui::factsOf(flow, {3, lane, i});
                    QVERIFY(!facts.title.isEmpty());
                    QVERIFY(!valueOf(facts, "Lane").isEmpty());
                    QVERIFY(!valueOf(facts, "Start").isEmpty() || !valueOf(facts, "At").isEmpty());
                }
            }
        }
    }

    void aLinkNamesItsSpan() {
        const data::SpanRef ref{3, 14, 159};
        QVERIFY(ui::spanOfLink(ui::linkOf(ref)) == ref);
        for (const char* other : {"", "span:1/2", "span:1/2/x", "https://example.org", "span:1/2/3/4"})
            QVERIFY(!ui::spanOfLink(QString::fromLatin1(other)).has_value());
    }

    void whereThereIsNothingItSaysWhatToDo() {
        ViewState state;
        InspectorPanel panel(state);
        panel.show();
        QVERIFY(panel.toPlainText().contains(QLatin1String("run it (Ctrl+Return)")));
        panel.showRun(std::make_shared<const data::Flow>(tests::sampleBound()));
        QTRY_VERIFY(panel.toPlainText().contains(QLatin1String("Choose another policy")));
    }

    void withoutASelectionItDescribesTheVisibleRange() {
        ViewState state;
        state.setRunEnd(1'000'000);
        InspectorPanel panel(state);
        panel.show();
        panel.showRun(std::make_shared<const data::Flow>(tests::sampleRun()));
        QTRY_VERIFY(panel.toPlainText().contains(QLatin1String("Visible range")));
        QVERIFY(panel.toPlainText().contains(QLatin1String("Click a span")));
        QVERIFY(withPlainSpaces(panel.toPlainText()).contains(QLatin1String("600.0 ns")));
        // Compute is busy from 0 to 600 ns. Half of that is visible: 300 of 300 ns.
        state.setRange({0, 300'000});
        QTRY_VERIFY(withPlainSpaces(panel.toPlainText()).contains(QLatin1String("0 ns to 300.00 ns")));
    }

    void theSelectionIsDescribedAtOnceAndItsLinksLeadOn() {
        ViewState state;
        state.setRunEnd(1'000'000);
        InspectorPanel panel(state);
        panel.resize(400, 600);
        panel.show();
        const auto flow = std::make_shared<const data::Flow>(tests::simulated(kInspectedCase, {"policy=t3"}));
        panel.showRun(flow);
        const data::SpanRef ref = firstOf(*flow, SpanKind::trigger, 1);
        state.selectSpan(ref);
        QVERIFY(panel.toPlainText().startsWith(QLatin1String("Trigger of block")));
        QSignalSpy requested(&panel, &InspectorPanel::spanRequested);
        Q_EMIT panel.anchorClicked(QUrl(ui::linkOf(*flow->followForward(ref))));
        QCOMPARE(requested.count(), 1);
        Q_EMIT panel.anchorClicked(QUrl(ui::linkOf({77, 0, 0})));
        QCOMPARE(requested.count(), 1);
        state.selectArea({{100'000, 200'000}, 0, 1});
        QTRY_VERIFY(panel.toPlainText().startsWith(QLatin1String("Selected area")));
        QVERIFY(panel.toPlainText().contains(QLatin1String("mean of 2 GPUs")));
    }

    void itCanBeClosedWhileItCounts() {
        ViewState state;
        auto panel = std::make_unique<InspectorPanel>(state);
        panel->show();
        panel->showRun(std::make_shared<const data::Flow>(tests::simulated(kInspectedCase, {"detail.level=standard"})));
        QTest::qWait(85);
        panel.reset();
        QCoreApplication::processEvents();
    }
};

RINGSIDE_WINDOW_TEST(TestInspector)
#include "tst_inspector.moc"
