#include "data/document/document_tree.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/own_presets.h"
#include "data/model/collective_choice.h"
#include "data/model/message_times.h"
#include "data/model/model_point.h"
#include "data/model/model_run.h"
#include "data/model/model_step.h"
#include "data/model/simulated_experiment.h"
#include "data/presets/preset_document.h"
#include "data/presets/presets.h"
#include "data/questions/advice_rules.h"
#include "data/questions/divisions.h"
#include "engine/api/footprint.h"
#include "engine/api/gemm.h"
#include "engine/api/messages.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace data;
using engine::Experiment;
using engine::ModelPhase;
using engine::PolicyPreset;

// Whole models that are networks (workload.network), and tables of collectives (collective.table).

namespace {

Experiment wholeModelNamed(const std::string& name, std::int64_t tp, const Settings& more = {}) {
    ExperimentDraft draft;
    draft.explicitValues = {
        {"workload.model", name}, {"parallel.tp", tp}, {"detail.level", std::string("interactive")}};
    for (const auto& [path, value] : more)
        draft.explicitValues.insert_or_assign(path, value);
    return wholeModelOf(draft);
}

Experiment withNetwork(const std::string& text, std::int64_t tp, std::int64_t batch) {
    Experiment experiment = wholeModelNamed("t-nlg", tp);
    experiment.workload.network = text;
    experiment.workload.batch = batch;
    return experiment;
}

ModelRun networkRunOf(const Experiment& experiment, ModelPhase phase = ModelPhase::training,
                      const std::vector<PolicyPreset>& policies = {PolicyPreset::sequential}) {
    ModelRunOptions options;
    options.phase = phase;
    options.policies = policies;
    return modelRun(experiment, options);
}

Experiment withTable(Experiment experiment, const std::string& table) {
    experiment.collective.table = table;
    return experiment;
}

bool hasNotice(const engine::Notices& notices, const std::string& path, const std::string& part) {
    return std::ranges::any_of(notices, [&](const engine::Notice& notice) {
        return notice.path == path && notice.text.find(part) != std::string::npos;
    });
}

}  // namespace

class TestNetworkModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBundledNetworksHaveTheirWeights() {
        for (const auto& [name, weights] : {std::pair{"alexnet", std::int64_t{62'367'776}},
                                            {"gnmt", std::int64_t{160'563'200}},
                                            {"deepspeech-2", std::int64_t{364'541'536}},
                                            {"dlrm", std::int64_t{2'365'184}}}) {
            const engine::OperatorGraph graph = engine::operatorGraphOf(wholeModelNamed(name, 1), ModelPhase::training);
            QCOMPARE(graph.weightsOfModel(), weights);
            std::int64_t summed = 0;
            for (const engine::NetworkWeights& each : graph.network->weights)
                summed += each.whole;
            QCOMPARE(summed, weights);
            // The notes say the same number.
            std::string text = std::to_string(weights);
            for (std::size_t at = text.size(); at > 3; at -= 3)
                text.insert(at - 3, ",");
            QVERIFY2(findModel(name)->notes.starts_with(text), name);
        }
    }

    void aNetworkOfOneGemmTakesTheTimeOfThatGemm() {
        const Experiment experiment = withNetwork("a: gemm 4096*b 4096 1024", 1, 1);
        const ModelRun run = networkRunOf(experiment, ModelPhase::prompt);
        engine::GemmsOptions options;
        const std::vector<engine::GemmSize> sizes{{4096, 4096, 1024}};
        engine::Duration alone;
        options.finished = [&](std::size_t, const engine::GemmOutcome& outcome) { alone = outcome.time; };
        engine::runGemms(experiment, sizes, options);
        QCOMPARE(run.sequential.time.total(), alone);
        // A GEMM that runs T times takes T times as long.
        const ModelRun often = networkRunOf(withNetwork("a: gemm 4096*b 4096 1024 times 7", 1, 1), ModelPhase::prompt);
        QCOMPARE(often.sequential.time.total(), alone * 7);
    }

    void aFeedForwardPartInColumnsSendsItsOutputsAndTheGradientsOfItsInputs() {
        const Experiment experiment = withNetwork("up: gemm 512*b 8192 2048 in columns\n"
                                                  "down: gemm 512*b 2048 8192 in columns",
                                                  4, 8);
        const engine::Messages messages = engine::messagesOf(experiment, ModelPhase::training);
        // B d e and B x e bytes, of which three quarters are sent, twice that for an all-reduce.
        const std::int64_t rows = 512 * 8, e = 2;
        QCOMPARE(messages.count(), std::int64_t{3});
        QCOMPARE(messages.sent().count,
                 rows * 8192 * e * 3 / 4 + rows * 2048 * e * 3 / 4 + 2 * rows * 8192 * e * 3 / 4);
        const ModelRun run = networkRunOf(experiment);
        QVERIFY(run.sequential.time.exposed() > engine::Duration{});
    }

    void samplesOnAGroupAreReplicas() {
        const std::string text = "a: gemm 64*b 512 512\nc: gemm 64*b 256 512\nd: work 8*b 1024*b out 64*b";
        Experiment group = withNetwork(text, 8, 32), replicas = withNetwork(text, 1, 4);
        replicas.division.dp = 8;
        const engine::Messages ofGroup = engine::messagesOf(group, ModelPhase::training),
                               ofReplicas = engine::messagesOf(replicas, ModelPhase::training);
        QCOMPARE(ofGroup.sent(), ofReplicas.sent());
        QCOMPARE(ofGroup.count(), ofReplicas.count());
        // Both are steps that wait for the gradients of all GPUs.
        const ModelRun first = networkRunOf(group), second = networkRunOf(replicas);
        const ModelStep one = stepOf(first, first.sequential), other = stepOf(second, second.sequential);
        QCOMPARE(one.total.ps, other.total.ps);
        QCOMPARE(one.time.data.ps, other.time.data.ps);
        QVERIFY(one.time.data > engine::Duration{});
        QCOMPARE(one.stages.front().time.data, one.time.data);
        QCOMPARE(one.bubbleShare, 0.0);
        QCOMPARE(one.total - one.time.data, first.sequential.time.total());
    }

    void theOrderOfIndependentLinesChangesNoSum() {
        const Experiment first =
            withNetwork("a: gemm b 512 512\nc: gemm b 256 64 from none\nd: work 0 b out b from a, c", 4, 64);
        const Experiment second =
            withNetwork("c: gemm b 256 64\na: gemm b 512 512 from none\nd: work 0 b out b from a, c", 4, 64);
        const ModelRun one = networkRunOf(first), two = networkRunOf(second);
        QCOMPARE(one.sequential.time.total(), two.sequential.time.total());
        QCOMPARE(engine::messagesOf(first, ModelPhase::training).sent(),
                 engine::messagesOf(second, ModelPhase::training).sent());
        QCOMPARE(engine::footprintOf(first, ModelPhase::training).bytes().total(),
                 engine::footprintOf(second, ModelPhase::training).bytes().total());
    }

    void workHasWeightsToo() {
        const Experiment experiment = withNetwork("t: work 0 4*b out 2*b weights 1000\na: gemm b 64 2", 2, 8);
        const engine::OperatorGraph graph = engine::operatorGraphOf(experiment, ModelPhase::training);
        QCOMPARE(graph.network->weights.front(), (engine::NetworkWeights{"t", 1000, 1000, 2}));
        QCOMPARE(graph.weightsOfModel(), std::int64_t{1000 + 128});
        // The optimizer waits for the gradient of the table.
        const auto isOptimizer = [&](const engine::OperatorDependency& edge) {
            return graph.operators[edge.from].id == "backward/t" &&
                   graph.operators[edge.to].pass == engine::OperatorPass::optimizer;
        };
        QVERIFY(std::ranges::any_of(graph.edges, isOptimizer));
    }

    void settingsOfTransformersAreNoticedAndRefusedWhereTheyMatter() {
        Experiment experiment = wholeModelNamed("alexnet", 8);
        QVERIFY(hasNotice(networkRunOf(experiment).notices, "policy.preset", "no GEMM of a network feeds"));
        experiment.workload.hidden = 1024;
        experiment.operators.recompute = engine::Recompute::layer;
        const engine::Notices notices = engine::operatorGraphOf(experiment, ModelPhase::training).notices;
        QVERIFY(hasNotice(notices, "workload.hidden", "not read"));
        QVERIFY(hasNotice(notices, "operators.recompute", "not read"));
        QVERIFY(!ruleProblems(experiment, ModelPhase::training).empty());
        Experiment transformer = wholeModelNamed("gpt-3", 8);
        transformer.workload.symbols = "x=2";
        ModelRunOptions options;
        options.policies = {PolicyPreset::sequential};
        QVERIFY(modelRunProblems(transformer, options).empty());
        QVERIFY(!hasRun(ExperimentDraft{{{"workload.model", std::string("dlrm")}}, {}}));
        QVERIFY(hasRun(ExperimentDraft{{{"workload.model", std::string("gpt-3")}}, {}}));
    }

    void divisionsOfANetworkHaveOneStage() {
        DivisionsQuestion question;
        question.base = wholeModelNamed("alexnet", 1);
        question.gpus = 16;
        question.sequences = 256;
        const Divisions found = divisionsOf(question);
        QVERIFY(!found.rows.empty());
        for (const Division& row : found.rows) {
            QCOMPARE(row.pp, std::int64_t{1});
            QCOMPARE(row.sharding, engine::Sharding::none);
        }
        QVERIFY(std::ranges::any_of(found.rows, [](const Division& row) { return row.tp > 1; }));
    }

    void aDocumentMayWriteANetworkAsLines() {
        const FlatDocument document = readFlat(
            R"({"workload": {"network": ["a: gemm b 8 8", "c: gemm b 8 8"]}, "collective": {"table": ["all-reduce 0..: collective.staging=3"]}})",
            "test");
        QVERIFY(document.problems.empty());
        QCOMPARE(document.values.at(0).text, std::string("a: gemm b 8 8\nc: gemm b 8 8"));
        QCOMPARE(document.values.at(1).text, std::string("all-reduce 0..: collective.staging=3"));
        const auto problemOf = [](const char* json) {
            const FlatDocument wrong = readFlat(json, "test");
            return wrong.problems.empty() ? std::string() : engine::describe(wrong.problems.front());
        };
        QVERIFY(problemOf(R"({"workload": {"network": []}})").find("a list without a line") != std::string::npos);
        QVERIFY(problemOf(R"({"workload": {"network": ["a", 3]}})").find("workload.network[1]") != std::string::npos);
        QVERIFY(problemOf(R"({"workload": {"symbols": ["a"]}})").find("one value is expected") != std::string::npos);
    }

    void aMachineMayCarryATable() {
        const PresetReading reading = readPreset(
            readFlat(
                R"({"format": "ringside-preset", "version": 1, "kind": "machine", "name": "mine", "base": "nvidia-a100",
                         "collective": {"table": ["all-reduce 8: measured 65536=21us"]}})",
                "test"),
            "test", OwnKind::machine);
        QVERIFY(reading.problems.empty());
        QVERIFY(reading.preset.values.contains("collective.table"));
    }

    void aNetworkOfOnesOwnNeedsABatchAlone() {
        const auto read = [](const std::string& json) {
            return readPreset(readFlat(json, "test"), "test", OwnKind::model).problems;
        };
        const std::string head = R"({"format": "ringside-preset", "version": 1, "kind": "model", "name": "mine", )";
        QVERIFY(read(head + R"("workload": {"batch": 8, "network": "a: gemm b 8 8"}})").empty());
        const engine::Problems missing = read(head + R"("workload": {"network": "a: gemm b 8 8"}})");
        QVERIFY(missing.size() == 1 && missing.front().path.find("workload.batch") != std::string::npos);
        // An own preset of a network says what the network reads, that of a Transformer has no network.
        ExperimentDraft draft;
        draft.explicitValues["workload.model"] = std::string("gnmt");
        const Settings own = ownValuesOf(OwnKind::model, draft);
        QVERIFY(own.contains("workload.network") && own.contains("workload.batch") && !own.contains("workload.hidden"));
        draft.explicitValues["workload.model"] = std::string("gpt-3");
        QVERIFY(!ownValuesOf(OwnKind::model, draft).contains("workload.network"));
        ExperimentDraft named;
        named.explicitValues = {{"workload.model", std::string("mine")},
                                {"workload.batch", std::int64_t{8}},
                                {"workload.network", std::string("a: gemm b 8 8")}};
        QVERIFY(expandValues(named).problems.empty());
        named.explicitValues.erase("workload.batch");
        QVERIFY(!expandValues(named).problems.empty());
    }

    void aTableThatNamesTheDefaultsChangesNothing() {
        for (const char* name : {"mega-gpt-2", "alexnet"}) {
            const Experiment plain = wholeModelNamed(name, 8);
            std::string table;
            for (const char* operation : {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
                table += std::string(operation) + " 0..: collective.algorithm=ring collective.staging=1\n";
            const ModelRun before = networkRunOf(plain), after = networkRunOf(withTable(plain, table));
            QCOMPARE(after.sequential.time.total(), before.sequential.time.total());
            QVERIFY(after.sequential.time == before.sequential.time);
            QCOMPARE(after.simulatedRuns, before.simulatedRuns);
            // A table for other sizes changes nothing either.
            const ModelRun other = networkRunOf(withTable(plain, "all-reduce 0..1: collective.algorithm=direct"));
            QVERIFY(other.sequential.time == before.sequential.time);
        }
    }

    void aRuleGivesTheCollectiveItsSettings() {
        const Experiment plain = wholeModelNamed("alexnet", 8);
        const Experiment table = withTable(plain, "all-gather 8 0..: collective.algorithm=direct");
        Experiment all = plain;
        all.collective.algorithm = engine::CollectiveAlgorithm::direct;
        const ModelRun ring = networkRunOf(plain), direct = networkRunOf(all), mixed = networkRunOf(table);
        for (std::size_t i = 0; i < mixed.graph.operators.size(); ++i) {
            const engine::Operator& op = mixed.graph.operators[i];
            const bool fits = op.workload && op.workload->sublayer == engine::SubLayer::allGather;
            const ModelRun& expected = fits ? direct : ring;
            QCOMPARE(mixed.sequential.operators[i].time.total(), expected.sequential.operators[i].time.total());
            QCOMPARE(tableLineOf(table, mixed.graph, op).empty(), !fits);
        }
        // A sub-layer uses a rule only where its output stays local: T3's does not.
        const Experiment model = wholeModelNamed("mega-gpt-2", 8);
        const Experiment ruled = withTable(model, "all-reduce 8 0..: collective.algorithm=direct");
        const engine::OperatorGraph graph = engine::operatorGraphOf(model, ModelPhase::training);
        const engine::Operator& fc2 = *graph.find("forward/fc-2");
        QCOMPARE(simulatedExperiment(ruled, fc2, PolicyPreset::sequential).collective.algorithm,
                 engine::CollectiveAlgorithm::direct);
        QCOMPARE(simulatedExperiment(ruled, fc2, PolicyPreset::t3).collective.algorithm,
                 engine::CollectiveAlgorithm::ring);
        QCOMPARE(simulatedExperiment(ruled, fc2, PolicyPreset::sequential).collective.table, std::string("none"));
    }

    void measuredTimesTakeThePlaceOfSimulations() {
        const Experiment plain = wholeModelNamed("dlrm", 32);
        const Experiment table = withTable(plain, "all-to-all 32: measured 425984=33us 1000000=50us\n"
                                                  "all-reduce 32: measured 1000=100us");
        const ModelRun run = networkRunOf(table);
        const auto exchange =
            std::ranges::find(run.graph.operators, "forward/exchange/all-to-all", &engine::Operator::id);
        const auto index = static_cast<std::size_t>(exchange - run.graph.operators.begin());
        QCOMPARE(exchange->bytes.count, std::int64_t{2 * 26 * 128 * 64});
        QCOMPARE(run.sequential.operators[index].time.total().ps, std::int64_t{33'000'000});
        QCOMPARE(run.sequential.operators[index].time.allToAll.ps, std::int64_t{33'000'000});
        QVERIFY(run.simulatedRuns < networkRunOf(plain).simulatedRuns);
        // Above the last size the bandwidth of the last one holds: the gradients of the largest GEMM.
        const MessageKind gradients{engine::MessageGroup::data, engine::MessageOperation::allReduce, 32, {2'097'152}};
        QCOMPARE(measuredTimeOf(table, gradients)->ps, std::int64_t{100'000'000} * 2'097'152 / 1000);
    }

    void aBadTableIsRefused() {
        ModelRunOptions options;
        options.policies = {PolicyPreset::sequential};
        const engine::Problems problems = modelRunProblems(
            withTable(wholeModelNamed("alexnet", 8), "all-reduce 8 5..4: collective.staging=3"), options);
        QVERIFY(!problems.empty() && problems.front().path == "collective.table");
    }
};

RINGSIDE_TEST(TestNetworkModels)
#include "tst_network_models.moc"
