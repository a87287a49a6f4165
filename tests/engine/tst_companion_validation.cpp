#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "engine/run/unread.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace engine;

// Tests which values of a GEMM alone, a companion and dispatch are rejected, on both sides of each limit.

namespace {

Experiment ownGemm(std::int64_t m, std::int64_t n, std::int64_t k) {
    Experiment e;
    e.workload = {};
    e.workload.sublayer = SubLayer::gemm;
    e.matrix = {m, n, k};
    return e;
}

Experiment beside(CompanionOperation operation, PolicyPreset policy = PolicyPreset::sequential) {
    Experiment e;
    applyPolicyPreset(e, policy);
    e.companion.operation = operation;
    return e;
}

/// Returns all problems as text.
std::string problemsOf(const Experiment& e) {
    std::string text;
    for (const Problem& problem : validate(e))
        text += describe(problem) + "\n";
    return text;
}

/// Returns whether the only problem begins with `begins` and contains `words`. If not, prints all problems.
bool isRefused(const Experiment& e, const std::string& begins, const std::string& words) {
    const Problems problems = validate(e);
    const std::string text = problems.size() == 1 ? describe(problems.front()) : std::string();
    const bool held = text.starts_with(begins) && text.find(words) != std::string::npos;
    if (!held)
        qWarning("expected %s ... %s, got:\n%s", begins.c_str(), words.c_str(), problemsOf(e).c_str());
    return held;
}

bool isAllowed(const Experiment& e) {
    const std::string problems = problemsOf(e);
    if (!problems.empty())
        qWarning("%s", problems.c_str());
    return problems.empty();
}

std::string noticesOf(const Experiment& e) {
    Notices notices;
    addUnreadParallelWork(e, notices);
    std::string text;
    for (const Notice& notice : notices)
        text += notice.path + ": " + notice.text + "\n";
    return text;
}

}  // namespace

