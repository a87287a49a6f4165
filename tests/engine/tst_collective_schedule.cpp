// Tests the schedules of all GPUs together, without time.

#include "engine/collective/collective_schedule.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>
#include <vector>

using namespace engine;

namespace {

constexpr CollectiveKind kKinds[] = {CollectiveKind::reduceScatter, CollectiveKind::allGather,
                                     CollectiveKind::allToAll};
constexpr CollectiveAlgorithm kAlgorithms[] = {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct,
                                               CollectiveAlgorithm::hierarchical, CollectiveAlgorithm::halvingDoubling,
                                               CollectiveAlgorithm::doubleTree};

// Returns whether the algorithm supports this number of GPUs: halving-doubling needs a power of two.
bool runsOn(CollectiveAlgorithm algorithm, std::uint32_t gpus) {
    return algorithm != CollectiveAlgorithm::halvingDoubling || std::has_single_bit(gpus);
}

std::vector<CollectiveSchedule> schedules(CollectiveKind kind, CollectiveAlgorithm algorithm, std::uint32_t gpus) {
    std::vector<CollectiveSchedule> all;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        all.push_back(scheduleOf(kind, algorithm, {gpus, gpu}));
    return all;
}

}  // namespace

class TestCollectiveSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatOneGpuSendsInAStepAnotherReceivesInThatStep() {
        using Move = std::tuple<std::size_t, std::uint32_t, std::uint32_t, std::uint32_t>;
        for (const CollectiveKind kind : kKinds) {
            for (const CollectiveAlgorithm algorithm : kAlgorithms) {
                if (kind == CollectiveKind::allToAll && algorithm > CollectiveAlgorithm::direct)
                    continue;  // rejected
                for (const std::uint32_t gpus : {2u, 4u, 8u, 16u}) {
                    const auto all = schedules(kind, algorithm, gpus);
                    std::vector<Move> sent, received;
                    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                        for (std::size_t step = 0; step < all[gpu].steps.size(); ++step) {
                            for (const Transfer& transfer : all[gpu].steps[step].sends)
                                for (const std::uint32_t to : transfer.to)
                                    sent.emplace_back(step, gpu, to, transfer.chunk);
                            for (const Receipt& receipt : all[gpu].steps[step].receives)
                                received.emplace_back(step, receipt.from, gpu, receipt.chunk);
                        }
                    }
                    std::sort(sent.begin(), sent.end());
                    std::sort(received.begin(), received.end());
                    QVERIFY(sent == received);
                }
            }
        }
    }

    void everyReduceScatterEndsWithAllContributionsAtTheOwner() {
        for (const CollectiveAlgorithm algorithm : kAlgorithms) {
            for (const std::uint32_t gpus : {2u, 4u, 6u, 8u, 64u}) {
                if (!runsOn(algorithm, gpus))
                    continue;
                const auto all = schedules(CollectiveKind::reduceScatter, algorithm, gpus);
                std::size_t steps = 0;
                for (const CollectiveSchedule& schedule : all)
                    steps = std::max(steps, schedule.steps.size());
                std::vector<std::vector<std::uint64_t>> sums(gpus);
                for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                    sums[gpu].assign(gpus, std::uint64_t{1} << gpu);
                for (std::size_t step = 0; step < steps; ++step) {
                    auto next = sums;
                    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                        if (step >= all[gpu].steps.size())
                            continue;
                        for (const Transfer& transfer : all[gpu].steps[step].sends) {
                            const std::uint32_t to = transfer.to.front();
                            QCOMPARE(next[to][transfer.chunk] & sums[gpu][transfer.chunk], std::uint64_t{0});
                            next[to][transfer.chunk] |= sums[gpu][transfer.chunk];
                        }
                    }
                    sums = next;
                }
                const std::vector<std::uint32_t> owners = ownersOf(algorithm, gpus);
                for (std::uint32_t chunk = 0; chunk < gpus; ++chunk)
                    QCOMPARE(sums[owners[chunk]][chunk], ~std::uint64_t{0} >> (64 - gpus));
            }
        }
    }

    void everyAllGatherBringsEveryChunkEverywhereOnce() {
        for (const CollectiveAlgorithm algorithm : kAlgorithms) {
            for (const std::uint32_t gpus : {2u, 4u, 6u, 8u, 64u}) {
                if (!runsOn(algorithm, gpus))
                    continue;
                const auto all = schedules(CollectiveKind::allGather, algorithm, gpus);
                const std::vector<std::uint32_t> owners = ownersOf(algorithm, gpus);
                for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                    std::vector<int> copies(gpus);
                    for (std::uint32_t chunk = 0; chunk < gpus; ++chunk)
                        copies[chunk] += owners[chunk] == gpu;
                    for (const CollectiveStep& step : all[gpu].steps) {
                        for (const Transfer& transfer : step.sends)
                            QVERIFY2(copies[transfer.chunk] == 1, "a chunk is sent before it has arrived");
                        for (const Receipt& receipt : step.receives)
                            ++copies[receipt.chunk];
                    }
                    QCOMPARE(std::count(copies.begin(), copies.end(), 1), std::ptrdiff_t{gpus});
                }
            }
        }
    }

    void everyAllToAllBringsOneChunkFromEachOther() {
        for (const CollectiveAlgorithm algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct}) {
            const auto all = schedules(CollectiveKind::allToAll, algorithm, 8);
            for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
                std::vector<int> from(8);
                for (const CollectiveStep& step : all[gpu].steps)
                    for (const Receipt& receipt : step.receives)
                        ++from[receipt.from];
                QCOMPARE(from[gpu], 0);
                QCOMPARE(std::count(from.begin(), from.end(), 1), std::ptrdiff_t{7});
            }
        }
    }

    void noGpuSendsTheSameChunkToAnotherTwice() {
        for (const CollectiveKind kind : {CollectiveKind::reduceScatter, CollectiveKind::allGather}) {
            for (const CollectiveAlgorithm algorithm : kAlgorithms) {
                for (const CollectiveSchedule& schedule : schedules(kind, algorithm, 16)) {
                    std::set<std::pair<std::uint32_t, std::uint32_t>> sent;
                    for (const CollectiveStep& step : schedule.steps)
                        for (const Transfer& transfer : step.sends)
                            for (const std::uint32_t to : transfer.to)
                                QVERIFY(sent.emplace(transfer.chunk, to).second);
                }
            }
        }
    }

    void halvingAndDoublingTakesLog2NStepsAndADoubleTreeOneForEachChunkAndLevel() {
        for (const CollectiveKind kind : {CollectiveKind::reduceScatter, CollectiveKind::allGather}) {
            for (std::uint32_t gpus = 2, log = 1; gpus <= 64; gpus *= 2, ++log) {
                QCOMPARE(scheduleOf(kind, CollectiveAlgorithm::halvingDoubling, {gpus, 1}).steps.size(),
                         std::size_t{log});
                std::size_t longest = 0;
                for (const CollectiveSchedule& schedule : schedules(kind, CollectiveAlgorithm::doubleTree, gpus))
                    longest = std::max(longest, schedule.steps.size());
                QCOMPARE(longest, std::size_t{gpus / 2 - 1 + log});
            }
        }
    }

    void aGpuWithChildrenInOneTreeIsALeafOfTheOther() {
        for (const std::uint32_t gpus : {4u, 8u, 10u, 64u}) {
            for (const CollectiveSchedule& schedule :
                 schedules(CollectiveKind::reduceScatter, CollectiveAlgorithm::doubleTree, gpus)) {
                std::set<std::uint32_t> trees;  // for even and for odd chunks
                for (const CollectiveStep& step : schedule.steps)
                    for (const Receipt& receipt : step.receives)
                        trees.insert(receipt.chunk % 2);
                QCOMPARE(trees.size(), std::size_t{1});
            }
        }
    }

    void aSumStaysInTheStepAfterItsLastContribution() {
        CollectiveSchedule ring = scheduleOf(CollectiveKind::reduceScatter, CollectiveAlgorithm::ring, {4, 0});
        addSums(ring, 4);
        QCOMPARE(ring.steps.size(), std::size_t{4});
        QCOMPARE(ring.steps.back().sends.front().chunk, 3u);
        QVERIFY(ring.steps.back().sends.front().to.empty());
        // The first chunk of the first tree is complete at its root when it has passed all levels; the others follow.
        CollectiveSchedule root = scheduleOf(CollectiveKind::reduceScatter, CollectiveAlgorithm::doubleTree, {8, 0});
        addSums(root, 8);
        std::vector<std::uint32_t> sums;
        for (std::size_t step = 3; step < root.steps.size(); ++step)
            for (const Transfer& transfer : root.steps[step].sends)
                if (transfer.to.empty())
                    sums.push_back(transfer.chunk);
        QCOMPARE(sums, (std::vector<std::uint32_t>{0, 2, 4, 6}));
    }

    void aDirectCollectiveHasOneStepAndAHierarchicalOneTwo() {
        for (const CollectiveKind kind : kKinds) {
            QCOMPARE(scheduleOf(kind, CollectiveAlgorithm::direct, {8, 2}).steps.size(), std::size_t{1});
            QCOMPARE(scheduleOf(kind, CollectiveAlgorithm::ring, {8, 2}).steps.size(), std::size_t{7});
        }
        QCOMPARE(scheduleOf(CollectiveKind::reduceScatter, CollectiveAlgorithm::hierarchical, {8, 2}).steps.size(),
                 std::size_t{2});
        QCOMPARE(scheduleOf(CollectiveKind::allGather, CollectiveAlgorithm::hierarchical, {8, 2}).steps.size(),
                 std::size_t{2});
    }
};

RINGSIDE_TEST(TestCollectiveSchedule)
#include "tst_collective_schedule.moc"
