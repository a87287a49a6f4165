// Compares the counts that follow from the steps and address maps of every algorithm with closed forms.

#include "engine/collective/address_maps.h"
#include "engine/collective/played_counts.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <bit>

using namespace engine;

namespace {

// Chunks of different sizes, so that the terms of a formula can be distinguished. GPU i owns chunk i-1.
struct Chunks {
    std::int64_t gpu = 0;
    std::vector<Bytes> bytes;

    Chunks(std::int64_t which, std::int64_t gpus) : gpu(which) {
        for (std::int64_t chunk = 0; chunk < gpus; ++chunk)
            bytes.push_back({1000 + 37 * chunk * chunk});
    }
    std::int64_t gpus() const { return std::ssize(bytes); }
    std::int64_t at(std::int64_t chunk) const {
        return bytes[static_cast<std::size_t>((chunk % gpus() + gpus()) % gpus())].count;
    }
    std::int64_t own() const { return at(gpu - 1); }
    std::int64_t total() const {
        std::int64_t sum = 0;
        for (const Bytes chunk : bytes)
            sum += chunk.count;
        return sum;
    }
    std::int64_t counterparts() const { return at(gpus() - 1 - gpu - 1); }  // of GPU N-1-i on the other node
    // Of the aligned group of `size` GPUs in which `owner` is.
    std::int64_t group(std::int64_t owner, std::int64_t size) const {
        std::int64_t sum = 0;
        for (std::int64_t i = owner / size * size; i < owner / size * size + size; ++i)
            sum += at(i - 1);
        return sum;
    }
};

enum class Carrier { cus, nmc, fused };

ExpectedCounts ringScatter(const Chunks& c, Carrier by) {
    const std::int64_t s = c.total(), first = c.at(c.gpu), own = c.own();
    ExpectedCounts counts;
    counts.stores = by == Carrier::fused ? s - first : s;
    counts.sent = s - own;
    counts.received = s - first;
    counts.writes = counts.received + (by == Carrier::cus ? own : 0);
    counts.reads = by == Carrier::fused ? s - first - own : by == Carrier::cus ? 2 * s - first : s - own;
    return counts;
}

ExpectedCounts directScatter(const Chunks& c, Carrier by) {
    const std::int64_t s = c.total(), own = c.own();
    ExpectedCounts counts;
    counts.stores = by == Carrier::fused ? own : s;
    counts.sent = s - own;
    counts.received = (c.gpus() - 1) * own;
    counts.writes = counts.received + (by == Carrier::cus ? own : 0);
    counts.reads = by == Carrier::fused ? 0 : s - own + (by == Carrier::cus ? c.gpus() * own : 0);
    return counts;
}

ExpectedCounts hierarchicalScatter(const Chunks& c, Carrier by) {
    const std::int64_t s = c.total(), own = c.own(), counterparts = c.counterparts(), node = c.gpus() / 2;
    ExpectedCounts counts;
    counts.stores = by == Carrier::fused ? own + counterparts : s;
    counts.sent = s - own;
    counts.received = (node - 1) * (own + counterparts) + own;
    counts.writes = counts.received + (by == Carrier::cus ? own : 0);
    if (by == Carrier::fused)
        counts.reads = counterparts;
    else if (by == Carrier::cus)  // what stays in the node once, the counterpart's sum and the own with their copies
        counts.reads = s - own - counterparts + node * counterparts + (node + 1) * own;
    else
        counts.reads = s - own;
    return counts;
}

// In step s what the other half of a group of N/2^(s-1) GPUs owns is sent, with s-1 copies each.
ExpectedCounts halvingScatter(const Chunks& c, Carrier by) {
    const std::int64_t s = c.total(), own = c.own();
    ExpectedCounts counts;
    counts.stores = by == Carrier::fused ? c.group(c.gpu, c.gpus() / 2) : s;
    std::int64_t copies = 0;
    for (std::int64_t half = c.gpus() / 2; half > 0; half /= 2, ++copies) {
        const std::int64_t sent = c.group(c.gpu ^ half, half);
        counts.sent += sent;
        counts.received += c.group(c.gpu, half);
        counts.reads += by == Carrier::cus ? sent * (1 + copies) : by == Carrier::fused && copies == 0 ? 0 : sent;
    }
    counts.reads += by == Carrier::cus ? own * (1 + copies) : 0;
    counts.writes = counts.received + (by == Carrier::cus ? own : 0);
    return counts;
}

ExpectedCounts gatherOf(const Chunks& c, CollectiveAlgorithm algorithm, bool byDma) {
    ExpectedCounts counts;
    counts.stores = byDma ? 0 : c.total();
    counts.received = c.total() - c.own();
    counts.writes = counts.received;
    const std::int64_t node = c.gpus() / 2;
    switch (algorithm) {
    case CollectiveAlgorithm::ring:  // every chunk but the one that is never forwarded
        counts.reads = counts.sent = c.total() - c.at(c.gpu - 2);
        break;
    case CollectiveAlgorithm::direct:
        counts.reads = c.own();
        counts.sent = (c.gpus() - 1) * c.own();
        break;
    case CollectiveAlgorithm::hierarchical:
        counts.reads = c.own() + (node > 1 ? c.counterparts() : 0);
        counts.sent = node * c.own() + (node - 1) * c.counterparts();
        break;
    case CollectiveAlgorithm::halvingDoubling:
        for (std::int64_t size = 1; size < c.gpus(); size *= 2)
            counts.sent += c.group(c.gpu, size);
        counts.reads = byDma ? c.group(c.gpu, c.gpus() / 2) : counts.sent;  // DMA reads once for all partners
        break;
    case CollectiveAlgorithm::inSwitch: counts.reads = counts.sent = c.own(); break;
    case CollectiveAlgorithm::doubleTree: break;
    }
    return counts;
}

// One copy of each chunk leaves, and one sum comes.
ExpectedCounts inSwitchScatter(const Chunks& c, bool onCus) {
    ExpectedCounts counts;
    counts.stores = c.total();
    counts.sent = c.total() - c.own();
    counts.received = c.own();
    counts.writes = counts.received + (onCus ? c.own() : 0);
    counts.reads = counts.sent + (onCus ? 2 * c.own() : 0);
    return counts;
}

using ScatterForm = ExpectedCounts (*)(const Chunks&, Carrier);

struct Known {
    CollectiveAlgorithm algorithm;
    ScatterForm scatter;
};
constexpr Known kKnown[] = {{CollectiveAlgorithm::ring, ringScatter},
                            {CollectiveAlgorithm::direct, directScatter},
                            {CollectiveAlgorithm::hierarchical, hierarchicalScatter},
                            {CollectiveAlgorithm::halvingDoubling, halvingScatter}};

}  // namespace

