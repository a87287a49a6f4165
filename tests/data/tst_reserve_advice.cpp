#include "data/questions/reserve_advice.h"
#include "tests/data/side_by_side.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;
using engine::CompanionOperation;

namespace {

using Counts = std::vector<std::int64_t>;

engine::Experiment gatheringBeside(std::int64_t cus) {
    engine::Experiment experiment;
    engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
    experiment.workload.sublayer = engine::SubLayer::gemm;
    experiment.cu.count = cus;
    experiment.companion.operation = CompanionOperation::allGather;
    return experiment;
}

ReserveAdvice advised(tests::FormulaMachine& machine, std::int64_t cus) {
    ReserveOptions options;
    options.runs = machine.runs();
    return reserveAdvice(gatheringBeside(cus), options);
}

}  // namespace

class TestReserveAdvice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void candidatesDoubleFromFourToHalfOfTheCus() {
        QCOMPARE(reserveCandidates(304), (Counts{4, 8, 16, 32, 64, 128}));
        QCOMPARE(reserveCandidates(64), (Counts{4, 8, 16, 32}));
        QCOMPARE(reserveCandidates(63), (Counts{4, 8, 16}));
        QCOMPARE(reserveCandidates(8), (Counts{4}));
    }

    void ofASmallGpuHalfIsReserved() {
        QCOMPARE(reserveCandidates(7), (Counts{3}));
        QCOMPARE(reserveCandidates(2), (Counts{1}));
    }

    void onlyACollectiveBesideAGemmCanHaveCusOfItsOwn() {
        engine::Experiment experiment = gatheringBeside(80);
        QVERIFY(canReserve(experiment));
        experiment.cu.count = 1;
        QVERIFY(!canReserve(experiment));
        experiment = gatheringBeside(80);
        experiment.companion.operation = CompanionOperation::gemm;
        QVERIFY(!canReserve(experiment));
        experiment.companion.operation = CompanionOperation::none;
        QVERIFY(!canReserve(experiment));
        experiment = gatheringBeside(80);
        experiment.workload.sublayer = engine::SubLayer::reduceScatter;
        QVERIFY(!canReserve(experiment));
    }

    void theShortestOfTheLongerPartsIsAdvised() {
        tests::FormulaMachine machine;
        const ReserveAdvice advice = advised(machine, 80);
        // The own work takes 1200 x 80 / (80 - k), the collective 9600 / min(k, 16), as it has 16 workgroups. With 8
        // CUs these are 1333 and 1200; all other choices take longer.
        const std::vector<ReserveCandidate> expected{
            {4, {1263}, {2400}}, {8, {1333}, {1200}}, {16, {1500}, {600}}, {32, {2000}, {600}}};
        QCOMPARE(advice.candidates, expected);
        QCOMPARE(advice.reserved(), 8);
        QCOMPARE(advice.candidates[advice.best].longer().ps, 1333);
    }

    void ofEqualsTheSmallestIsAdvised() {
        ReserveOptions options;
        options.runs = [](std::span<const engine::Experiment> experiments, const engine::RunManyOptions&) {
            std::vector<engine::RunOutcome> outcomes(experiments.size());
            for (engine::RunOutcome& outcome : outcomes)
                outcome.result.emplace().last.time.total = {7};
            return outcomes;
        };
        QCOMPARE(reserveAdvice(gatheringBeside(80), options).reserved(), 4);
    }

    void bothRunAloneWithoutBaselines() {
        tests::FormulaMachine machine;
        advised(machine, 16);
        QCOMPARE(machine.asked.size(), 4U);  // two candidates, own work and companion
        for (std::size_t i = 0; i < machine.asked.size(); ++i) {
            QVERIFY(!engine::hasCompanion(machine.asked[i]));
            QVERIFY(!machine.withBaselines[i]);
        }
        QCOMPARE(engine::reservedCus(machine.asked[0]), 4);
        QCOMPARE(engine::reservedCus(machine.asked[2]), 8);
        QCOMPARE(machine.asked[0].workload.sublayer, engine::SubLayer::gemm);
        QCOMPARE(machine.asked[1].workload.sublayer, engine::SubLayer::allGather);
        QCOMPARE(engine::collectiveCus(machine.asked[3]), 8);
    }

    void theCompanionAloneIsAKernelOfThatManyWorkgroups() {
        engine::Experiment experiment = gatheringBeside(80);
        engine::applyPolicyPreset(experiment, engine::PolicyPreset::t3Mca);
        experiment.companion.bytes = {12 * 1024 * 1024};
        using engine::SubLayer;
        for (const auto& [operation, sublayer] : {std::pair{CompanionOperation::allGather, SubLayer::allGather},
                                                  std::pair{CompanionOperation::reduceScatter, SubLayer::reduceScatter},
                                                  std::pair{CompanionOperation::allReduce, SubLayer::allReduce},
                                                  std::pair{CompanionOperation::allToAll, SubLayer::allToAll}}) {
            experiment.companion.operation = operation;
            const engine::Experiment alone = companionAlone(experiment, 12);
            QCOMPARE(alone.workload.sublayer, sublayer);
            QCOMPARE(alone.workload.bytes.count, 12 * 1024 * 1024);
            QCOMPARE(engine::collectiveCus(alone), 12);
            QCOMPARE(alone.policy.mapping, engine::OutputMapping::local);  // tracker and DMA are not used
            QCOMPARE(alone.collective.reduction, engine::Reduction::nmc);  // as in the experiment
            QCOMPARE(engine::validate(alone).size(), 0U);
        }
    }

    void fewerWorkgroupsThanTheLinkNeedsTakeLonger() {
        engine::Experiment experiment = gatheringBeside(80);
        experiment.detail.granule = {16 * 1024};
        experiment.detail.channels = 1;
        experiment.companion.bytes = {8 * 1024 * 1024};
        const auto total = [&](std::int64_t workgroups) {
            return engine::run(companionAlone(experiment, workgroups)).last.time.total;
        };
        QVERIFY(total(4) > total(8));
        QVERIFY(total(8) > total(16));
        // At 16 x 13.3 GB/s the link of 150 GB/s limits the run.
        QVERIFY(static_cast<double>(total(16).ps) < 1.05 * static_cast<double>(total(64).ps));
    }

    void aStopIsReportedAndAFailureKeepsItsReason() {
        tests::FormulaMachine machine;
        machine.stops = true;
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, advised(machine, 80));
        ReserveOptions options;
        options.runs = [](std::span<const engine::Experiment> experiments, const engine::RunManyOptions&) {
            std::vector<engine::RunOutcome> outcomes(experiments.size());
            outcomes[0].result.emplace();
            outcomes[1].failure = "nobody can go on";
            return outcomes;
        };
        try {
            reserveAdvice(gatheringBeside(80), options);
            QFAIL("no failure");
        } catch (const engine::Deadlock& failure) {
            QCOMPARE(std::string(failure.what()), std::string("the companion alone on 4 CUs: nobody can go on"));
        }
    }

    void anExperimentThatCannotBeRunIsRefusedBeforeAnythingRuns() {
        tests::FormulaMachine machine;
        ReserveOptions options;
        options.runs = machine.runs();
        engine::Experiment experiment = gatheringBeside(80);
        experiment.parallel.tp = 1;
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, reserveAdvice(experiment, options));
        QCOMPARE(machine.asked.size(), 0U);
    }

    void progressRisesToTheWhole() {
        tests::FormulaMachine machine;
        std::vector<double> reported;
        ReserveOptions options;
        options.runs = machine.runs();
        options.progress = [&](double done) { reported.push_back(done); };
        reserveAdvice(gatheringBeside(80), options);
        QVERIFY(reported.size() > 2 && std::is_sorted(reported.begin(), reported.end()));
        QVERIFY(std::abs(reported.back() - 1) < 1e-9);
    }
};

RINGSIDE_TEST(TestReserveAdvice)
#include "tst_reserve_advice.moc"
