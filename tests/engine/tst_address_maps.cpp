#include "engine/collective/address_maps.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <set>

using namespace engine;

class TestAddressMaps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGpuProducesFirstWhatItsNeighbourNeedsNextAndItsOwnShareLast() {
        // The order of chunks on GPU 5 of 8 is 5, 6, 7, 0, 1, 2, 3, 4.
        const RingSchedule ring{8, 5};
        const std::uint32_t expected[] = {5, 6, 7, 0, 1, 2, 3, 4};
        for (std::uint32_t place = 0; place < 8; ++place)
            QCOMPARE(ring.chunkInOrder(place), expected[place]);
        QCOMPARE(ring.ownChunk(), 4u);
    }

    void whatOneGpuSendsTheNextReceivesInTheSameStep() {
        // GPU i sends to GPU i-1.
        for (std::uint32_t gpus = 2; gpus <= 17; ++gpus) {
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                const RingSchedule sender{gpus, gpu};
                const RingSchedule receiver{gpus, (gpu + gpus - 1) % gpus};
                for (std::uint32_t step = 1; step < gpus; ++step) {
                    QCOMPARE(receiver.reduceScatterReceives(step), sender.reduceScatterSends(step));
                    QCOMPARE(receiver.allGatherReceives(step), sender.allGatherSends(step));
                }
            }
        }
    }

    void whatArrivesInOneStepIsSentInTheNext() {
        for (std::uint32_t gpus = 3; gpus <= 17; ++gpus) {
            const RingSchedule ring{gpus, gpus / 2};
            for (std::uint32_t step = 1; step + 1 < gpus; ++step) {
                QCOMPARE(ring.reduceScatterSends(step + 1), ring.reduceScatterReceives(step));
                QCOMPARE(ring.allGatherSends(step + 1), ring.allGatherReceives(step));
            }
        }
    }

    void theReduceScatterEndsAndTheAllGatherBeginsWithTheOwnChunk() {
        for (std::uint32_t gpus = 2; gpus <= 17; ++gpus) {
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                const RingSchedule ring{gpus, gpu};
                QCOMPARE(ring.reduceScatterReceives(gpus - 1), ring.ownChunk());
                QCOMPARE(ring.allGatherSends(1), ring.ownChunk());
            }
        }
    }

    void anAllGatherBringsEveryChunkButTheOwnOnce() {
        for (std::uint32_t gpus = 2; gpus <= 17; ++gpus) {
            const RingSchedule ring{gpus, 1};
            std::set<std::uint32_t> received;
            for (std::uint32_t step = 1; step < gpus; ++step)
                received.insert(ring.allGatherReceives(step));
            QCOMPARE(received.size(), std::size_t{gpus - 1});
            QVERIFY(!received.contains(ring.ownChunk()));
        }
    }

    void theFusedRingSendsTheFirstChunkStraightToTheNeighbourAndKeepsTheLast() {
        const RingSchedule ring{4, 2};
        const AddressMap map = fusedMap(CollectiveKind::reduceScatter, CollectiveAlgorithm::ring, ring);
        QCOMPARE(map.routes.size(), std::size_t{4});
        QCOMPARE(map.routes[0].chunk, 2u);
        QVERIFY(map.routes[0].stores == StoreTarget::remote);
        QCOMPARE(map.routes[0].storesTo, 1u);
        QVERIFY(map.routes[0].dma == DmaTrigger::never);
        QCOMPARE(map.routes[0].updatesPerElement, 0u);
        for (const std::size_t place : {1u, 2u}) {
            QVERIFY(map.routes[place].stores == StoreTarget::local);
            QVERIFY(map.routes[place].storesAreUpdates);
            QVERIFY(map.routes[place].tracked);
            QVERIFY(map.routes[place].dma == DmaTrigger::whenUpdated);
            QCOMPARE(map.routes[place].dmaTo, std::vector<std::uint32_t>{1});
            QCOMPARE(map.routes[place].updatesPerElement, 2u);
        }
        QCOMPARE(map.routes[3].chunk, ring.ownChunk());
        QVERIFY(map.routes[3].dma == DmaTrigger::never);
        QCOMPARE(map.routes[3].updatesPerElement, 2u);
    }

    void aDirectReduceScatterNeedsNeitherDmaNorEntries() {
        const RingSchedule ring{8, 3};
        const AddressMap map = fusedMap(CollectiveKind::reduceScatter, CollectiveAlgorithm::direct, ring);
        for (const ChunkRoute& route : map.routes) {
            QVERIFY(route.dma == DmaTrigger::never);
            QVERIFY(!route.tracked);
            QVERIFY(route.storesAreUpdates);
            const bool own = route.chunk == ring.ownChunk();
            QVERIFY(route.stores == (own ? StoreTarget::local : StoreTarget::remote));
            QCOMPARE(route.updatesPerElement, own ? 8u : 0u);
            if (!own)
                QCOMPARE(route.storesTo, ring.ownerOf(route.chunk));
        }
    }

    void anAllToAllWritesWhatAReduceScatterWouldAdd() {
        const RingSchedule ring{8, 3};
        const AddressMap map = fusedMap(CollectiveKind::allToAll, CollectiveAlgorithm::ring, ring);
        QVERIFY(map.arrivals == MemoryOp::write);
        for (const ChunkRoute& route : map.routes) {
            QVERIFY(!route.storesAreUpdates);
            QCOMPARE(route.updatesPerElement, route.chunk == ring.ownChunk() ? 7u : 0u);
        }
    }

    void byDmaAChunkThatGoesToSeveralIsReadOnce() {
        // Halving-doubling: a chunk that arrives in step s of the all-gather is sent to the partners of all later
        // steps.
        const RingSchedule ring{8, 5};
        const AddressMap map = byDmaMap(CollectiveKind::allGather, CollectiveAlgorithm::halvingDoubling, ring);
        QCOMPARE(map.routes.front().chunk, ring.ownChunk());
        QVERIFY(map.routes.front().dma == DmaTrigger::atStart);
        QCOMPARE(map.routes.front().dmaTo, (std::vector<std::uint32_t>{4, 7, 1}));
        for (const ChunkRoute& route : map.routes)
            if (ring.ownerOf(route.chunk) == 4)
                QCOMPARE(route.dmaTo, (std::vector<std::uint32_t>{7, 1}));
    }

    // Follows the maps of all GPUs without a simulation: where each store, arrival and command brings its data, and
    // that each map expects exactly the data that arrive.
    void everyMapBringsEveryContributionToItsOwnerOnce() {
        for (const auto algorithm :
             {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct, CollectiveAlgorithm::hierarchical,
              CollectiveAlgorithm::halvingDoubling, CollectiveAlgorithm::doubleTree}) {
            for (const std::uint32_t gpus : {2u, 4u, 6u, 8u, 64u}) {
                if (algorithm == CollectiveAlgorithm::halvingDoubling && gpus == 6)
                    continue;  // not a power of two
                for (const bool fused : {true, false})
                    follow(algorithm, gpus, fused);
            }
        }
    }