class TestPlayedCounts : public QObject {
    Q_OBJECT

    template <typename Check>
    static void forEachGpu(CollectiveAlgorithm algorithm, Check check) {
        for (const std::uint32_t gpus : {2u, 4u, 6u, 8u, 16u}) {
            if (algorithm == CollectiveAlgorithm::halvingDoubling && !std::has_single_bit(gpus))
                continue;
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                check(Chunks(gpu, gpus), RingSchedule{gpus, gpu});
        }
    }

private Q_SLOTS:
    void theStepsOfAReduceScatterComeToItsClosedForm() {
        for (const Known& known : kKnown) {
            forEachGpu(known.algorithm, [&](const Chunks& chunks, const RingSchedule& ring) {
                const auto steps = scheduleOf(CollectiveKind::reduceScatter, known.algorithm, ring);
                QVERIFY(countsOf(steps, chunks.bytes, true) == known.scatter(chunks, Carrier::cus));
                QVERIFY(countsOf(steps, chunks.bytes, false) == known.scatter(chunks, Carrier::nmc));
            });
        }
    }

    void theMapOfAFusedReduceScatterComesToItsClosedForm() {
        for (const Known& known : kKnown) {
            forEachGpu(known.algorithm, [&](const Chunks& chunks, const RingSchedule& ring) {
                const AddressMap map = fusedMap(CollectiveKind::reduceScatter, known.algorithm, ring);
                QVERIFY(countsOf(map, chunks.bytes) == known.scatter(chunks, Carrier::fused));
            });
        }
    }

    void anAllGatherComesToItsClosedFormByAKernelAndByDma() {
        for (const Known& known : kKnown) {
            forEachGpu(known.algorithm, [&](const Chunks& chunks, const RingSchedule& ring) {
                const auto steps = scheduleOf(CollectiveKind::allGather, known.algorithm, ring);
                QVERIFY(countsOf(steps, chunks.bytes, true) == gatherOf(chunks, known.algorithm, false));
                const AddressMap map = byDmaMap(CollectiveKind::allGather, known.algorithm, ring);
                QVERIFY(countsOf(map, chunks.bytes) == gatherOf(chunks, known.algorithm, true));
            });
        }
    }

    void inTheSwitchEachGpuSendsAndReceivesEveryByteOnce() {
        constexpr auto kInSwitch = CollectiveAlgorithm::inSwitch;
        forEachGpu(kInSwitch, [&](const Chunks& chunks, const RingSchedule& ring) {
            const auto scatter = scheduleOf(CollectiveKind::reduceScatter, kInSwitch, ring);
            QVERIFY(countsOf(scatter, chunks.bytes, true) == inSwitchScatter(chunks, true));
            QVERIFY(countsOf(scatter, chunks.bytes, false) == inSwitchScatter(chunks, false));
            const auto gather = scheduleOf(CollectiveKind::allGather, kInSwitch, ring);
            QVERIFY(countsOf(gather, chunks.bytes, true) == gatherOf(chunks, kInSwitch, false));
            const std::int64_t all = chunks.total();
            QVERIFY(countsOf(scheduleOf(CollectiveKind::allReduce, kInSwitch, ring), chunks.bytes, true) ==
                    (ExpectedCounts{all, all, all, all, all}));
        });
    }

