#include "engine/collective/ring_map.h"
#include "tests/engine/print.h"

#include <set>

using namespace engine;

class TestRingMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGpuProducesFirstWhatItsNeighbourNeedsNextAndItsOwnShareLast() {
        // GPU 5 of 8: 5, 6, 7, 0, 1, 2, 3, 4.
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

    void theFusedMapSendsTheFirstChunkStraightToTheNeighbourAndKeepsTheLast() {
        const RingSchedule ring{4, 2};
        const AddressMap map = fusedReduceScatterMap(ring, true);
        QCOMPARE(map.routes.size(), std::size_t{4});
        QCOMPARE(map.routes[0].chunk, 2u);
        QVERIFY(map.routes[0].stores == StoreTarget::neighbour);
        QVERIFY(map.routes[0].dma == DmaTrigger::never);
        QCOMPARE(map.routes[0].updatesPerElement, 0u);
        for (const std::size_t place : {1u, 2u}) {
            QVERIFY(map.routes[place].stores == StoreTarget::local);
            QVERIFY(map.routes[place].storesAreUpdates);
            QVERIFY(map.routes[place].dma == DmaTrigger::whenUpdated);
            QCOMPARE(map.routes[place].updatesPerElement, 2u);
        }
        QCOMPARE(map.routes[3].chunk, ring.ownChunk());
        QVERIFY(map.routes[3].dma == DmaTrigger::never);
        QCOMPARE(map.routes[3].updatesPerElement, 2u);
    }

    void plainOrderChangesWhenChunksAreMadeButNotWhereTheyGo() {
        const RingSchedule ring{4, 2};
        const AddressMap map = fusedReduceScatterMap(ring, false);
        for (std::uint32_t place = 0; place < 4; ++place)
            QCOMPARE(map.routes[place].chunk, place);
        QVERIFY(map.routes[2].stores == StoreTarget::neighbour);
        QVERIFY(map.routes[1].dma == DmaTrigger::never);  // chunk 1 is GPU 2's own
    }
};

QTEST_APPLESS_MAIN(TestRingMap)
#include "tst_ring_map.moc"
