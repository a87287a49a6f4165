#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "tests/least_time.h"
#include "tests/test_program.h"

#include <QtTest>

#include <chrono>
#include <limits>

using namespace engine;

namespace {

Experiment caseOf(SubLayer sublayer, std::int64_t hidden, std::int64_t batch, std::int64_t tp) {
    Experiment e;
    e.workload.sublayer = sublayer;
    e.workload.hidden = hidden;
    e.workload.sequence = 1024;
    e.workload.batch = batch;
    e.parallel.tp = tp;
    return e;
}

Experiment collective(SubLayer sublayer, std::int64_t bytes, std::int64_t tp) {
    Experiment e;
    e.workload.sublayer = sublayer;
    e.workload.bytes = Bytes{bytes};
    e.parallel.tp = tp;
    return e;
}

/// Returns the bytes of each chunk, added up tile by tile as MODEL.md describes. The closed form must give the same.
std::vector<Bytes> chunksByWalking(const Experiment& e) {
    const std::int64_t m = e.workload.sequence * e.workload.batch, n = e.workload.hidden, gpus = e.parallel.tp;
    const bool alongN = n <= m;
    std::vector<std::int64_t> tiles;
    const std::int64_t outer = alongN ? m : n, inner = alongN ? n : m;
    const std::int64_t outerTile = alongN ? e.gemm.tileM : e.gemm.tileN,
                       innerTile = alongN ? e.gemm.tileN : e.gemm.tileM;
    for (std::int64_t o = 0; o < outer; o += outerTile)
        for (std::int64_t i = 0; i < inner; i += innerTile)
            tiles.push_back(2 * std::min(outerTile, outer - o) * std::min(innerTile, inner - i));
    const auto count = static_cast<std::int64_t>(tiles.size());
    std::vector<Bytes> chunks;
    for (std::int64_t chunk = 0; chunk < gpus; ++chunk) {
        Bytes bytes;
        for (std::int64_t t = count * chunk / gpus; t < count * (chunk + 1) / gpus; ++t)
            bytes += Bytes{tiles[static_cast<std::size_t>(t)]};
        chunks.push_back(bytes);
    }
    return chunks;
}

bool complains(const Problems& problems, std::string_view path, std::string_view words = "") {
    for (const Problem& problem : problems) {
        if (problem.path == path && problem.text.find(words) != std::string::npos)
            return true;
    }
    return false;
}

std::string all(const Problems& problems) {
    std::string text;
    for (const Problem& problem : problems)
        text += describe(problem) + "\n";
    return text;
}

}  // namespace

class TestExperiment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aProblemIsOneShortLineButItsPlaceIsWhole() {
        const std::string place = std::string(300, 'd') + "/lesson.json: steps[0].text";
        QCOMPARE(describe({place, "two\nlines", "no number"}), place + ": two?lines: no number");
        QVERIFY(describe({place, std::string(1'000'000, '9'), "too many digits"}).size() < 500);
        QVERIFY(describe({std::string(1'000'000, 'k'), "", "unknown key"}).size() < 1'100);
    }

    void theDefaultIsTheBundledExampleAndCanBeRun() {
        const Experiment e;
        QVERIFY2(validate(e).empty(), all(validate(e)).c_str());
        const Shape shape = shapeOf(e);
        // M = 1024 x 8, N = H = 4256, K = 4H/8; 32 x 34 tiles of 256 x 128, the last column a quarter wide.
        QCOMPARE(shape.m, 8192);
        QCOMPARE(shape.n, 4256);
        QCOMPARE(shape.k, 2128);
        QCOMPARE(shape.tiles, 1088);
        QCOMPARE(shape.outputBytes.count, 2 * 8192 * 4256);
        QCOMPARE(shape.chunkBytes, std::vector<Bytes>(8, Bytes{8716288}));
    }

    void kFollowsFromTheSublayer() {
        QCOMPARE(shapeOf(caseOf(SubLayer::op, 3072, 16, 8)).k, 3072 / 8);
        QCOMPARE(shapeOf(caseOf(SubLayer::fc2, 3072, 16, 8)).k, 4 * 3072 / 8);
        QCOMPARE(shapeOf(caseOf(SubLayer::fc1, 3072, 16, 8)).k, 4 * 3072 / 8);
        QCOMPARE(shapeOf(caseOf(SubLayer::ip, 3072, 16, 8)).k, 3 * 3072 / 8);
    }

