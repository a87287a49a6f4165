#include "engine/kernel/event_queue.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#ifndef NDEBUG
#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace engine;

namespace {

// The queue keeps the next 1024 buckets of 4096 ps in a ring and everything later in a heap. The tests below place
// events on both sides of these edges; if the queue gets other sizes, they still hold but cover less.
constexpr std::int64_t kBucket = 4096;
constexpr std::int64_t kRing = 1024 * kBucket;

/// Moves the queue's clock to `time` with an extra event. Precondition: no pending event is earlier.
void advance(EventQueue& queue, std::int64_t time) {
    queue.schedule({time}, Phase::arrival, 255, 0);
    QCOMPARE(queue.pop().time, TimePoint{time});
    QCOMPARE(queue.now(), TimePoint{time});
}

/// Pops everything and checks that exactly these indices come out in this order.
void comesOutAs(EventQueue& queue, const std::vector<std::uint32_t>& indices) {
    for (const std::uint32_t index : indices) {
        QVERIFY(!queue.empty());
        QCOMPARE(queue.pop().index, index);
    }
    QVERIFY(queue.empty());
}

/// Compares a queue with a plain sorted set of the same random events.
class Comparison {
public:
    explicit Comparison(unsigned seed) : m_random(seed) {}

    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(m_random() % limit); }
    std::size_t pending() const { return m_pending.size(); }

    /// Schedules an event up to 2^0 ... 2^26 ps later; each power of two is equally likely, and the last is 16 turns of
    /// the ring. Every third event gets exactly the time and phase of a pending one, which may have been scheduled in
    /// the heap.
    void schedule() {
        const std::int64_t now = queue.now().ps;
        std::int64_t time = now + below(std::uint32_t{1} << below(27));
        int phase = static_cast<int>(below(5));
        if (!m_pending.empty() && below(3) == 0) {
            const auto other = m_pending.lower_bound({time, 0, 0});
            std::tie(time, phase, std::ignore) = other == m_pending.end() ? *m_pending.rbegin() : *other;
            ++ties;
        }
        phase = time == now ? 4 : phase;
        far += time / kBucket - now / kBucket >= 1024 ? 1 : 0;
        queue.schedule({time}, static_cast<Phase>(phase), 0, m_sequence);
        m_pending.emplace(time, phase, m_sequence++);
    }

    void pop() {
        const auto [time, phase, index] = *m_pending.begin();
        QCOMPARE(queue.nextTime(), TimePoint{time});
        const auto event = queue.pop();
        QCOMPARE(event.index, index);
        QCOMPARE(event.time, TimePoint{time});
        m_pending.erase(m_pending.begin());
    }

    EventQueue queue;
    int far = 0, ties = 0;

private:
    using Key = std::tuple<std::int64_t, int, std::uint32_t>;

    std::mt19937 m_random;
    std::set<Key> m_pending;
    std::uint32_t m_sequence = 0;
};

}  // namespace

class TestEventQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void earlierEventsComeFirstWhateverTheOrderOfScheduling() {
        EventQueue queue;
        queue.schedule({30}, Phase::arrival, 0, 3);
        queue.schedule({10}, Phase::arbitration, 0, 1);
        queue.schedule({20}, Phase::dispatch, 0, 2);
        QCOMPARE(queue.pop().index, 1u);
        QCOMPARE(queue.pop().index, 2u);
        QCOMPARE(queue.pop().index, 3u);
        QVERIFY(queue.empty());
    }

    void phasesOrderWhatHappensAtOneMoment() {
        EventQueue queue;
        const Phase backwards[] = {Phase::arbitration, Phase::dispatch, Phase::trigger, Phase::completion,
                                   Phase::arrival};
        for (const Phase phase : backwards)
            queue.schedule({500}, phase, 7, static_cast<std::uint32_t>(phase));
        for (std::uint32_t expected = 0; expected < 5; ++expected)
            QCOMPARE(queue.pop().index, expected);
    }

    void thePicosecondBeforeBeatsAnyPhase() {
        // 499 ps in the last phase comes before 500 ps in the first.
        EventQueue queue;
        queue.schedule({500}, Phase::arrival, 0, 2);
        queue.schedule({499}, Phase::arbitration, 0, 1);
        QCOMPARE(queue.pop().index, 1u);
        QCOMPARE(queue.pop().index, 2u);
    }

    void equalTimeAndPhaseComeOutAsTheyWereScheduled() {
        EventQueue queue;
        for (std::uint32_t i = 0; i < 100; ++i)
            queue.schedule({42}, Phase::completion, static_cast<EventTarget>(100 - i), 1000 - i);
        for (std::uint32_t i = 0; i < 100; ++i)
            QCOMPARE(queue.pop().index, 1000 - i);
    }

    void nowIsTheTimeOfTheEventThatWasPopped() {
        EventQueue queue;
        QCOMPARE(queue.nextTime(), kNever);
        queue.schedule({25}, Phase::completion, 3, 9);
        QCOMPARE(queue.nextTime(), TimePoint{25});
        QCOMPARE(queue.now(), TimePoint{0});
        const auto event = queue.pop();
        QCOMPARE(event.time, TimePoint{25});
        QCOMPARE(event.target, EventTarget{3});
        QCOMPARE(queue.now(), TimePoint{25});
        QCOMPARE(queue.processed(), std::int64_t{1});
    }

    void theLastRepresentableMomentIsAllowedAndTheNextIsNot() {
        EventQueue queue;
        queue.schedule({EventQueue::kLastTime}, Phase::arrival, 0, 0);
        QCOMPARE(queue.nextTime(), TimePoint{EventQueue::kLastTime});
        QVERIFY_THROWS_EXCEPTION(TimeOverflow, queue.schedule({EventQueue::kLastTime + 1}, Phase::arrival, 0, 0));
    }

    void theLastBucketOfTheRingComesBeforeTheFirstBeyondIt() {
        EventQueue queue;
        queue.schedule({kRing}, Phase::arrival, 0, 4);
        queue.schedule({kRing - 1}, Phase::arrival, 0, 3);
        queue.schedule({kBucket}, Phase::arrival, 0, 2);
        queue.schedule({5 * kRing}, Phase::arrival, 0, 5);
        queue.schedule({kBucket - 1}, Phase::arrival, 0, 1);
        QCOMPARE(queue.nextTime(), TimePoint{kBucket - 1});
        comesOutAs(queue, {1, 2, 3, 4, 5});
    }

    void theRingWrapsAroundAtAnyBucket() {
        // From each starting bucket: later buckets of the same turn of the ring, the first buckets of the next turn,
        // and the last bucket of the ring. The bucket after that one is in the heap.
        for (const std::int64_t start : {1, 63, 64, 1000, 1023, 1024, 5000}) {
            EventQueue queue;
            advance(queue, start * kBucket + 5);
            const std::int64_t now = start * kBucket;
            queue.schedule({now + kRing}, Phase::arrival, 0, 7);
            queue.schedule({now + kRing - 1}, Phase::arrival, 0, 6);
            queue.schedule({now + kRing / 2}, Phase::arrival, 0, 5);
            queue.schedule({now + 24 * kBucket}, Phase::arrival, 0, 4);
            queue.schedule({now + 24 * kBucket - 1}, Phase::arrival, 0, 3);
            queue.schedule({now + 6}, Phase::arrival, 0, 2);
            queue.schedule({now + 5}, Phase::completion, 0, 1);
            comesOutAs(queue, {1, 2, 3, 4, 5, 6, 7});
        }
    }

    void theOnlyEventIsFoundOnceAroundTheRing() {
        EventQueue queue;
        advance(queue, 1000 * kBucket + 1);
        queue.schedule({2023 * kBucket}, Phase::trigger, 9, 77);
        QCOMPARE(queue.nextTime(), TimePoint{2023 * kBucket});
        const auto event = queue.pop();
        QCOMPARE(event.time, TimePoint{2023 * kBucket});
        QCOMPARE(event.target, EventTarget{9});
        QCOMPARE(event.index, 77u);
    }

    void aFarEventWhoseTimeHasComeGoesBeforeLaterOnesOfTheRing() {
        EventQueue queue;
        queue.schedule({1500 * kBucket}, Phase::arrival, 0, 2);  // in the heap now, within the ring later
        advance(queue, 1000 * kBucket);
        queue.schedule({1500 * kBucket + 1}, Phase::arrival, 0, 3);
        queue.schedule({1500 * kBucket - 1}, Phase::arrival, 0, 1);
        QCOMPARE(queue.nextTime(), TimePoint{1500 * kBucket - 1});
        QCOMPARE(queue.pop().index, 1u);
        QCOMPARE(queue.nextTime(), TimePoint{1500 * kBucket});
        comesOutAs(queue, {2, 3});
    }

    void aFarEventKeepsItsTargetIndexAndPhase() {
        EventQueue queue;
        queue.schedule({3 * kRing}, Phase::arbitration, 254, 0xffffff);
        queue.schedule({3 * kRing}, Phase::dispatch, 1, 0);
        QCOMPARE(queue.pop().target, EventTarget{1});
        const auto last = queue.pop();
        QCOMPARE(last.target, EventTarget{254});
        QCOMPARE(last.index, 0xffffffu);
        QCOMPARE(queue.processed(), std::int64_t{2});
    }

    void ofEqualTimeAndPhaseTheFarEventComesFirstBecauseItWasScheduledEarlier() {
        EventQueue queue;
        const TimePoint moment{1500 * kBucket + 17};
        queue.schedule(moment, Phase::completion, 0, 2);
        queue.schedule(moment, Phase::trigger, 0, 5);
        advance(queue, 1000 * kBucket);
        queue.schedule(moment, Phase::completion, 0, 3);
        queue.schedule(moment, Phase::trigger, 0, 6);
        queue.schedule(moment, Phase::completion, 0, 4);
        queue.schedule(moment, Phase::arrival, 0, 1);  // an earlier phase still goes first
        comesOutAs(queue, {1, 2, 3, 4, 5, 6});
    }

    void farEventsOfEqualTimeAndPhaseComeOutAsTheyWereScheduled() {
        EventQueue queue;
        for (std::uint32_t i = 0; i < 100; ++i) {
            queue.schedule({2 * kRing}, Phase::completion, static_cast<EventTarget>(100 - i), 1000 - i);
            queue.schedule({2 * kRing + 1}, Phase::arrival, 0, 2000 - i);
        }
        for (std::uint32_t i = 0; i < 100; ++i)
            QCOMPARE(queue.pop().index, 1000 - i);
        for (std::uint32_t i = 0; i < 100; ++i)
            QCOMPARE(queue.pop().index, 2000 - i);
    }

    void aLimitHoldsBackFarEventsAsWellAsNearOnes() {
        for (const std::int64_t ahead : {kBucket, 3 * kRing}) {
            EventQueue queue;
            EventQueue::Event event{};
            QVERIFY(!queue.popBefore(kNever, event));
            queue.schedule({ahead}, Phase::arrival, 0, 1);
            QVERIFY(!queue.popBefore({ahead}, event));
            QCOMPARE(queue.now(), TimePoint{0});
            QCOMPARE(queue.processed(), std::int64_t{0});
            QVERIFY(queue.popBefore({ahead + 1}, event));
            QCOMPARE(event.index, 1u);
            QCOMPARE(queue.now(), TimePoint{ahead});
        }
    }

    void aLimitHoldsBackAFarEventThatComesBeforeTheRing() {
        EventQueue queue;
        EventQueue::Event event{};
        queue.schedule({1500 * kBucket}, Phase::arrival, 0, 1);
        advance(queue, 1000 * kBucket);
        queue.schedule({1600 * kBucket}, Phase::arrival, 0, 2);
        QVERIFY(!queue.popBefore({1500 * kBucket}, event));
        QVERIFY(queue.popBefore({1500 * kBucket + 1}, event));
        QCOMPARE(event.index, 1u);
        QVERIFY(!queue.popBefore({1600 * kBucket}, event));
    }

    void anEventInThePastStopsBuildsWithAssertionsAndIsCountedInOthers() {
        EventQueue queue;
        queue.schedule({5000}, Phase::arrival, 0, 0);
        queue.pop();
        queue.schedule({5000}, Phase::arrival, 0, 0);
        QCOMPARE(queue.scheduledInThePast(), std::int64_t{0});
#ifdef NDEBUG
        queue.schedule({4999}, Phase::arrival, 0, 0);
        QCOMPARE(queue.scheduledInThePast(), std::int64_t{1});
#else
        const pid_t child = fork();
        if (child == 0) {
            std::fclose(stderr);
            const rlimit noCore{0, 0};
            setrlimit(RLIMIT_CORE, &noCore);
            std::signal(SIGABRT, SIG_DFL);
            queue.schedule({4999}, Phase::arrival, 0, 0);
            _exit(0);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#endif
    }

    void aLongRunOnAllScalesComesOutSortedByTimePhaseAndSequence() {
        for (unsigned seed = 1; seed <= 4; ++seed) {
            Comparison run(seed);
            for (int round = 0; round < 50000; ++round) {
                // Between a few and a few hundred pending, as in a run.
                const std::uint32_t schedules = run.pending() < 300 ? 5 + (round / 5000) % 2 : 3;
                if (run.pending() == 0 || run.below(10) < schedules)
                    run.schedule();
                else
                    run.pop();
                QCOMPARE(run.queue.empty(), run.pending() == 0);
                if (QTest::currentTestFailed())
                    return;
            }
            qInfo("seed %u: %lld events, %d beyond the ring, %d with the time of another, %lld rings long", seed,
                  static_cast<long long>(run.queue.processed()), run.far, run.ties,
                  static_cast<long long>(run.queue.now().ps / kRing));
            QVERIFY(run.far > 2000 && run.ties > 2000 && run.queue.now().ps > 100 * kRing);
        }
    }

    void aLongRunWithinABucketComesOutSortedByTimePhaseAndSequence() {
        const unsigned seed = 20240427;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        EventQueue queue;
        using Key = std::tuple<std::int64_t, int, std::uint32_t>;
        std::vector<Key> pending;
        std::uint32_t sequence = 0;
        for (int round = 0; round < 20000; ++round) {
            if (pending.empty() || random() % 5 < 3) {
                // Times are never before now, and often exactly now, so that ties occur.
                const std::int64_t time = queue.now().ps + random() % 4;
                const int phase = time == queue.now().ps ? 4 : static_cast<int>(random() % 5);
                queue.schedule({time}, static_cast<Phase>(phase), 0, sequence);
                pending.emplace_back(time, phase, sequence++);
            } else {
                const auto first = std::min_element(pending.begin(), pending.end());
                const auto event = queue.pop();
                QCOMPARE(event.index, std::get<2>(*first));
                QCOMPARE(event.time, TimePoint{std::get<0>(*first)});
                pending.erase(first);
            }
        }
    }
};

RINGSIDE_TEST(TestEventQueue)
#include "tst_event_queue.moc"
