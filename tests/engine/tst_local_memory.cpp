#include "engine/api/gemm.h"
#include "engine/api/parameters.h"
#include "engine/workload/gemm_shape.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <string>

// Tests how many K-steps are in flight: gemm.prefetch, and with `auto` the local memory of a CU.

using namespace engine;

namespace {

/// Returns a GEMM of many tiles on T3's machine.
Experiment smallGemm(std::int64_t tileM = 256, std::int64_t tileN = 128) {
    Experiment e;
    e.workload.sublayer = SubLayer::gemm;
    e.matrix = {8192, 8192, 4096};
    e.gemm.tileM = tileM;
    e.gemm.tileN = tileN;
    applyPolicyPreset(e, PolicyPreset::sequential);
    applyDetailLevel(e, DetailLevel::interactive);
    return e;
}

std::int64_t stagesOf(const Experiment& e) { return *tilingOf(e).prefetch / e.gemm.kStep; }

std::string firstProblem(const Experiment& e) {
    const Problems problems = validate(e);
    return problems.empty() ? std::string() : describe(problems.front());
}

}  // namespace

class TestLocalMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void localMemoryHoldsAsManyKStepsAsFitIntoIt_data() {
        QTest::addColumn<qint64>("kib");
        QTest::addColumn<qint64>("bits");
        QTest::addColumn<qint64>("stages");
        // A K-step of 256 x 128 takes 384 x 32 elements: 24 KiB with 16 bits.
        QTest::newRow("64 KiB, 16 bits") << qint64{64} << qint64{16} << qint64{2};
        QTest::newRow("164 KiB, 16 bits") << qint64{164} << qint64{16} << qint64{6};
        QTest::newRow("227 KiB, 16 bits") << qint64{227} << qint64{16} << qint64{9};
        QTest::newRow("64 KiB, 8 bits") << qint64{64} << qint64{8} << qint64{5};
        QTest::newRow("164 KiB, 8 bits") << qint64{164} << qint64{8} << qint64{13};
        QTest::newRow("227 KiB, 8 bits") << qint64{227} << qint64{8} << qint64{18};
        QTest::newRow("less than two: still two") << qint64{40} << qint64{16} << qint64{2};
    }
    void localMemoryHoldsAsManyKStepsAsFitIntoIt() {
        QFETCH(qint64, kib);
        QFETCH(qint64, bits);
        QFETCH(qint64, stages);
        Experiment e = smallGemm();
        e.cu.localMemory = Bytes{1024 * kib};
        e.operators.elementBits = bits;
        QCOMPARE(stagesOf(e), std::int64_t{stages});
    }

    void aStageNeedsItsLastByte() {
        Experiment e = smallGemm();
        e.cu.localMemory = Bytes{3 * stageBytes(e, e.gemm).count};
        QCOMPARE(stagesOf(e), std::int64_t{3});
        e.cu.localMemory.count -= 1;
        QCOMPARE(stagesOf(e), std::int64_t{2});
    }

    void localMemoryLimitsTheWorkgroupsOfACu() {
        // Registers have room for three workgroups of 128 x 128, and 64 KiB for two K-steps of two of them.
        Experiment e = smallGemm(128, 128);
        QCOMPARE(residentWorkgroups(e), std::int64_t{2});
        QCOMPARE(stagesOf(e), std::int64_t{2});
        e.cu.localMemory = 96_KiB;
        QCOMPARE(residentWorkgroups(e), std::int64_t{3});
        e.cu.localMemory.count -= 1;
        QCOMPARE(residentWorkgroups(e), std::int64_t{2});
        e.gemm.prefetch = 64;
        QCOMPARE(residentWorkgroups(e), std::int64_t{3});  // a number does not read local memory
    }

    void workgroupsThatAreAloneOnTheirCuHaveAllOfIt() {
        Experiment e = smallGemm(128, 128);
        e.matrix = {128 * 80, 128, 4096};  // 80 tiles, one for each CU
        QCOMPARE(stagesOf(e), std::int64_t{4});
        e.matrix.n = 256;  // two for each CU
        QCOMPARE(stagesOf(e), std::int64_t{2});
        e.matrix.n = 128;
        e.companion.operation = CompanionOperation::gemm;  // whose workgroups need room beside them
        QCOMPARE(stagesOf(e), std::int64_t{2});
    }

    void aCompanionHasTheStagesOfItsOwnTile() {
        Experiment e = smallGemm();
        e.companion.operation = CompanionOperation::gemm;
        e.companion.tileM = 128;
        e.companion.tileN = 128;
        e.companion.slots = 1;
        e.cu.localMemory = 128_KiB;
        const GemmConfig tiling = companionTilingOf(e);
        QCOMPARE(*tiling.prefetch, (128_KiB).count / stageBytes(e, tiling).count * tiling.kStep);
        e.gemm.prefetch = 96;
        QCOMPARE(*companionTilingOf(e).prefetch, 3 * companionTilingOf(e).kStep);  // as many steps as the own GEMM
    }

    void onT3sMachineAutoIsTheCalibratedNumber() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
            const Experiment automatic = tests::tNlgFc2(policy, DetailLevel::interactive);
            QCOMPARE(withAutomaticValues(automatic).gemm.prefetch, std::optional<std::int64_t>{64});
            Experiment number = automatic;
            number.gemm.prefetch = 64;
            const RunResult a = tests::runAlone(automatic), b = tests::runAlone(number);
            QCOMPARE(a.last.time.total, b.last.time.total);
            QCOMPARE(a.events, b.events);
        }
    }

    void autoStandsForANumberOnlyIfARunWithItIsTheSame() {
        // With 64 three workgroups of 128 x 128 would be resident, and with auto there are two.
        QVERIFY(!withAutomaticValues(smallGemm(128, 128)).gemm.prefetch);
        Experiment collective = smallGemm(128, 128);
        collective.workload = {};
        collective.workload.sublayer = SubLayer::allReduce;
        QCOMPARE(withAutomaticValues(collective).gemm.prefetch, std::optional<std::int64_t>{64});
        Experiment number = smallGemm(128, 128);
        number.gemm.prefetch = 96;
        QCOMPARE(withAutomaticValues(number).gemm.prefetch, std::optional<std::int64_t>{96});
    }

    void moreStepsInFlightHideTheLatencyOfLoads() {
        // A K-step of 80 CUs with 8 times T3's rate takes 104 ns, and a load 0.6 us.
        Experiment e = smallGemm();
        e.cu.flopsPerCycle = 8192;
        e.memory.bandwidth = 8000_GBps;
        const Duration two = tests::runAlone(e).last.time.gemm;
        e.cu.localMemory = 256_KiB;
        const Duration ten = tests::runAlone(e).last.time.gemm;
        QVERIFY2(ten.ps * 3 < two.ps * 2, std::to_string(ten.ps).c_str());
    }

    void lessThanTwoStepsOfTheSmallestTileIsRefused() {
        Experiment e = smallGemm();
        e.cu.localMemory = 16_KiB;  // two K-steps of 64 x 64
        QVERIFY2(validate(e).empty(), firstProblem(e).c_str());
        e.cu.localMemory.count -= 1;
        const std::string refused = firstProblem(e);
        QVERIFY2(refused.starts_with("cu.local_memory: "), refused.c_str());
        QVERIFY2(refused.find("less than two K-steps of a tile of 64 x 64") != std::string::npos, refused.c_str());
        QVERIFY2(refused.find("at least 16 KiB, or a number for gemm.prefetch") != std::string::npos, refused.c_str());
        e.gemm.prefetch = 64;
        QVERIFY(validate(e).empty());
        e.gemm.prefetch.reset();
        e.gemm.tileM = e.gemm.tileN = 32;  // a tile that is smaller than those of the library
        QVERIFY2(validate(e).empty(), firstProblem(e).c_str());
    }

    void aPrefetchOfAutoIsReadAndWritten() {
        const Parameter& prefetch = *findParameter("gemm.prefetch");
        Problems problems;
        QCOMPARE(formatValue(prefetch, prefetch.read(Experiment{})), std::string("auto"));
        Experiment e;
        prefetch.write(e, *parseValue(prefetch, "128", problems));
        QCOMPARE(e.gemm.prefetch, std::optional<std::int64_t>{128});
        prefetch.write(e, *parseValue(prefetch, "auto", problems));
        QVERIFY(!e.gemm.prefetch && problems.empty());
    }
};

RINGSIDE_TEST(TestLocalMemory)
#include "tst_local_memory.moc"