class TestCompanionValidation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGemmAloneIsNotDividedAmongGpus() {
        // One tile for eight GPUs, and a K that 7 does not divide.
        QVERIFY(isAllowed(ownGemm(1, 1, 32)));
        Experiment e = ownGemm(4096, 4096, 4097);
        e.parallel.tp = 7;
        QVERIFY(isAllowed(e));
        e.parallel.tp = 1;
        QVERIFY(isRefused(e, "parallel.tp: 1: ", "below the minimum"));
    }

    void aGemmAloneKeepsTheLimitsOfAnyGemm() {
        Experiment e = ownGemm(256 << 10, 128 << 10, 64);  // 2^10 x 2^10 tiles
        e.detail.granule = 64_KiB;
        QVERIFY(isAllowed(e));
        ++e.matrix.m;
        QVERIFY(isRefused(e, "gemm.tile_m: 256: ", "a smaller matrix.m or matrix.n"));
        e = ownGemm(std::int64_t{1} << 31, std::int64_t{1} << 31, std::int64_t{1} << 31);
        QVERIFY(isRefused(e, "gemm.tile_m: 256: ", "tiles"));
        e.matrix.m = 0;
        QVERIFY(isRefused(e, "matrix.m: 0: ", "allowed"));
    }

    void aGemmAloneHasAtLeastOneKStep() {
        QVERIFY(isAllowed(ownGemm(64, 64, 32)));
        QVERIFY(isRefused(ownGemm(64, 64, 31), "matrix.k: 31: ", "smaller than a K-step (gemm.k_step = 32)"));
        // The K of a sub-layer may be shorter than a K-step, which is then cut off.
        Experiment e;
        e.workload.hidden = 64;
        e.workload.sublayer = SubLayer::op;
        e.gemm.tileM = e.gemm.tileN = 64;
        e.parallel.tp = 4;
        QVERIFY(isAllowed(e));
    }

    void aBatchHasTheLimitOfTilesOfOneGemm() {
        Experiment e = ownGemm(16 * 256, 16 * 128, 64);  // 2^8 tiles
        e.detail.granule = 64_KiB;
        e.matrix.batch = 1 << 12;
        QVERIFY(problemsOf(e).find("tiles") == std::string::npos);
        ++e.matrix.batch;
        QVERIFY(isRefused(e, "matrix.batch: 4097: ", "makes 1048832 tiles, allowed are 1048576; allowed: 1 to 4096"));
        e.matrix.batch = 65536;
        QVERIFY(isRefused(e, "matrix.batch: 65536: ", "16777216 tiles"));
        e.matrix.batch = 65537;
        QVERIFY(isRefused(e, "matrix.batch: 65537: ", "allowed: 1 to 65536"));
    }

    void anElementHasEightSixteenOrThirtyTwoBits() {
        Experiment e = ownGemm(512, 512, 512);
        for (const std::int64_t bits : {8, 16, 32}) {
            e.operators.elementBits = bits;
            QVERIFY(isAllowed(e));
        }
        for (const std::int64_t bits : {7, 12, 64}) {
            e.operators.elementBits = bits;
            QVERIFY(isRefused(e, "operators.element_bits: " + std::to_string(bits) + ": ", "8"));
        }
    }

    void aGemmAloneReadsNoPolicyOfCollectives() {
        Experiment e = ownGemm(512, 512, 512);
        e.policy.mapping = OutputMapping::local;  // elsewhere the other parts of t3-mca do not allow it
        QVERIFY(isAllowed(e));
        e.collective.algorithm = CollectiveAlgorithm::doubleTree;
        e.collective.operation = CollectiveOperation::allGather;
        QVERIFY(isAllowed(e));
        e.workload.sublayer = SubLayer::fc2;
        QVERIFY(!validate(e).empty());
    }

    void aGemmAloneRunsBesideACollectiveOnlyWhereThereIsOne() {
        Experiment e = ownGemm(512, 512, 512);
        applyPolicyPreset(e, PolicyPreset::cuSplit);
        QVERIFY(isRefused(e, "policy.start: concurrent: ", "no collective to run beside"));
        e.companion.operation = CompanionOperation::allGather;
        QVERIFY(isAllowed(e));
    }

    void oneGpuStandsForAllWhateverTheRingWhereNothingIsSent() {
        Experiment e = ownGemm(512, 512, 512);
        e.detail.mode = DetailMode::mirrored;
        e.topology.kind = TopologyKind::switched;
        e.collective.algorithm = CollectiveAlgorithm::direct;
        QVERIFY(isAllowed(e));
        e.variation.gpu = 1;
        e.variation.clockFactor = 0.5;
        QVERIFY(isRefused(e, "detail.mode: mirrored: ", "the GPUs differ"));
    }

    void aCompanionsBytesAreEvenAndEnoughForAllGpus() {
        Experiment e = beside(CompanionOperation::allGather);
        e.companion.bytes = 16_B;
        QVERIFY(isAllowed(e));
        e.companion.bytes = 14_B;
        QVERIFY(isRefused(e, "companion.bytes: 14 B: ", "at least 16 B for parallel.tp = 8"));
        e.companion.bytes = 17_B;
        QVERIFY(isRefused(e, "companion.bytes: 17 B: ", "multiples of 2 B"));
        e.operators.elementBits = 8;
        QVERIFY(isAllowed(e));
        e.companion.operation = CompanionOperation::gemm;
        QVERIFY(isAllowed(e));
    }

    void onlyGemmsHaveCopies() {
        Experiment e = beside(CompanionOperation::gemm);
        e.companion.copies = 2;
        QVERIFY(isAllowed(e));
        e.companion.operation = CompanionOperation::allToAll;
        QVERIFY(isRefused(e, "companion.copies: 2: ", "allowed: 1"));
    }

    void aCollectiveKernelHasNoMoreWorkgroupsThanTheGpuHasCus() {
        Experiment e = beside(CompanionOperation::allGather);
        e.companion.workgroups = 80;
        QVERIFY(isAllowed(e));
        e.companion.workgroups = 81;
        QVERIFY(isRefused(e, "companion.workgroups: 81: ", "allowed: 1 to 80"));
        e.companion.by = CollectiveCarrier::dma;
        QVERIFY(isAllowed(e));
    }

    void onlyNearMemoryUpdatesLetDmaReduce() {
        for (const CompanionOperation operation : {CompanionOperation::reduceScatter, CompanionOperation::allReduce}) {
            Experiment e = beside(operation);
            QVERIFY(isAllowed(e));
            e.companion.by = CollectiveCarrier::dma;
            QVERIFY(isRefused(e, "companion.by: dma: ", "collective.reduction=nmc"));
            e.collective.reduction = Reduction::nmc;
            QVERIFY(isAllowed(e));
        }
        Experiment e = beside(CompanionOperation::allToAll);
        e.companion.by = CollectiveCarrier::dma;
        QVERIFY(isAllowed(e));
    }

    void aWindowHoldsAtLeastOneRequest() {
        Experiment e = beside(CompanionOperation::allGather);
        e.companion.window = e.detail.granule;
        QVERIFY(isAllowed(e));
        e.companion.window = Bytes{e.detail.granule.count - 1};
        QVERIFY(isRefused(e, "companion.window: 4095 B: ", "allowed: at least that, or unlimited"));
        e.companion.window.reset();
        QVERIFY(isAllowed(e));
    }

    void reservedCusLeaveSomeForGemms() {
        Experiment e = beside(CompanionOperation::allGather);
        e.dispatch.rule = DispatchRule::reserved;
        e.dispatch.reserved = 79;
        QVERIFY(isAllowed(e));
        e.dispatch.reserved = 80;
        QVERIFY(isRefused(e, "dispatch.reserved: 80: ", "allowed: 1 to 79"));
        e.dispatch.rule = DispatchRule::inOrder;  // this rule does not read `reserved`
        QVERIFY(isAllowed(e));
        e.dispatch = {DispatchRule::reserved, {}};
        e.companion.workgroups = 79;
        QVERIFY(isAllowed(e));
        e.companion.workgroups = 80;
        QVERIFY(isRefused(e, "dispatch.reserved: workgroups: ", "allowed: 1 to 79"));
    }

    void dmaHasNoWorkgroupsToReserveCusFor() {
        Experiment e = beside(CompanionOperation::allGather);
        e.companion.by = CollectiveCarrier::dma;
        e.dispatch.rule = DispatchRule::reserved;
        QVERIFY(isRefused(e, "dispatch.reserved: workgroups: ", "allowed: 1 to 79"));
        e.dispatch.reserved = 8;
        QVERIFY(isAllowed(e));
    }

    void aGemmWithoutACollectiveKernelNeedsANumberOfReservedCus() {
        Experiment e = ownGemm(512, 512, 512);
        e.dispatch.rule = DispatchRule::reserved;
        QVERIFY(isRefused(e, "dispatch.reserved: workgroups: ", "allowed: 1 to 79"));
        e.dispatch.reserved = 8;
        QVERIFY(isAllowed(e));
        e.cu.count = 1;
        QVERIFY(isRefused(e, "dispatch.reserved: 8: ", "at least 2 for cu.count"));
    }

    void cuSplitIsAPresetOfReservedCus() {
        Experiment e;
        applyPolicyPreset(e, PolicyPreset::cuSplit);
        QCOMPARE(reservedCus(e), std::int64_t{16});
        e.collective.cuCount = 79;
        QCOMPARE(reservedCus(e), std::int64_t{79});
        QVERIFY(isAllowed(e));
        e.collective.cuCount = 80;
        QVERIFY(isRefused(e, "collective.cu_count: 80: ", "allowed: 1 to 79"));
        e.dispatch.reserved = 8;  // the kernel's workgroups take turns on them
        QVERIFY(isAllowed(e));
        e.dispatch = {DispatchRule::inOrder, {}};
        QCOMPARE(reservedCus(e), std::int64_t{0});
        QVERIFY(isAllowed(e));
        e.collective.cuCount = 81;
        QVERIFY(isRefused(e, "collective.cu_count: 81: ", "more than the GPU has"));
    }

    void aCuIsSharedOutIntoSixteenPartsBesideAGemm() {
        Experiment e = beside(CompanionOperation::gemm);
        e.cu.residency = Residency::slots;
        e.cu.slots = 16;
        QVERIFY(isAllowed(e));
        e.cu.slots = 17;
        QVERIFY(isRefused(e, "cu.slots: 17: ", "allowed: 1 to 16"));
        e.companion.operation = CompanionOperation::allGather;
        QVERIFY(isAllowed(e));
        // Registers decide: 32 x 32 tiles take 4 KiB and operands.
        e = beside(CompanionOperation::gemm);
        e.gemm.prefetch = 64;
        e.gemm.tileM = e.gemm.tileN = 32;
        const std::int64_t each = 32 * 32 * 4 + 64 * e.gemm.kStep * 2;
        e.cu.registers = Bytes{17 * each - 1};
        QVERIFY(isAllowed(e));
        e.cu.registers = Bytes{17 * each};
        QVERIFY(isRefused(e, "cu.registers: ", "room for 17 workgroups"));
    }

    void slotsThatAreNotReadMayExceedTheLimit() {
        Experiment e;
        e.workload = {};
        e.workload.sublayer = SubLayer::allGather;
        e.companion.operation = CompanionOperation::gemm;
        e.cu.residency = Residency::slots;
        e.cu.slots = 17;
        QVERIFY(isRefused(e, "cu.slots: 17: ", "allowed: 1 to 16"));
        e.companion.slots = 16;
        QVERIFY(isAllowed(e));
    }

    void boundsAreFormulasOverRunsWithoutACompanion() {
        for (const PolicyPreset ideal : {PolicyPreset::idealOverlap, PolicyPreset::idealOverlapNmc}) {
            QVERIFY(
                isRefused(beside(CompanionOperation::gemm, ideal), "policy.preset: ideal-overlap", "choose another"));
            QVERIFY(isAllowed(beside(CompanionOperation::none, ideal)));
        }
    }

    void anAlgorithmRefusesOperationsOfTheCompanionToo() {
        Experiment e = beside(CompanionOperation::allReduce);
        e.collective.algorithm = CollectiveAlgorithm::doubleTree;
        QVERIFY(isAllowed(e));
        e.companion.operation = CompanionOperation::allGather;
        QVERIFY(isRefused(e, "collective.algorithm: double-tree: ", "for the companion (all-gather)"));
        e = ownGemm(512, 512, 512);
        e.parallel.tp = 6;
        e.collective.algorithm = CollectiveAlgorithm::halvingDoubling;
        QVERIFY(isAllowed(e));
        e.companion.operation = CompanionOperation::allGather;
        QVERIFY(isRefused(e, "collective.algorithm: halving-doubling: ", "parallel.tp = 6 is no power of two"));
        // A problem that both parts share is reported once.
        e = caseWith(6);
        QCOMPARE(validate(e).size(), std::size_t{1});
    }

    void oneGpuStandsForAllBesideACompanionWhereAllDoTheSame() {
        Experiment e = ownGemm(512, 512, 512);
        e.detail.mode = DetailMode::mirrored;
        e.companion.operation = CompanionOperation::allGather;
        QVERIFY(isAllowed(e));
        e.companion.bytes = 18_B;  // nine elements for eight GPUs
        QVERIFY(isRefused(e, "detail.mode: mirrored: ", "so that one cannot stand for all; allowed: auto or full"));
        e.companion.bytes = 1_MiB;
        e.topology.kind = TopologyKind::switched;
        QVERIFY(isRefused(e, "detail.mode: mirrored: ", "so that one cannot stand for all; allowed: auto or full"));
        e.companion.operation = CompanionOperation::gemm;
        QVERIFY(isAllowed(e));
    }

    void tilesOfBothPartsTogetherHaveALimit() {
        Experiment e = ownGemm(256 << 10, 64 << 10, 64);  // half of the allowed tiles
        e.detail.granule = 64_KiB;
        e.companion.operation = CompanionOperation::gemm;
        QVERIFY(isAllowed(e));
        e.companion.copies = 2;
        QVERIFY(isRefused(e, "companion.operation: gemm: ", "tiles, allowed are 1048576"));
        e.companion.copies = 1;
        e.companion.m = (256 << 10) + 1;
        QVERIFY(isRefused(e, "companion.operation: gemm: ", "1049088 tiles"));
        e.companion.m = std::int64_t{1} << 31;
        e.companion.n = e.companion.k = e.companion.m;
        QVERIFY(isRefused(e, "companion.operation: gemm: ", "tiles"));
    }

    void kStepsOfBothPartsTogetherHaveALimit() {
        Experiment e = ownGemm(256 << 8, 128 << 8, 0);  // 2^16 tiles
        e.matrix.k = 1024 * e.gemm.kStep;               // 2^26 K-steps
        applyDetailLevel(e, DetailLevel::interactive);
        e.companion.operation = CompanionOperation::gemm;
        e.companion.k = e.matrix.k;
        e.companion.n = 128;
        const std::string within = problemsOf(e);
        QVERIFY2(within.find("K-steps") == std::string::npos, within.c_str());
        e.companion.n = 256 * 128 + 1;
        const std::string above = problemsOf(e);
        QVERIFY2(above.starts_with("companion.operation: gemm: ") && above.find("K-steps") != std::string::npos,
                 above.c_str());
    }

    void granulesOfBothPartsTogetherHaveALimit() {
        Experiment e = ownGemm(512, 512, 512);
        e.detail.granule = 1_KiB;
        e.companion.operation = CompanionOperation::allGather;
        e.companion.bytes = Bytes{std::int64_t{15} << 30};
        QVERIFY(isAllowed(e));
        e.companion.bytes = Bytes{std::int64_t{16} << 30};
        QVERIFY(isRefused(e, "companion.bytes: 16 GiB: ", "granules, allowed are 16777216"));
        e.companion.bytes = Bytes{std::int64_t{8} << 30};
        QVERIFY(isAllowed(e));
        e.detail.mode = DetailMode::full;
        QVERIFY(isRefused(e, "companion.bytes: 8 GiB: ", "granules of all GPUs"));
    }

    void simulatedTimeOfBothPartsTogetherHasALimit() {
        Experiment e = beside(CompanionOperation::allGather);
        e.companion.bytes = Bytes{std::int64_t{60} << 30};
        e.companion.workgroups = 1;
        e.detail.granule = 16_KiB;
        e.collective.cuBandwidth = Bandwidth{2'000'000};  // 64,000 s of the companion's kernel
        QVERIFY(isAllowed(e));
        e.collective.cuBandwidth = Bandwidth{1'000'000};
        QVERIFY(isRefused(e, "companion.bytes: 60 GiB: ", "run collective kernels"));
        // On one reserved CU the kernel is as slow however many workgroups it has.
        e.companion.workgroups = 16;
        QVERIFY(isAllowed(e));
        e.dispatch = {DispatchRule::reserved, 1};
        QVERIFY(!validate(e).empty());
    }

    void aTileOfTheCompanionIsNoLargerThanAGibibyte() {
        Experiment e = ownGemm(32768, 16384, 512);
        applyDetailLevel(e, DetailLevel::interactive);
        e.companion.operation = CompanionOperation::gemm;
        e.companion.tileM = 32768;
        e.companion.tileN = 16384;
        const std::string within = problemsOf(e);
        QVERIFY2(within.find("1 GiB") == std::string::npos, within.c_str());
        e.companion.n = e.companion.tileN = 16392;
        QVERIFY(isRefused(e, "companion.tile_m: 32768: ", "larger than 1 GiB"));
    }

    void whatIsNotReadIsSaid() {
        QCOMPARE(noticesOf(Experiment{}), std::string());
        Experiment e;
        e.matrix.m = 5;
        e.companion.bytes = 32_B;
        e.dispatch.rule = DispatchRule::roundRobin;
        e.dispatch.reserved = 4;
        const std::string all = noticesOf(e);
        for (const char* line :
             {"matrix.m: not read: it applies to a GEMM alone", "companion.bytes: not read: no companion runs beside",
              "dispatch.rule: not read: no two kernels",
              "dispatch.reserved: not read: no CUs are reserved with dispatch.rule=round-robin"})
            QVERIFY2(all.find(line) != std::string::npos, all.c_str());
        e.workload.sublayer = SubLayer::gemm;
        e.companion.operation = CompanionOperation::allGather;
        e.dispatch.rule = DispatchRule::reserved;
        QCOMPARE(noticesOf(e), std::string());
    }

    void eachKindOfCompanionHasParametersOfItsOwn() {
        Experiment e = beside(CompanionOperation::allGather);
        e.companion.k = 64;
        e.companion.issue = 1_us;
        QCOMPARE(
            noticesOf(e),
            std::string("companion.k: not read: it applies to a companion GEMM, not to companion.operation=all-gather\n"
                        "companion.issue: not read: it applies to DMA copies, and a kernel carries the "
                        "companion\n"));
        e.companion.by = CollectiveCarrier::dma;
        e.companion.workgroups = 4;
        e.companion.k.reset();
        QCOMPARE(noticesOf(e), std::string("companion.workgroups: not read: DMA engines carry the companion and have "
                                           "no workgroups\n"));
        e = beside(CompanionOperation::gemm);
        e.companion.by = CollectiveCarrier::dma;
        QCOMPARE(noticesOf(e),
                 std::string("companion.by: not read: it applies to a collective, and the companion is a GEMM\n"));
        // Of a collective alone the companion takes the sides of `matrix`.
        e = beside(CompanionOperation::gemm);
        e.workload.sublayer = SubLayer::allGather;
        e.matrix = {64, 64, 64};
        e.companion.m = 128;
        QCOMPARE(noticesOf(e),
                 std::string("matrix.m: not read: it applies to a GEMM alone (workload.sublayer=gemm)\n"));
    }

private:
    static Experiment caseWith(std::int64_t gpus) {
        Experiment e = beside(CompanionOperation::allGather);
        e.workload.hidden = 512 * gpus;
        e.parallel.tp = gpus;
        e.collective.algorithm = CollectiveAlgorithm::halvingDoubling;
        return e;
    }
};

RINGSIDE_TEST(TestCompanionValidation)
#include "tst_companion_validation.moc"
