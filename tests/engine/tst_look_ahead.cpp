#include "engine/kernel/ring_fifo.h"
#include "engine/memory/memory_controller.h"
#include "tests/engine/channel_of_rows.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <functional>
#include <string>
#include <vector>

using namespace engine;
using namespace engine::literals;

namespace {

/// One channel of 32 GB/s, so that a granule of 64 B takes 2 ns. Rows of 2 KiB; the bank bits lie below the row, and the
/// group bits below the bank. tRCD = tRP = 16 ns. The DRAM queue has one entry, so that each choice is made when the
/// request before it has been served. No refreshes.
Experiment aheadMemory(std::int64_t lookAhead) {
    Experiment experiment = tests::channelOfRows();
    experiment.memory.queue = 64_B;
    experiment.arbitration.policy = ArbitrationPolicy::roundRobin;
    experiment.dram.columnDelay = 2_ns;
    experiment.dram.lookAhead = lookAhead;
    return experiment;
}

// Granules that begin a row of the first bank and group, the next row of it, and a row of the second bank.
constexpr std::uint32_t kRowOfBank = 0, kNextRow = 512, kRowOfOtherBank = 128;

/// A memory of one channel. Requests have names.
class AheadBench final : public MemoryClient {
public:
    explicit AheadBench(const Experiment& experiment)
        : memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          load(memory.addFlow({Stream::compute, MemoryOp::read, this, false})),
          store(memory.addFlow({Stream::compute, MemoryOp::write, this, false})),
          send(memory.addFlow({Stream::communication, MemoryOp::read, this, false})) {}

    void ask(FlowId flow, char name, std::uint32_t granule, std::uint32_t bytes = 64) {
        m_granules.push_back(granule);
        m_names += name;
        memory.enqueue(0, flow, static_cast<std::uint32_t>(m_granules.size() - 1), bytes);
    }
    void waitBehindLoads(char name) {
        m_granules.push_back(0);
        m_names += name;
        QVERIFY(memory.enqueueBehindLoads(0, load, static_cast<std::uint32_t>(m_granules.size() - 1)));
    }
    /// Runs what `ask` asks for at time 0. Returns the names in the order of service.
    std::string serve(std::function<void(AheadBench&)> asks) {
        loop.at({0}, [this, asks] { asks(*this); });
        loop.run();
        return order;
    }

    std::uint32_t address(FlowId, std::uint32_t id) const override { return m_granules[id]; }
    void served(FlowId, std::uint32_t id, std::uint32_t, TimePoint) override { order += m_names[id]; }

    tests::EventLoop loop;
    std::string order;
    MemoryController memory;
    FlowId load, store, send;

private:
    std::vector<std::uint32_t> m_granules;
    std::string m_names;
};

std::string servedWith(std::int64_t lookAhead, std::function<void(AheadBench&)> asks) {
    return AheadBench(aheadMemory(lookAhead)).serve(std::move(asks));
}

/// Returns how often rows are opened by that many reads of two rows of one bank in turn.
std::int64_t openingsInTurn(std::int64_t lookAhead, std::int64_t reads) {
    AheadBench bench(aheadMemory(lookAhead));
    bench.serve([reads](AheadBench& all) {
        for (std::int64_t i = 0; i < reads; ++i)
            all.ask(all.load, 'x', i % 2 == 0 ? kRowOfBank : kNextRow);
    });
    return bench.memory.dramOutcome()->activations;
}

}  // namespace

