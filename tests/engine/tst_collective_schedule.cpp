// The schedules of all GPUs, played against each other without any time.

#include "engine/collective/collective_schedule.h"
#include "tests/test_program.h"
#include "tests/engine/print.h"

#include <QtTest>

#include <algorithm>
#include <tuple>
#include <vector>

using namespace engine;

namespace {

constexpr CollectiveKind kKinds[] = {CollectiveKind::reduceScatter, CollectiveKind::allGather,
                                     CollectiveKind::allToAll};
constexpr CollectiveAlgorithm kAlgorithms[] = {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct,
                                               CollectiveAlgorithm::hierarchical};

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
                const auto all = schedules(CollectiveKind::reduceScatter, algorithm, gpus);
                std::vector<std::vector<std::uint64_t>> sums(gpus);
                for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                    sums[gpu].assign(gpus, std::uint64_t{1} << gpu);
                for (std::size_t step = 0; step < all[0].steps.size(); ++step) {
                    auto next = sums;
                    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                        for (const Transfer& transfer : all[gpu].steps[step].sends) {
                            const std::uint32_t to = transfer.to.front();
                            QCOMPARE(next[to][transfer.chunk] & sums[gpu][transfer.chunk], std::uint64_t{0});
                            next[to][transfer.chunk] |= sums[gpu][transfer.chunk];
                        }
                    }
                    sums = next;
                }
                for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                    QCOMPARE(sums[gpu][(gpu + gpus - 1) % gpus], ~std::uint64_t{0} >> (64 - gpus));
            }
        }
    }

    void everyAllGatherBringsEveryChunkEverywhereOnce() {
        for (const CollectiveAlgorithm algorithm : kAlgorithms) {
            for (const std::uint32_t gpus : {2u, 4u, 6u, 8u, 64u}) {
                const auto all = schedules(CollectiveKind::allGather, algorithm, gpus);
                for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                    std::vector<int> copies(gpus);
                    ++copies[RingSchedule{gpus, gpu}.ownChunk()];
                    for (const CollectiveStep& step : all[gpu].steps) {
                        for (const Transfer& transfer : step.sends)
                            QVERIFY2(copies[transfer.chunk] == 1, "a chunk is sent before it is there");
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
