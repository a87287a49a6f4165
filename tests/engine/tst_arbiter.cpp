#include "engine/memory/arbiter.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include "engine/api/parameters.h"
#include "engine/api/trace.h"

#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

using namespace engine;

namespace {

constexpr std::uint32_t kGranule = 4096;

/// Returns a request that exists until the program ends.
const MemoryRequest* request(std::uint32_t bytes, TimePoint arrival = {}) {
    static std::deque<MemoryRequest> all;
    return &all.emplace_back(MemoryRequest{0, bytes & 0xffffffu, 0, arrival});
}

ArbiterView waiting(bool compute, bool communication, bool queueIsShort = true, TimePoint arrival = {}) {
    const auto head = [&](bool waits) { return waits ? request(kGranule, arrival) : nullptr; };
    return {head(compute), head(communication), queueIsShort ? TimePoint{} : TimePoint{1'000'000'000}};
}

Experiment under(ArbitrationPolicy policy) {
    Experiment experiment;
    experiment.detail.granule = {kGranule};
    experiment.arbitration.policy = policy;
    experiment.arbitration.starvationLimit = 500_ns;
    return experiment;
}

Experiment roundRobin(std::int64_t share, std::int64_t turn = kGranule) {
    Experiment experiment = under(ArbitrationPolicy::roundRobin);
    experiment.arbitration.share = share;
    experiment.arbitration.turn = Bytes{turn};
    return experiment;
}

Experiment mca() { return under(ArbitrationPolicy::mca); }

/// Returns the arbiter's choice: "c" for communication, "g" for the GEMM's compute stream, "-" for neither.
std::string pick(Arbiter& arbiter, const ArbiterView& view, TimePoint now = {}) {
    const MemoryRequest* choice = arbiter.pick(view, now);
    return !choice ? "-" : choice == view.communication ? "c" : "g";
}

std::string picks(Arbiter& arbiter, const ArbiterView& view, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += pick(arbiter, view);
    return text;
}

/// A rule whose choice the test sets.
template <typename Rule>
struct Disobedient : Rule {
    using Rule::Rule;
    const MemoryRequest* pick(const ArbiterView&, TimePoint) const { return choice; }
    const MemoryRequest* choice = nullptr;
};

/// A choice at a moment, and the expected number of choices so far that break the promise of fairness.
struct Planted {
    Stream choice;
    ArbiterView view;
    TimePoint now;
    std::int64_t against;
};

template <typename Rule>
void checkCounts(const Experiment& experiment, const std::vector<Planted>& planted) {
    Disobedient<Rule> rule(experiment);
    std::int64_t against = 0;
    for (const Planted& each : planted) {
        rule.choice = each.choice == Stream::communication ? each.view.communication : each.view.compute;
        QVERIFY(watchedPick(rule, each.view, each.now, against) == rule.choice);
        QCOMPARE(against, each.against);
    }
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
        // A turn of compute is 4096 B, so two requests of 2048 B fit into it.
        Arbiter arbiter(roundRobin(1));
        ArbiterView view = waiting(true, true);
        view.compute = request(2048);
        QCOMPARE(picks(arbiter, view, 6), std::string("cggcgg"));
    }

    void theShareHoldsWithTurnsBelowARequest() {
        // The served bytes have the ratio share : 1, within one request, for any length of turn.
        for (const std::int64_t turn : {64, 100, 1000, 3000}) {
            for (const std::int64_t share : {1, 4, 16}) {
                Arbiter arbiter(roundRobin(share, turn));
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
        Arbiter arbiter(roundRobin(2, 1000));
        ArbiterView view = waiting(true, true);
        view.communication = request(3000);
        view.compute = request(500);
        std::int64_t communication = 0, compute = 0;
        for (int i = 0; i < 400; ++i) {
            const bool picked = pick(arbiter, view) == "c";
            communication += picked ? view.communication->bytes : 0;
            compute += picked ? 0 : view.compute->bytes;
            QVERIFY(std::abs(communication - 2 * compute) <= 3000);
        }
    }

    void aDebtEndsWhenAStreamHasNothingWaiting() {
        // Shares of 4:1 with turns of 64 B. Compute was served last and is three requests behind. After one choice in
        // which communication is alone, it does not have to make up for them.
        Arbiter arbiter(roundRobin(4, 64));
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
        // The head of the queue arrived at 1000 ps. It is served 500 ns later, but not one picosecond earlier.
        Arbiter arbiter(mca());
        const auto view = waiting(true, true, true, {1000});
        QCOMPARE(pick(arbiter, view, {500'999}), std::string("g"));
        QCOMPARE(pick(arbiter, view, {501'000}), std::string("c"));
    }

    void aStarvedHeadGetsOneRequestAndTheClockStartsAgain() {
        // Communication is served at 501,000 ps. The next head of the queue, which is as old, waits for another 500 ns.
        Arbiter arbiter(mca());
        const auto view = waiting(true, true, true, {1000});
        QCOMPARE(pick(arbiter, view, {501'000}), std::string("c"));
        QCOMPARE(pick(arbiter, view, {501'000}), std::string("g"));
        QCOMPARE(pick(arbiter, view, {1'000'999}), std::string("g"));
        QCOMPARE(pick(arbiter, view, {1'001'000}), std::string("c"));
    }

    void starvationCountsFromTheHeadsArrivalWhenThatIsLater() {
        // Communication was served at 0. A head of the queue that arrived at 400,000 ps starves at 900,000 ps, not at
        // 500,000.
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
        Arbiter arbiter(under(ArbitrationPolicy::computeFirst));
        QCOMPARE(pick(arbiter, waiting(true, true, true, {0}), {1'000'000'000}), std::string("g"));
        QCOMPARE(pick(arbiter, waiting(false, true), {0}), std::string("c"));
    }

    void mcaHoldsCommunicationUntilTheQueueIsShortOrItsHeadHasStarved() {
        // 300 B on one of eight channels that have 750 GB/s together take 3.2 ns. DRAM ends at 10 ns, the head starves
        // at 500 ns.
        Experiment experiment = mca();
        experiment.arbitration.threshold = {ArbitrationThreshold::Kind::bytes, {8 * 300}};
        Arbiter arbiter(experiment);
        ArbiterView view = waiting(false, true);
        view.queueEnd = {10'000};
        QCOMPARE(arbiter.heldUntil(view), TimePoint{6'801});
        QCOMPARE(pick(arbiter, view, {6'800}), std::string("-"));
        QCOMPARE(pick(arbiter, view, {6'801}), std::string("c"));
        view.queueEnd = {1'000'000};
        QCOMPARE(arbiter.heldUntil(view), TimePoint{506'801});
    }

    void onlyMcaWithAThresholdHoldsCommunication() {
        Experiment unlimited = mca();
        unlimited.arbitration.threshold.kind = ArbitrationThreshold::Kind::none;
        for (const Experiment& experiment : {unlimited, roundRobin(4), under(ArbitrationPolicy::computeFirst)}) {
            Arbiter arbiter(experiment);
            const ArbiterView view = waiting(false, true, false);
            QVERIFY(arbiter.heldUntil(view) <= TimePoint{});
            QCOMPARE(pick(arbiter, view), std::string("c"));
        }
    }

    void aRulesMeaningIsPartOfTheParameters() {
        for (const ArbitrationPolicyText& policy : kArbitrationPolicies) {
            const std::string part = " " + std::string(policy.word) + ": " + std::string(policy.meaning);
            QVERIFY(findParameter("arbitration.policy")->meaning.find(part) != std::string::npos);
        }
    }

    void roundRobinPromisesNothing() {
        QVERIFY(Arbiter(roundRobin(4)).promise().empty());
        const auto both = waiting(true, true);
        checkCounts<ArbiterRoundRobin>(
            roundRobin(4),
            {{Stream::compute, both, {}, 0}, {Stream::compute, both, {}, 0}, {Stream::communication, both, {}, 0}});
    }

    void mcasPromiseIsBrokenByCommunicationBeforeTheLimitWhileComputeWaits() {
        QCOMPARE(Arbiter(mca()).promise(),
                 std::string_view("communication was served before waiting compute only after the starvation limit"));
        const auto both = waiting(true, true, true, {1000});
        checkCounts<ArbiterMca>(mca(), {{Stream::compute, both, {500'999}, 0},
                                        {Stream::communication, both, {500'999}, 1},
                                        {Stream::communication, both, {1'000'998}, 2},
                                        {Stream::communication, both, {1'500'998}, 2},
                                        {Stream::communication, waiting(false, true), {1'500'999}, 2},
                                        {Stream::compute, both, {9'000'000}, 2},
                                        {Stream::communication, both, {9'000'000}, 2}});
    }

    void computeFirstsPromiseIsBrokenByAnyCommunicationWhileComputeWaits() {
        const Experiment experiment = under(ArbitrationPolicy::computeFirst);
        QCOMPARE(Arbiter(experiment).promise(), Arbiter(mca()).promise());
        const auto both = waiting(true, true);
        checkCounts<ArbiterComputeFirst>(experiment, {{Stream::compute, both, {}, 0},
                                                      {Stream::communication, waiting(false, true), {}, 0},
                                                      {Stream::communication, both, {}, 1},
                                                      {Stream::communication, both, {1'000'000'000}, 2}});
    }

    void noRuleBreaksItsPromise() {
        for (std::size_t policy = 0; policy < kArbitrationPolicies.size(); ++policy) {
            Arbiter arbiter(under(static_cast<ArbitrationPolicy>(policy)));
            for (std::int64_t now = 0; now < 3'000'000; now += 10'000)
                arbiter.pick(waiting(now % 50'000 != 0, true, now % 30'000 == 0, {now / 400'000 * 400'000}), {now});
            QCOMPARE(arbiter.picksAgainstRule(), std::int64_t{0});
        }
    }
};

RINGSIDE_TEST(TestArbiter)
#include "tst_arbiter.moc"
