// Tests that each check of `verify` is made if its conditions hold, and that it does not fail wrongly if they do not.

#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <functional>

using namespace engine;
using namespace engine::literals;

namespace {

Experiment smallWith(PolicyPreset policy, const std::function<void(Experiment&)>& change = {}) {
    Experiment experiment = tests::smallExperiment(policy);
    applyDetailLevel(experiment, DetailLevel::interactive);
    if (change)
        change(experiment);
    return experiment;
}

std::string failuresOf(const std::vector<Check>& checks) {
    std::string text;
    for (const Check& check : checks)
        if (!check.held)
            text += check.group + ": " + check.name + " (" + check.evidence + ")\n";
    return text;
}

bool has(const std::vector<Check>& checks, const std::string& part) {
    return std::any_of(checks.begin(), checks.end(),
                       [&](const Check& check) { return check.name.find(part) != std::string::npos; });
}

const std::string kMirrored = "one mirrored GPU does what every GPU of the full ring does";
const std::string kLimit = "with free memory takes (N-1)(c/B + latency)";
const std::string kBaseline = "the baseline GEMM does not depend on link";
const std::string kCompanionAlone = "a copy of the companion's GEMM alone takes as long as the same GEMM as own work";

/// Checks that nothing fails under several policies. A mirrored run is compared with a full run exactly if `mirrored`.
void verifyAll(const std::function<void(Experiment&)>& change, bool mirrored) {
    for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::cuSplit}) {
        const Experiment experiment = smallWith(policy, change);
        QVERIFY(validate(experiment).empty());
        const std::vector<Check> checks = verify(experiment);
        QVERIFY2(failuresOf(checks).empty(), failuresOf(checks).c_str());
        QCOMPARE(has(checks, kMirrored), mirrored);
        QVERIFY(has(checks, kLimit));
        QVERIFY(has(checks, kBaseline));
    }
}

}  // namespace