class TestLookAhead : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requestsOfAnOpenRowOvertakeOneThatNeedsAnother() {
        const auto asks = [](AheadBench& bench) {
            bench.ask(bench.load, 'a', kRowOfBank);
            bench.ask(bench.load, 'b', kNextRow);
            bench.ask(bench.load, 'c', kRowOfBank + 1);
        };
        QCOMPARE(servedWith(1, asks), std::string("abc"));
        QCOMPARE(servedWith(2, asks), std::string("acb"));
    }

    void onlyTheFirstRequestsAreLookedAt() {
        const auto asks = [](AheadBench& bench) {
            bench.ask(bench.load, 'a', kRowOfBank);
            bench.ask(bench.load, 'b', kNextRow);
            bench.ask(bench.load, 'c', kNextRow + 1);
            bench.ask(bench.load, 'd', kRowOfBank + 1);
        };
        QCOMPARE(servedWith(2, asks), std::string("abcd"));
        QCOMPARE(servedWith(3, asks), std::string("adbc"));
    }

    void aHeadIsOvertakenAsOftenAsTheLookAheadSaysAndNotOnceMore() {
        for (const std::int64_t lookAhead : {2, 3, 7, 64}) {
            std::string expected(static_cast<std::size_t>(lookAhead) + 1, 'h');
            expected += 'H';
            const std::string order = servedWith(lookAhead, [](AheadBench& bench) {
                bench.ask(bench.load, 'h', kRowOfBank);
                bench.ask(bench.load, 'H', kNextRow);
                for (std::uint32_t hit = 0; hit < 200; ++hit)
                    bench.ask(bench.load, 'h', kRowOfBank + hit % 32);
            });
            QCOMPARE(order.substr(0, expected.size()), expected);
            QCOMPARE(order.size(), std::size_t{202});
        }
    }

    void ofRequestsThatCouldStartAtOnceTheOldestIsNext() {
        const std::string order = servedWith(64, [](AheadBench& bench) {
            for (std::uint32_t hit = 0; hit < 26; ++hit)
                bench.ask(bench.load, static_cast<char>('a' + hit), kRowOfBank + 25 - hit);
        });
        QCOMPARE(order, std::string("abcdefghijklmnopqrstuvwxyz"));
    }

    void aFreeBankComesBeforeOneThatHasToCloseItsRow() {
        const auto asks = [](AheadBench& bench) {
            bench.ask(bench.load, 'a', kRowOfBank);
            bench.ask(bench.load, 'b', kNextRow);
            bench.ask(bench.load, 'c', kRowOfOtherBank);
        };
        QCOMPARE(servedWith(1, asks), std::string("abc"));
        QCOMPARE(servedWith(2, asks), std::string("acb"));
    }

    void requestsOfOneDirectionComeTogether() {
        const auto asks = [](AheadBench& bench) {
            bench.ask(bench.load, 'r', kRowOfBank);
            bench.ask(bench.store, 'w', kRowOfBank + 1);
            bench.ask(bench.load, 's', kRowOfBank + 2);
            bench.ask(bench.store, 'v', kRowOfBank + 3);
        };
        QCOMPARE(servedWith(1, asks), std::string("rwsv"));
        QCOMPARE(servedWith(4, asks), std::string("rswv"));
    }

    void twoRowsInTurnOpenOnceForTwiceTheLookAheadLessOne() {
        for (std::int64_t lookAhead = 1; lookAhead <= 32; ++lookAhead) {
            const std::int64_t reads = 2 * lookAhead - 1;
            QCOMPARE(openingsInTurn(lookAhead, 40 * reads) - openingsInTurn(lookAhead, 20 * reads), std::int64_t{20});
        }
    }

    void eachStreamLooksAheadByItself() {
        // The arbiter takes turns: each stream has a request that opens a row and one that finds it open.
        const auto asks = [](AheadBench& bench) {
            bench.ask(bench.load, 'a', kRowOfBank);
            bench.ask(bench.load, 'b', kNextRow);
            bench.ask(bench.load, 'c', kRowOfBank + 1);
            bench.ask(bench.send, 'A', kRowOfOtherBank);
            bench.ask(bench.send, 'B', kRowOfOtherBank + kNextRow);
            bench.ask(bench.send, 'C', kRowOfOtherBank + 1);
        };
        const std::string order = servedWith(2, asks);
        QVERIFY2(order.find('c') < order.find('b') && order.find('C') < order.find('B'), order.c_str());
        const std::string plain = servedWith(1, asks);
        QVERIFY2(plain.find('b') < plain.find('c') && plain.find('B') < plain.find('C'), plain.c_str());
    }

    void requestsOfZeroBytesLeaveWhenAllBeforeThemHaveLeft() {
        // z waits behind b, which c overtakes. It is no candidate, and it does not count: d is the second one looked at.
        const auto asks = [](AheadBench& bench) {
            bench.ask(bench.load, 'a', kRowOfBank);
            bench.ask(bench.load, 'b', kNextRow);
            bench.waitBehindLoads('z');
            bench.ask(bench.load, 'c', kRowOfBank + 1);
            bench.waitBehindLoads('y');
            bench.ask(bench.load, 'd', kNextRow + 1);
        };
        QCOMPARE(servedWith(2, asks), std::string("aczybd"));
        QCOMPARE(servedWith(1, asks), std::string("azbycd"));
    }

    void whatIsServedDoesNotChange() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            Experiment experiment = tests::smallExperiment(policy);
            experiment.memory.model = DramModel::banks;
            const RunResult inOrder = tests::runAlone(experiment);
            for (const std::int64_t lookAhead : {2, 8, 64}) {
                experiment.dram.lookAhead = lookAhead;
                const RunResult ahead = tests::runAlone(experiment);
                QVERIFY(*ahead.last.dram == *inOrder.last.dram);
                QVERIFY(ahead.last.time.total != inOrder.last.time.total);
            }
        }
    }

    void withoutBanksNothingIsLookedAt() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3Mca);
        const RunResult inOrder = tests::runAlone(experiment);
        experiment.dram.lookAhead = 32;
        const RunResult ahead = tests::runAlone(experiment);
        QCOMPARE(ahead.last.time.total, inOrder.last.time.total);
        QCOMPARE(ahead.events, inOrder.events);
    }

    void aFifoGivesUpAnItemInItsMiddleAndKeepsTheOrderOfTheOthers() {
        // 14 items, whose places go around the end of the block.
        RingFifo<int> fifo;
        for (int i = 0; i < 12; ++i)
            fifo.push(-1);
        for (int i = 0; i < 12; ++i)
            fifo.pop();
        for (int i = 0; i < 14; ++i)
            fifo.push(i);
        QCOMPARE(fifo.at(0), 0);
        QCOMPARE(fifo.at(13), 13);
        fifo.removeAt(13);
        fifo.removeAt(5);
        fifo.removeAt(0);
        QCOMPARE(fifo.size(), std::size_t{11});
        std::vector<int> left;
        for (; !fifo.empty(); fifo.pop())
            left.push_back(fifo.front());
        QCOMPARE(left, (std::vector{1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12}));
    }
};

RINGSIDE_TEST(TestLookAhead)
#include "tst_look_ahead.moc"