    void buffersCostAnArrivingByteTwoPassesMoreAndEachReceiverARead() {
        for (const Known& known : kKnown) {
            forEachGpu(known.algorithm, [&](const Chunks& chunks, const RingSchedule& ring) {
                // Contributions wait in buffers in any case, and each leaves for one GPU.
                const auto scatter = scheduleOf(CollectiveKind::reduceScatter, known.algorithm, ring);
                QVERIFY(countsOf(scatter, chunks.bytes, true, true) == known.scatter(chunks, Carrier::cus));
                QVERIFY(countsOf(scatter, chunks.bytes, false, true) == known.scatter(chunks, Carrier::nmc));
                ExpectedCounts kernel = gatherOf(chunks, known.algorithm, false);
                kernel.reads = kernel.sent + kernel.received;
                kernel.writes = 2 * kernel.received;
                const auto gather = scheduleOf(CollectiveKind::allGather, known.algorithm, ring);
                QVERIFY(countsOf(gather, chunks.bytes, true, true) == kernel);
                // DMA copies nothing.
                ExpectedCounts byDma = gatherOf(chunks, known.algorithm, true);
                byDma.reads = byDma.sent;
                const AddressMap map = byDmaMap(CollectiveKind::allGather, known.algorithm, ring);
                QVERIFY(countsOf(map, chunks.bytes, true) == byDma);
            });
        }
    }

    void anAllToAllSendsEachOtherItsChunkAndKeepsOne() {
        forEachGpu(CollectiveAlgorithm::ring, [](const Chunks& chunks, const RingSchedule& ring) {
            const std::int64_t sent = chunks.total() - chunks.own(), received = (chunks.gpus() - 1) * chunks.own();
            const ExpectedCounts kernel{chunks.total(), sent, received, sent, received};
            const ExpectedCounts fused{chunks.own(), 0, received, sent, received};
            for (const auto algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::direct})
                QVERIFY(countsOf(scheduleOf(CollectiveKind::allToAll, algorithm, ring), chunks.bytes, true) == kernel);
            QVERIFY(countsOf(fusedMap(CollectiveKind::allToAll, CollectiveAlgorithm::ring, ring), chunks.bytes) ==
                    fused);
        });
    }

    // Each chunk crosses N-1 edges of its tree upwards and as many downwards; on CUs each edge is a copy that is read.
    void aDoubleTreeMovesEachChunkOnceOverEachEdge() {
        constexpr auto kTree = CollectiveAlgorithm::doubleTree;
        for (const std::uint32_t gpus : {2u, 4u, 6u, 7u, 8u, 16u}) {
            const Chunks chunks(0, gpus);
            ExpectedCounts cus, nmc, fused, gather, byDma;
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
                const auto add = [](ExpectedCounts& sum, const ExpectedCounts& own) {
                    sum.reads += own.reads;
                    sum.writes += own.writes;
                    sum.sent += own.sent;
                    sum.received += own.received;
                };
                const auto reduce = scheduleOf(CollectiveKind::reduceScatter, kTree, {gpus, gpu});
                add(cus, countsOf(reduce, chunks.bytes, true));
                add(nmc, countsOf(reduce, chunks.bytes, false));
                add(fused, countsOf(fusedMap(CollectiveKind::reduceScatter, kTree, {gpus, gpu}), chunks.bytes));
                add(gather, countsOf(scheduleOf(CollectiveKind::allGather, kTree, {gpus, gpu}), chunks.bytes, true));
                add(byDma, countsOf(byDmaMap(CollectiveKind::allGather, kTree, {gpus, gpu}), chunks.bytes));
            }
            const std::int64_t total = chunks.total(), edges = (gpus - 1) * total;
            for (const ExpectedCounts& counts : {cus, nmc, fused, gather, byDma}) {
                QCOMPARE(counts.sent, edges);
                QCOMPARE(counts.received, edges);
            }
            QCOMPARE(cus.reads, std::int64_t{gpus} * total + edges);  // own copies, and each received one
            QCOMPARE(cus.writes, edges + total);
            QCOMPARE(nmc.reads, edges);
            QCOMPARE(gather.reads, byDma.reads);
        }
    }

    void aGpuOfADoubleTreeSendsHalfOfAllChunksUpEachTreeInWhichItIsNoRoot() {
        const Chunks chunks(0, 8);
        std::int64_t even = 0, odd = 0;
        for (std::int64_t chunk = 0; chunk < 8; ++chunk)
            (chunk % 2 == 0 ? even : odd) += chunks.at(chunk);
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
            const auto steps = scheduleOf(CollectiveKind::reduceScatter, CollectiveAlgorithm::doubleTree, {8, gpu});
            const std::int64_t sent = (gpu == 0 ? 0 : even) + (gpu == 7 ? 0 : odd);
            QCOMPARE(countsOf(steps, chunks.bytes, true).sent, sent);
        }
    }
};

RINGSIDE_TEST(TestPlayedCounts)
#include "tst_played_counts.moc"