class TestVerification : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What each GPU contributes is checked with the collective after the GEMM, where it would have all CUs.
    void aGemmKeepsItsCusWhereTheCollectivesAreReserved() {
        const Experiment experiment = smallWith(PolicyPreset::cuSplit, [](Experiment& e) {
            e.dispatch.rule = DispatchRule::reserved;
            e.companion.operation = CompanionOperation::gemm;
        });
        QVERIFY(validate(experiment).empty());
        QVERIFY(failuresOf(verify(experiment)).empty());
    }

    void alikeGpusAreComparedWithTheOneThatStandsForAll() {
        verifyAll([](Experiment&) {}, true);
    }

    void gpusThatDifferAreNot_data() {
        QTest::addColumn<int>("what");
        const char* names[] = {"jitter", "clock", "skew", "background", "link"};
        for (int what = 0; what < 5; ++what)
            QTest::addRow("%s", names[what]) << what;
    }
    void gpusThatDifferAreNot() {
        QFETCH(int, what);
        verifyAll(
            [&](Experiment& e) {
                if (what == 0) {
                    e.variation.jitter = 5_us;
                    return;
                }
                e.variation.gpu = 1;
                if (what == 1)
                    e.variation.clockFactor = 0.4;
                else if (what == 2)
                    e.variation.startSkew = 30_us;
                else if (what == 3)
                    e.variation.backgroundTraffic = 300_GBps;
                else
                    e.variation.linkFactor = 0.2;
            },
            false);
    }

    void banksAreNotMirroredAndFreeMemoryHasNone() {
        verifyAll([](Experiment& e) { e.memory.model = DramModel::banks; }, false);
    }

    void memoryThatIsFreeIsFreeBesideAFastLinkToo() {
        for (const Bandwidth bandwidth : {5000_GBps, 100'000_GBps, 1'000'000_GBps})
            verifyAll([&](Experiment& e) { e.link.bandwidth = bandwidth; }, true);
    }

    void theLimitIsStillNarrow() {
        // What memory may take besides is a few thousandths of what the link takes.
        bool found = false;
        for (const Check& check : verify(smallWith(PolicyPreset::sequential))) {
            if (check.name.find(kLimit) == std::string::npos)
                continue;
            long long total = 0, expected = 0, memory = 0;
            QCOMPARE(std::sscanf(check.evidence.c_str(), "%lld ps and %lld ps + %lld ps", &total, &expected, &memory),
                     3);
            QVERIFY2(memory * 200 < expected, check.evidence.c_str());
            QVERIFY(total >= expected && total <= expected + memory);
            found = true;
        }
        QVERIFY(found);
    }

    void aGemmIsComparedBeforeAnythingThatOthersSendCanReachIt() {
        // GPU 0 computes slowly: what its neighbour sends meanwhile comes into the memory that its GEMM reads.
        const auto slow = [](Experiment& e) {
            e.memory.bandwidth = 500_GBps;
            e.variation.gpu = 0;
            e.variation.clockFactor = 0.5;
        };
        const auto gemmOn0 = [&](Bandwidth link) {
            Experiment experiment = smallWith(PolicyPreset::sequential, slow);
            experiment.link.bandwidth = link;
            return tests::runAlone(experiment).perGpu[0].time.gemm;
        };
        QVERIFY(gemmOn0(150_GBps) != gemmOn0(75_GBps));
        verifyAll(slow, false);
    }

    void unlikeChunksHoldAllChecks() {
        // Chunks of 8 and of 9 tiles: GPUs end their GEMMs one after the other.
        verifyAll(
            [](Experiment& e) {
                e.parallel.tp = 5;
                e.workload.hidden = 500;
                e.workload.sequence = 2750;
                e.workload.batch = 1;
            },
            false);
    }

    void aConsumingGemmIsComparedIfNoGpuIsAhead() {
        for (const bool alike : {true, false}) {
            const std::vector<Check> checks = verify(smallWith(PolicyPreset::t3, [&](Experiment& e) {
                e.collective.operation = CollectiveOperation::allGather;
                if (!alike)
                    e.variation.jitter = 5_us;
            }));
            QVERIFY2(failuresOf(checks).empty(), failuresOf(checks).c_str());
            QCOMPARE(has(checks, kBaseline), alike);
        }
    }

    void aGemmAloneHoldsOnOneTileAndOnMany() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca})
            for (const MatrixConfig& sides : {MatrixConfig{1, 1, 32}, MatrixConfig{700, 500, 300}}) {
                const std::vector<Check> checks = verify(smallWith(policy, [&](Experiment& e) {
                    e.workload = {};
                    e.workload.sublayer = SubLayer::gemm;
                    e.matrix = sides;
                }));
                QVERIFY2(failuresOf(checks).empty(), failuresOf(checks).c_str());
                QVERIFY(has(checks, "reads A and B exactly once"));
                QVERIFY(!has(checks, "with free memory takes"));
            }
    }

    void aCompanionAloneIsComparedWithTheSameGemmAsOwnWork() {
        const auto beside = [](auto change) {
            return smallWith(PolicyPreset::sequential, [&](Experiment& e) {
                e.workload = {};
                e.workload.sublayer = SubLayer::gemm;
                e.matrix = {256, 384, 96, 4};
                e.companion.operation = CompanionOperation::gemm;
                change(e);
            });
        };
        const Experiment alike = beside([](Experiment&) {});
        const Experiment unlike = beside([](Experiment& e) {
            e.companion.tileM = 64;
            e.companion.slots = 3;
            e.companion.k = 200;
            e.companion.copies = 2;
            e.tiles.padding = TilePadding::full;
        });
        const Experiment onBanks = beside([](Experiment& e) {
            e.cu.startJitter = e.variation.jitter = 1_us;
            e.memory.model = DramModel::banks;
        });
        const Experiment besideCollective = beside([](Experiment& e) {
            e.workload.sublayer = SubLayer::allGather;
            e.workload.bytes = 1_MiB;
        });
        for (const Experiment& experiment : {alike, unlike, onBanks, besideCollective}) {
            QVERIFY(validate(experiment).empty());
            const std::vector<Check> checks = verify(experiment);
            QVERIFY2(failuresOf(checks).empty(), failuresOf(checks).c_str());
            QVERIFY(has(checks, kCompanionAlone));
        }
        QVERIFY(!has(verify(beside([](Experiment& e) { e.companion.operation = CompanionOperation::allGather; })),
                     kCompanionAlone));
    }

    void aTileLargerThanAChunkIsNoLimit() {
        const auto limits = [](std::int64_t tile) {
            const std::vector<Check> checks = verify(smallWith(PolicyPreset::sequential, [&](Experiment& e) {
                e.workload.sublayer = SubLayer::reduceScatter;
                e.workload.bytes = 1_MiB;
                e.gemm.tileM = tile;
            }));
            return has(checks, "of one tile a chunk");
        };
        QVERIFY(limits(1024));  // 4 x 1024 x 128 x 2 B
        QVERIFY(!limits(2048));
    }
};

RINGSIDE_TEST(TestVerification)
#include "tst_verification.moc"
