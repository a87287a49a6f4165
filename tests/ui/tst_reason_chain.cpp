#include "tests/ui/sample_path.h"
#include "ui/ribbon/reason_text.h"

#include <QTest>

using engine::Cause;
using engine::PathAct;
using engine::WorkPhase;
using ui::ReasonChain;

class TestReasonChain : public QObject {
    Q_OBJECT

    ReasonChain m_chain{tests::flowOf(tests::runOf(tests::chainTrace(), tests::chainPath()))};

    /// A chain of one step, on GPU 1, with what a lane shows of it.
    static QString said(engine::PathStep step, bool first = true) {
        auto path = std::make_shared<engine::CriticalPath>();
        path->steps = {std::move(step)};
        const ReasonChain chain(tests::flowOf(tests::runOf(tests::chainTrace(), path)));
        return first ? ui::firstReason(chain, 0) : ui::furtherReason(chain, 0);
    }
    static engine::PathStep of(PathAct act, WorkPhase phase = WorkPhase::reduceScatter) {
        return tests::step(Cause::link, 0, 1'000'000, act, 1, phase);
    }

private Q_SLOTS:
    void kStepsOfAWorkgroupAreOneLinkWithTheirLoadsAndWhatHeldThemUp() {
        const auto& links = m_chain.links();
        QCOMPARE(links.size(), 8u);
        QCOMPARE(links[1].first, 1u);
        QCOMPARE(links[1].last, 5u);
        QCOMPARE(links[1].workgroups, 1u);
        QCOMPARE(links[1].times[Cause::compute].ps, 250'000);
        QCOMPARE(links[1].times[Cause::memory].ps, 110'000);
        QCOMPARE(links[1].times[Cause::contention].ps, 20'000);
        QCOMPARE(links[1].cause(), Cause::compute);
    }

    void linksCoverThePathWithoutAGap() {
        for (const auto& path : {tests::chainPath(), tests::randomPath(2'000, 17)}) {
            const ReasonChain chain(tests::flowOf(tests::runOf(tests::chainTrace(), path)));
            std::size_t step = 0;
            for (std::size_t i = 0; i < chain.links().size(); ++i) {
                const ui::ReasonLink& link = chain.links()[i];
                QCOMPARE(link.first, step);
                QVERIFY(link.last >= link.first && link.told >= link.first && link.told <= link.last);
                QCOMPARE(link.range.start, path->steps[link.first].start.ps);
                QCOMPARE(link.range.end, path->steps[link.last].end.ps);
                std::int64_t sum = 0;
                for (const engine::Duration& time : link.times.by)
                    sum += time.ps;
                QCOMPARE(sum, link.range.span());
                for (; step <= link.last; ++step)
                    QCOMPARE(chain.linkOfStep(step), i);
            }
            QCOMPARE(step, path->steps.size());
        }
    }

    void theChainReadsAsASentence() {
        QCOMPARE(
            ui::reasonsInARow(m_chain, 6, 4),
            QStringLiteral("GPU 0 stands behind 1.00\u00a0MB of reads in channel 6; which waited for chunk 1 from "
                           "GPU 1, 2.10\u00a0MB on the link; which waited for DMA block 1 to be read; which waited "
                           "for its tracker to trigger DMA block 1"));
        QCOMPARE(ui::furtherReason(m_chain, 2), QStringLiteral("which waited for the stores of workgroup 1"));
        QCOMPARE(ui::furtherReason(m_chain, 1), QStringLiteral("which waited for the K-steps of workgroup 1"));
        QCOMPARE(ui::furtherReason(m_chain, 0), QStringLiteral("which waited for workgroup 1 to start"));
        QCOMPARE(ui::firstReason(m_chain, 7), QStringLiteral("GPU 0 waits for something that the trace does not tell"));
    }

    void whereAndWhenIsToldWithTheCauseThatTookMost() {
        QCOMPARE(ui::reasonTimes(m_chain, 5), QStringLiteral("150\u00a0ns of link, until 0.6500\u00a0µs"));
        QCOMPARE(ui::reasonTimes(m_chain, 1),
                 QStringLiteral("380\u00a0ns, of which 250\u00a0ns compute, until 0.4000\u00a0µs"));
    }

    void everyActHasItsWords() {
        QCOMPARE(said(of(PathAct::waitsForSet)), QStringLiteral("GPU 1 waits for a free set of its tracker"));
        QCOMPARE(said(tests::onLane(of(PathAct::waitsForEngine), 5, 0)),
                 QStringLiteral("GPU 1 waits for a DMA engine for DMA block 1"));
        QCOMPARE(said(of(PathAct::barrier), false),
                 QStringLiteral("which waited for the barrier before a step of the reduce-scatter"));
        QCOMPARE(said(of(PathAct::begins, WorkPhase::allGather)),
                 QStringLiteral("GPU 1 waits for the kernel of the all-gather to start"));
        QCOMPARE(said(of(PathAct::paces)), QStringLiteral("GPU 1 waits for the CUs that carry the reduce-scatter"));
        QCOMPARE(said(of(PathAct::travels)), QStringLiteral("GPU 1 waits for the latency of the link"));
        QCOMPARE(said(tests::onLane(of(PathAct::sends), 6, 0)),
                 QStringLiteral("GPU 1 waits for chunk 1 to leave on its link"));
        QCOMPARE(said(of(PathAct::sends)), QStringLiteral("GPU 1 waits for packets to leave on its link"));
        QCOMPARE(said(of(PathAct::stores)), QStringLiteral("GPU 1 waits for the result to be written"));
        QCOMPARE(said(of(PathAct::behindStream), false), QStringLiteral("which stood behind its own stream"));
        QCOMPARE(said(of(PathAct::startsWorkgroup, WorkPhase::gemm)),
                 QStringLiteral("GPU 1 waits for a workgroup to start"));
    }

    void numbersAreThoseOfTheGpuWhereOneStandsForAll() {
        auto trace = std::make_shared<engine::Trace>(*tests::chainTrace());
        trace->mirrored = true;
        std::erase_if(trace->lanes, [](const engine::Lane& lane) { return lane.gpu == 0; });
        for (engine::Lane& lane : trace->lanes)
            lane.gpu = 0;
        auto path = std::make_shared<engine::CriticalPath>();
        path->steps = {tests::onLane(tests::step(Cause::link, 0, 1'000'000, PathAct::sends, 1), 4, 0)};
        const ReasonChain chain(tests::flowOf(tests::runOf(trace, path)));
        // Chunk 1 of GPU 0 is chunk 0 of GPU 1, two in all.
        QCOMPARE(ui::firstReason(chain, 0), QStringLiteral("GPU 1 waits for chunk 0 to leave on its link"));
        QCOMPARE(*chain.spanOf(0), (ui::SpanRef{1, 4, 0}));
    }

    void aSpanOnThePathLeadsToItsLinkAndOneBesideItToNone() {
        QCOMPARE(m_chain.linkThrough({1, 6, 0}).value_or(99), 5u);  // the packet
        QCOMPARE(m_chain.linkThrough({1, 2, 0}).value_or(99), 2u);  // its stores are the last of the workgroup
        QCOMPARE(m_chain.linkThrough({1, 3, 1}).value_or(99), 1u);
        QVERIFY(!m_chain.linkThrough({0, 0, 0}));  // GPU 0's workgroup
        QVERIFY(!m_chain.linkThrough({0, 99, 0}));
    }

    void aLinkLeadsToASpanWhereALaneShowsIt() {
        QCOMPARE(*m_chain.spanOf(5), (ui::SpanRef{1, 6, 0}));
        QCOMPARE(*m_chain.spanOf(1), (ui::SpanRef{1, 2, 0}));
        QVERIFY(!m_chain.spanOf(7));
    }

    void whoeverWaitsIsTheOneThatWentOn() {
        QCOMPARE(m_chain.waiterOf(5), 0u);
        QCOMPARE(m_chain.waiterOf(4), 1u);
        QCOMPARE(m_chain.waiterOf(7), 0u);
    }

    void aMomentBelongsToWhatHasJustBeenWaitedFor() {
        QCOMPARE(m_chain.linkAt(650'000), 5u);
        QCOMPARE(m_chain.linkAt(650'001), 6u);
        QCOMPARE(m_chain.linkAt(0), 0u);
        QCOMPARE(m_chain.linkAt(1'000'000), 7u);
    }

    void aRunWithoutAPathHasNoLinks() {
        const ReasonChain chain(tests::flowOf(tests::runOf(tests::chainTrace(), nullptr)));
        QVERIFY(chain.empty());
        QVERIFY(chain.links().empty());
        QVERIFY(!chain.linkThrough({0, 0, 0}));
    }
};

QTEST_GUILESS_MAIN(TestReasonChain)
#include "tst_reason_chain.moc"