private:
    static void follow(CollectiveAlgorithm algorithm, std::uint32_t gpus, bool fused) {
        using Sets = std::vector<std::vector<std::uint64_t>>;
        std::vector<AddressMap> maps;
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
            maps.push_back(fused ? fusedMap(CollectiveKind::reduceScatter, algorithm, {gpus, gpu})
                                 : byDmaMap(CollectiveKind::reduceScatter, algorithm, {gpus, gpu}));
        Sets sums(gpus, std::vector<std::uint64_t>(gpus)), landings = sums;
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
            for (const ChunkRoute& route : maps[gpu].routes) {
                const std::uint32_t at = route.stores == StoreTarget::remote ? route.storesTo : gpu;
                sums[at][route.chunk] |= std::uint64_t{1} << gpu;
                landings[at][route.chunk] += fused ? 1 : 0;
            }
        }
        bool moved = true;
        Sets sent(gpus, std::vector<std::uint64_t>(gpus));
        while (moved) {
            moved = false;
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                for (const ChunkRoute& route : maps[gpu].routes) {
                    const bool ready =
                        route.dma == DmaTrigger::atStart ||
                        (route.dma == DmaTrigger::whenUpdated && landings[gpu][route.chunk] == route.updatesPerElement);
                    if (!ready || sent[gpu][route.chunk]++ != 0)
                        continue;
                    moved = true;
                    for (const std::uint32_t to : route.dmaTo) {
                        QCOMPARE(sums[to][route.chunk] & sums[gpu][route.chunk], std::uint64_t{0});
                        sums[to][route.chunk] |= sums[gpu][route.chunk];
                        ++landings[to][route.chunk];
                    }
                }
            }
        }
        const std::vector<std::uint32_t> owners = ownersOf(algorithm, gpus);
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
            QCOMPARE(sums[owners[gpu]][gpu], ~std::uint64_t{0} >> (64 - gpus));
            for (const ChunkRoute& route : maps[gpu].routes)
                if (route.updatesPerElement != 0)
                    QCOMPARE(landings[gpu][route.chunk], std::uint64_t{route.updatesPerElement});
        }
    }
};

RINGSIDE_TEST(TestAddressMaps)
#include "tst_address_maps.moc"
