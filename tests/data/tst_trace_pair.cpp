// A measured GEMM and collective as an experiment, and why it takes another time than the simulated one.

#include "data/evaluations/evaluation.h"
#include "data/evaluations/measured_item.h"
#include "data/evaluations/reproduce.h"
#include "data/measured/trace_pair.h"
#include "engine/api/runner.h"
#include "tests/data/measured_samples.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace data;
using tests::collective;
using tests::KinetoText;
using tests::kPsOfUs;
using tests::kUs;

namespace {

/// A GEMM [1000, 1100) of 4096x4096x1024 with the tile 128x128, whose output has 32 MiB.
KinetoText withGemm() {
    KinetoText trace;
    trace.device();
    const tests::KinetoArgs inputs{{"Input Dims", "[[4096, 1024], [1024, 4096]]"},
                                   {"Input type", "[\"c10::BFloat16\", \"c10::BFloat16\"]"}};
    trace.op("aten::mm", 11 * kUs, 10 * kUs, 30, inputs);
    trace.launch(12 * kUs, 100, 30);
    trace.kernel(tests::kGemmName, 1000 * kUs, 100 * kUs, tests::gemmLaunch(100));
    return trace;
}

struct Made {
    std::vector<MeasuredTrace> traces;
    RankMatch match;
    MeasuredReport report;
    MeasuredChoice choice;
    TracePair pair;
};

/// Reads a trace and pairs its GEMM, if it has one, with its nearest collective.
Made madeOf(const KinetoText& text, bool withTheGemm = true, bool withTheCollective = true) {
    Made made;
    made.traces.push_back(tests::traceOf(text.text()));
    made.match = matchRanks(made.traces, {});
    made.report = measuredReportOf(made.traces, {}, made.match);
    for (std::uint32_t i = 0; i < made.traces[0].spans.size(); ++i) {
        if (made.traces[0].spans[i].kernelClass == KernelClass::gemm && !made.choice.gemm)
            made.choice.gemm = MeasuredPlace{0, i};
        if (made.traces[0].spans[i].isCommunication() && !made.choice.collective)
            made.choice.collective = MeasuredPlace{0, i};
    }
    if (made.choice.gemm)
        made.choice.collective = nearestCollective(made.traces, {}, *made.choice.gemm);
    if (!withTheGemm)
        made.choice.gemm.reset();
    if (!withTheCollective)
        made.choice.collective.reset();
    made.pair = tracePairOf(made.traces, made.match, made.report, made.choice);
    return made;
}

std::string valueOf(const TracePair& pair, const std::string& path) {
    const auto found = std::ranges::find(pair.values, path, &PairValue::path);
    return found == pair.values.end() ? "" : found->value;
}

/// An all-reduce of the output of withGemm() right after it.
KinetoText dependent() {
    KinetoText trace = withGemm();
    trace.kernel(tests::kAllReduceName, 1110 * kUs, 300 * kUs,
                 collective("allreduce", 16'777'216, 16'777'216, "BFloat16", 8, "[0, 1, 2, 3, 4, 5, 6, 7]", -1), 8);
    return trace;
}

KinetoText independent() {
    KinetoText trace = withGemm();
    tests::KinetoArgs args =
        collective("all_gather_into_tensor", 1'048'576, 8'388'608, "BFloat16", 8, "[0, 1, 2, 3, 4, 5, 6, 7]", -1);
    args.emplace_back("grid", "[24, 1, 1]");
    trace.kernel("ncclDevKernel_AllGather_RING_LL", 1020 * kUs, 200 * kUs, args, 8);
    return trace;
}

}  // namespace

