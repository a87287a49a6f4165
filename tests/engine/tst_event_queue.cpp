#include "engine/kernel/event_queue.h"
#include "tests/engine/print.h"

#include <algorithm>
#include <random>
#include <tuple>

using namespace engine;

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

    void aLongMixedRunComesOutSortedByTimePhaseAndSequence() {
        const unsigned seed = 20240427;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        EventQueue queue;
        using Key = std::tuple<std::int64_t, int, std::uint32_t>;
        std::vector<Key> pending;
        std::uint32_t sequence = 0;
        for (int round = 0; round < 20000; ++round) {
            if (pending.empty() || random() % 5 < 3) {
                // Never before now; often exactly now, where ties are settled.
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

QTEST_APPLESS_MAIN(TestEventQueue)
#include "tst_event_queue.moc"
