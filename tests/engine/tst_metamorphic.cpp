// Tests relations between runs that must hold for any totals: more of a resource takes no longer, the granule hardly
// matters, a GEMM and its transpose take the same time, and a machine that is twice as fast takes half as long.

#include "engine/api/gemm.h"
#include "engine/api/parameters.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <array>
#include <cmath>
#include <limits>

using namespace engine;

namespace {

constexpr std::int64_t kGiga = 1'000'000'000, kMebi = 1024 * 1024;
constexpr std::array kPolicies{PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca};

Experiment caseNamed(const std::string& name, PolicyPreset policy) {
    for (const tests::PublishedCase& published : tests::publishedCases())
        if (published.name == name)
            return tests::experimentOf(published, policy, DetailLevel::interactive);
    qFatal("no case %s", name.c_str());
}

/// The total with the parameter at this value.
std::int64_t totalWith(Experiment experiment, const char* path, std::int64_t value) {
    findParameter(path)->write(experiment, value);
    return tests::runAlone(experiment).last.time.total.ps;
}

double ratio(std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

void addCasesAndPolicies() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<PolicyPreset>("policy");
    for (const char* name : {"t-nlg/fc-2/tp8", "t-nlg/op/tp16", "mega-gpt-2/ip/tp8", "mega-gpt-2/op/tp16"})
        for (const PolicyPreset policy : kPolicies)
            QTest::addRow("%s %s", name, std::string(engine::name(policy)).c_str()) << QString(name) << policy;
}

/// The relative amount by which a total may rise where it should not, for each policy.
struct Tolerance {
    double sequential, t3, mca;
    double under(PolicyPreset policy) const {
        return policy == PolicyPreset::sequential ? sequential : policy == PolicyPreset::t3 ? t3 : mca;
    }
};

/// Checks that the total never rises by more than the tolerance from any value to any larger one.
void checkNeverRises(const char* path, const std::vector<std::int64_t>& rising, const Tolerance& tolerance) {
    QFETCH(QString, name);
    QFETCH(PolicyPreset, policy);
    const Experiment experiment = caseNamed(name.toStdString(), policy);
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    QString seen;
    double worst = 0;
    for (const std::int64_t value : rising) {
        const std::int64_t total = totalWith(experiment, path, value);
        worst = std::max(worst, ratio(total, shortest) - 1);
        shortest = std::min(shortest, total);
        seen += QStringLiteral(" %1").arg(static_cast<double>(total) / 1e6, 0, 'f', 1);
    }
    const QString reported = QStringLiteral("%1: us%2; worst rise %3 %").arg(path, seen).arg(100 * worst, 0, 'f', 2);
    QVERIFY2(worst <= tolerance.under(policy), qPrintable(reported));
}

/// The machine with every latency, jitter and limit in time at zero. The bank model's are left as they are: the
/// sustained model does not read them.
void removeLatencies(Experiment& experiment) {
    for (const Parameter& parameter : parameters())
        if (parameter.unit == ParameterUnit::picoseconds && parameter.group != ParameterGroup::dram)
            parameter.write(experiment, std::int64_t{0});
}

/// The machine with every bandwidth and every clock twice as high.
void makeTwiceAsFast(Experiment& experiment) {
    for (const Parameter& parameter : parameters()) {
        const bool rate = parameter.unit == ParameterUnit::bytesPerSecond || parameter.unit == ParameterUnit::hertz;
        const ParameterValue value = parameter.read(experiment);
        if (rate && std::holds_alternative<std::int64_t>(value))
            parameter.write(experiment, 2 * std::get<std::int64_t>(value));
    }
}

/// Rates at which every service, K-step and packet takes an even number of picoseconds, so that halves are exact: a
/// channel serves a granule of 4 KiB in 32 ns (an update in 48 ns), a link sends it in 32 ns, and a K-step of a tile
/// (2 x 256 x 128 x 32 flop) takes 2,048 ns.
void makeTimesEven(Experiment& experiment) {
    experiment.memory.bandwidth = 1024_GBps;
    experiment.memory.efficiency = 1;
    experiment.memory.updateCost = 1.5;
    experiment.link.bandwidth = 128_GBps;
    experiment.cu.clock = 1000_MHz;
    experiment.cu.flopsPerCycle = 1024;
    experiment.cu.tensorEfficiency = 1;
    experiment.collective.cuBandwidth = 16_GBps;
}

std::array<std::int64_t, 5> timesOf(const RunResult& result) {
    const TimeResult& time = result.last.time;
    return {time.total.ps, time.gemm.ps, time.reduceScatter.ps, time.allGather.ps, time.overlapped.ps};
}

/// The sizes of whole models and their remainders: square and skinny, with ragged tiles, and smaller than a tile.
std::vector<GemmSize> sizes() {
    return {{8192, 4256, 2128}, {16384, 3072, 768}, {16384, 192, 3072}, {3200, 3072, 4096},
            {768, 3072, 8192},  {1000, 700, 333},   {5, 3072, 512}};
}

GemmOutcome transposed(Experiment machine, const GemmSize& size) {
    std::swap(machine.gemm.tileM, machine.gemm.tileN);
    return runGemm(machine, {size.n, size.m, size.k});
}

}  // namespace

