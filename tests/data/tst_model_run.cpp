#include "data/model/model_run.h"
#include "tests/small_model.h"
#include "tests/test_program.h"

#include "data/experiment/experiment_document.h"
#include "data/model/model_memory.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

using engine::Duration;
using engine::ModelPhase;
using engine::Operator;
using engine::OperatorKind;
using engine::PolicyPreset;
using tests::smallModel;

namespace {

engine::Experiment modelNamed(const std::string& name, std::int64_t tp) {
    data::ExperimentDraft draft;
    draft.explicitValues = {
        {"workload.model", name}, {"parallel.tp", tp}, {"detail.level", std::string("interactive")}};
    return data::expand(draft).experiment;
}

data::ModelRunOptions optionsFor(ModelPhase phase) {
    data::ModelRunOptions options;
    options.phase = phase;
    options.threads = 2;
    return options;
}

std::size_t indexOf(const data::ModelRun& run, const std::string& id) {
    const Operator* op = run.graph.find(id);
    return op == nullptr ? run.graph.operators.size() : static_cast<std::size_t>(op - run.graph.operators.data());
}

std::int64_t partsOf(const data::ModelTime& time) {
    return time.feedingGemm.ps + time.gemm.ps + time.attention.ps + time.elementWise.ps + time.reduceScatter.ps +
           time.allGather.ps + time.allToAll.ps;
}

}  // namespace

class TestModelRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePartsSumToTheTotalAndTheOperatorsToTheParts_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("tp");
        QTest::addColumn<QString>("phase");
        for (const data::Preset& preset : data::models())
            for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
                if (preset.tps.empty())
                    continue;  // the models of T3 are enough, and fast
                const auto tp = static_cast<int>(preset.tps.back());
                const QString phaseName = QString::fromStdString(std::string(engine::name(phase)));
                const QString name = QString::fromStdString(preset.name);
                QTest::addRow("%s, %s", qPrintable(name), qPrintable(phaseName)) << name << tp << phaseName;
            }
    }

    void thePartsSumToTheTotalAndTheOperatorsToTheParts() {
        QFETCH(QString, model);
        QFETCH(int, tp);
        QFETCH(QString, phase);
        auto options = optionsFor(*engine::modelPhaseNamed(phase.toStdString()));
        options.policies.push_back(PolicyPreset::idealOverlapNmc);
        const data::ModelRun run = data::modelRun(modelNamed(model.toStdString(), tp), options);
        QCOMPARE(run.policies.size(), options.policies.size());
        for (const data::PolicyModelTime& policy : run.policies) {
            QCOMPARE(partsOf(policy.time), policy.time.total().ps);
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < policy.operators.size(); ++i) {
                const data::ModelTime& time = policy.operators[i].time;
                QCOMPARE(partsOf(time), time.total().ps);
                QVERIFY(time.reduceScatter.ps >= 0 && time.allGather.ps >= 0 && time.feedingGemm.ps >= 0);
                sum += time.total().ps * run.graph.operators[i].count;
            }
            QCOMPARE(sum, policy.time.total().ps);
            QVERIFY(policy.communicationShare > 0 && policy.communicationShare < 1);
        }
        // The ideal overlap bounds what any policy can hide, so it is not slower than sequential.
        const auto& sequential = run.policies[0];
        const auto& ideal = run.policies[3];
        QVERIFY(ideal.time.total() <= sequential.time.total());
        QCOMPARE(ideal.time.feedingGemm, sequential.time.feedingGemm);
        for (const data::PolicyModelTime& policy : run.policies)
            QCOMPARE(policy.time.gemm, sequential.time.gemm);
    }

    void aSubLayersTimesAreThoseOfItsOwnRun_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("feeders");
        QTest::addRow("all-reduce") << "all-reduce" << 5;
        QTest::addRow("sequence parallelism") << "reduce-scatter" << 10;
        QTest::addRow("experts") << "experts" << 5;
    }

    // GEMM and collective are one run, also if the collective comes first. Each expert has its own run.
    void aSubLayersTimesAreThoseOfItsOwnRun() {
        QFETCH(QString, kind);
        engine::Experiment base = smallModel();
        if (kind == "experts") {
            base.workload.experts = 8;
            base.workload.expertsPerToken = 2;
        } else if (kind == "reduce-scatter") {
            base.collective.operation = engine::CollectiveOperation::reduceScatter;
        }
        const data::ModelRun run = data::modelRun(base, optionsFor(ModelPhase::training));
        int feeders = 0;
        for (std::size_t i = 0; i < run.graph.operators.size(); ++i) {
            if (!run.graph.operators[i].feeder)
                continue;
            ++feeders;
            const std::size_t index = *run.graph.operators[i].feeder;
            const Operator& op = run.graph.operators[index];
            for (const data::PolicyModelTime& policy : run.policies) {
                engine::Experiment alone = *data::experimentOf(base, op);
                engine::applyPolicyPreset(alone, policy.policy);
                const engine::TimeResult time = engine::run(alone).last.time;
                const data::OperatorTime& gemm = policy.operators[index];
                const data::OperatorTime& collective = policy.operators[i];
                QCOMPARE(collective.time.exposed() + gemm.time.total(), time.total * op.gemms);
                QCOMPARE(collective.whole, (time.reduceScatter + time.allGather + time.allToAll) * op.gemms);
            }
        }
        QTEST(feeders, "feeders");
    }

    // An all-gather before the GEMM and a reduce-scatter after it: T3 hides both. Of an all-reduce, the second half is
    // exposed.
    void sequenceParallelismHidesWhatAnAllReduceCannot() {
        engine::Experiment base = modelNamed("t-nlg", 8);
        const auto reduced = data::modelRun(base, optionsFor(ModelPhase::prompt));
        base.collective.operation = engine::CollectiveOperation::reduceScatter;
        const auto sliced = data::modelRun(base, optionsFor(ModelPhase::prompt));
        QVERIFY(sliced.policies[2].communicationShare < reduced.policies[2].communicationShare / 2);
        QVERIFY(sliced.policies[2].time.total() < reduced.policies[2].time.total());
        QVERIFY(sliced.sequential.time.elementWise < reduced.sequential.time.elementWise);
    }

    void expertsExchangeTokensUnderEachPolicy() {
        engine::Experiment base = smallModel();
        base.workload.experts = 8;
        base.workload.expertsPerToken = 2;
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
            const data::ModelRun run = data::modelRun(base, optionsFor(phase));
            for (const data::PolicyModelTime& policy : run.policies) {
                QVERIFY(policy.time.allToAll.ps > 0);
                QCOMPARE(partsOf(policy.time), policy.time.total().ps);
            }
        }
        base.workload.experts = 6;
        QCOMPARE(data::modelRunProblems(base, optionsFor(ModelPhase::prompt))[0].path, std::string("parallel.tp"));
    }

    void aModelRunsOnOtherTopologies() {
        engine::Experiment base = smallModel();
        const auto ring = data::modelRun(base, optionsFor(ModelPhase::prompt));
        base.topology.kind = engine::TopologyKind::fullyConnected;
        base.collective.algorithm = engine::CollectiveAlgorithm::direct;
        const auto direct = data::modelRun(base, optionsFor(ModelPhase::prompt));
        for (std::size_t i = 0; i < ring.policies.size(); ++i)
            QVERIFY(direct.policies[i].time.exposed() < ring.policies[i].time.exposed());
        QCOMPARE(direct.sequential.time.gemm, ring.sequential.time.gemm);
    }

    // Sequential hides nothing: GEMM, then reduce-scatter, then all-gather.
    void underSequentialAllCommunicationIsExposed() {
        const data::ModelRun run = data::modelRun(smallModel(), optionsFor(ModelPhase::training));
        for (std::size_t i = 0; i < run.graph.operators.size(); ++i) {
            const data::OperatorTime& time = run.sequential.operators[i];
            QCOMPARE(time.whole, time.time.total());
        }
        QCOMPARE(run.sequential.speedupOverSequential, 1.0);
        QCOMPARE(run.sequential.sublayerGeomean, 1.0);
    }

    // Runs of a training step: OP, FC-2 (FC-1 has the same shape), IP, the head's gradient, and the embedding's
    // all-reduce, each under four policies; the ideal overlap's all-reduce is that of sequential. GEMMs: IP and FC-1
    // forward (FC-2's input gradient has the shape of FC-1), OP's input gradient, four weight gradients of different
    // shapes, and two of the head.
    void whatIsAlikeIsSimulatedOnce() {
        engine::Experiment base = smallModel();
        base.parallel.tp = 8;  // on 4 GPUs F/N is H
        const data::ModelRun run = data::modelRun(base, optionsFor(ModelPhase::training));
        QCOMPARE(run.simulatedRuns, std::size_t{4 * 4 + 3});
        std::set<engine::GemmSize> sizes;
        for (const Operator& op : run.graph.operators) {
            if (op.kind == OperatorKind::gemm)
                sizes.insert(*op.gemm);
        }
        QCOMPARE(run.simulatedGemms, sizes.size());
        QCOMPARE(run.simulatedGemms, std::size_t{9});
        QCOMPARE(run.operatorsTimed, run.graph.operators.size() * 4);
        const auto times = [&](const char* id) { return run.policies[2].operators[indexOf(run, id)].time; };
        QCOMPARE(times("forward/fc-2"), times("backward/fc-1"));
        QCOMPARE(times("forward/fc-1"), times("backward/fc-2"));
    }

    // A change of the link simulates the sub-layers again. GEMMs without a collective, and other phases, reuse earlier
    // runs.
    void whatWasSimulatedBeforeIsRemembered() {
        auto options = optionsFor(ModelPhase::training);
        options.memory = std::make_shared<data::ModelMemory>();
        const data::ModelRun first = data::modelRun(smallModel(), options);
        QCOMPARE(first.remembered, std::size_t{0});
        const data::ModelRun again = data::modelRun(smallModel(), options);
        QCOMPARE(again.remembered, again.simulatedRuns + again.simulatedGemms);
        engine::Experiment slower = smallModel();
        slower.link.bandwidth = engine::Bandwidth{75'000'000'000};
        slower.dma.blockTiles = 2;
        slower.collective.operation = engine::CollectiveOperation::allReduce;
        const data::ModelRun other = data::modelRun(slower, options);
        QCOMPARE(other.remembered, other.simulatedGemms);
        options.memory.reset();
        const data::ModelRun fresh = data::modelRun(slower, options);
        for (std::size_t i = 0; i < fresh.policies.size(); ++i) {
            QCOMPARE(again.policies[i].time, first.policies[i].time);
            QCOMPARE(other.policies[i].time, fresh.policies[i].time);
        }
        QCOMPARE(again.notices, first.notices);
    }

    void aGemmByItselfDoesNotDependOnHowGpusAreJoined() {
        engine::Experiment other = smallModel();
        other.link.bandwidth = engine::Bandwidth{1'000'000'000};
        other.link.latency = engine::Duration{5'000'000};
        other.topology.kind = engine::TopologyKind::fullyConnected;
        other.collective.algorithm = engine::CollectiveAlgorithm::direct;
        other.arbitration.share = 1;
        other.tracker.entries = 16;
        other.dma.engines = 2;
        other.variation.gpu = 1;
        other.variation.clockFactor = 0.5;
        engine::applyPolicyPreset(other, PolicyPreset::t3Mca);
        const engine::GemmSize size{1000, 700, 300};
        QCOMPARE(engine::runGemm(other, size).time, engine::runGemm(smallModel(), size).time);
    }

    void theTimesDoNotDependOnThreadsNorOnTheOrderOfPolicies() {
        auto options = optionsFor(ModelPhase::training);
        const data::ModelRun two = data::modelRun(smallModel(), options);
        options.threads = 1;
        std::reverse(options.policies.begin(), options.policies.end());
        const data::ModelRun one = data::modelRun(smallModel(), options);
        for (std::size_t i = 0; i < two.policies.size(); ++i) {
            const data::PolicyModelTime& other = one.policies[two.policies.size() - 1 - i];
            QCOMPARE(other.policy, two.policies[i].policy);
            QCOMPARE(other.time, two.policies[i].time);
            QCOMPARE(other.speedupOverSequential, two.policies[i].speedupOverSequential);
        }
    }

    void ratiosReferToSequentialEvenIfItIsNotRequested() {
        auto options = optionsFor(ModelPhase::prompt);
        const data::ModelRun all = data::modelRun(smallModel(), options);
        options.policies = {PolicyPreset::t3};
        const data::ModelRun alone = data::modelRun(smallModel(), options);
        QCOMPARE(alone.policies.size(), std::size_t{1});
        QCOMPARE(alone.policies[0].speedupOverSequential, all.policies[1].speedupOverSequential);
        QCOMPARE(alone.sequential.time, all.sequential.time);
    }

    // With 3 times as many layers their work takes 3 times as long. The operators outside of layers do not change.
    void layersMultiplyTheLayersOperatorsOnly() {
        engine::Experiment more = smallModel();
        more.workload.layers = 9;
        const auto few = data::modelRun(smallModel(), optionsFor(ModelPhase::training)).sequential;
        const auto many = data::modelRun(more, optionsFor(ModelPhase::training)).sequential;
        const std::int64_t layer = (many.time.total().ps - few.time.total().ps) / 6;
        QCOMPARE(few.time.total().ps + 6 * layer, many.time.total().ps);
        QVERIFY(few.time.total().ps > 3 * layer);
    }

    void aGeneratedTokenIsFarShorterThanAPrompt() {
        const auto token = data::modelRun(smallModel(), optionsFor(ModelPhase::generation)).sequential.time.total();
        const auto prompt = data::modelRun(smallModel(), optionsFor(ModelPhase::prompt)).sequential.time.total();
        QVERIFY(token * 5 < prompt);
    }

    // 8 x 1596 x 4256 has 13 tiles for 80 workgroups: K is split into 6 parts, and the weights are read at half of the
    // sustained memory bandwidth or more.
    void aSkinnyGemmFillsTheGpu() {
        const data::ModelRun run = data::modelRun(modelNamed("t-nlg", 8), optionsFor(ModelPhase::generation));
        const std::size_t index = indexOf(run, "forward/ip");
        QCOMPARE(run.partsOfK[index], std::int64_t{6});
        const double seconds = static_cast<double>(run.sequential.operators[index].time.total().ps) * 1e-12;
        const double weights = 2.0 * 1596 * 4256;
        QVERIFY(weights / seconds > 0.5 * 750e9);
        QVERIFY(weights / seconds < 750e9);
        QVERIFY(std::any_of(run.notices.begin(), run.notices.end(),
                            [](const engine::Notice& notice) { return notice.path == "gemm.tile_n"; }));
        const data::ModelRun training = data::modelRun(smallModel(), optionsFor(ModelPhase::training));
        QCOMPARE(training.partsOfK[indexOf(training, "forward/fc-2")], std::int64_t{1});
    }

    void eachGemmOfAModelChoosesItsTile() {
        engine::Experiment base = smallModel();
        const data::ModelRun fixed = data::modelRun(base, optionsFor(ModelPhase::training));
        base.tiles.choice = engine::TileChoice::best;
        const data::ModelRun best = data::modelRun(base, optionsFor(ModelPhase::training));
        // A GEMM that feeds a collective is computed by its own run, which may have another tile.
        const std::size_t index = indexOf(best, "forward/fc-2");
        engine::Experiment alone = *data::experimentOf(base, best.graph.operators[index]);
        engine::applyPolicyPreset(alone, PolicyPreset::sequential);
        QCOMPARE(best.sequential.operators[index].time.total(), engine::run(alone).last.time.gemm);
        QVERIFY(best.sequential.time.total() <= fixed.sequential.time.total());
        const auto reported = std::count_if(best.notices.begin(), best.notices.end(),
                                            [](const engine::Notice& notice) { return notice.path == "tiles.choice"; });
        QCOMPARE(reported, std::ptrdiff_t{1});
        // One token of each of two sequences has fewer rows than the smallest tile.
        QVERIFY_EXCEPTION_THROWN(data::modelRun(base, optionsFor(ModelPhase::generation)), engine::InvalidExperiment);
    }

    void everythingWrongIsSaidByPath() {
        auto options = optionsFor(ModelPhase::training);
        engine::Experiment base = smallModel();
        base.parallel.tp = 5;
        engine::Problems problems = data::modelRunProblems(base, options);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY(problems[0].text.find("K of op (512)") != std::string::npos);

        base = smallModel();
        base.parallel.tp = 32;
        options.phase = ModelPhase::generation;  // 2 x 512 is cut into 4 tiles
        problems = data::modelRunProblems(base, options);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].path, std::string("parallel.tp"));
        QVERIFY2(problems[0].text.find("for forward/op, forward/fc-2: the output has only 4 tiles") == 0,
                 problems[0].text.c_str());
        QVERIFY_EXCEPTION_THROWN(data::modelRun(base, options), engine::InvalidExperiment);

        base = smallModel();
        base.memory.efficiency = 7;
        QCOMPARE(data::modelRunProblems(base, options)[0].path, std::string("memory.efficiency"));
    }

    // At 10 MB/s the norms, residuals and activations of 8192 x 8192 tokens take about 500 s for each layer.
    void aModelThatWouldTakeMonthsIsRefusedBeforeItIsSimulated() {
        engine::Experiment base = smallModel();
        base.workload.hidden = 8192;
        base.workload.batch = 8;
        base.workload.layers = 10000;
        base.memory.bandwidth = engine::Bandwidth{1'000'000'000};
        base.memory.efficiency = 0.01;
        const engine::Problems problems = data::modelRunProblems(base, optionsFor(ModelPhase::training));
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].path, std::string("workload.layers"));
        QCOMPARE(problems[0].value, std::string("10000"));
    }

    // If memory is the limit and the cache holds everything, a GEMM takes the time to move its operands and its output,
    // whether K is split into parts or not. 768 x 3072 x 16384 (fc-2's weights) and its transpose (fc-1's) take the
    // same time.
    void splitGemmsTakeNoLessThanTheirBytesAndTransposedTwinsAreAlike() {
        engine::Experiment base = modelNamed("mega-gpt-2", 16);
        base.workload.layers = 1;
        base.cu.residency = engine::Residency::slots;
        base.llc.size = {std::int64_t{1} << 40};
        base.memory.bandwidth = {60'000'000'000};
        auto options = optionsFor(ModelPhase::training);
        options.policies = {PolicyPreset::sequential};
        const data::ModelRun run = data::modelRun(base, options);
        std::size_t split = 0;
        for (std::size_t i = 0; i < run.graph.operators.size(); ++i) {
            const Operator& op = run.graph.operators[i];
            if (op.kind != OperatorKind::gemm)
                continue;
            const double bytes =
                2.0 * static_cast<double>(op.gemm->m * op.gemm->k + op.gemm->k * op.gemm->n + op.gemm->m * op.gemm->n);
            const double bound = bytes / (60e9 * base.memory.efficiency) * 1e12;
            const double time = static_cast<double>(run.sequential.operators[i].time.total().ps);
            const std::string reported =
                op.id + ": " + std::to_string(time) + " ps, its bytes alone " + std::to_string(bound);
            QVERIFY2(time >= bound, reported.c_str());
            split += run.partsOfK[i] > 1 ? 1 : 0;
        }
        QVERIFY(split >= 4);
        const auto timeOf = [&](const char* id) {
            return static_cast<double>(run.sequential.operators[indexOf(run, id)].time.total().ps);
        };
        const double ratio = timeOf("backward/fc-2/weights") / timeOf("backward/fc-1/weights");
        QVERIFY2(std::abs(ratio - 1) <= 0.02, std::to_string(ratio).c_str());
    }

    void aStopEndsItAndProgressRises() {
        auto options = optionsFor(ModelPhase::training);
        double last = 0;
        options.progress = [&](double done) {
            QVERIFY(done > last);
            last = done;
        };
        data::modelRun(smallModel(), options);
        QCOMPARE(last, 1.0);
        std::stop_source source;
        source.request_stop();
        options.stop = source.get_token();
        options.progress = {};
        QVERIFY_EXCEPTION_THROWN(data::modelRun(smallModel(), options), engine::RunStopped);
    }

    void aStepThatCannotBeDividedIsRefused() {
        engine::Experiment experiment = smallModel();
        experiment.division.pp = 4;  // of 3 layers
        const engine::Problems problems = data::modelRunProblems(experiment, optionsFor(ModelPhase::training));
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(engine::describe(problems.front()),
                 std::string("division.pp: 4: more stages than layers; allowed: 1 to 3"));
        experiment.division.pp = 3;
        QVERIFY(data::modelRunProblems(experiment, optionsFor(ModelPhase::training)).empty());
    }

    void operatorsAndTheOptimizerAreReadAndTheRestIsReported() {
        const auto totalOf = [](const engine::Experiment& experiment) {
            return data::modelRun(experiment, optionsFor(ModelPhase::training)).sequential.time.total();
        };
        const engine::Experiment plain = smallModel();
        const Duration usual = totalOf(plain);
        engine::Experiment other = plain;
        other.operators.attention = engine::AttentionOperators::separate;
        const Duration separate = totalOf(other);
        QVERIFY(separate > usual);
        other.operators.recompute = engine::Recompute::attention;
        const Duration again = totalOf(other);
        QVERIFY(again > separate);
        other.operators.recompute = engine::Recompute::layer;
        QVERIFY(totalOf(other) > again);
        other = plain;
        other.operators.dropout = engine::Dropout::on;
        QVERIFY(totalOf(other) > usual);
        other = plain;
        other.training.optimizer = engine::OptimizerKind::sgd;
        QVERIFY(totalOf(other) < usual);
        other = plain;
        other.division.sharding = engine::Sharding::gradients;
        other.node.memory = engine::Bytes{1 << 30};
        const data::ModelRun sharded = data::modelRun(other, optionsFor(ModelPhase::training));
        QCOMPARE(sharded.sequential.time.total(), usual);
        const auto reported = [](const engine::Notice& notice) { return notice.path == "division.sharding"; };
        QCOMPARE(std::count_if(sharded.notices.begin(), sharded.notices.end(), reported), 1);
    }

    // A layer that is repeated costs its forward pass once more, to the picosecond.
    void aRepeatedLayerTakesItsForwardTimeOnceMore() {
        engine::Experiment experiment = smallModel();
        const data::ModelRun plain = data::modelRun(experiment, optionsFor(ModelPhase::training));
        experiment.operators.recompute = engine::Recompute::layer;
        const data::ModelRun repeated = data::modelRun(experiment, optionsFor(ModelPhase::training));
        for (std::size_t p = 0; p < plain.policies.size(); ++p) {
            std::int64_t forward = 0;
            for (std::size_t i = 0; i < plain.graph.operators.size(); ++i) {
                const Operator& op = plain.graph.operators[i];
                if (op.inLayer && op.pass == engine::OperatorPass::forward)
                    forward += plain.policies[p].operators[i].time.total().ps * op.count;
            }
            QCOMPARE(repeated.policies[p].time.total().ps, plain.policies[p].time.total().ps + forward);
            QCOMPARE(repeated.policies[p].sublayerGeomean, plain.policies[p].sublayerGeomean);
        }
        // The repeated operators reuse the same simulations.
        QCOMPARE(repeated.simulatedRuns, plain.simulatedRuns);
        QCOMPARE(repeated.simulatedGemms, plain.simulatedGemms);
    }

    void aWholeModelOnOneGpuDoesNotCommunicate() {
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
            engine::Experiment experiment = smallModel();
            experiment.parallel.tp = 1;
            const data::ModelRun run = data::modelRun(experiment, optionsFor(phase));
            QCOMPARE(run.simulatedRuns, std::size_t{0});
            QVERIFY(run.simulatedGemms > 0);
            QCOMPARE(run.sequential.time.exposed(), Duration{});
            QCOMPARE(run.sequential.communicationShare, 0.0);
            for (const data::PolicyModelTime& policy : run.policies)
                QCOMPARE(policy.time, run.sequential.time);
        }
    }

    void whatARunDoesNotReadIsNotSimulatedAgain() {
        auto options = optionsFor(ModelPhase::training);
        options.memory = std::make_shared<data::ModelMemory>();
        engine::Experiment experiment = smallModel();
        const data::ModelRun first = data::modelRun(experiment, options);
        experiment.training.optimizer = engine::OptimizerKind::sgd;
        experiment.operators.recompute = engine::Recompute::layer;
        experiment.node.memory = engine::Bytes{1 << 30};
        const data::ModelRun second = data::modelRun(experiment, options);
        QCOMPARE(second.remembered, first.simulatedRuns + first.simulatedGemms);
    }
};

RINGSIDE_TEST(TestModelRun)
#include "tst_model_run.moc"