    void allPublishedCasesHaveEqualChunks() {
        struct Model {
            std::int64_t hidden, batch;
            std::vector<std::int64_t> tps;
        };
        for (const Model& model : {Model{3072, 16, {8, 16}}, Model{4256, 8, {8, 16}}, Model{12288, 2, {32}},
                                   Model{18432, 2, {32}}, Model{20480, 2, {32}}}) {
            for (const std::int64_t tp : model.tps) {
                for (const SubLayer sublayer : {SubLayer::op, SubLayer::fc2, SubLayer::fc1, SubLayer::ip}) {
                    const Experiment e = caseOf(sublayer, model.hidden, model.batch, tp);
                    QVERIFY2(validate(e).empty(), all(validate(e)).c_str());
                    const Shape shape = shapeOf(e);
                    QCOMPARE(shape.chunkBytes,
                             std::vector<Bytes>(static_cast<std::size_t>(tp), shape.chunkBytes.front()));
                    QCOMPARE(shape.chunkBytes.front().count * tp, shape.outputBytes.count);
                }
            }
        }
    }

    void theClosedFormOfTheChunksEqualsAWalkOverTheTiles() {
        for (const auto& [sequence, hidden, tileM, tileN, tp] : {std::array<std::int64_t, 5>{1000, 384, 256, 128, 2},
                                                                 {999, 1001, 64, 48, 7},
                                                                 {300, 3000, 128, 256, 5},
                                                                 {512, 512, 128, 128, 4},
                                                                 {100, 6400, 4096, 100, 64},
                                                                 {1, 640, 256, 8, 64},
                                                                 {777, 770, 100, 7000, 2}}) {
            Experiment e = caseOf(SubLayer::fc2, hidden, 1, tp);
            e.workload.sequence = sequence;
            e.gemm.tileM = tileM;
            e.gemm.tileN = tileN;
            const Shape shape = shapeOf(e);
            QCOMPARE(shape.chunkBytes, chunksByWalking(e));
            Bytes sum;
            for (const Bytes chunk : shape.chunkBytes)
                sum += chunk;
            QCOMPARE(sum.count, shape.outputBytes.count);
        }
    }

    void aCollectiveAloneIsCutByElements() {
        // 11 elements on 4 GPUs: floor(11k/4) = 0, 2, 5, 8, 11.
        const Shape shape = shapeOf(collective(SubLayer::allReduce, 22, 4));
        QCOMPARE(shape.chunkBytes, (std::vector<Bytes>{{4}, {6}, {6}, {6}}));
        QCOMPARE(shape.m + shape.n + shape.k, 0);
        QCOMPARE(shape.tiles, 1);
        QCOMPARE(shapeOf(collective(SubLayer::allReduce, 65536, 2)).tiles, 1);
        QCOMPARE(shapeOf(collective(SubLayer::allReduce, 65538, 2)).tiles, 2);
    }

    void aCollectiveNeedsWholeElementsAndOneForEachGpu() {
        QVERIFY(validate(collective(SubLayer::allGather, 16, 8)).empty());
        QVERIFY(
            complains(validate(collective(SubLayer::allGather, 14, 8)), "workload.bytes", "fewer elements than GPUs"));
        QVERIFY(complains(validate(collective(SubLayer::allGather, 17, 8)), "workload.bytes", "multiples of 2 B"));
        Experiment wide = collective(SubLayer::allGather, 32, 8);
        wide.operators.elementBits = 32;
        QVERIFY(validate(wide).empty());
        wide.workload.bytes = 34_B;
        QVERIFY(complains(validate(wide), "workload.bytes", "multiples of 4 B"));
    }

    void aDegreeThatDoesNotDivideKNamesTheNearestThatDo() {
        Experiment e;
        e.parallel.tp = 9;  // 4H = 17024 = 2^7 x 7 x 19
        QVERIFY2(complains(validate(e), "parallel.tp", "nearest allowed: 8 and 14"), all(validate(e)).c_str());
        e.parallel.tp = 14;
        QVERIFY(validate(e).empty());
    }

    void aDegreeOfOneAndMoreGpusThanTilesAreRefused() {
        Experiment e;
        e.parallel.tp = 1;
        QVERIFY(complains(validate(e), "parallel.tp", "below the minimum"));
        e.parallel.tp = 8;
        e.gemm.tileM = 2048;
        e.gemm.tileN = 8192;  // 4 x 1 tiles
        QVERIFY(complains(validate(e), "parallel.tp", "only 4 tiles"));
        e.parallel.tp = 4;
        QVERIFY2(validate(e).empty(), all(validate(e)).c_str());
    }

    void everyProblemIsListedInTableOrder() {
        Experiment e;
        e.link.latency = {-1};
        e.cu.count = 0;
        e.policy.start = CommunicationStart::afterGemm;
        e.memory.efficiency = std::numeric_limits<double>::quiet_NaN();
        const Problems problems = validate(e);
        QCOMPARE(problems.size(), std::size_t{4});
        QCOMPARE(problems[0].path, std::string("cu.count"));
        QCOMPARE(problems[1].path, std::string("memory.efficiency"));
        QCOMPARE(problems[1].value, std::string("nan"));
        QCOMPARE(problems[2].path, std::string("link.latency"));
        QCOMPARE(problems[3].path, std::string("policy.start"));
    }

