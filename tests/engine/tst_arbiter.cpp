#include "engine/memory/arbiter.h"
#include "tests/test_program.h"
#include "tests/engine/print.h"

#include <cstdlib>
#include <string>

using namespace engine;

namespace {

constexpr std::int64_t kGranule = 4096;

ArbiterView waiting(bool compute, bool communication, bool queueIsShort = true, TimePoint arrival = {}) {
    ArbiterView view;
    view.computeWaiting = compute;
    view.communicationWaiting = communication;
    view.queueIsShort = queueIsShort;
    view.communicationArrival = arrival;
    view.computeBytes = kGranule;
    view.communicationBytes = kGranule;
    return view;
}

ArbiterConfig roundRobin(std::int64_t share) {
    return {ArbitrationPolicy::roundRobin, share * kGranule, kGranule, 500_ns};
}

ArbiterConfig mca() { return {ArbitrationPolicy::mca, 4 * kGranule, kGranule, 500_ns}; }

/// "c" for communication, "g" for the GEMM's compute stream, "-" for neither.
std::string pick(Arbiter& arbiter, const ArbiterView& view, TimePoint now = {}) {
    const auto choice = arbiter.pick(view, now);
    return !choice ? "-" : *choice == Stream::communication ? "c" : "g";
}

std::string picks(Arbiter& arbiter, const ArbiterView& view, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += pick(arbiter, view);
    return text;
}

}  // namespace

