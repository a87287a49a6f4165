#include "data/model/pair_rates.h"

#include "data/model/message_times.h"
#include "data/model/model_run.h"
#include "data/model/model_step.h"
#include "engine/api/runner.h"
#include "tests/small_model.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <vector>

using data::ModelRun;
using engine::Duration;
using engine::MessageGroup;
using engine::MessageOperation;

namespace {

engine::Experiment replicatedModel() {
    engine::Experiment base = tests::smallModel();
    base.division.dp = 4;
    base.division.bucket = 1'000'000;
    base.node.gpus = 4;
    return base;
}

ModelRun runOf(const engine::Experiment& base, engine::PolicyPreset policy = engine::PolicyPreset::sequential) {
    return data::modelRun(base, {.policies = {policy}, .threads = 2});
}

double realOf(Duration time) { return static_cast<double>(time.ps); }

}  // namespace

class TestPairRates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyGemmBesideADataMessageHasARate() {
        const ModelRun run = runOf(replicatedModel());
        const data::ModelStep step = data::stepOf(run, run.policies.front());
        const data::StepPairs& pairs = step.pairs;
        QVERIFY(!pairs.gemms.empty());
        QCOMPARE(step.simulatedPairs, pairs.gemms.size());
        QCOMPARE(step.pairsWithoutRate, pairs.withoutRate);
        for (const data::RateOfPair& of : run.policies.front().pairs) {
            QVERIFY(of.rates.has_value());
            QVERIFY(of.rates->compute > 0 && of.rates->compute <= engine::kFullRate);
            QVERIFY(of.rates->message > 0 && of.rates->message <= engine::kFullRate);
            QVERIFY(of.pair.group == MessageGroup::data);
        }
    }

    void aStepWithoutMessagesHasNoPairs() {
        engine::Experiment base = replicatedModel();
        base.division.dp = 1;
        base.division.microbatches = 2;
        const ModelRun run = runOf(base);
        QVERIFY(run.policies.front().pairs.empty());
        QCOMPARE(run.simulatedPairs, std::size_t{0});
    }

    // Two kernels that run beside each other from begin to end take as long as the timetable says.
    void aGemmBesideAMessageOfEqualLengthEndsAsInTheRunWithThatCompanion() {
        engine::Experiment experiment = tests::smallModel();
        experiment.workload = {};
        experiment.workload.sublayer = engine::SubLayer::gemm;
        experiment.matrix = {4096, 4096, 1024, 1};
        engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
        const auto with = [&](std::int64_t bytes) {
            engine::Experiment pair = experiment;
            pair.companion.operation = engine::CompanionOperation::allGather;
            pair.companion.bytes = {bytes};
            pair.dispatch.rule = engine::DispatchRule::companionFirst;
            return engine::run(pair, {.baselines = true});
        };
        // A companion at least twice as long gives the rates; its length is then chosen so that both take equally long.
        constexpr std::int64_t kLong = std::int64_t{1} << 30;
        const engine::RunResult measured = with(kLong);
        const engine::CompanionResult& companion = measured.companion.value();
        QVERIFY(companion.whileBoth.has_value());
        QVERIFY(realOf(*companion.alone) >= 2 * realOf(*companion.ownAlone));
        const double perByte = realOf(*companion.alone) / static_cast<double>(kLong);
        const double own = realOf(*companion.ownAlone) * companion.whileBoth->ownSlowdown;
        const std::int64_t bytes = std::llround(own / companion.whileBoth->slowdown / perByte / 4096) * 4096;
        const engine::RunResult equal = with(bytes);

        engine::TaskGraph graph;
        graph.pools = {{"gemm", 1}, {"message", 1}};
        graph.lookaheads = {engine::kUnlimitedLookahead};
        graph.tasks = {{companion.ownAlone->ps, 0, engine::Task::kAnyPlace, 0, 0},
                       {equal.companion->alone->ps, 1, engine::Task::kAnyPlace, 0, 0}};
        const auto rate = [](double slowdown) {
            return std::min<std::int64_t>(engine::kFullRate,
                                          std::llround(static_cast<double>(engine::kFullRate) / slowdown));
        };
        const engine::Timetable timetable = engine::timetableOf(graph, [&](auto running, auto rates) {
            if (running.size() == 2) {
                rates[0] = rate(companion.whileBoth->ownSlowdown);
                rates[1] = rate(companion.whileBoth->slowdown);
            }
        });
        const double said = static_cast<double>(timetable.makespan);
        const double simulated = realOf(std::max(equal.companion->own, equal.companion->time));
        QVERIFY2(std::abs(said / simulated - 1) < 0.02, qPrintable(QString::number(said / simulated)));
    }

    void aScaledMessageTakesAboutAsLongAsASimulatedOne() {
        engine::Experiment base = replicatedModel();
        for (const MessageOperation operation :
             {MessageOperation::allReduce, MessageOperation::reduceScatter, MessageOperation::allGather}) {
            for (const engine::PolicyPreset policy : {engine::PolicyPreset::sequential, engine::PolicyPreset::t3Mca}) {
                const data::MessageKind kind{
                    MessageGroup::data, operation, base.division.dp, {std::int64_t{256} << 20}};
                const data::MessageSimulation part = data::simulationOf(base, kind, policy);
                QVERIFY(part.scale > 1);
                QCOMPARE(part.experiment.workload.bytes.count, std::int64_t{64} << 20);
                engine::Experiment whole = part.experiment;
                whole.workload.bytes = kind.bytes;
                const double scaled = realOf(engine::run(part.experiment).last.time.total) * part.scale;
                const double simulated = realOf(engine::run(whole).last.time.total);
                QVERIFY2(std::abs(scaled / simulated - 1) < 0.01, qPrintable(QString::number(scaled / simulated)));
            }
        }
    }

    void messagesOnTheSameLinksShareThem() {
        const ModelRun run = runOf(replicatedModel());
        const auto collective =
            std::ranges::find(run.graph.operators, engine::OperatorKind::collective, &engine::Operator::kind);
        const auto op = static_cast<std::size_t>(collective - run.graph.operators.begin());
        // The tensor group fills a node, and the replicas are in different nodes.
        const auto beside = [&](const ModelRun& of) {
            return data::ratesBeside(of, of.policies.front(), op, MessageGroup::data, MessageOperation::allReduce);
        };
        QVERIFY((beside(run) == data::PairRates{}));
        engine::Experiment oneNode = replicatedModel();
        oneNode.node.gpus = 16;
        ModelRun shared = run;
        shared.base = oneNode;
        QVERIFY((beside(shared) == data::PairRates{engine::kFullRate / 2, engine::kFullRate / 2}));
    }
};

RINGSIDE_TEST(TestPairRates)
#include "tst_pair_rates.moc"