class TestMetamorphic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A fused run is a queueing system: any change shifts which bursts coincide, and so changes the total by a few
    // tenths of a per cent in either direction. The steps here are so large that the gain from a resource is larger,
    // except in the cases noted.

    void moreLinkBandwidthTakesNoLonger_data() { addCasesAndPolicies(); }
    void moreLinkBandwidthTakesNoLonger() {
        checkNeverRises("link.bandwidth",
                        {25 * kGiga, 50 * kGiga, 75 * kGiga, 100 * kGiga, 150 * kGiga, 300 * kGiga, 1000 * kGiga},
                        {0, 0.002, 0.002});
    }

    void moreMemoryBandwidthTakesNoLonger_data() { addCasesAndPolicies(); }
    void moreMemoryBandwidthTakesNoLonger() {
        checkNeverRises("memory.bandwidth",
                        {250 * kGiga, 500 * kGiga, 750 * kGiga, 1000 * kGiga, 1250 * kGiga, 1500 * kGiga, 2000 * kGiga,
                         4000 * kGiga},
                        {0, 0.002, 0.002});
    }

    // The writes of fused policies bypass the cache, and the inputs of these GEMMs fit from 32 MiB on. The size of the
    // cache therefore changes mostly noise: 1.1 % for plain T3 on FC-2, 0.3 % for T3-MCA.
    void aLargerCacheTakesNoLonger_data() { addCasesAndPolicies(); }
    void aLargerCacheTakesNoLonger() {
        checkNeverRises(
            "llc.size",
            {2 * kMebi, 4 * kMebi, 8 * kMebi, 16 * kMebi, 32 * kMebi, 64 * kMebi, 128 * kMebi, 1024 * kMebi},
            {0.005, 0.015, 0.005});
    }

    // OP is bound by its link. There more CUs bring nothing, and their larger waves keep T3-MCA's communication waiting
    // behind compute where the link could already run: 1.5 % between 60 and 160 CUs on T-NLG, 1.1 % on Mega-GPT-2.
    void moreComputeUnitsTakeNoLonger_data() { addCasesAndPolicies(); }
    void moreComputeUnitsTakeNoLonger() {
        checkNeverRises("cu.count", {20, 40, 60, 70, 80, 90, 100, 120, 160}, {0.001, 0.005, 0.02});
    }

    // From 1 to 8 KiB, which is what the DRAM queue of one of eight channels holds. Sequential runs differ by one more
    // granule at the beginning and the end of each of the kernels' steps; fused runs, whose bursts meet otherwise, by
    // up to
    // 1.1 % of either sign.
    void theGranuleIsADetail_data() { addCasesAndPolicies(); }
    void theGranuleIsADetail() {
        QFETCH(QString, name);
        QFETCH(PolicyPreset, policy);
        Experiment experiment = caseNamed(name.toStdString(), policy);
        applyDetailLevel(experiment, DetailLevel::standard);
        const std::int64_t standard = tests::runAlone(experiment).last.time.total.ps;
        const double tolerance = Tolerance{0.008, 0.02, 0.02}.under(policy);
        for (const std::int64_t granule : {1024, 2048, 8192}) {
            const double difference = ratio(totalWith(experiment, "detail.granule", granule), standard) - 1;
            const QString reported = QStringLiteral("%1 B: %2 %").arg(granule).arg(100 * difference, 0, 'f', 2);
            QVERIFY2(std::abs(difference) <= tolerance, qPrintable(reported));
        }
    }

    void aMachineTwiceAsFastTakesExactlyHalfAsLong_data() { addCasesAndPolicies(); }
    void aMachineTwiceAsFastTakesExactlyHalfAsLong() {
        QFETCH(QString, name);
        QFETCH(PolicyPreset, policy);
        Experiment experiment = caseNamed(name.toStdString(), policy);
        applyDetailLevel(experiment, DetailLevel::standard);
        removeLatencies(experiment);
        makeTimesEven(experiment);
        const RunResult slow = tests::runAlone(experiment);
        makeTwiceAsFast(experiment);
        const RunResult fast = tests::runAlone(experiment);
        for (std::size_t i = 0; i < timesOf(slow).size(); ++i)
            QCOMPARE(timesOf(slow)[i], 2 * timesOf(fast)[i]);
        QCOMPARE(fast.events, slow.events);
        QCOMPARE(fast.last.dram, slow.last.dram);
    }

    // Services that are no whole picoseconds round otherwise at twice the rate. That is some 10^-6 of a sequential run;
    // in a fused run it may be what decides which of two requests comes first, after which the runs differ as under any
    // change.
    void thePublishedMachineTwiceAsFastTakesHalfAsLong_data() { addCasesAndPolicies(); }
    void thePublishedMachineTwiceAsFastTakesHalfAsLong() {
        QFETCH(QString, name);
        QFETCH(PolicyPreset, policy);
        Experiment experiment = caseNamed(name.toStdString(), policy);
        removeLatencies(experiment);
        const std::int64_t slow = tests::runAlone(experiment).last.time.total.ps;
        makeTwiceAsFast(experiment);
        const std::int64_t fast = tests::runAlone(experiment).last.time.total.ps;
        const double difference = ratio(2 * fast, slow) - 1;
        QVERIFY2(std::abs(difference) <= Tolerance({0.00001, 0.005, 0.005}).under(policy),
                 qPrintable(QString::number(100 * difference)));
    }

    // A's K-steps are asked for before B's, so that where not all fits into the cache what is evicted differs a little:
    // up to 0.15 % of the reads, 0.22 % of the time.
    void aGemmAndItsTransposedTwinTakeAsLong() {
        for (const DetailLevel level : {DetailLevel::interactive, DetailLevel::standard}) {
            Experiment machine;
            applyDetailLevel(machine, level);
            for (const GemmSize& size : sizes()) {
                const GemmOutcome one = runGemm(machine, size), other = transposed(machine, size);
                const QString reported =
                    QStringLiteral("%1 x %2: %3 and %4 ps").arg(size.m).arg(size.n).arg(one.time.ps).arg(other.time.ps);
                QVERIFY2(std::abs(ratio(other.time.ps, one.time.ps) - 1) <= 0.005, qPrintable(reported));
                QVERIFY2(std::abs(ratio(other.read.count, one.read.count) - 1) <= 0.005, qPrintable(reported));
            }
        }
    }

    void aGemmWhoseOperandsFitReadsEachOnceAndTakesNoLessThanThat() {
        Experiment machine;
        applyDetailLevel(machine, DetailLevel::interactive);
        machine.llc.size = {std::int64_t{1} << 40};
        machine.memory.bandwidth = 60_GBps;
        for (const GemmSize& size : sizes()) {
            const GemmOutcome one = runGemm(machine, size), other = transposed(machine, size);
            const std::int64_t operands = 2 * size.k * (size.m + size.n);
            QCOMPARE(one.read.count, operands);
            QCOMPARE(other.read.count, operands);
            QCOMPARE(one.written.count, 2 * size.m * size.n);
            // 45 GB/s remain of the 60.
            const auto bound = static_cast<std::int64_t>(static_cast<double>(operands) / 45e9 * 1e12);
            QVERIFY(one.time.ps >= bound && other.time.ps >= bound);
        }
    }
};

RINGSIDE_TEST(TestMetamorphic)
#include "tst_metamorphic.moc"