class TestTracePair : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCollectiveOfTheOutputIsASubLayer() {
        const Made made = madeOf(dependent());
        QVERIFY2(made.pair.runnable(), made.pair.refusal.c_str());
        QVERIFY(made.pair.kind == PairKind::dependent);
        QCOMPARE(valueOf(made.pair, "machine"), std::string("nvidia-h100"));
        QCOMPARE(valueOf(made.pair, "workload.sequence"), std::string("4096"));
        QCOMPARE(valueOf(made.pair, "workload.hidden"), std::string("4096"));
        QCOMPARE(valueOf(made.pair, "workload.feed_forward"), std::string("8192"));  // K x 8 GPUs
        QCOMPARE(valueOf(made.pair, "parallel.tp"), std::string("8"));
        QCOMPARE(valueOf(made.pair, "collective.operation"), std::string("all-reduce"));
        QCOMPARE(valueOf(made.pair, "gemm.tile_m"), std::string("128"));
        QCOMPARE(valueOf(made.pair, "operators.element_bits"), std::string("16"));
        engine::Problems problems;
        const engine::Experiment experiment = runnableExperiment(made.pair.draft(problems));
        QVERIFY2(problems.empty(), tests::described(problems).c_str());
        QCOMPARE(made.pair.measured.gemm, 100 * kPsOfUs);
        QCOMPARE(made.pair.measured.collective, 300 * kPsOfUs);
        QCOMPARE(made.pair.measured.together, 410 * kPsOfUs);
        QCOMPARE(made.pair.measured.interaction(made.pair.kind), 10 * kPsOfUs);  // the gap between them
        QCOMPARE(experiment.parallel.tp, std::int64_t{8});
    }

    void theDifferenceIsPartsAndInteractionToThePicosecond() {
        for (const KinetoText& text : {dependent(), independent()}) {
            const Made made = madeOf(text);
            engine::Problems problems;
            ExperimentDraft draft = made.pair.draft(problems);
            applySetting("detail.level=interactive", draft, problems);
            QVERIFY(problems.empty());
            const PairTimes ours = simulatedTimes(engine::run(runnableExperiment(draft)), made.pair.kind);
            QVERIFY(ours.gemm > 0 && ours.collective > 0 && ours.together > 0);
            const PairDifference difference = differenceOf(made.pair.measured, ours, made.pair.kind);
            QCOMPARE(difference.total, difference.parts + difference.interaction);
            QCOMPARE(difference.total, made.pair.measured.together - ours.together);
        }
    }

    void aCollectiveBesideAGemmIsItsCompanion() {
        const Made made = madeOf(independent());
        QVERIFY2(made.pair.runnable(), made.pair.refusal.c_str());
        QVERIFY(made.pair.kind == PairKind::independent);
        QCOMPARE(valueOf(made.pair, "workload.sublayer"), std::string("gemm"));
        QCOMPARE(valueOf(made.pair, "matrix.k"), std::string("1024"));
        QCOMPARE(valueOf(made.pair, "companion.operation"), std::string("all-gather"));
        QCOMPARE(valueOf(made.pair, "companion.bytes"), std::string("16 MiB"));
        QCOMPARE(valueOf(made.pair, "companion.workgroups"), std::string("24"));
        QCOMPARE(made.pair.measured.together, 220 * kPsOfUs);
        QCOMPARE(made.pair.measured.parts(made.pair.kind), 200 * kPsOfUs);
        QCOMPARE(made.pair.remarks.size(), std::size_t{1});
        QVERIFY(made.pair.remarks.front().find("never ran alone") != std::string::npos);
    }

    void aPairThatDoesNotRunAtOnceSaysSo() {
        KinetoText trace = withGemm();
        trace.kernel(
            "ncclDevKernel_AllGather_RING_LL", 1200 * kUs, 200 * kUs,
            collective("all_gather_into_tensor", 1'048'576, 8'388'608, "BFloat16", 8, "[0, 1, 2, 3, 4, 5, 6, 7]"), 8);
        const Made made = madeOf(trace);
        QVERIFY(made.pair.kind == PairKind::independent && made.pair.remarks.size() == 1);
        QVERIFY(made.pair.remarks.front().find("do not run at once") != std::string::npos);
    }

    void wordsFindAGemmBesideTheCollectiveFirst() {
        KinetoText trace = independent();  // the GEMM at 1000 runs beside the all-gather
        trace.op(
            "aten::mm", 31 * kUs, 10 * kUs, 31,
            {{"Input Dims", "[[4096, 1024], [1024, 4096]]"}, {"Input type", "[\"c10::BFloat16\", \"c10::BFloat16\"]"}});
        trace.launch(32 * kUs, 101, 31);
        trace.kernel(tests::kGemmName, 500 * kUs, 100 * kUs, tests::gemmLaunch(101));  // this one before it
        const Made made = madeOf(trace);
        engine::Problems problems;
        const MeasuredChoice choice = choiceNamed(made.traces, made.report, "4096x4096x1024", "all-gather", problems);
        QVERIFY(choice.gemm);
        QCOMPARE(made.traces[0].spans[choice.gemm->span].start - made.traces[0].spans.front().start, 500 * kPsOfUs);
    }

    void eachPartMayStandAlone() {
        const Made gemm = madeOf(dependent(), true, false);
        QVERIFY(gemm.pair.kind == PairKind::gemmAlone && gemm.pair.runnable());
        QCOMPARE(gemm.pair.measured.together, 100 * kPsOfUs);
        const Made moved = madeOf(dependent(), false, true);
        QVERIFY(moved.pair.kind == PairKind::collectiveAlone && moved.pair.runnable());
        QCOMPARE(valueOf(moved.pair, "workload.bytes"), std::string("32 MiB"));
        for (const Made* made : {&gemm, &moved}) {
            engine::Problems problems;
            QVERIFY(expand(made->pair.draft(problems)).runnable());
            QVERIFY(problems.empty());
        }
        QVERIFY(madeOf(dependent(), false, false).pair.kind == PairKind::nothing);
    }

    void whatTheTraceLacksIsSaid() {
        KinetoText bare;  // no device, no operator
        bare.kernel(tests::kGemmName, 1000 * kUs, 100 * kUs);
        QVERIFY(madeOf(bare).pair.refusal.find("shape of the GEMM is unknown") != std::string::npos);
        KinetoText noSize = withGemm();
        noSize.kernel(tests::kAllReduceName, 1110 * kUs, 300 * kUs, {}, 8);
        QVERIFY(madeOf(noSize).pair.refusal.find("size of the collective is unknown") != std::string::npos);
        KinetoText other = withGemm();
        other.kernel("ncclDevKernel_Broadcast_RING_LL", 1110 * kUs, 300 * kUs,
                     collective("broadcast", 1024, 1024, "Float", 8, "[0, 1, 2, 3, 4, 5, 6, 7]", -1), 8);
        QVERIFY(madeOf(other).pair.refusal.find("this is broadcast") != std::string::npos);
    }

    void theMachineIsFoundByNameThenBySms() {
        const auto named = [](const std::string& name, std::int64_t sms) {
            MeasuredDevice device;
            device.name = name;
            device.multiprocessors = sms;
            const MeasuredMachine machine = machineOf(device);
            return machine.name + (machine.assumed ? " assumed" : "");
        };
        QCOMPARE(named("NVIDIA H100 80GB HBM3", 132), std::string("nvidia-h100"));
        QCOMPARE(named("NVIDIA A100-SXM4-80GB", 108), std::string("nvidia-a100"));
        QCOMPARE(named("AMD Instinct MI300X", 304), std::string("amd-mi300x"));
        QCOMPARE(named("NVIDIA H100 PCIe", 114), std::string("nvidia-h100 assumed"));
        QCOMPARE(named("NVIDIA GH200 480GB", 132),
                 std::string("nvidia-h100 assumed"));  // no H200: no word begins there
        QCOMPARE(named("Radeon", 60), std::string(""));
    }

    void aPairIsFoundByWords() {
        const Made made = madeOf(dependent());
        engine::Problems problems;
        QVERIFY(choiceNamed(made.traces, made.report, "4096x4096x1024", "all-reduce", problems) == made.choice);
        QVERIFY(problems.empty());
        choiceNamed(made.traces, made.report, "1x1x1", "all-reduce", problems);
        QVERIFY(tests::saysAt(problems, "--pair", "there are: 4096x4096x1024"));
        problems.clear();
        choiceNamed(made.traces, made.report, "4096x4096x1024", "all-gather", problems);
        QVERIFY(tests::saysAt(problems, "--pair", "no such collective"));
        problems.clear();
        choiceNamed(made.traces, made.report, "", "all-gather", problems);
        QVERIFY(tests::saysAt(problems, "--pair", "no collective has this operation"));
    }

    void aMeasuredPairIsABlindItemOfAnEvaluation() {
        const Made made = madeOf(dependent());
        engine::Problems problems;
        const std::string once =
            withMeasuredItem("", "mine.json", made.pair, "measured: rank-0.json, H100, 2026", problems);
        QVERIFY2(problems.empty(), tests::described(problems).c_str());
        EvaluationReading reading = readEvaluation(once, "mine.json");
        QVERIFY(reading.problems.empty());
        QCOMPARE(reading.evaluation.items.size(), std::size_t{1});
        const EvaluationItem& item = reading.evaluation.items.front();
        QCOMPARE(item.label, std::string("measured"));
        QVERIFY(item.role == EvaluationRole::blind);
        QCOMPARE(item.published.front().value, 410.0 * kPsOfUs);  // in ps
        const std::string twice = withMeasuredItem(once, "mine.json", made.pair, "measured again", problems);
        reading = readEvaluation(twice, "mine.json");
        QVERIFY(problems.empty() && reading.problems.empty());
        QCOMPARE(reading.evaluation.items.size(), std::size_t{2});
        ReproduceOptions kept;
        kept.keptOnly = true;
        QCOMPARE(reproduce(reading.evaluation, kept).constants, reading.evaluation.frozen);  // blind items are compared
        QVERIFY(reading.evaluation.items[0].id != reading.evaluation.items[1].id);
        QVERIFY(twice.find("measured: rank-0.json, H100, 2026") != std::string::npos);
        for (const char* foreign : {"{", "[1]", R"({"format": "ringside-sweep"})",
                                    R"({"format": "ringside-evaluation", "version": 1, "items": 3})"}) {
            problems.clear();
            QVERIFY(withMeasuredItem(foreign, "mine.json", made.pair, "", problems).empty());
            QVERIFY2(!problems.empty() && problems.front().path.starts_with("mine.json"), foreign);
        }
    }

    void partsAreScaledUntilTheyAgree() {
        const Made made = madeOf(dependent());
        engine::Problems problems;
        const ExperimentDraft draft = made.pair.draft(problems);
        // A machine with a fixed cost beside what the two parameters scale.
        const auto run = [](const ExperimentDraft& each) {
            const engine::Experiment experiment = expand(each).experiment;
            engine::RunResult result;
            result.isolated.emplace();
            result.isolated->gemm.ps = static_cast<std::int64_t>(4e6 + 60e6 / experiment.cu.tensorEfficiency);
            result.isolated->reduceScatter.ps =
                static_cast<std::int64_t>(9e6 + 40e18 / static_cast<double>(experiment.link.bandwidth.bytesPerSecond));
            return result;
        };
        const PartsFit fit = fitParts(draft, made.pair, run);
        QVERIFY2(fit.refusal.empty(), fit.refusal.c_str());
        QVERIFY(std::abs(fit.simulated.gemm - 100 * kPsOfUs) <= kPsOfUs / 2);
        QVERIFY(std::abs(fit.simulated.collective - 300 * kPsOfUs) <= 2 * kPsOfUs);
        QVERIFY(fit.runs > 1 && fit.runs < 12);
        // The GEMM cannot be so fast: an efficiency above 1 would be needed.
        TracePair fast = made.pair;
        fast.measured.gemm = 20 * kPsOfUs;
        QVERIFY(fitParts(draft, fast, run).refusal.find("cu.tensor_efficiency is at the end of its range") !=
                std::string::npos);
    }
};

RINGSIDE_CORE_TEST(TestTracePair)
#include "tst_trace_pair.moc"