class TestArbiter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundRobinServesShareTurnsOfCommunicationToOneOfCompute() {
        Arbiter four(roundRobin(4));
        QCOMPARE(picks(four, waiting(true, true), 12), std::string("ccccgccccgcc"));
        Arbiter one(roundRobin(1));
        QCOMPARE(picks(one, waiting(true, true), 6), std::string("cgcgcg"));
        Arbiter two(roundRobin(2));
        QCOMPARE(picks(two, waiting(true, true), 7), std::string("ccgccgc"));
    }

    void roundRobinSkipsAnEmptyStream() {
        Arbiter arbiter(roundRobin(4));
        QCOMPARE(picks(arbiter, waiting(true, false), 6), std::string("gggggg"));
        QCOMPARE(picks(arbiter, waiting(false, true), 6), std::string("cccccc"));
        QCOMPARE(pick(arbiter, waiting(false, false)), std::string("-"));
    }

    void roundRobinCountsBytesNotRequests() {
        // A turn of compute is 4096 B: two requests of 2048 B fit into it.
        Arbiter arbiter(roundRobin(1));
        ArbiterView view = waiting(true, true);
        view.computeBytes = 2048;
        QCOMPARE(picks(arbiter, view, 6), std::string("cggcgg"));
    }

    void theShareHoldsWithTurnsBelowARequest() {
        // Served bytes stay at share to 1 within one request, whatever the turn.
        for (const std::int64_t turn : {64, 100, 1000, 3000}) {
            for (const std::int64_t share : {1, 4, 16}) {
                Arbiter arbiter({ArbitrationPolicy::roundRobin, share * turn, turn, 500_ns, true});
                std::int64_t communication = 0, compute = 0;
                for (int i = 0; i < 1000; ++i) {
                    (pick(arbiter, waiting(true, true)) == "c" ? communication : compute) += kGranule;
                    QVERIFY(std::abs(communication - share * compute) <= share * kGranule);
                }
                QVERIFY(compute > 0);
            }
        }
    }

    void theShareHoldsForRequestsOfUnlikeSizes() {
        // Turns of 1000 B, 2:1, requests of 3000 B of communication and 500 B of compute.
        Arbiter arbiter({ArbitrationPolicy::roundRobin, 2000, 1000, 500_ns, true});
        ArbiterView view = waiting(true, true);
        view.communicationBytes = 3000;
        view.computeBytes = 500;
        std::int64_t communication = 0, compute = 0;
        for (int i = 0; i < 400; ++i) {
            const bool picked = pick(arbiter, view) == "c";
            communication += picked ? view.communicationBytes : 0;
            compute += picked ? 0 : view.computeBytes;
            QVERIFY(std::abs(communication - 2 * compute) <= view.communicationBytes);
        }
    }

    void aDebtEndsWhenAStreamHasNothingWaiting() {
        // 4:1 with turns of 64 B. Compute was served last and is three requests behind; alone for one pick, communication
        // owes it nothing afterwards.
        Arbiter arbiter({ArbitrationPolicy::roundRobin, 4 * 64, 64, 500_ns, true});
        QCOMPARE(picks(arbiter, waiting(true, true), 2), std::string("cg"));
        QCOMPARE(pick(arbiter, waiting(false, true)), std::string("c"));
        QCOMPARE(picks(arbiter, waiting(true, true), 2), std::string("cg"));
        QCOMPARE(picks(arbiter, waiting(true, true), 5), std::string("ccccg"));
    }

    void roundRobinIgnoresTheQueueAndTheClock() {
        Arbiter arbiter(roundRobin(1));
        QCOMPARE(pick(arbiter, waiting(true, true, false), {0}), std::string("c"));
        QCOMPARE(pick(arbiter, waiting(true, true, false), {1'000'000'000}), std::string("g"));
    }

    void mcaServesComputeFirst() {
        Arbiter arbiter(mca());
        QCOMPARE(picks(arbiter, waiting(true, true), 5), std::string("ggggg"));
    }

    void mcaServesCommunicationOnlyBelowTheThreshold() {
        Arbiter arbiter(mca());
        QCOMPARE(pick(arbiter, waiting(false, true, true)), std::string("c"));
        QCOMPARE(pick(arbiter, waiting(false, true, false)), std::string("-"));
    }

    void mcaEndsStarvationAtTheLimitAndNotBefore() {
        // The head arrived at 1000 ps; 500 ns later it is served, one picosecond before that it is not.
        Arbiter arbiter(mca());
        const auto view = waiting(true, true, true, {1000});
        QCOMPARE(pick(arbiter, view, {500'999}), std::string("g"));
        QCOMPARE(pick(arbiter, view, {501'000}), std::string("c"));
    }

    void aStarvedHeadGetsOneRequestAndTheClockStartsAgain() {
        // Served at 501,000 ps; the next head, as old, waits until 500 ns after that.
        Arbiter arbiter(mca());
        const auto view = waiting(true, true, true, {1000});
        QCOMPARE(pick(arbiter, view, {501'000}), std::string("c"));
        QCOMPARE(pick(arbiter, view, {501'000}), std::string("g"));
        QCOMPARE(pick(arbiter, view, {1'000'999}), std::string("g"));
        QCOMPARE(pick(arbiter, view, {1'001'000}), std::string("c"));
    }

    void starvationCountsFromTheHeadsArrivalWhenThatIsLater() {
        // Communication was served at 0; a head that arrived at 400,000 ps starves at 900,000 ps, not at 500,000.
        Arbiter arbiter(mca());
        QCOMPARE(pick(arbiter, waiting(false, true, true, {0}), {0}), std::string("c"));
        const auto view = waiting(true, true, true, {400'000});
        QCOMPARE(pick(arbiter, view, {899'999}), std::string("g"));
        QCOMPARE(pick(arbiter, view, {900'000}), std::string("c"));
    }

    void starvationAlsoOverridesTheThreshold() {
        Arbiter arbiter(mca());
        const auto view = waiting(false, true, false, {0});
        QCOMPARE(pick(arbiter, view, {499'999}), std::string("-"));
        QCOMPARE(pick(arbiter, view, {500'000}), std::string("c"));
    }

    void computeFirstNeverGivesWay() {
        Arbiter arbiter({ArbitrationPolicy::computeFirst, 4 * kGranule, kGranule, 500_ns});
        QCOMPARE(pick(arbiter, waiting(true, true, true, {0}), {1'000'000'000}), std::string("g"));
        QCOMPARE(pick(arbiter, waiting(false, true), {0}), std::string("c"));
    }
};

RINGSIDE_TEST(TestArbiter)
#include "tst_arbiter.moc"