    void policyPartsThatExcludeEachOtherAreRefused() {
        Experiment t3;
        applyPolicyPreset(t3, PolicyPreset::t3);
        QVERIFY(validate(t3).empty());
        Experiment e = t3;
        e.policy.start = CommunicationStart::afterGemm;
        QVERIFY(complains(validate(e), "policy.start"));
        e = t3;
        e.policy.order = ProducerOrder::plain;
        QVERIFY(complains(validate(e), "policy.order"));
        e = t3;
        e.policy.outputCaching = OutputCaching::allocate;
        QVERIFY(complains(validate(e), "policy.output_caching"));
        e = t3;
        e.collective.reduction = Reduction::cu;
        QVERIFY(complains(validate(e), "collective.reduction"));
        e = t3;
        e.policy.mapping =
            OutputMapping::local;  // a kernel that takes the output as it lands, and cannot add near memory
        QVERIFY(complains(validate(e), "collective.reduction"));
    }

    void aReduceScatterNearMemoryAfterTheGemmIsAllowed() {
        Experiment e;
        applyPolicyPreset(e, PolicyPreset::sequential);
        e.collective.reduction = Reduction::nmc;
        QVERIFY(validate(e).empty());
        e.policy.outputCaching = OutputCaching::bypass;
        e.policy.order = ProducerOrder::staggered;
        QVERIFY(validate(e).empty());
    }

    void thePresetsAreTheirParts() {
        Experiment e;
        applyPolicyPreset(e, PolicyPreset::t3Mca);
        QVERIFY(e == Experiment{});
        applyPolicyPreset(e, PolicyPreset::t3);
        QVERIFY(e.arbitration.policy == ArbitrationPolicy::roundRobin && e.collective.reduction == Reduction::nmc);
        applyPolicyPreset(e, PolicyPreset::idealOverlap);
        Experiment sequential;
        applyPolicyPreset(sequential, PolicyPreset::sequential);
        sequential.policy.preset = PolicyPreset::idealOverlap;
        QVERIFY(e == sequential);
    }

    void mirroringIsRefusedWhereChunksDiffer() {
        Experiment e = caseOf(SubLayer::fc2, 512, 1, 4);
        e.workload.sequence = 1000;  // 4 rows of tiles, the last one ragged
        e.detail.mode = DetailMode::mirrored;
        QVERIFY(complains(validate(e), "detail.mode", "chunks differ"));
        e.detail.mode = DetailMode::full;
        QVERIFY2(validate(e).empty(), all(validate(e)).c_str());
        e.workload.sequence = 1024;
        e.detail.mode = DetailMode::mirrored;
        QVERIFY(validate(e).empty());
    }

    void absurdSizesEndInAMessageAndNotInGigabytes() {
        Experiment e = caseOf(SubLayer::fc2, 262144, 65536, 64);
        e.workload.sequence = 1048576;
        QVERIFY(complains(validate(e), "gemm.tile_m", "tiles"));
        e = caseOf(SubLayer::fc2, 4256, 8, 8);
        e.gemm.tileM = e.gemm.tileN = 8;
        e.gemm.kStep = 8;
        QVERIFY2(!validate(e).empty(), "145 million K-steps");
        e = caseOf(SubLayer::fc2, 65536, 16, 2);
        e.gemm.tileM = e.gemm.tileN = 1024;
        e.detail.granule = 64_B;
        QVERIFY2(!validate(e).empty(), "more granules than are allowed");
        e = Experiment{};
        e.cu.clock = 1_MHz;
        e.cu.flopsPerCycle = 1;
        e.cu.count = 1;
        QVERIFY2(complains(validate(e), "cu.flops_per_cycle"), "months of simulated time");
        e = Experiment{};
        e.gemm.tileM = e.gemm.tileN = 65536;
        e.workload.sequence = 65536;
        e.workload.hidden = 65536;
        QVERIFY2(!validate(e).empty(), "a tile of 8 GB");
    }

    void unfitPartsOfTheMachineAreRefused() {
        Experiment e;
        e.collective.cuCount = 81;
        QVERIFY(complains(validate(e), "collective.cu_count"));
        e.collective.cuCount = 80;
        QVERIFY(validate(e).empty());
        e.dma.window = 4095_B;
        QVERIFY(complains(validate(e), "dma.window"));
        e.dma.window = 4_KiB;
        QVERIFY(validate(e).empty());
    }

    void validationIsFastEnoughForASlider() {
        // The limit allows for slow machines and sanitizers: a slider moves every 16 ms.
        const Experiment e;
        bool valid = true;
        const auto each = tests::processorTimeOf([&] {
                              for (int i = 0; i < 100; ++i)
                                  valid = valid && validate(e).empty();
                          }) /
                          100;
        QVERIFY(valid);
        QVERIFY(each < std::chrono::milliseconds(4));
    }
};

RINGSIDE_TEST(TestExperiment)
#include "tst_experiment.moc"
