#include "tests/test_program.h"
#include "tests/ui/sample_path.h"
#include "ui/why/reason_chain.h"

#include <QTest>

using engine::Cause;
using engine::PathAct;
using engine::WorkPhase;
using ui::ReasonChain;

namespace {

/// Returns the texts of at most `most` links, joined by semicolons.
QString inARow(const ReasonChain& chain, std::size_t link, std::size_t most) {
    QStringList shown{ui::firstReason(chain, link)};
    for (std::size_t i = 1; i < most && i <= link; ++i)
        shown << ui::furtherReason(chain, link - i);
    return shown.join(QStringLiteral("; "));
}

}  // namespace

class TestReasonChain : public QObject {
    Q_OBJECT

    ReasonChain m_chain{tests::flowOf(tests::runOf(tests::chainTrace(), tests::chainPath()))};

    /// Returns the text of a chain of one step on GPU 1, with the span of a lane that shows it.
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
    void aStepIsALinkOfItsOwnAndAPacketsWayIsPartOfItsSending() {
        QCOMPARE(m_chain.links().size(), 12u);
        auto path = std::make_shared<engine::CriticalPath>();
        path->steps = {tests::onLane(tests::step(Cause::link, 0, 900'000, PathAct::sends, 1), 6, 0),
                       tests::step(Cause::link, 900'000, 1'000'000, PathAct::travels, 0)};
        const ReasonChain chain(tests::flowOf(tests::runOf(tests::chainTrace(), path)));
        QCOMPARE(chain.links().size(), 1u);
        QCOMPARE(ui::firstReason(chain, 0), QStringLiteral("GPU 0 waits for chunk 1 from GPU 1"));
    }

    void aLongRunOfKStepsIsOneLinkWithTheirLoadsAndWhatHeldThemUp() {
        auto trace = std::make_shared<engine::Trace>(*tests::chainTrace());
        trace->computed.resize(2);
        trace->computed[1].steps = 20;
        trace->computed[1].done.assign(40, engine::kNever);
        auto path = std::make_shared<engine::CriticalPath>();
        for (int i = 0; i < 17; ++i) {
            const std::int64_t at = i * 1'000;
            path->steps.push_back(tests::onLane(tests::step(Cause::memory, at, at + 300, PathAct::loads, 1), 3, 0));
            path->steps.push_back(tests::step(Cause::contention, at + 300, at + 400, PathAct::behindOther, 1));
            path->steps.push_back(
                tests::onLane(tests::step(Cause::compute, at + 400, at + 1'000, PathAct::computes, 1), 2, 0));
            trace->computed[1].done[20 + static_cast<std::size_t>(i)] = {at + 1'000};
        }
        path->steps.push_back(tests::onLane(tests::step(Cause::memory, 17'000, 18'000, PathAct::stores, 1), 2, 0));
        const ReasonChain chain(tests::flowOf(tests::runOf(trace, path)));
        QCOMPARE(chain.links().size(), 2u);
        const ui::ReasonLink& link = chain.links().front();
        QCOMPARE(link.kSteps, 17u);
        QCOMPARE(link.times[Cause::compute].ps, 17 * 600);
        QCOMPARE(link.times[Cause::memory].ps, 17 * 300);
        QCOMPARE(link.times[Cause::contention].ps, 17 * 100);
        QCOMPARE(link.cause(), Cause::compute);
        QCOMPARE(ui::firstReason(chain, 0), QStringLiteral("GPU 1 waits for 17 K-steps of workgroup 1"));
        QCOMPARE(ui::reasonTimes(chain, 0),
                 QStringLiteral("17.0\u00a0ns, 10.2\u00a0ns of it compute, until 17.000\u00a0ns"));
    }

    void linksCoverThePathWithoutAGap() {
        for (const auto& path : {tests::chainPath(), tests::randomPath(2'000, 17)}) {
            const ReasonChain chain(tests::flowOf(tests::runOf(tests::chainTrace(), path)));
            std::size_t step = 0;
            for (std::size_t i = 0; i < chain.links().size(); ++i) {
                const ui::ReasonLink& link = chain.links()[i];
                QCOMPARE(link.first, step);
                QVERIFY(link.last >= link.first && link.shown >= link.first && link.shown <= link.last);
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
            inARow(m_chain, 10, 4),
            QStringLiteral("GPU 0 is queued behind 1.00\u00a0MB of reads in channel 6; which waited for chunk 1 from "
                           "GPU 1, 2.10\u00a0MB on the link; which waited for DMA block 1 to be read; which waited "
                           "for its tracker to trigger DMA block 1"));
        QCOMPARE(ui::furtherReason(m_chain, 6), QStringLiteral("which waited for the stores of workgroup 1"));
        QCOMPARE(ui::furtherReason(m_chain, 5), QStringLiteral("which waited for workgroup 1 to compute"));
        QCOMPARE(ui::furtherReason(m_chain, 4), QStringLiteral("which waited for the loads of workgroup 1"));
        QCOMPARE(ui::furtherReason(m_chain, 3), QStringLiteral("which was queued behind the other stream"));
        QCOMPARE(ui::furtherReason(m_chain, 0), QStringLiteral("which waited for workgroup 1 to start"));
        QCOMPARE(ui::firstReason(m_chain, 11),
                 QStringLiteral("GPU 0 waits for something that the trace does not record"));
    }

    void whereAndWhenIsShownWithTheCause() {
        QCOMPARE(ui::reasonTimes(m_chain, 9), QStringLiteral("150\u00a0ns of link, until 0.6500\u00a0µs"));
    }

    void whatACollectiveReadsAndWritesIsWhatItSendsAndWhatHasArrived() {
        auto path = std::make_shared<engine::CriticalPath>();
        path->steps = {
            tests::step(Cause::memory, 0, 1'000, PathAct::loads, 1, WorkPhase::allGather),
            tests::onLane(tests::step(Cause::link, 1'000, 9'000, PathAct::sends, 1, WorkPhase::allGather), 6, 0,
                          2'000'000),
            tests::onLane(tests::step(Cause::link, 9'000, 9'500, PathAct::travels, 0, WorkPhase::allGather), 7, 0),
            tests::step(Cause::memory, 9'500, 10'000, PathAct::stores, 0, WorkPhase::allGather)};
        auto trace = std::make_shared<engine::Trace>(*tests::chainTrace());
        trace->lanes.push_back(
            {engine::LaneKind::linkIn, 0, 0, true, {tests::span(engine::SpanKind::linkPacket, 9'000, 9'500, 1, 1)}});
        const ReasonChain chain(tests::flowOf(tests::runOf(trace, path)));
        QCOMPARE(inARow(chain, 2, 9),
                 QStringLiteral("GPU 0 waits for chunk 1 to be written; which waited for chunk 1 from GPU 1, "
                                "2.00\u00a0MB on the link; which waited for chunk 1 to be read"));
    }

    void everyActHasItsWords() {
        QCOMPARE(said(of(PathAct::waitsForSet)), QStringLiteral("GPU 1 waits for a free set of its tracker"));
        QCOMPARE(said(tests::onLane(of(PathAct::waitsForEngine), 5, 0)),
                 QStringLiteral("GPU 1 waits for a DMA engine for DMA block 1"));
        QCOMPARE(said(of(PathAct::barrier), false),
                 QStringLiteral("which waited for the barrier before a step of the reduce-scatter"));
        QCOMPARE(said(of(PathAct::begins, WorkPhase::allGather)),
                 QStringLiteral("GPU 1 waits for the kernel of the all-gather to start"));
        QCOMPARE(said(of(PathAct::paces)),
                 QStringLiteral("GPU 1 waits for the CUs that move the data of the reduce-scatter"));
        QCOMPARE(said(of(PathAct::travels)), QStringLiteral("GPU 1 waits for the latency of the link"));
        QCOMPARE(said(tests::onLane(of(PathAct::sends), 6, 0)),
                 QStringLiteral("GPU 1 waits for chunk 1 to leave on its link"));
        QCOMPARE(said(tests::onLane(of(PathAct::sends), 6, 0, 2'100'000)),
                 QStringLiteral("GPU 1 waits for chunk 1 to leave on its link, 2.10\u00a0MB in all"));
        QCOMPARE(said(of(PathAct::sends)), QStringLiteral("GPU 1 waits for packets to leave on its link"));
        QCOMPARE(said(of(PathAct::stores)), QStringLiteral("GPU 1 waits for the result to be written"));
        QCOMPARE(said(of(PathAct::behindStream), false), QStringLiteral("which was queued behind its own stream"));
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
        QCOMPARE(*chain.spanOf(0), (data::SpanRef{1, 4, 0}));
    }

    void aSpanOnThePathLeadsToItsLinkAndOneBesideItToNone() {
        QCOMPARE(m_chain.linkThrough({1, 6, 0}).value_or(99), 9u);  // the packet
        QCOMPARE(m_chain.linkThrough({1, 2, 0}).value_or(99), 6u);  // its stores are the last part of the workgroup
        QCOMPARE(m_chain.linkThrough({1, 3, 1}).value_or(99), 4u);
        QVERIFY(!m_chain.linkThrough({0, 0, 0}));  // GPU 0's workgroup
        QVERIFY(!m_chain.linkThrough({0, 99, 0}));
    }

    void aLinkLeadsToASpanWhereALaneShowsIt() {
        QCOMPARE(*m_chain.spanOf(9), (data::SpanRef{1, 6, 0}));
        QCOMPARE(*m_chain.spanOf(5), (data::SpanRef{1, 2, 0}));
        QVERIFY(!m_chain.spanOf(11));
    }

    void thePartThatWaitsIsTheOneThatContinues() {
        QCOMPARE(m_chain.waiterOf(9), 0u);
        QCOMPARE(m_chain.waiterOf(8), 1u);
        QCOMPARE(m_chain.waiterOf(11), 0u);
    }

    void aMomentBelongsToWhatHasJustBeenWaitedFor() {
        QCOMPARE(m_chain.linkAt(650'000), 9u);
        QCOMPARE(m_chain.linkAt(650'001), 10u);
        QCOMPARE(m_chain.linkAt(0), 0u);
        QCOMPARE(m_chain.linkAt(1'000'000), 11u);
    }

    void aRunWithoutAPathHasNoLinks() {
        const ReasonChain chain(tests::flowOf(tests::runOf(tests::chainTrace(), nullptr)));
        QVERIFY(chain.empty());
        QVERIFY(chain.links().empty());
        QVERIFY(!chain.linkThrough({0, 0, 0}));
    }
};

RINGSIDE_CORE_TEST(TestReasonChain)
#include "tst_reason_chain.moc"
